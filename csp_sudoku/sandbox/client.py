"""The client: the arena's side of a supervisor, which runs one player in one game.

The arena does not trust the answers. It parses them as JSON and checks the type and the range of every field. If a
player breaks out of its process and answers in place of its supervisor, the arena still gets only plain values, or
reports a crash.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from time import monotonic
from typing import Any, TypeVar

from csp_sudoku.framework.loading import AgentError
from csp_sudoku.game.record import Proposal
from csp_sudoku.game.state import GameState
from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.closing import Closing
from csp_sudoku.sandbox.fork_server import MARK, STOPPED, ForkServer, SupervisorError, readable
from csp_sudoku.sandbox.leftovers import remove_folder
from csp_sudoku.sandbox.messages import AGAIN, BROKEN, ORDER, SO_FAR
from csp_sudoku.sandbox.processes import PATIENCE, entry, marked, send
from csp_sudoku.sandbox.proposal_buffer import KEPT, TEXT, TRACE, End, plain_move
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms

GRACE = 10.0
"""Upper bound for the time between the deadline and the supervisor's answer, in seconds."""
LINE = 1 << 20
"""Upper bound for the size of an answer, in bytes."""

Part = TypeVar("Part", float, str)

OnProposals = Callable[[GameState, Sequence[Proposal]], object]
"""A function that is called while a player thinks, with the state and with its proposals since the last call."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of a player's turn."""

    proposals: tuple[Proposal, ...]
    """The moves that the player proposed in time, at most the last KEPT ones. The last one counts."""
    seconds: float
    """The time that the player used, in seconds; if its supervisor has gone, the time that the arena waited."""
    crash: str | None = None
    """The error message if the turn ended with an error."""
    nonsense: str | None = None
    """The type of the last proposal that was no move; the empty text if that was None."""
    resigned: bool = False
    """Whether the player has resigned; only people do."""
    trace: str | None = None
    """The traceback of the error, if the turn ended with an error that the player's process has reported."""


class PlayerClient(Closing):
    """A player in its own process, as a context manager; at its end, only the log of the player remains."""

    def __init__(
        self,
        spec: str,
        number: int,
        terms: GameTerms = DEFAULT_TERMS,
        *,
        seed: int | None = None,
        log: str | PathLike[str] | None = None,
        fork_server: ForkServer | None = None,
        on_proposals: OnProposals | None = None,
    ) -> None:
        self.number = number
        self._on_proposals = on_proposals
        self._limits = terms.limits
        self.mark = token_hex(16)
        self._folder = str(Path(gettempdir(), f"csp-sudoku-player{number}-{self.mark[:12]}").absolute())
        self._unread = b""
        self._is_resting = False
        """Whether the supervisor has stopped the player since the last order; a stopped player can do no harm."""
        assignment = Assignment(
            spec=spec,
            number=number,
            folder=self._folder,
            arena=os.getpid(),
            terms=terms,
            seed=seed,
            log=None if log is None else str(Path(log).absolute()),
            path=tuple(str(Path(place).absolute()) for place in sys.path),
            namespaces=terms.isolation.namespaces(),
        )
        self._is_alone = "pid" in assignment.namespaces
        """Whether the player can signal its own processes only, and not its supervisor."""
        self._orders = self._answers = -1
        self._own = None if fork_server else ForkServer()
        try:
            self._start(fork_server or self._own, assignment)
        except BaseException:
            self._tidy()
            raise

    def _start(self, fork_server: ForkServer | None, assignment: Assignment) -> None:
        assert fork_server is not None
        theirs: list[int] = []
        try:
            read, self._orders = os.pipe()
            theirs.append(read)
            self._answers, write = os.pipe()
            theirs.append(write)
            self._supervisor = fork_server.fork(assignment, self.mark, read, write)
        except OSError as error:
            raise self._no_supervisor((error.strerror or str(error)).lower()) from error
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def _no_supervisor(self, found: str) -> SupervisorError:
        return SupervisorError(f"expected a supervisor for player {self.number}; found {found}")

    @property
    def process(self) -> int:
        """The id of the supervisor."""
        return self._supervisor.pid

    def wait(self, *, strict: bool = True) -> None:
        """Wait until the player is loaded or has crashed.

        Raise AgentError if there is no such player, and SupervisorError if the supervisor itself has failed. If
        `strict` is true, an agent with a syntax error or a missing import is an AgentError, too; else it has crashed.
        """
        answer = self._read_answer(self._limits.load + GRACE)
        self._is_resting = answer is not None
        refused = (End.REFUSED, End.UNIMPORTABLE) if strict else (End.REFUSED,)
        if answer is not None and answer.get("end") in refused:
            raise AgentError(_part(answer, "text", "")[:TEXT] or "expected a player; found none")
        if answer is not None and BROKEN in answer:
            raise self._no_supervisor(_part(answer, BROKEN, "")[:TEXT])

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:
        """Have the player play a turn in this time, and return the result."""
        data = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
        started = monotonic()
        self._wake_supervisor()
        is_sent = self._send(ORDER.pack(seconds, full_time, self._on_proposals is not None, len(data)) + data)
        if not is_sent:
            return self._gone(started)
        self._is_resting = False
        answer = self._await_turn(state, seconds, seconds + GRACE)
        if answer == AGAIN:
            answer = self._await_turn(state, seconds, self._limits.load + seconds + GRACE)
        if answer is None:
            return self._gone(started)
        self._is_resting = True
        return _thought(answer, seconds)

    def _await_turn(self, state: GameState, limit: float, seconds: float) -> dict[str, Any] | None:
        """Return the answer for a turn as `_read_answer` does, and pass on the proposals that are reported before it.

        `limit` is the time of the turn, and `seconds` that of the answer.
        """
        until = monotonic() + seconds
        while True:
            answer = self._read_answer(until - monotonic())
            if answer is None or SO_FAR not in answer or self._on_proposals is None:
                return answer
            self._on_proposals(state, _proposals(answer[SO_FAR], limit))

    def _wake_supervisor(self) -> None:
        """Continue the supervisor if it was stopped while the player was at rest, and so by others."""
        if self._is_resting and not self._supervisor.wait(0):
            now = entry(self._supervisor.pid)
            if now is not None and now.state in STOPPED:
                send(now, signal.SIGCONT)

    def _gone(self, started: float) -> Thought:
        """Return a turn without an answer, with the reason as far as it is known."""
        reason = "its supervisor does not answer"
        if self._supervisor.wait(0):
            code = self._supervisor.end()
            if code is not None and code < 0 and (self._is_resting or self._is_alone):
                reason = "its supervisor was killed from outside"
        return Thought((), monotonic() - started, crash=reason)

    def leave(self) -> None:
        """Close the pipe of the orders, upon which the supervisor ends; do not wait for it."""
        if self._orders >= 0:
            self._wake_supervisor()
            os.close(self._orders)
            self._orders = -1

    def close(self) -> None:
        """End the player and all processes that it has started."""
        self.leave()
        if self._supervisor.end() != 0:
            self._end_strays()
        self._tidy()

    def _tidy(self) -> None:
        """Close the pipes, remove the player's folder, and end the fork server if it is our own."""
        self.leave()
        if self._answers >= 0:
            os.close(self._answers)
            self._answers = -1
        remove_folder(self._folder)
        if self._own is not None:
            self._own.close()
            self._own = None

    def _end_strays(self) -> None:
        """Kill the marked processes that are left of a supervisor that did not exit normally."""
        until = monotonic() + PATIENCE
        while (strays := marked(f"{MARK}={self.mark}")) and monotonic() < until:
            for stray in strays:
                send(stray, signal.SIGKILL)

    def _send(self, data: bytes) -> bool:
        """Send an order, and return whether the supervisor has taken it."""
        os.set_blocking(self._orders, False)
        until = monotonic() + GRACE
        while data:
            try:
                data = data[os.write(self._orders, data) :]
            except BlockingIOError:
                if not _writable(self._orders, until - monotonic()):
                    return False
            except OSError:
                return False
        return True

    def _read_answer(self, seconds: float) -> dict[str, Any] | None:
        """Return the next answer of the supervisor; None if none arrives in time, or if it is no JSON object."""
        until = monotonic() + seconds
        while b"\n" not in self._unread:
            if len(self._unread) > LINE or not readable(self._answers, until - monotonic()):
                return None
            part = os.read(self._answers, 1 << 16)
            if not part:
                return None
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


def _writable(descriptor: int, seconds: float) -> bool:
    """Whether the descriptor becomes writable within this time."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLOUT)
    return bool(waiting.poll(max(0.0, seconds) * 1000))


def _thought(answer: dict[str, Any], limit: float) -> Thought:
    """Return the valid parts of an answer as a Thought."""
    nonsense = answer.get("found")
    has_crashed = answer.get("end") not in (End.DONE, End.NOTHING)
    return Thought(
        tuple(_proposals(answer.get("proposals"), limit)),
        min(max(0.0, _part(answer, "seconds", 0.0)), limit),
        _part(answer, "text", "")[:TEXT] if has_crashed else None,
        nonsense[:40] if isinstance(nonsense, str) else None,
        trace=(has_crashed and _part(answer, "trace", "")[-TRACE:]) or None,
    )


def _proposals(told: object, limit: float) -> list[Proposal]:
    """Return the valid proposals of an answer; `limit` is the time of the turn."""
    proposals = []
    for proposal in told[-KEPT:] if isinstance(told, list) else []:
        if isinstance(proposal, list) and len(proposal) == 4 and isinstance(proposal[3], float):
            move = plain_move(proposal[:3])
            if move is not None and 0 <= proposal[3] <= limit:
                proposals.append(Proposal(move, proposal[3]))
    return proposals


def _part(answer: dict[str, Any], key: str, default: Part) -> Part:
    """Return a field of an answer, or the default if the field does not have the type of the default."""
    found = answer.get(key)
    return found if type(found) is type(default) else default
