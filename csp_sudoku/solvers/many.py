"""Many boards one after the other, or in parallel on any executor: a stream in, a stream of results out, in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from itertools import chain, islice
from typing import Any, NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError
from csp_sudoku.solvers.base import NO_LIMITS, Limits, Result, require_countable
from csp_sudoku.solvers.portfolio import Portfolio
from csp_sudoku.solvers.registry import get_solver

LARGEST_CHUNK = 4096
"""Small boards that travel together; chunks start with one board and double, so that the first result is soon there."""

AHEAD = 16
"""Chunks that wait for a worker or for their turn, at most."""


def solve_many(
    boards: Iterable[Board],
    executor: Executor | None = None,
    *,
    solver: str = "auto",
    time_limit: float | None = None,
    node_limit: int | None = None,
    count: int | None = None,
    jobs: int = 1,
    **options: Any,
) -> Iterator[Result]:
    """The results of many boards, in their order, as they become known; the boards are read as they are needed.

    The limits are for each board; with `count`, the solutions of each are counted up to that number. With `jobs`, that
    many processes share the work; or give any `concurrent.futures.Executor`, whose workers must be able to import this
    package.

    >>> boards = [Board.empty(m, n) for m, n in [(2, 2), (3, 3), (2, 5)]]
    >>> [result.solution.size for result in solve_many(boards)]
    [4, 9, 10]
    """
    get_solver(solver, **options)  # a wrong name is an error now, not at the first result
    if jobs < 1:
        raise SudokuError(f"expected at least 1 job; found {jobs}")
    if count is not None:
        require_countable(count)
    return _results(iter(boards), executor, jobs, _Task(solver, options, Limits(time_limit, node_limit), count))


class _Task(NamedTuple):
    """What is asked of every board."""

    solver: str
    options: Mapping[str, Any]
    limits: Limits
    count_to: int | None


def _results(boards: Iterator[Board], executor: Executor | None, jobs: int, task: _Task) -> Iterator[Result]:
    if executor is not None:
        yield from _spread(boards, executor, task)
    elif jobs == 1:
        for chunk in _chunks(boards):
            yield from _solve_chunk(chunk, task)
    else:
        # The first board is solved here, so that kernels are compiled once and the workers only load them.
        for board in islice(boards, 1):
            yield from _solve_chunk([board], task)
        for board in islice(boards, 1):
            with _Workers(jobs) as workers:
                yield from _spread(chain([board], boards), workers.executor, task)


def _spread(boards: Iterator[Board], executor: Executor, task: _Task) -> Iterator[Result]:
    waiting: deque[Future[list[Result]]] = deque()
    try:
        for chunk in _chunks(boards):
            waiting.append(executor.submit(_solve_chunk_fully, chunk, task))
            if len(waiting) >= AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _chunks(boards: Iterator[Board]) -> Iterator[list[Board]]:
    """The boards in lists of one geometry, short at first; large boards travel alone."""
    size = 1
    pending: list[Board] = []
    for board in boards:
        if pending and (board.geometry != pending[0].geometry or len(pending) >= size):
            yield pending
            pending = []
            size = min(size * 2, LARGEST_CHUNK if board.size <= 9 else 64 if board.size <= 16 else 1)
        pending.append(board)
    if pending:
        yield pending


def _solve_chunk_fully(boards: list[Board], task: _Task) -> list[Result]:
    return list(_solve_chunk(boards, task))


def _solve_chunk(boards: list[Board], task: _Task) -> Iterator[Result]:
    """The results of boards of one geometry."""
    solver = get_solver(task.solver, **task.options)
    if task.count_to is not None:
        for board in boards:
            yield solver.count(board, task.count_to, task.limits)
    elif isinstance(solver, Portfolio) and task.limits == NO_LIMITS:
        yield from solver.solve_batch(boards)
    else:
        for board in boards:
            yield solver.solve(board, task.limits)


class _Workers:
    """Processes for as long as a block lasts; when it is left in haste, they are ended at once."""

    def __init__(self, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # spawned, not forked: this process has threads, and a fork would copy their locks as they are
        self.executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            for process in list((self.executor._processes or {}).values()):
                process.terminate()
        self.executor.shutdown(wait=kind is None, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
