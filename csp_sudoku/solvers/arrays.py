"""Many boards as one array: the interface for millions of boards, without an object per board.

`STATUSES` gives the meaning of the codes in the answer. Plain 3×3 boards go to the search on bit boards as they are, in
threads; boards of other shapes are solved one after the other, in threads as well.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.board import Board, Shape
from csp_sudoku.errors import SudokuError, hints_keywords
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.arrays import table_of
from csp_sudoku.solvers.auto import NINE, Portfolio
from csp_sudoku.solvers.base import Status, require_countable
from csp_sudoku.solvers.parallel import AHEAD, Threads, in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

STATUSES = (Status.UNKNOWN, Status.SOLVED, Status.UNSOLVABLE)
"""The status that each code in `ArrayResult.status` stands for: 0, 1 and 2."""

UNKNOWN, SOLVED, UNSOLVABLE = range(3)

CHUNK = 4096
"""Maximum number of plain 3×3 boards in one task of a worker."""

SMALL_CHUNK = 16
"""The same for boards of other shapes, each of which may take long."""


class ArrayResult(NamedTuple):
    """The answers about the boards of an array, in their order."""

    solutions: NDArray[np.uint8]
    """A row of N·N values for each board: a solution, or zeros where none is known."""
    counts: NDArray[np.int64]
    """The number of solutions found for each board. If it reached the limit, there may be more."""
    status: NDArray[np.uint8]
    """A code for each board, whose meaning `STATUSES` gives: 0 unknown, 1 solved, 2 unsolvable."""


@hints_keywords
def solve_array(
    cells: ArrayLike,
    *,
    count: int = 1,
    jobs: int = 1,
    executor: Executor | None = None,
    shape: Shape | None = None,
) -> ArrayResult:
    """Solve many boards of one shape, given and answered as arrays.

    `cells` has a row of N·N values for each board, or N rows of N values; 0 is empty. `count` is the number of
    solutions at which the search for each board stops (default 1; with 2, a count of 1 proves that the solution is the
    only one). `jobs` is the number of threads (default 1). `executor` does the work in place of these threads (default
    None: no executor): threads, processes, or `client.get_executor()` of a Dask cluster, to which the boards go in
    arrays of up to 4,096. `shape` is the shape (m, n) of the boards (default: the most square one of the size). A board
    that breaks the rules, with a value twice in a region, has no solution.

    ShapeError for an array of another form, SudokuError for a value out of range.

    >>> result = solve_array([[1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]] * 2, count=2)
    >>> result.counts.tolist(), result.status.tolist(), result.solutions[0, :4].tolist()
    ([1, 1], [1, 1], [1, 2, 4, 3])
    """
    require_countable(count)
    if jobs < 1:
        raise SudokuError(f"expected at least 1 job; found {jobs}")
    table, geometry = table_of(cells, shape)
    if executor is not None and not isinstance(executor, ThreadPoolExecutor):
        return _sent(table, geometry, count, executor)
    answer = _empty_answer(table)
    tasks = _chunks(len(table), geometry, jobs if executor is None else AHEAD)
    work = partial(_fill, table, answer, geometry, count)
    if executor is None and jobs == 1:
        for rows in tasks:
            work(rows)
        return answer
    for rows in tasks[:1]:
        work(rows)  # the first one is done here, so that the kernels are compiled once
    if executor is not None:
        _finish(executor, work, tasks[1:])
    else:
        with Threads(jobs) as threads:
            _finish(threads.executor, work, tasks[1:])
    return answer


def _finish(executor: Executor, work: Callable[[slice], None], tasks: list[slice]) -> None:
    """Do all tasks in threads."""
    for _ in in_order(executor, work, tasks):
        pass


def _chunks(count: int, geometry: Geometry, workers: int) -> list[slice]:
    """The rows of each task of `workers` workers, for `count` boards."""
    chunk = max(1, min(CHUNK if geometry is NINE else SMALL_CHUNK, -(-count // workers)))
    return [slice(start, start + chunk) for start in range(0, count, chunk)]


def _empty_answer(table: NDArray[np.uint8]) -> ArrayResult:
    """The answers about boards that no search has seen."""
    import numpy as np

    return ArrayResult(np.zeros_like(table), np.zeros(len(table), np.int64), np.full(len(table), UNKNOWN, np.uint8))


def _fill(table: NDArray[np.uint8], answer: ArrayResult, geometry: Geometry, count: int, rows: slice) -> None:
    """Fill in the answers about some rows of a table."""
    fill = _fill_nine if geometry is NINE else _fill_one_by_one
    part = ArrayResult(answer.solutions[rows], answer.counts[rows], answer.status[rows])
    fill(table[rows], part, geometry, Portfolio(), count)


def _sent(table: NDArray[np.uint8], geometry: Geometry, count: int, executor: Executor) -> ArrayResult:
    """The answers about boards that are sent to other processes, or to other machines, in arrays."""
    import numpy as np

    tasks = [table[rows] for rows in _chunks(len(table), geometry, AHEAD)]
    if not tasks:
        return _empty_answer(table)
    parts = in_order(executor, partial(_answered, geometry=geometry, count=count), tasks)
    return ArrayResult(*map(np.concatenate, zip(*parts, strict=True)))


def _answered(table: NDArray[np.uint8], geometry: Geometry, count: int) -> ArrayResult:
    """The answers about all boards of an array, in a worker process."""
    import numpy as np

    answer = _empty_answer(table)
    # an array that was sent may be read-only, but the kernels want one that is not
    _fill(np.require(table, np.uint8, ["C", "W"]), answer, geometry, count, slice(None))
    return answer


def _fill_nine(
    table: NDArray[np.uint8], answer: ArrayResult, geometry: Geometry, solver: Portfolio, count: int
) -> None:
    """Fill in the answers about plain 3×3 boards: by one batch, then one by one for boards left undecided."""
    import numpy as np

    from csp_sudoku.solvers.nine.batch import search_batch

    batch = search_batch(table, count, solver.nine_node_limit)
    found = batch.found()
    answer.solutions[:], answer.counts[:] = batch.solutions, found
    answer.status[:] = np.where(found > 0, np.uint8(SOLVED), np.uint8(UNSOLVABLE))
    rest = np.flatnonzero(~batch.decided(count))
    if len(rest):
        _fill_one_by_one(table, answer, geometry, solver, count, rest.tolist())


def _fill_one_by_one(
    table: NDArray[np.uint8],
    answer: ArrayResult,
    geometry: Geometry,
    solver: Portfolio,
    count: int,
    places: list[int] | None = None,
) -> None:
    """Fill in the answers about boards of any shape; `places` are their rows (default None: all)."""
    import numpy as np

    for place in range(len(table)) if places is None else places:
        values = table[place].tobytes()
        if geometry.clash(values) is not None:
            answer.status[place] = UNSOLVABLE
            continue
        result = solver.count(Board.trusted(geometry, values), count)
        answer.counts[place] = result.solutions or 0
        answer.status[place] = STATUSES.index(result.status)
        answer.solutions[place] = 0
        if result.solution is not None:
            answer.solutions[place] = np.frombuffer(result.solution.values, np.uint8)
