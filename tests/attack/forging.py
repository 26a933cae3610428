"""Agents that patch, forge, write where they should not, or read data that is not theirs."""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.attack.hostiles import EITHER, FOLDER, PLAYS, Hostile, above, good, processes, proposer


class ProposesNonsense(Hostile):
    """Proposes objects that are no moves before and after its move."""

    def proposals(self, state):
        nonsense = (None, 1.5, "012", (1, 2), (10**5000, 0, 1), (0, -(10**30), 1), [None] * 3, object(), iter(()))
        yield from nonsense
        yield good(state)
        yield from nonsense


class ProposesEndlessly(Hostile):
    """Proposes its move until it is ended."""

    is_endless = True

    def proposals(self, state):
        while True:
            yield good(state)


class _Evil(int):
    """An integer that raises an error whenever it is read."""

    def _no(self, *_):
        raise SystemError

    __eq__ = __lt__ = __gt__ = __index__ = __int__ = __hash__ = __reduce_ex__ = __getstate__ = __repr__ = _no


class ProposesEvil(Hostile):
    """Proposes its move made of integers that cannot be read."""

    def proposals(self, state):
        yield [_Evil(part) for part in good(state)]


class ScribblesOnPipes(Hostile):
    """Writes nonsense to every descriptor."""

    expected = EITHER

    def make(self):
        _scribble()

    def before(self, state):
        _scribble()


class ForgesReports(Hostile):
    """Has a thread that says in its supervisor's words that process 1 is its turn."""

    expected = EITHER

    def make(self):
        threading.Thread(target=self._forge, daemon=True).start()

    @staticmethod
    def _forge():
        for _ in range(20_000):
            for descriptor in range(3, 10):
                with suppress(OSError):
                    os.write(descriptor, struct.pack("=cI", b"T", 1))
            time.sleep(0.001)


class ScribblesOnBuffer(Hostile):
    """Fills the shared memory with its proposals with all kinds of numbers."""

    expected = EITHER

    def after(self, state):
        words = proposer().__self__._words
        for place in range(0, len(words), 3):
            words[place] = (-1, 2**62, 1, 0, -(2**63))[place % 5]


class ForgesAnswers(Hostile):
    """Reports the end of its turn to the arena in place of its supervisor, and continues."""

    expected = EITHER
    is_endless = True
    harms = frozenset({"time", "loss"})

    def after(self, state):
        answer = {"end": 1, "text": "", "proposals": [[*good(state), 0.01]], "found": None, "seconds": 0.01}
        for process in above()[1:]:
            with suppress(OSError), Path(f"/proc/{process}/fd/1").open("wb", buffering=0) as file:
                file.write(json.dumps(answer).encode() + b"\n")
        while True:
            pass


class Patches(Hostile):
    """Replaces modules that its supervisor and the framework may need by broken ones."""

    expected = EITHER

    def after(self, state):
        def broken(*_, **__):
            raise AssertionError("patched")

        for module in (time, pickle, threading, os, gc, importlib):
            for name in list(vars(module)):
                if callable(getattr(module, name)) and not isinstance(getattr(module, name), type):
                    setattr(module, name, broken)
        for name in [name for name in sys.modules if name.startswith("csp_sudoku.")]:
            for entry in list(vars(sys.modules[name])):
                with suppress(Exception):
                    setattr(sys.modules[name], entry, broken)
        sys.exit = sys.excepthook = broken
        sys.stdout = sys.stderr = None


class ReadsProc(Hostile):
    """Reads as much as it can of every process: its environment, its maps and its open files."""

    def before(self, state):
        until = time.monotonic() + 0.3
        for process in processes():
            if time.monotonic() < until:
                for what in ("environ", "maps", "stat"):
                    with suppress(OSError):
                        Path(f"/proc/{process}/{what}").read_bytes()
                with suppress(OSError):
                    list(Path(f"/proc/{process}/fd").iterdir())


class PlantsPickle(Hostile):
    """Writes a trap into the saves of its opponent."""

    harms = frozenset({"loss"})

    def after(self, state):
        for folder in (Path(os.environ[FOLDER]) / "temporary").glob("csp-sudoku-player*"):
            if folder != Path.cwd():
                with suppress(OSError):
                    (folder / f"{3 - state.player}.memory").write_bytes(b"cbuiltins\nint\n(S'trap'\ntR.")


class LittersOpponent(Hostile):
    """Writes files into the working folder of its opponent."""

    def after(self, state):
        for folder in (Path(os.environ[FOLDER]) / "temporary").glob("csp-sudoku-player*"):
            with suppress(OSError):
                (folder / "litter").write_bytes(b"litter")
                (folder / "litter").chmod(0)


class Litters(Hostile):
    """Leaves a file beside the working folders, where it could belong to any process."""

    expected = PLAYS
    harms = frozenset({"files"})

    def after(self, state):
        (Path(os.environ[FOLDER]) / "temporary" / "litter").write_bytes(b"litter")


def _scribble():
    """Write nonsense to every descriptor."""
    for descriptor in range(3, 256):
        for text in (b"\x00" * 5, b"L" * 1000, os.urandom(100)):
            with suppress(OSError):
                os.set_blocking(descriptor, False)
                os.write(descriptor, text)
