"""The move map by one solver call for every move, which is slow and obviously correct."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.candidates import bits
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks
from csp_sudoku.solvers.base import Limits, Status
from csp_sudoku.solvers.registry import get_solver

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.solvers.base import Deadline, Solver


def classify(board: Board, deadline: Deadline, solver: Solver | None = None) -> MoveMap:
    """The move map of a board: `solver` solves the board after every legal move (default: the solver `auto`).

    Moves that are not decided before the deadline are unknown.
    """
    stopwatch = Stopwatch()
    solver = get_solver("auto") if solver is None else solver
    legal = legal_masks(board)
    safe, bombs = np.zeros_like(legal), np.zeros_like(legal)
    solves = 1
    solvable = _IS_SOLVABLE[solver.solve(board, Limits(deadline.left())).status]
    for cell in board.empty_cells():
        for bit in bits(int(legal[cell])):
            if deadline.passed():
                break
            after = board.place(*board.geometry.row_column(cell), bit.bit_length())
            status = solver.solve(after, Limits(deadline.left())).status
            solves += 1
            if status is Status.SOLVED:
                safe[cell] |= np.uint32(bit)
                solvable = True
            elif status is Status.UNSOLVABLE:
                bombs[cell] |= np.uint32(bit)
    effort = Effort("naive", stopwatch.seconds(), solves)
    return MoveMap(board, legal, safe, bombs, solvable=solvable, effort=effort)


_IS_SOLVABLE = {Status.SOLVED: True, Status.UNSOLVABLE: False, Status.UNKNOWN: None}
"""For each status of a result, whether the board has a completion; None if that is unknown."""
