"""Solves a stream of boards one after the other, or in parallel on any executor, and yields the results in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from itertools import chain, islice
from typing import Any, NamedTuple

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import SudokuError
from csp_sudoku.solvers.base import NO_LIMITS, BatchSolver, Limits, Result, require_countable
from csp_sudoku.solvers.questions import require_keywords
from csp_sudoku.solvers.registry import SolverLike, get_solver

LARGEST_CHUNK = 4096
"""Maximum number of small boards in one chunk. Chunks start with one board and double, so that results start early."""

AHEAD = 16
"""Maximum number of chunks that are submitted ahead of the results that the caller has read."""


def solve_many(
    boards: Iterable[BoardLike],
    executor: Executor | None = None,
    *,
    solver: SolverLike = "auto",
    time_limit: float | None = None,
    node_limit: int | None = None,
    count: int | None = None,
    jobs: int = 1,
    **options: Any,
) -> Iterator[Result]:
    """Solve many boards, and yield their results in the order of the boards.

    `boards` are boards, or texts or tables that `Board.of` makes boards of; they are read only as far as results are
    needed. `executor` is any `concurrent.futures.Executor` whose workers can import this package; by default, `jobs`
    worker processes are used, and with 1 job (the default) this process does the work. `solver` is the name of a solver
    or preset (default "auto"), a solver, or a function from a `Board` to its answer, which must be picklable if other
    processes call it; see `get_solver`. `time_limit` (in seconds) and `node_limit` (in search nodes or conflicts) bound
    the work for each board (default None: no limit). With `count`, the solutions of each board are counted up to that
    number; by default (None), boards are only solved. `options` are the options of a solver that is named, as keyword
    arguments.

    >>> boards = [Board.empty(m, n) for m, n in [(2, 2), (3, 3), (2, 5)]]
    >>> [result.solution.size for result in solve_many(boards)]
    [4, 9, 10]
    """
    if isinstance(boards, Board | str):
        raise SudokuError("expected several boards, such as a list of them; found one board")
    if options:
        require_keywords("solve_many", _PARAMETERS, solver, options)
    get_solver(solver, **options)  # reports a wrong name now and not only at the first result
    if jobs < 1:
        raise SudokuError(f"expected at least 1 job; found {jobs}")
    if count is not None:
        require_countable(count)
    converted = (board if isinstance(board, Board) else Board.of(board) for board in boards)
    return _results(converted, executor, jobs, _Task(solver, options, Limits(time_limit, node_limit), count))


_PARAMETERS = ("boards", "executor", "solver", "time_limit", "node_limit", "count", "jobs")


class _Task(NamedTuple):
    """The question that is asked about every board."""

    solver: SolverLike
    """The name of the solver, a solver, or a function."""
    options: Mapping[str, Any]
    """The options of the solver."""
    limits: Limits
    """The limits for each board."""
    count_to: int | None
    """The number up to which solutions are counted; None if boards are only solved."""


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
    """Split the boards into lists of one geometry, which are short at first.

    Chunks have at most 4,096 boards up to 9×9, at most 64 boards up to 16×16, and one board beyond.
    """
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
    """Solve boards of one geometry, and yield their results."""
    solver = get_solver(task.solver, **task.options)
    if task.count_to is not None:
        for board in boards:
            yield solver.count(board, task.count_to, task.limits)
    elif isinstance(solver, BatchSolver) and task.limits == NO_LIMITS:
        yield from solver.solve_batch(boards)
    else:
        for board in boards:
            yield solver.solve(board, task.limits)


class _Workers:
    """Worker processes for the duration of a `with` block. If an exception ends the block, they are terminated."""

    def __init__(self, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # The workers are spawned, not forked: this process has threads, and a fork would copy locks that they hold.
        self.executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            for process in list((self.executor._processes or {}).values()):
                process.terminate()
        self.executor.shutdown(wait=kind is None, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker, because the main process handles it and terminates the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
