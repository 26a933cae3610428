"""The learning search as a solver: conflict-driven clause learning, specialised for sudoku."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.solvers.base import NO_LIMITS, Limits, Option, options_from
from csp_sudoku.solvers.sliced import Run, SlicedSolver

if TYPE_CHECKING:
    from csp_sudoku.candidates import Masks
    from csp_sudoku.solvers.learning.exchange import Mailbox


class Learning(SlicedSolver):
    """A search that learns a clause from each conflict. `Limits.nodes` bounds the conflicts.

    The memory holds 60,000 clauses, and each solution that is found takes one of them permanently. A count that needs
    more ends with UNKNOWN. The keyword arguments are the options in `OPTIONS`.

    >>> Learning().count(Board.empty(2, 2)).solutions
    288
    """

    name = "learning"
    OPTIONS: Mapping[str, Option] = {
        "check": Option(
            False,
            bool,
            "whether a slow checker verifies every learned clause, and raises an error if one does not follow",
        ),
    }

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)

    def run(
        self,
        board: Board,
        limits: Limits = NO_LIMITS,
        *,
        solution_limit: int = 1,
        candidates: Masks | None = None,
        mailbox: Mailbox | None = None,
    ) -> Run:
        """Start a search that stops after `solution_limit` solutions (default 1).

        `candidates` are masks that an earlier propagation has left, one per cell (default: all values). `mailbox`
        exchanges clauses with other searches of the same board for one solution (default None: no exchange).
        """
        from csp_sudoku.solvers.learning.run import LearningRun

        is_checked = self.options["check"]
        return LearningRun(board, limits, solution_limit, candidates, is_checked=is_checked, mailbox=mailbox)
