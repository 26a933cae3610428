"""The pool of threads that answer questions: the numbers of threads and of waiting questions are bounded.

A **job** is a question in progress. Its deadline begins when a thread takes it and the kernels that it needs are
compiled and loaded. All searches of a job obey its switch, so a job that is cancelled, because the client has
disconnected or its time is over, ends within milliseconds. A search releases the GIL, so the loop of the server
continues meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.base import StopSwitch

GRACE_S = 5.0
"""Time after the deadline of a job at which all its searches are stopped, in seconds."""
MAX_WAITING = 128
"""Maximum number of questions that wait for a thread."""


LAST = ("result", "error")
"""The kinds of the last event of a job."""


class OverloadedError(SudokuError):
    """Too many questions wait."""


class Event(NamedTuple):
    """A report of a job, with its data, which is a JSON object or an exception.

    The kind is "waiting" before its time begins, then "progress", and at last one of `LAST`.
    """

    kind: str
    data: Any


class Job:
    """A question in progress. Its work reports progress from a thread; the loop reads its events.

    `seconds` is the time limit of the work, which begins when a thread takes it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.switch = StopSwitch()
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._started: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def report(self, data: dict[str, Any]) -> None:
        """Report progress; called by the work."""
        self._put(Event("progress", data))

    def report_waiting(self, told: str) -> None:
        """Report the reason, in words, why the time of the job has not begun."""
        self._put(Event("waiting", {"told": told}))

    def left(self) -> float:
        """Return the seconds that are left, at least 0; called by the work."""
        if self.is_cancelled or self._started is None:
            return 0.0
        return max(0.0, self._started + self.seconds - time.monotonic())

    @property
    def is_cancelled(self) -> bool:
        """Whether the job has to end: the client has disconnected, or its time is long over."""
        return self.switch.is_off

    def cancel(self) -> None:
        """End the work soon; its result is no longer needed."""
        self.switch.is_off = True

    async def event(self) -> Event:
        """Return the next event; the last one is a result or an error."""
        found = await self._events.get()
        if found.kind in LAST and self._timer is not None:
            self._timer.cancel()
        return found

    def _run(self, work: Callable[[Job], dict[str, Any]], prepare: Callable[[Job], object]) -> None:
        """Do the work, in a thread of the pool; the time of the job begins after `prepare`."""
        if self.is_cancelled:
            return
        self.switch.obey()
        try:
            prepare(self)
            self._started = time.monotonic()
            self._call(self._arm)
            result = work(self)
            self._put(Event("error", self._late()) if self.is_cancelled else Event("result", result))
        except Exception as error:  # noqa: BLE001 - the loop raises it again
            self._put(Event("error", self._late() if self.is_cancelled else error))
        finally:
            StopSwitch().obey()

    def _late(self) -> UndecidedError:
        return UndecidedError(f"expected an answer within {self.seconds:g} s; found none")

    def _arm(self) -> None:
        self._timer = self._loop.call_later(self.seconds + GRACE_S, self.cancel)

    def _put(self, event: Event) -> None:
        self._call(self._events.put_nowait, event)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)


class JobPool:
    """The pool of `threads` threads."""

    def __init__(self, threads: int, waiting: int = MAX_WAITING) -> None:
        self.threads = threads
        self._places = threads + waiting
        self._taken = 0
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(threads, "answering")

    def start(
        self,
        work: Callable[[Job], dict[str, Any]],
        seconds: float,
        *,
        prepare: Callable[[Job], object] = lambda _: None,
    ) -> Job:
        """Begin a job; raise OverloadedError if too many wait.

        `seconds` is its time limit, which begins when a thread has called `prepare` (default: nothing is prepared).
        """
        with self._lock:
            if self._taken >= self._places:
                raise OverloadedError(
                    f"expected at most {self._places} questions at a time; found more, so ask again soon"
                )
            self._taken += 1
        job = Job(seconds)
        future = self._executor.submit(job._run, work, prepare)
        future.add_done_callback(lambda _: self._leave())
        return job

    def close(self) -> None:
        """End without waiting for the jobs."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _leave(self) -> None:
        with self._lock:
            self._taken -= 1
