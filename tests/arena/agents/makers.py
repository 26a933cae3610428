"""Mock players that do something when they are made."""

import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.arena.agents.actions import LONG, daemon, good, scribble

NAMELESS = 40
"""A signal for real time."""


def leave_word(path, word):
    """Write a word to a file, all at once: whoever reads it finds this one or the one before."""
    other = path.with_name(f"next-{path.name}")
    other.write_text(str(word))
    other.replace(path)


class AtMaking:
    """What does something when it is made; it plays like anyone."""

    def __init__(self):
        self.make()

    def think(self, state, propose):
        propose(good(state))


class RaisesWhenMade(AtMaking):
    """Crashes when it is made."""

    def make(self):
        raise KeyboardInterrupt("nobody may make me")


class ExitsWhenMade(AtMaking):
    """Ends its process when it is made."""

    def make(self):
        os._exit(7)


class HangsWhenMade(AtMaking):
    """Is never ready."""

    def make(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(LONG)


class ScribblesWhenMade(AtMaking):
    """Writes nonsense to every descriptor when it is made."""

    make = staticmethod(scribble)


class ClosesWhenMade(AtMaking):
    """Closes every descriptor when it is made."""

    def make(self):
        os.closerange(0, 1 << 16)


class StartsWhenMade(AtMaking):
    """Starts a daemon, a thread and a process when it is made."""

    def make(self):
        daemon()
        if not os.fork():
            time.sleep(LONG)
            os._exit(0)
        threading.Thread(target=time.sleep, args=(LONG,), daemon=True).start()


class EndsBySignalWhenMade(AtMaking):
    """Is ended when it is made, by a signal that has no name."""

    def make(self):
        os.kill(os.getpid(), NAMELESS)


class EndsBySignal(AtMaking):
    """Is ended by such a signal after a proposal."""

    def make(self):
        pass

    def think(self, state, propose):
        propose(good(state))
        os.kill(os.getpid(), NAMELESS)


class BeginsLate(AtMaking):
    """Takes half a second before it lets a turn begin."""

    def make(self):
        from csp_sudoku.sandbox import player_process

        begin = player_process._begin

        def late(*arguments):
            time.sleep(0.5)
            begin(*arguments)

        player_process._begin = late


class PondersWhenCopied:
    """Has a process started by whatever copies it, and loses if that lived on in the opponent's time."""

    is_helper = False

    def __init__(self):
        os.register_at_fork(after_in_child=self.start)

    def start(self):
        if self.is_helper:
            return
        self.is_helper = True
        if not os.fork():
            os.setsid()
            begun, trace = time.monotonic(), Path(f"alive-{os.getpid()}")
            while time.monotonic() < begun + LONG:
                leave_word(trace, f"{begun} {time.monotonic()}")
                time.sleep(0.002)
            os._exit(0)
        self.is_helper = False

    def think(self, state, propose):
        opponent = Path.cwd().parent / "rests"
        if opponent.exists():
            start, end = map(float, opponent.read_text().split())
            for trace in Path().glob("alive-*"):
                begun, latest = map(float, trace.read_text().split())
                assert latest < start or begun > end  # it may begin when this turn does
        propose(good(state))


class BusyWhenCopied(AtMaking):
    """Takes half a second whenever it is to be copied."""

    def make(self):
        os.register_at_fork(before=lambda: time.sleep(0.5))


class LeavesItsGroup(AtMaking):
    """Is in the group of the process that it comes from when its time is over, and loses if it has lived on."""

    trace = Path("player")

    def make(self):
        pass

    def think(self, state, propose):
        if self.trace.exists():
            assert not Path(f"/proc/{self.trace.read_text()}").exists()
        leave_word(self.trace, os.getpid())
        propose(good(state))
        with suppress(OSError):
            os.setpgid(0, os.getppid())
        time.sleep(LONG)


class PatchesWhenMade(AtMaking):
    """Replaces modules that a supervisor may need by broken ones."""

    def make(self):
        def broken(*_, **__):
            raise AssertionError("patched")

        import pickle
        import traceback

        for module in (time, signal, pickle, traceback, socket, threading, os):
            for name in list(vars(module)):
                if callable(getattr(module, name)) and not isinstance(getattr(module, name), type):
                    setattr(module, name, broken)
        sys.exit = sys.excepthook = broken
        sys.stdout = sys.stderr = None
        for name in [name for name in sys.modules if name.startswith("csp_sudoku.framework")]:
            del sys.modules[name]


class ForgesReports(AtMaking):
    """Says in its supervisor's words that process 1 is its turn."""

    def make(self):
        import struct

        def forge():
            while True:
                for descriptor in range(3, 10):
                    with suppress(OSError):
                        os.write(descriptor, struct.pack("=cI", b"T", 1))
                time.sleep(0.001)

        threading.Thread(target=forge, daemon=True).start()
