"""The host of one player in one game: a process that the nursery forks.

It runs none of the player's code, so what that breaks is not the clock, nor the hand that ends it: the player sits in a
process that the host forks (`seat`), whose children play the turns and note their proposals on a slate. The host

- adopts every orphan among its descendants, so that nobody gets out of its reach;
- measures the turn from when the child says that it is ready, and at its end kills whatever has been started;
- stops the seat between the turns: a thread of the player does not think in the opponent's time;
- reads on what the player prints, and keeps the beginning and the end of it;
- ends, with everything that descends from it, when the arena does.

One pipe brings the orders (`seat.ORDER` and a pickled state for a turn); each is answered by a line of JSON in another,
as is the loading of the player.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import traceback
from collections.abc import Collection
from contextlib import suppress
from select import select
from time import monotonic
from typing import Any, NoReturn

from csp_sudoku.arena.assignment import Assignment
from csp_sudoku.arena.log import Log
from csp_sudoku.arena.processes import (
    PATIENCE,
    adopt_orphans,
    descendants,
    end_descendants,
    entry,
    has_young,
    latest_pid,
    reap,
    thread_count,
)
from csp_sudoku.arena.seat import LOADED, ORDER, REPORT, TURN, sit
from csp_sudoku.arena.slate import End, Slate

READY = 5.0
"""Seconds in which the child of a turn must be ready."""
TICK = 0.1
"""Seconds after which it is asked how many processes there are."""
SHORT = 1.0
"""Seconds of a turn after which the ids of processes tell nothing about who is young."""

LATE = "it was not ready in time"


class AbandonedError(Exception):
    """There is no arena any more."""


class BrokenError(Exception):
    """The player's process does not do what it has to."""


class Host:
    """One player, from its loading to the end of the game."""

    def __init__(self, assignment: Assignment, orders: int, answers: int) -> None:
        self.assignment = assignment
        self.limits = assignment.limits
        self._orders = orders
        self._answers = answers
        self._slate = Slate()
        self._log = Log(assignment.log, self.limits.log * 1024)
        self._arena = os.pidfd_open(assignment.arena)  # if it is gone, and this is another, there are no orders either
        self._failure = ""
        """Why there will be no more turns."""
        self._seat = self._start_seat()
        self._seat_ended = os.pidfd_open(self._seat)

    def _start_seat(self) -> int:
        to_read, self._to_seat = os.pipe()
        self._from_seat, to_write = os.pipe()
        host = os.getpid()
        seat = os.fork()
        if not seat:
            sit(self.assignment, self._slate, host, to_read, to_write, self._log.target)
        os.close(to_read)
        os.close(to_write)
        os.set_blocking(self._to_seat, False)
        return seat

    def run(self) -> None:
        """Load the player and play its turns, until there are no more orders."""
        self._answer(self._load())
        while True:
            self._wait([self._orders])
            head = self._read(ORDER.size)
            seconds, full_time, size = ORDER.unpack(head)
            self._answer(self._turn(seconds, full_time, head + self._read(size)))

    def close(self) -> None:
        """End all processes, and leave nothing but the log."""
        self._signal_seat(signal.SIGKILL)
        select([self._seat_ended], [], [], PATIENCE)
        end_descendants()
        self._log.close()
        shutil.rmtree(self.assignment.folder, ignore_errors=True)

    def _load(self) -> dict[str, Any]:
        """What came of loading the player."""
        started = monotonic()
        try:
            child = self._report(LOADED, monotonic() + self.limits.load)
        except BrokenError as error:
            self._fail(str(error))
            return {"end": End.CRASH, "text": self._failure}
        if self._slate.end is End.DONE:
            self._signal_seat(signal.SIGSTOP)
            self._clear(self._seat if monotonic() - started < SHORT else None, child)
        else:
            self._fail(self._slate.text)
        return {"end": self._slate.end, "text": self._slate.text}

    def _turn(self, seconds: float, full_time: bool, order: bytes) -> dict[str, Any]:
        """What came of a turn."""
        if self._failure:
            return {"end": End.CRASH, "text": self._failure, "proposals": [], "found": None, "count": 0, "seconds": 0.0}
        self._slate.clear()
        asked, latest = monotonic(), latest_pid()
        try:
            self._signal_seat(signal.SIGCONT)
            self._order(order, asked + READY)
            child = self._report(TURN, asked + READY)
        except BrokenError as error:
            self._fail(str(error))
            return self._turn(seconds, full_time, order)
        now = monotonic()
        self._signal_seat(signal.SIGSTOP)
        began = self._slate.began if asked <= self._slate.began <= now else now
        end, text = self._watch(child, began + seconds)
        if full_time and end is not End.NOTHING:
            self._wait([], began + seconds)
        over = monotonic()
        self._clear(latest if over - asked < SHORT else None, child)
        return self._found(began, seconds, over, end, text)

    def _watch(self, child: int, deadline: float) -> tuple[End, str]:
        """How the child of a turn ended, and what it said; NOTHING if it did not until the deadline."""
        try:
            ended = os.pidfd_open(child)
        except OSError:  # nobody wanted to know how it ended, so it is gone without a trace
            return self._said(child)
        threads = thread_count()
        try:
            while monotonic() < deadline:
                if self._wait([ended], min(deadline, monotonic() + TICK)):
                    return self._said(child)
                if thread_count() - threads > self.limits.processes:
                    count = len(descendants(os.getpid())) - 1
                    if count > self.limits.processes:
                        expected = f"expected at most {self.limits.processes} processes at a time"
                        return End.CRASH, f"{expected}; found {count}"
            return End.NOTHING, ""
        finally:
            with suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            self._wait([ended], monotonic() + PATIENCE)
            os.close(ended)

    def _said(self, child: int) -> tuple[End, str]:
        """How the child of a turn, which has ended, says that it did, or the system, if it said nothing."""
        if self._slate.end in (End.DONE, End.CRASH):
            return self._slate.end, self._slate.text
        return End.CRASH, _ending(child)

    def _clear(self, latest: int | None, child: int) -> None:
        """End what the turn has left behind, the seat excepted; `latest` came before it, if that says anything."""
        if latest is not None and not has_young(latest, (os.getpid(), self._seat, child)):
            reap()
        else:
            end_descendants([self._seat])
        if select([self._seat_ended], [], [], 0)[0]:
            self._failure = self._failure or "its process has ended"

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
            "count": self._slate.count,
            "seconds": min(done - began, seconds),
        }

    def _report(self, kind: bytes, until: float) -> int:
        """The process that reports this; BrokenError if none does in time."""
        ready = self._wait([self._from_seat, self._seat_ended], until)
        if self._from_seat in ready:
            data = os.read(self._from_seat, 1 << 12)
            if len(data) == REPORT.size and data[:1] == kind:
                process = int(REPORT.unpack(data)[1])
                one = entry(process)
                if process == self._seat or one is None or one.parent in (self._seat, os.getpid()):
                    return process
            if data:
                raise BrokenError("its process sent something that it was not asked for")
            if not self._wait([self._seat_ended], monotonic() + 1):  # the pipe of a process closes before it has ended
                raise BrokenError("its process has closed what it reports by")
        if ready:
            raise BrokenError(_ending(self._seat))
        raise BrokenError(LATE)

    def _order(self, data: bytes, until: float) -> None:
        """Send an order to the seat, which may be unable to read it."""
        while data:
            try:
                data = data[os.write(self._to_seat, data) :]
            except BlockingIOError:
                if not select([], [self._to_seat], [], max(0.0, until - monotonic()))[1]:
                    raise BrokenError(LATE) from None
            except BrokenPipeError:
                raise BrokenError(_ending(self._seat)) from None

    def _fail(self, text: str) -> None:
        """There will be no more turns."""
        self._failure = text or "its process has ended"
        end_descendants()

    def _signal_seat(self, number: int) -> None:
        with suppress(OSError):
            signal.pidfd_send_signal(self._seat_ended, number)

    def _wait(self, watched: Collection[int], until: float | None = None) -> list[int]:
        """Those of the watched descriptors that are ready; none when it is time. The log is read meanwhile."""
        others = [self._log.source, self._arena, *({self._orders} - set(watched))]
        while True:
            left = None if until is None else max(0.0, until - monotonic())
            ready = select([*watched, *others], [], [], left)[0]
            if self._arena in ready or (self._orders in ready and self._orders not in watched):
                raise AbandonedError
            if self._log.source in ready:
                self._log.take()
            found = [descriptor for descriptor in watched if descriptor in ready]
            if found or left == 0:
                return found

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


def _ending(process: int) -> str:
    """How a process ended, of which nobody has taken leave yet."""
    one = entry(process)
    if one is None or not one.ended:
        return "its process has ended"
    if os.WIFSIGNALED(one.status):
        return f"its process was ended by {signal.Signals(os.WTERMSIG(one.status)).name}"
    return f"its process has ended with the exit code {os.WEXITSTATUS(one.status)}"


def host(assignment: Assignment, orders: int, answers: int) -> NoReturn:
    """Host the player of an assignment, in a process that is there for this only."""
    adopt_orphans()
    code = 0
    try:
        os.mkdir(assignment.folder, 0o700)  # noqa: PTH102 - here, so that it is removed when the arena is killed just now
        one = Host(assignment, orders, answers)
        try:
            one.run()
        except (AbandonedError, BrokenPipeError):
            pass
        finally:
            one.close()
    except (AbandonedError, ProcessLookupError):
        shutil.rmtree(assignment.folder, ignore_errors=True)
    except BaseException:  # noqa: BLE001 - the arena must learn of it
        code = 1
        traceback.print_exc()
    finally:
        os._exit(code)
