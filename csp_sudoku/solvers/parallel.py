"""Work in parallel, with its results in order: threads of this process, or processes.

Compiled searches release the GIL, so they run in parallel in threads, which share all memory. Python code of a caller
needs processes.
"""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Self, TypeVar

from csp_sudoku.solvers.base import StopSwitch

AHEAD = 16
"""Maximum number of submitted tasks whose results the caller has not read yet."""

Item = TypeVar("Item")
Value = TypeVar("Value")


def in_order(executor: Executor, work: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[Value]:
    """Yield the value of `work` for each item, in the order of the items, which are read at most `AHEAD` ahead.

    `executor` does the work. At an exception, the tasks that have not begun are cancelled.
    """
    waiting: deque[Future[Value]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(work, item))
            if len(waiting) >= AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


class TemporaryExecutor(ABC):
    """Workers for the duration of a `with` block. If an exception ends the block, they abandon their work."""

    executor: Executor
    """The executor that does the work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self._abandon()
        self.executor.shutdown(wait=kind is None, cancel_futures=True)

    @abstractmethod
    def _abandon(self) -> None:
        """End the current work."""


class Threads(TemporaryExecutor):
    """A pool of `jobs` threads. If they abandon their work, its deadlines are over, so that it ends soon."""

    def __init__(self, jobs: int) -> None:
        self._switch = StopSwitch()
        self.executor = ThreadPoolExecutor(jobs, "solving", self._switch.obey)

    def stop(self) -> None:
        """End the current work by letting its deadlines be over."""
        self._switch.is_off = True

    _abandon = stop


class Processes(TemporaryExecutor):
    """A pool of `jobs` processes, which are terminated if they abandon their work."""

    def __init__(self, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # The workers are spawned, not forked: this process has threads, and a fork would copy locks that they hold.
        self.executor: ProcessPoolExecutor = ProcessPoolExecutor(
            jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts
        )

    def _abandon(self) -> None:
        for process in list((self.executor._processes or {}).values()):
            process.terminate()


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker, because the main process handles it and terminates the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
