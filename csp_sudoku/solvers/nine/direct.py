"""One plain 3×3 board in a single call of the kernel, with as little Python around it as possible.

Most boards take less than two microseconds in the kernel. A run (`NineRun`) makes new arrays for each board, which
would take ten times as long as the search itself, so this module keeps the arrays from call to call. It leaves a board
that one slice of work does not decide to a run.
"""

from __future__ import annotations

import time

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.compiled.loading import loading
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.base import Result, Solver, Stats, Status
from csp_sudoku.solvers.nine.kernels import digits
from csp_sudoku.solvers.nine.kernels import search as nine
from csp_sudoku.solvers.nine.run import SLICE_WORK

STAGE = "bit boards"
"""The name of this stage in the evidence of a result."""


class _Arrays:
    """The arrays of a search. Their memory is also reachable as bytes, which are cheaper to copy than array items."""

    __slots__ = ("arguments", "given", "index", "info", "solution")

    def __init__(self) -> None:
        states = nine.new_state()
        self.given = bytearray(digits.CELLS)
        self.solution = bytearray(digits.CELLS)
        self.info = np.zeros((1, digits.INFO), np.int64)
        self.index = states["index"]
        cells, solutions = (np.frombuffer(memory, np.uint8).reshape(1, -1) for memory in (self.given, self.solution))
        self.arguments = states, cells, solutions, self.info
        get_ready(nine.solve_nines, *self.arguments, 1, 1, SLICE_WORK)
        with (
            loading()
        ):  # numba looks up the types of the arguments in the first call, which takes as long as 100 boards
            nine.solve_nines(*self.arguments, 1, 1, SLICE_WORK)
        self.index[0] = 0


_spare: list[_Arrays] = []
"""The arrays that no thread uses at present; their number is at most that of the searches that have run in parallel."""


def answer(board: Board, solver: Solver, solution_limit: int, node_limit: int, *, counts: bool) -> Result | None:
    """The answer about a plain 3×3 board, under the name and options of `solver`; None if one slice does not decide it.

    The search stops at `solution_limit` solutions, and leaves the board undecided at `node_limit` nodes or after one
    slice of work. With `counts`, the result reports the number of solutions.
    """
    try:
        arrays = _spare.pop()
    except IndexError:
        arrays = _Arrays()
    arrays.given[:] = values = board.values
    started = time.perf_counter()
    is_done = nine.solve_nines(*arrays.arguments, solution_limit, node_limit, SLICE_WORK)
    seconds = time.perf_counter() - started
    if not is_done:
        return None  # the arrays are not reused, since their search is unfinished
    ((found, is_complete, nodes, backtracks, propagations),) = arrays.info.tolist()
    solution = bytes(arrays.solution) if found else values
    arrays.index[0] = 0
    _spare.append(arrays)
    if not is_complete and found < solution_limit:
        return None
    return Result(
        Status.SOLVED if found else Status.UNSOLVABLE,
        Board.trusted(_GEOMETRY, solution) if found else None,
        Stats(solver.name, solver.options, nodes, backtracks, propagations, 0.0, seconds, STAGE),
        found if counts else None,
    )


_GEOMETRY = Geometry.standard(3, 3)
