"""Remote: the arena's side of a host, which runs one player in one game.

Nothing that comes from there is more than text that is read with care: should a player break out of everything and
answer in its host's place, the arena finds numbers, or calls it a crash.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from secrets import token_hex
from select import select
from tempfile import mkdtemp
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

from csp_sudoku.arena.assignment import LOADER, Assignment
from csp_sudoku.arena.limits import Limits
from csp_sudoku.arena.processes import PATIENCE, marked, send
from csp_sudoku.arena.seat import ORDER
from csp_sudoku.arena.slate import KEPT, TEXT, End, plain_move
from csp_sudoku.framework.loading import AgentError
from csp_sudoku.game.record import Proposal
from csp_sudoku.game.state import GameState

GRACE = 10.0
"""Seconds after the deadline in which a host must answer."""
LINE = 1 << 20
"""Bytes of the longest answer."""
MARK = "CSP_SUDOKU_ARENA"
"""The variable that marks a host and all that descend from it: for the case that a player ends its host."""

_HOME = Path(__file__).resolve().parents[2]

Part = TypeVar("Part", int, float, str)


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of a turn of a player."""

    proposals: tuple[Proposal, ...]
    """The moves that it proposed in time: the last ones, if they were many. The last of all counts."""
    seconds: float
    """How long it thought."""
    crash: str | None = None
    """What it ended with, if that was an error."""
    nonsense: str | None = None
    """The type of the last thing that it proposed and that was no move; the empty text for None."""
    count: int = 0
    """How many proposals there were."""


class Remote:
    """A player in a process of its own; a context, at whose end nothing is left of it but its log."""

    def __init__(
        self,
        spec: str,
        number: int,
        *,
        api: str | None = None,
        seed: int | None = None,
        limits: Limits | None = None,
        log: str | PathLike[str] | None = None,
        loader: str = LOADER,
    ) -> None:
        self.number = number
        self._limits = limits or Limits()
        self._folder = mkdtemp(prefix=f"csp-sudoku-player{number}-")
        self._mark = token_hex(16)
        self._buffer = b""
        assignment = Assignment(
            spec=spec,
            number=number,
            folder=self._folder,
            arena=os.getpid(),
            api=api,
            seed=seed,
            log=None if log is None else str(Path(log).absolute()),
            limits=self._limits,
            path=tuple(str(Path(place).absolute()) for place in sys.path),
            loader=loader,
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command is our own
                [sys.executable, "-P", "-m", "csp_sudoku.arena.host", assignment.to_json()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=_environment(self._mark, seed),
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    @property
    def process(self) -> int:
        """The id of the host."""
        return self._process.pid

    def wait(self) -> None:
        """Wait until the player is loaded, or has crashed at that: AgentError if there is no such player."""
        answer = self._answer(self._limits.load + GRACE)
        if answer is not None and answer.get("end") == End.REFUSED:
            raise AgentError(_part(answer, "text", "")[:TEXT] or "expected a player; found none")
        if answer is None and self._has_failed():
            raise RuntimeError(f"expected a host for player {self.number}; found that it cannot start")

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:
        """What the player makes of its turn in this time."""
        data = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
        started = monotonic()
        if not self._send(ORDER.pack(seconds, full_time, len(data)) + data):
            return _gone(started)
        answer = self._answer(seconds + GRACE)
        return _gone(started) if answer is None else _thought(answer, seconds)

    def leave(self) -> None:
        """Tell the host to end, without waiting for it."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def close(self) -> None:
        """End the player and all that it has started."""
        self.leave()
        assert self._process.stdout is not None
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()
        if code != 0:
            self._end_strays()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end_strays(self) -> None:
        """Kill what a host has left that did not end in peace."""
        until = monotonic() + PATIENCE
        while (strays := marked(f"{MARK}={self._mark}")) and monotonic() < until:
            for stray in strays:
                send(stray, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _has_failed(self) -> bool:
        """Whether the host has ended by an error of its own, and not by its player's hand."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(1) > 0
        return False

    def _send(self, data: bytes) -> bool:
        """Whether the host has taken an order."""
        assert self._process.stdin is not None
        descriptor = self._process.stdin.fileno()
        os.set_blocking(descriptor, False)
        until = monotonic() + GRACE
        while data:
            try:
                data = data[os.write(descriptor, data) :]
            except BlockingIOError:
                if not select([], [descriptor], [], max(0.0, until - monotonic()))[1]:
                    return False
            except OSError:
                return False
        return True

    def _answer(self, seconds: float) -> dict[str, Any] | None:
        """The next answer of the host; None if there is none in time, or it is none."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        until = monotonic() + seconds
        while b"\n" not in self._buffer:
            if len(self._buffer) > LINE or not _readable(descriptor, until - monotonic()):
                return None
            part = os.read(descriptor, 1 << 16)
            if not part:
                return None
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


def _readable(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read within this time; `select` knows no descriptors from 1024 on."""
    import select as waiting

    poll = waiting.poll()
    poll.register(descriptor, waiting.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def _environment(mark: str, seed: int | None) -> dict[str, str]:
    """The environment of a host, in which it finds this package; with a seed, sets have the same order every time."""
    environment = {**os.environ, MARK: mark}
    if not _HOME.name.endswith("-packages"):
        before = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = f"{before}{os.pathsep}{_HOME}" if before else str(_HOME)
    if seed is not None:
        environment["PYTHONHASHSEED"] = str(seed % 2**32)
    return environment


def _gone(started: float) -> Thought:
    return Thought((), monotonic() - started, crash="its host does not answer")


def _thought(answer: dict[str, Any], limit: float) -> Thought:
    """What an answer tells, as far as it makes sense."""
    proposals = []
    told, nonsense = answer.get("proposals"), answer.get("found")
    for proposal in told[-KEPT:] if isinstance(told, list) else []:
        if isinstance(proposal, list) and len(proposal) == 4 and isinstance(proposal[3], float):
            move = plain_move(proposal[:3])
            if move is not None and 0 <= proposal[3] <= limit:
                proposals.append(Proposal(move, proposal[3]))
    return Thought(
        tuple(proposals),
        min(max(0.0, _part(answer, "seconds", 0.0)), limit),
        None if answer.get("end") in (End.DONE, End.NOTHING) else _part(answer, "text", "")[:TEXT],
        nonsense[:40] if isinstance(nonsense, str) else None,
        _part(answer, "count", 0),
    )


def _part(answer: dict[str, Any], key: str, default: Part) -> Part:
    """A field of an answer, or a default if it is none of that type."""
    found = answer.get(key)
    return found if type(found) is type(default) else default
