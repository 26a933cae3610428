"""Solves a stream of boards one after the other, or in parallel, and yields the results in order.

The compiled searches release the GIL, so parallel work runs in threads, which share all memory. Processes run Python
code of the caller: a function, or a solver of another package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from itertools import chain, groupby, islice, tee
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import SudokuError
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.base import NO_LIMITS, BatchSolver, Limits, Result, Stats, Status, require_countable
from csp_sudoku.solvers.parallel import Processes, Threads, in_order
from csp_sudoku.solvers.questions import require_keywords
from csp_sudoku.solvers.registry import SolverLike, get_solver


class HasBoard(Protocol):
    """An object that has a board."""

    @property
    def board(self) -> Board:
        """The board to be solved."""
        ...


Item = TypeVar("Item")
Puzzle = TypeVar("Puzzle", bound=HasBoard)

LARGEST_CHUNK = 4096
"""Maximum number of small boards in one chunk. Chunks start with one board and double, so that results start early."""


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

    `boards` are boards, or texts or tables that `Board.of` makes boards of; they are read lazily. `executor` is any
    `concurrent.futures.Executor` whose workers can import this package; by default, `jobs` threads are used, or as many
    processes if `solver` is not a name; with 1 job (the default) this thread does the work. `solver` is the name of a
    solver or preset (default "auto"), a solver, or a function from a `Board` to its answer, which must be picklable if
    other processes call it; see `get_solver`. `time_limit` (in seconds) and `node_limit` (in search nodes or conflicts)
    bound the work for each board (default None: no limit). With `count`, the solutions of each board are counted up to
    that number; by default (None), boards are only solved. `options` are the options of a solver that is named, as
    keyword arguments.

    >>> boards = [Board.empty(m, n) for m, n in [(2, 2), (3, 3), (2, 5)]]
    >>> [result.solution.size for result in solve_many(boards)]
    [4, 9, 10]
    """
    if isinstance(boards, Board | str):
        raise SudokuError("expected several boards, such as a list of them; found one board")
    task = _task("solve_many", solver, options, Limits(time_limit, node_limit), count, jobs)
    answered = _answered(_chunks(boards, Board.of), executor, jobs, task)
    return (result for _, results in answered for result in results)


def solve_puzzles(
    puzzles: Iterable[Puzzle],
    executor: Executor | None = None,
    *,
    solver: SolverLike = "auto",
    time_limit: float | None = None,
    node_limit: int | None = None,
    count: int | None = None,
    jobs: int = 1,
    **options: Any,
) -> Iterator[tuple[Puzzle, Result]]:
    """Solve the boards of many puzzles, and yield each puzzle with its result, in order.

    `puzzles` are any objects with a `board`; they stay in this process. The other parameters are those of `solve_many`.

    >>> from types import SimpleNamespace
    >>> puzzles = [SimpleNamespace(board=Board.empty(2, 2), title="easy")]
    >>> [(puzzle.title, result.status.name) for puzzle, result in solve_puzzles(puzzles)]
    [('easy', 'SOLVED')]
    """
    task = _task("solve_puzzles", solver, options, Limits(time_limit, node_limit), count, jobs)
    chunks = _chunks(puzzles, attrgetter("board"))
    return (
        pair for items, results in _answered(chunks, executor, jobs, task) for pair in zip(items, results, strict=True)
    )


class _Task(NamedTuple):
    """The question to ask about every board."""

    solver: SolverLike
    """The name of the solver, a solver, or a function."""
    options: Mapping[str, Any]
    """The options of the solver."""
    limits: Limits
    """The limits for each board."""
    count_to: int | None
    """The number up to which solutions are counted; None if boards are only solved."""


_PARAMETERS = ("executor", "solver", "time_limit", "node_limit", "count", "jobs")


def _task(
    function: str, solver: SolverLike, options: Mapping[str, Any], limits: Limits, count: int | None, jobs: int
) -> _Task:
    """Return the question; raise SudokuError now, and not only at the first result, if it cannot be asked."""
    if options:
        first = "boards" if function == "solve_many" else "puzzles"
        require_keywords(function, (first, *_PARAMETERS), solver, options)
    get_solver(solver, **options)
    if jobs < 1:
        raise SudokuError(f"expected at least 1 job; found {jobs}")
    if count is not None:
        require_countable(count)
    return _Task(solver, options, limits, count)


class _Chunk(NamedTuple, Generic[Item]):
    """Some items whose boards have one geometry."""

    items: list[Item]
    boards: list[Board]


def _chunks(items: Iterable[Item], board_of: Callable[[Item], Board]) -> Iterator[_Chunk[Item]]:
    """Split the items into chunks, which are short at first.

    Chunks have at most 4,096 boards up to 9×9, at most 64 boards up to 16×16, and one board beyond.
    """
    remaining, size = iter(items), 1
    while found := list(islice(remaining, size)):
        boards = list(map(board_of, found))
        end = 0
        for geometry, group in groupby(boards, attrgetter("geometry")):
            most = LARGEST_CHUNK if geometry.size <= 9 else 64 if geometry.size <= 16 else 1
            start, end = end, end + len(list(group))
            for at in range(start, end, most):
                until = min(at + most, end)
                yield _Chunk(found[at:until], boards[at:until])
        size = min(size * 2, most)


def _answered(
    chunks: Iterator[_Chunk[Item]], executor: Executor | None, jobs: int, task: _Task
) -> Iterator[tuple[list[Item], Iterable[Result]]]:
    """Yield the items of each chunk with their results."""
    if executor is not None:
        yield from _spread(chunks, executor, task)
    elif jobs == 1:
        for items, boards in chunks:
            yield items, _solve_chunk(boards, task)
    else:
        # The first chunk, one board, is solved here, so that kernels are compiled once, and workers only load them.
        for items, boards in islice(chunks, 1):
            yield items, _solve_chunk(boards, task)
        for chunk in islice(chunks, 1):
            with (Threads if isinstance(task.solver, str) else Processes)(jobs) as workers:
                yield from _spread(chain([chunk], chunks), workers.executor, task)


def _spread(
    chunks: Iterator[_Chunk[Item]], executor: Executor, task: _Task
) -> Iterator[tuple[list[Item], Iterable[Result]]]:
    """Yield the items of each chunk with their results, which the executor finds; only boards travel to processes."""
    here, there = tee(chunks)
    if isinstance(executor, ThreadPoolExecutor):
        found: Iterator[Iterable[Result]] = in_order(
            executor, partial(_solve_chunk_fully, task=task), (chunk.boards for chunk in there)
        )
    else:
        packed = (_PackedBoards.of(chunk.boards) for chunk in there)
        found = map(_unpacked, in_order(executor, partial(_solve_packed, task=task), packed))
    for results in found:
        yield next(here).items, results


def _solve_chunk_fully(boards: list[Board], task: _Task) -> list[Result]:
    return list(_solve_chunk(boards, task))


def _solve_chunk(boards: list[Board], task: _Task) -> Iterator[Result]:
    """Answer about boards of one geometry, and yield their results."""
    solver = get_solver(task.solver, **task.options)
    if isinstance(solver, BatchSolver) and task.limits == NO_LIMITS:
        yield from solver.solve_batch(boards, task.count_to)
    elif task.count_to is not None:
        for board in boards:
            yield solver.count(board, task.count_to, task.limits)
    else:
        for board in boards:
            yield solver.solve(board, task.limits)


class _PackedBoards(NamedTuple):
    """Boards of one geometry in two objects. Sending one object per board takes five times as long as solving it."""

    geometry: Geometry
    values: bytes

    @classmethod
    def of(cls, boards: list[Board]) -> _PackedBoards:
        return cls(boards[0].geometry, b"".join([board.values for board in boards]))

    def split(self) -> Iterator[Board]:
        count = self.geometry.cell_count
        for start in range(0, len(self.values), count):
            yield Board.trusted(self.geometry, self.values[start : start + count])


class _PackedResults(NamedTuple):
    """Results in few objects, column by column."""

    statuses: list[Status]
    solutions: _PackedBoards
    """The solutions as full boards, and an empty board where no solution is known."""
    stats: list[Stats]
    counts: list[int | None]


def _solve_packed(boards: _PackedBoards, task: _Task) -> _PackedResults:
    """Answer about boards in another process."""
    results = _solve_chunk_fully(list(boards.split()), task)
    nothing = Board.trusted(boards.geometry, bytes(boards.geometry.cell_count))
    solutions = _PackedBoards.of([result.solution or nothing for result in results])
    return _PackedResults(
        [result.status for result in results],
        solutions,
        [result.stats for result in results],
        [result.solutions for result in results],
    )


def _unpacked(packed: _PackedResults) -> Iterator[Result]:
    columns = packed.statuses, packed.solutions.split(), packed.stats, packed.counts
    for status, solution, stats, count in zip(*columns, strict=True):
        yield Result(status, solution if solution.is_full else None, stats, count)
