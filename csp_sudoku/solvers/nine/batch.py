"""Many plain 3×3 boards in one batch, as arrays: the search itself, and its answers as results.

The search releases the GIL, so batches run in parallel in threads. Between slices of work, a batch checks whether it
has been stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.errors import UndecidedError
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.base import Deadline, Result, Solver, Stats, Status
from csp_sudoku.solvers.nine.direct import STAGE
from csp_sudoku.solvers.nine.kernels import digits
from csp_sudoku.solvers.nine.kernels import search as nine
from csp_sudoku.solvers.nine.run import SLICE_WORK

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Batch(NamedTuple):
    """The outcome of a batch, which is cheap to send between processes."""

    solutions: NDArray[np.uint8]
    """For each board, the 81 values of its first solution, or of the one that reached the limit; zeros without one."""
    info: NDArray[np.int64]
    """For each board, the counters that the kernel writes."""
    seconds_each: float
    """The mean time per board, in seconds."""

    def rows(self, start: int, end: int) -> Batch:
        """The outcome for the boards from `start` to `end`."""
        return Batch(self.solutions[start:end], self.info[start:end], self.seconds_each)

    def found(self) -> NDArray[np.int64]:
        """The number of solutions found for each board."""
        return self.info[:, digits.COUNT]

    def nodes(self) -> NDArray[np.int64]:
        """The number of decisions for each board."""
        return self.info[:, digits.NODES]

    def decided(self, limit: int) -> NDArray[np.bool_]:
        """Whether each board was decided: its search is complete, or it found `limit` solutions."""
        is_complete: NDArray[np.bool_] = self.info[:, digits.COMPLETE] != 0
        return is_complete | (self.found() >= limit)


def search_batch(cells: NDArray[np.uint8], solution_limit: int, node_limit: int) -> Batch:
    """Search many plain 3×3 boards for up to `solution_limit` solutions each, with at most `node_limit` nodes each.

    `cells` has a row of 81 values for each board, where 0 is empty. A row with a clash is searched as well, and has no
    solution. UndecidedError if the work is stopped, by Ctrl-C for example.
    """
    states = nine.new_state()
    cells = np.require(cells, np.uint8, ["C_CONTIGUOUS", "WRITEABLE"])
    solutions = np.zeros_like(cells)
    info = np.zeros((len(cells), digits.INFO), np.int64)
    arguments = states, cells, solutions, info, solution_limit, node_limit, SLICE_WORK
    get_ready(nine.solve_nines, *arguments)
    unlimited = Deadline(None)
    started = time.perf_counter()
    while not nine.solve_nines(*arguments):
        if unlimited.passed():
            raise UndecidedError("expected the end of the batch; found it stopped")
    seconds = time.perf_counter() - started
    return Batch(solutions, info, seconds / max(1, len(cells)))


def results(batch: Batch, solver: Solver, solution_limit: int, *, counts: bool) -> Iterator[Result | None]:
    """Yield the result of each board of a batch, and None for a board that the batch left undecided.

    The results have the name and the options of `solver`. `solution_limit` is the limit of the search. With `counts`,
    the results report the number of solutions.
    """
    geometry = Geometry.standard(3, 3)
    name, options, seconds = solver.name, solver.options, batch.seconds_each
    trusted, is_solved, is_unsolvable = Board.trusted, Status.SOLVED, Status.UNSOLVABLE
    texts = batch.solutions.view(f"S{digits.CELLS}").ravel().tolist()  # a solution has no zeros, so none is cut off
    for values, counters in zip(texts, batch.info.tolist(), strict=True):
        found, is_complete, nodes, backtracks, propagations = counters
        stats = Stats(name, options, nodes, backtracks, propagations, 0.0, seconds, STAGE)
        if found and (is_complete or found >= solution_limit):
            yield Result(is_solved, trusted(geometry, values), stats, found if counts else None)
        elif is_complete:
            yield Result(is_unsolvable, None, stats, 0 if counts else None)
        else:
            yield None
