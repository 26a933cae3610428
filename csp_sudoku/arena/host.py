"""The host of one player in one game: a process that the nursery forks.

It runs none of the player's code, so what that breaks is not the clock, nor the hand that ends it: the player sits in a
process that the host forks (`seat`), which notes the proposals on a slate. The host

- adopts every orphan among its descendants, so that nobody gets out of its reach;
- measures the turn, and at its end kills whatever has been started;
- stops the player between the turns: no thread of it thinks in the opponent's time;
- reads on what the player prints, and keeps the beginning and the end of it;
- ends, with everything that descends from it, when the arena does.

One pipe brings the orders (`seat.ORDER` and a pickled state for a turn); each is answered by a line of JSON in another,
as is the loading of the player. Whether a turn is played by a copy of the player's process or by that process itself,
`forking` and `keeping` tell.
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

from csp_sudoku.arena.assignment import Assignment
from csp_sudoku.arena.leftovers import Leftovers, remove_folder
from csp_sudoku.arena.log import Log
from csp_sudoku.arena.processes import (
    descendants,
    end_descendants,
    entry,
    has_young,
    latest_pid,
    reap,
    thread_count,
)
from csp_sudoku.arena.seat import ORDER
from csp_sudoku.arena.slate import End, Slate

READY = 5.0
"""Seconds in which the child of a turn must be ready."""
STOPPING = 0.05
"""Seconds to wait for a process to stop; longer takes only who waits for one that it has just started."""
TICK = 0.1
"""Seconds after which it is asked how many processes there are."""
SHORT = 1.0
"""Seconds after which the ids of processes tell nothing about who is young."""

BROKEN = "broken"
"""The key of an answer that tells what keeps a host from its work."""

LATE = "it was not ready in time"
ENDED = "its process has ended"


class AbandonedError(Exception):
    """There is no arena any more."""


class BrokenError(Exception):
    """The player's process does not do what it has to."""


class Host(ABC):
    """One player, from its loading to the end of the game."""

    def __init__(self, assignment: Assignment, orders: int, answers: int) -> None:
        self.assignment = assignment
        self.limits = assignment.limits
        self._orders = orders
        self._answers = answers
        self._slate = Slate()
        self._leftovers = Leftovers()
        self._log = Log(assignment.log, self.limits.log * 1024)
        self._arena = os.pidfd_open(assignment.arena)  # if it is gone, and this is another, there are no orders either
        self._failure = ""
        """Why there will be no more turns."""
        self._latest, self._cleared = latest_pid(), monotonic()
        """The latest process, and the time, when all was ended last that the player has started besides itself."""
        self._is_at_rest = False
        """Whether what is left of it is known to have stopped since."""

    @abstractmethod
    def _load(self) -> tuple[End, str]:
        """Load the player, and tell what came of it, as the player or the system says; BrokenError if nobody does."""

    @abstractmethod
    def _prepare(self) -> None:
        """Do what can be done for a turn before it is ordered."""

    @abstractmethod
    def _begin(self, order: bytes, seconds: float) -> float:
        """Have the player begin a turn, and return when it did; BrokenError if it cannot."""

    @abstractmethod
    def _is_done(self, until: float) -> bool:
        """Whether the turn has ended by then, by what the player does."""

    @abstractmethod
    def _said(self) -> tuple[End, str]:
        """How the player says that its turn ended, or the system, if it said nothing."""

    @abstractmethod
    def _end_turn(self, end: End) -> None:
        """End what must not go on after a turn."""

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
                self._prepare()  # before the answer, for then the opponent's turn may begin
            self._answer(answer)
            self._wait([self._orders])
            head = self._read(ORDER.size)
            seconds, full_time, size = ORDER.unpack(head)
            answer = self._turn(seconds, full_time, head + self._read(size))

    def note_leftovers(self) -> None:
        """Find out what the player's processes have that would be left when they are ended."""
        self._leftovers.look()

    def close(self) -> None:
        """End all processes, and leave nothing but the log."""
        end_descendants()
        self._leftovers.remove()
        self._log.close()
        remove_folder(self.assignment.folder)

    def _turn(self, seconds: float, full_time: bool, order: bytes) -> dict[str, Any]:
        """What came of a turn."""
        if self._failure:
            return {"end": End.CRASH, "text": self._failure, "proposals": [], "found": None, "seconds": 0.0}
        self._slate.clear()
        if self._is_at_rest:
            self._latest, self._cleared = latest_pid(), monotonic()
        try:
            began = self._begin(order, seconds)
        except BrokenError as error:
            self._fail(str(error))
            return self._turn(seconds, full_time, order)
        end, text = self._watch(began + seconds)
        over = monotonic()
        self._leftovers.look()
        self._end_turn(end)
        self._leftovers.remove()
        if full_time:
            self._wait([], began + seconds)
        return self._found(began, seconds, over, end, text)

    def _watch(self, deadline: float) -> tuple[End, str]:
        """How a turn ended, and what the player said; NOTHING if it did not until the deadline."""
        threads = thread_count()
        while monotonic() < deadline:
            if self._is_done(min(deadline, monotonic() + TICK)):
                return self._said()
            if thread_count() - threads > self.limits.processes:
                count = sum(not one.ended for one in descendants(os.getpid())) - 1
                if count > self.limits.processes:
                    return End.CRASH, f"expected at most {self.limits.processes} processes at a time; found {count}"
        return End.NOTHING, ""

    def _clear(self, *spared: int) -> None:
        """End all that there is since this was done last, but these processes, which do nothing now."""
        before, latest, now = self._latest, latest_pid(), monotonic()
        if now - self._cleared < SHORT and not has_young(before, (os.getpid(), *spared), spared):
            reap()
        else:
            end_descendants(spared)
        self._latest, self._cleared = latest, now

    def _found(self, began: float, seconds: float, over: float, end: End, text: str) -> dict[str, Any]:
        """The answer that tells of a turn."""
        deadline = began + seconds
        proposals, names = [], []
        for move, at, found in self._slate.notes():
            # a time that cannot be is not the player's to choose
            time = at if began <= at <= over else over
            if time > deadline:
                continue
            if move is None:
                names.append(found)
            else:
                proposals.append([*move, time - began])
        done = self._slate.ended if end is not End.NOTHING and began <= self._slate.ended <= over else over
        return {
            "end": end,
            "text": text,
            "proposals": proposals,
            "found": names[-1] if names else None,
            "seconds": min(done - began, seconds),
        }

    def _fail(self, text: str) -> None:
        """There will be no more turns."""
        self._leftovers.look()
        self._failure = text or ENDED
        end_descendants()

    def _wait(self, watched: Collection[int], until: float | None = None) -> list[int]:
        """Those of the watched descriptors that are ready; none when it is time. The log is read meanwhile."""
        others = [self._log.source, self._arena, *({self._orders} - set(watched))]
        while True:
            left = None if until is None else max(0.0, until - monotonic())
            ready = select([*watched, *others], [], [], left)[0]
            if self._arena in ready:
                raise AbandonedError
            if self._orders in ready and self._orders in others:
                self._require_arena()
                others.remove(self._orders)  # the next order, for which it is too early
            if self._log.source in ready:
                self._log.take()
            found = [descriptor for descriptor in watched if descriptor in ready]
            if found or left == 0:
                return found

    def _require_arena(self) -> None:
        """Raise AbandonedError if there will be no more orders."""
        asked = poll()
        asked.register(self._orders, 0)
        if asked.poll(0):
            raise AbandonedError

    def _read(self, size: int) -> bytes:
        """So many bytes of the orders."""
        data = b""
        while len(data) < size:
            part = os.read(self._orders, size - len(data))
            if not part:
                raise AbandonedError
            data += part
        return data

    def _answer(self, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]


def ending(process: int) -> str:
    """How a process ended, of which nobody has taken leave yet."""
    one = entry(process)
    if one is None or not one.ended:
        return ENDED
    if os.WIFSIGNALED(one.status):
        return f"its process was ended by {_signal_name(os.WTERMSIG(one.status))}"
    return f"its process has ended with the exit code {os.WEXITSTATUS(one.status)}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most of those for real time have none
        return f"the signal {number}"
