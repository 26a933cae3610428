"""The supervisor of one player in one game: a process that the fork server forks.

It runs none of the player's code, so that code can break neither the clock nor the process that ends the turn. The
player runs in a process that the supervisor forks (`player_process`), which writes the proposals into shared memory
(`proposal_buffer`). The supervisor

- adopts every orphan among its descendants, so that no process escapes it;
- measures the turn, and at its end kills every process that the player has started;
- stops the player between the turns, so that none of its threads thinks in the opponent's time;
- notices harm that comes to the player from outside between the turns (`outside`);
- reads the player's output all the time, and keeps the beginning and the end of it;
- ends, with all of its descendants, when the arena ends.

One pipe brings the orders (`messages.ORDER` and a pickled state for a turn). The supervisor answers each order,
and the loading of the player, with a line of JSON in another pipe. In `forking` a copy of the player's process plays
each turn; in `persistent` the player's process itself plays all turns.
"""

from __future__ import annotations

import json
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Collection
from select import poll, select
from time import monotonic
from typing import Any

from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.leftovers import Leftovers, remove_folder
from csp_sudoku.sandbox.log import Log
from csp_sudoku.sandbox.messages import ORDER, SO_FAR
from csp_sudoku.sandbox.outside import CHANGED, fingerprint, killed_from_outside
from csp_sudoku.sandbox.processes import descendants, end_descendants, entry, has_young, latest_pid, reap, thread_count
from csp_sudoku.sandbox.proposal_buffer import TEXT, End, ProposalBuffer

READY = 5.0
"""Upper bound for the time in which the child of a turn becomes ready, in seconds."""
STOPPING = 0.05
"""Seconds to wait for a process to stop; only a process that waits for a child it has just started takes longer."""
DYING = 1.0
"""Seconds to wait for the end of a process that is no longer stopped, because it may have been killed."""
TICK = 0.1
"""Interval between two checks of the number of threads and processes in a turn, in seconds."""
MAX_SO_FAR = 20
"""Maximum number of proposals that a message during a turn reports: the last ones."""
SHORT = 1.0
"""Pids may be reused after so many seconds, so comparing them no longer shows which process is newer."""

LATE = "it was not ready in time"
ENDED = "its process has ended"


class AbandonedError(Exception):
    """The arena has ended or has closed its pipe."""


class BrokenError(Exception):
    """The player's process has ended, is late or breaks the protocol."""


class Supervisor(ABC):
    """The supervisor of one player, from its loading to the end of the game."""

    def __init__(self, assignment: Assignment, orders: int, answers: int, arena: int) -> None:
        """Start the supervision; `arena` is the pidfd of the arena, and `orders` and `answers` are pipes."""
        self.assignment = assignment
        self.limits = assignment.terms.limits
        self._orders = orders
        self._answers = answers
        self._buffer = ProposalBuffer()
        self._leftovers = Leftovers()
        self._log = Log(assignment.log, self.limits.log * 1024)
        self._arena = arena
        self._failure = ""
        """The reason why the player plays no more turns; empty while it plays."""
        self._latest, self._cleared = latest_pid(), monotonic()
        """The latest pid and the time at the last check that the player has no processes besides its own."""
        self._is_at_rest = False
        """Whether the player's remaining processes are known to have stopped since then."""
        self._files = fingerprint(assignment.folder)
        """The fingerprint of the player's files since its last turn."""
        self._is_followed = False
        """Whether the arena wants reports of the proposals during this turn."""

    @abstractmethod
    def _load(self) -> tuple[End, str]:
        """Load the player and return the reported end and text; raise BrokenError if its process reports nothing."""

    @abstractmethod
    def _prepare(self) -> None:
        """Prepare the next turn before it is ordered."""

    @abstractmethod
    def _begin(self, order: bytes, seconds: float) -> float:
        """Have the player begin a turn and return the start time; raise BrokenError if the player cannot begin."""

    @abstractmethod
    def _wait_for_end(self, until: float) -> bool:
        """Wait until then at the latest, and return whether the player has ended the turn."""

    @abstractmethod
    def _reported_end(self) -> tuple[End, str]:
        """Return the end of the turn as the player reports it, or the exit status if it reports none."""

    @abstractmethod
    def _end_turn(self, end: End) -> None:
        """Kill or stop the processes that must not run on after a turn."""

    def run(self) -> None:
        """Load the player and play its turns, until there are no more orders."""
        try:
            end, text = self._load()
        except BrokenError as error:
            end, text = End.CRASH, str(error)
        if end is not End.DONE:
            self._fail(text)
            text = self._failure
        answer: dict[str, Any] = {"end": end, "text": text}
        while True:
            if not self._failure:
                self._prepare()  # before the answer, because the opponent's turn may begin after it
                self._files = fingerprint(self.assignment.folder)
            self._send_answer(answer)
            self._wait([self._orders])
            head = self._read(ORDER.size)
            seconds, full_time, self._is_followed, size = ORDER.unpack(head)
            answer = self._turn(seconds, full_time, head + self._read(size))

    def note_leftovers(self) -> None:
        """Note the shared memory of the player's processes, which would remain after they are killed."""
        self._leftovers.look()

    def close(self) -> None:
        """Kill all processes of the player, and remove everything but the log."""
        end_descendants()
        self._leftovers.remove()
        self._log.close()
        remove_folder(self.assignment.folder)

    def _turn(self, seconds: float, full_time: bool, order: bytes) -> dict[str, Any]:
        """Play a turn and return the answer for the arena."""
        if self._failure:
            return self._no_turn()
        self._buffer.clear()
        if self._is_at_rest:
            self._latest, self._cleared = latest_pid(), monotonic()
        is_changed = fingerprint(self.assignment.folder) != self._files
        try:
            began = self._begin(order, seconds)
        except BrokenError as error:
            self._fail(str(error))
            return self._no_turn()
        end, text = self._watch(began, began + seconds)
        stopped = monotonic()
        if is_changed and end is End.CRASH:
            text = f"{text[: TEXT - len(CHANGED) - 3]} ({CHANGED})"
        self._leftovers.look()
        self._end_turn(end)
        self._leftovers.remove()
        if full_time:
            self._wait([], began + seconds)
        return self._answer_for_turn(began, seconds, stopped, end, text)

    def _no_turn(self) -> dict[str, Any]:
        """Return the answer for a turn that cannot be played."""
        return {"end": End.CRASH, "text": self._failure, "proposals": [], "found": None, "seconds": 0.0}

    def _watch(self, began: float, deadline: float) -> tuple[End, str]:
        """Return the end of a turn and the player's text; NOTHING if the turn has not ended by the deadline."""
        threads, reported = thread_count(), 0
        while monotonic() < deadline:
            if self._wait_for_end(min(deadline, monotonic() + TICK)):
                return self._reported_end()
            if self._is_followed and self._buffer.count > reported:
                reported = self._report_proposals(began, reported)
            if thread_count() - threads > self.limits.processes:
                count = sum(not one.ended for one in descendants(os.getpid())) - 1
                if count > self.limits.processes:
                    return End.CRASH, f"expected at most {self.limits.processes} processes at a time; found {count}"
        return End.NOTHING, ""

    def _report_proposals(self, began: float, reported: int) -> int:
        """Report the proposals after the first `reported` to the arena, and return how many there are now.

        If the arena has not read the reports before, this one is left to the next tick: a write must not delay the end
        of the turn. Where a pipe is writable, it takes at least `PIPE_BUF` bytes, and the message is shorter.
        """
        if not select([], [self._answers], [], 0)[1]:
            return reported
        count, now = self._buffer.count, monotonic()
        notes = self._buffer.notes(max(reported, count - MAX_SO_FAR))
        found = [[*note.move, note.at - began] for note in notes if note.move is not None and began <= note.at <= now]
        self._send_answer({SO_FAR: found})
        return count

    def _clear(self, *spared: int) -> None:
        """Kill the processes that were started since the last call, but spare these, which are stopped."""
        before, latest, now = self._latest, latest_pid(), monotonic()
        if now - self._cleared < SHORT and not has_young(before, (os.getpid(), *spared), spared):
            reap()
        else:
            end_descendants(spared)
        self._latest, self._cleared = latest, now

    def _answer_for_turn(self, began: float, seconds: float, stopped: float, end: End, text: str) -> dict[str, Any]:
        """Return the answer for a turn that was played."""
        deadline = began + seconds
        proposals, names = [], []
        for move, at, found in self._buffer.notes():
            # the player can write any time into the proposal buffer; an impossible one is replaced by the end of the
            # turn
            time = at if began <= at <= stopped else stopped
            if time > deadline:
                continue
            if move is None:
                names.append(found)
            else:
                proposals.append([*move, time - began])
        done = self._buffer.ended if end is not End.NOTHING and began <= self._buffer.ended <= stopped else stopped
        return {
            "end": end,
            "text": text,
            "trace": self._buffer.trace if end is End.CRASH else "",
            "proposals": proposals,
            "found": names[-1] if names else None,
            "seconds": min(done - began, seconds),
        }

    @staticmethod
    def _require_unharmed(process: int, pidfd: int) -> None:
        """Raise BrokenError if a process, which was at rest, was killed."""
        now = entry(process)
        if now is not None and now.state in "Tt":
            return
        if select([pidfd], [], [], DYING)[0]:  # else something has woken it
            raise BrokenError(killed_from_outside(process) or ending(process))

    def _fail(self, text: str) -> None:
        """Kill the player's processes, and note the reason why it plays no more turns."""
        self._leftovers.look()
        self._failure = text or ENDED
        end_descendants()

    def _wait(self, watched: Collection[int], until: float | None = None) -> list[int]:
        """Return the watched descriptors that are ready, or none when the time is up. Read the log meanwhile."""
        others = [self._log.source, self._arena, *({self._orders} - set(watched))]
        while True:
            left = None if until is None else max(0.0, until - monotonic())
            ready = select([*watched, *others], [], [], left)[0]
            if self._arena in ready:
                raise AbandonedError
            if self._orders in ready and self._orders in others:
                self._require_arena()
                others.remove(self._orders)  # it is the next order, which the supervisor reads later
            if self._log.source in ready:
                self._log.take()
            found = [descriptor for descriptor in watched if descriptor in ready]
            if found or left == 0:
                return found

    def _require_arena(self) -> None:
        """Raise AbandonedError if the arena has closed the pipe of the orders."""
        asked = poll()
        asked.register(self._orders, 0)
        if asked.poll(0):
            raise AbandonedError

    def _read(self, size: int) -> bytes:
        """Read exactly `size` bytes of the orders; raise AbandonedError at the end of the pipe."""
        data = b""
        while len(data) < size:
            part = os.read(self._orders, size - len(data))
            if not part:
                raise AbandonedError
            data += part
        return data

    def _send_answer(self, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]


def ending(process: int) -> str:
    """Describe the end of a process; the process must not have been reaped yet."""
    one = entry(process)
    if one is None or not one.ended:
        return ENDED
    if os.WIFSIGNALED(one.status):
        return f"its process was ended by {_signal_name(os.WTERMSIG(one.status))}"
    return f"its process has ended with the exit code {os.WEXITSTATUS(one.status)}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most real-time signals have no name
        return f"the signal {number}"
