"""Many boards as one array: the interface for millions of boards, without an object per board.

`STATUSES` gives the meaning of the codes in the answer. Plain 3×3 boards go to the search on bit boards as they are, in
threads; boards of other shapes are solved one after the other, in threads as well.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.board import Board, Shape
from csp_sudoku.errors import ShapeError, SudokuError, hints_keywords
from csp_sudoku.geometry import Geometry, default_shape
from csp_sudoku.solvers.auto import NINE, Portfolio
from csp_sudoku.solvers.base import Status, require_countable
from csp_sudoku.solvers.parallel import Threads, in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

STATUSES = (Status.UNKNOWN, Status.SOLVED, Status.UNSOLVABLE)
"""The status that each code in `ArrayResult.status` stands for: 0, 1 and 2."""

UNKNOWN, SOLVED, UNSOLVABLE = range(3)

CHUNK = 4096
"""Maximum number of boards in one task of a thread."""


class ArrayResult(NamedTuple):
    """The answers about the boards of an array, in their order."""

    solutions: NDArray[np.uint8]
    """A row of N·N values for each board: a solution, or zeros where none is known."""
    counts: NDArray[np.int64]
    """The number of solutions found for each board. If it reached the limit, there may be more."""
    status: NDArray[np.uint8]
    """A code for each board, whose meaning `STATUSES` gives: 0 unknown, 1 solved, 2 unsolvable."""


@hints_keywords
def solve_array(cells: ArrayLike, *, count: int = 1, jobs: int = 1, shape: Shape | None = None) -> ArrayResult:
    """Solve many boards of one shape; boards and answers are arrays.

    `cells` has a row of N·N values for each board, or N rows of N values; 0 is empty. `count` is the number of
    solutions at which the search for each board stops (default 1; with 2, a count of 1 proves that the solution is the
    only one). `jobs` is the number of threads (default 1). `shape` is the shape (m, n) of the blocks (default: the most
    square one for N). A board with a value twice in a region has no solution.

    ShapeError for an array of another form, SudokuError for a value out of range.

    >>> result = solve_array([[1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]] * 2, count=2)
    >>> result.counts.tolist(), result.status.tolist(), result.solutions[0, :4].tolist()
    ([1, 1], [1, 1], [1, 2, 4, 3])
    """
    import numpy as np

    require_countable(count)
    if jobs < 1:
        raise SudokuError(f"expected at least 1 job; found {jobs}")
    table, geometry = _table(cells, shape)
    solver = Portfolio()
    answer = ArrayResult(np.zeros_like(table), np.zeros(len(table), np.int64), np.full(len(table), UNKNOWN, np.uint8))
    fill = _fill_nine if geometry is NINE else _fill_one_by_one

    def work(start: int) -> None:
        rows = slice(start, start + chunk)
        fill(
            table[rows],
            ArrayResult(answer.solutions[rows], answer.counts[rows], answer.status[rows]),
            geometry,
            solver,
            count,
        )

    chunk = max(1, min(CHUNK if geometry is NINE else 16, -(-len(table) // jobs)))
    starts = range(0, len(table), chunk)
    for start in starts[: 1 if jobs > 1 else None]:
        work(start)  # with several jobs, this thread does the first task, so that the kernels are compiled once
    if jobs > 1:
        with Threads(jobs) as threads:
            for _ in in_order(threads.executor, work, starts[1:]):
                pass
    return answer


def _table(cells: ArrayLike, shape: Shape | None) -> tuple[NDArray[np.uint8], Geometry]:
    """The boards as rows of bytes, and their geometry; ShapeError or SudokuError if the array holds no boards."""
    import numpy as np

    given = np.asarray(cells)
    if given.ndim == 3 and given.shape[1] == given.shape[2]:
        given = given.reshape(len(given), -1)
    size = isqrt(given.shape[-1]) if given.ndim == 2 else 0
    if given.ndim != 2 or size * size != given.shape[1]:
        raise ShapeError(f"expected an array of rows of N·N values; found one of the form {given.shape}")
    if given.dtype.kind not in "iu":
        raise SudokuError(f"expected an array of whole numbers; found one of {given.dtype}")
    geometry = Geometry.standard(*(shape or default_shape(size)))
    if geometry.size != size:
        raise ShapeError(f"expected rows of {geometry.cell_count} values for {geometry.name}; found {size * size}")
    if len(given) and not (given.min() >= 0 and given.max() <= size):
        wrong = int(given.max() if given.max() > size else given.min())
        board = int(np.flatnonzero((given == wrong).any(axis=1))[0])
        raise SudokuError(f"expected values from 0 (empty) to {size}; found {wrong} in board {board}, counted from 0")
    return np.require(given, np.uint8, ["C_CONTIGUOUS", "WRITEABLE"]), geometry


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
