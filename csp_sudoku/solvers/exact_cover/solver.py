"""Sudoku as an exact cover, solved by Knuth's Algorithm X on dancing links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.solvers.base import NO_LIMITS, Limits, Option, options_from
from csp_sudoku.solvers.sliced import Run, SlicedSolver


class ExactCover(SlicedSolver):
    """Algorithm X, which always chooses the item with the fewest options. The solver has no settings.

    >>> ExactCover().count(Board.empty(2, 2)).solutions
    288
    """

    name = "exact-cover"
    OPTIONS: Mapping[str, Option] = {}

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)

    def run(self, board: Board, limits: Limits = NO_LIMITS, *, solution_limit: int = 1) -> Run:
        """Start a search that stops after `solution_limit` solutions (default 1)."""
        from csp_sudoku.solvers.exact_cover.run import CoverRun

        return CoverRun(board, limits, solution_limit)
