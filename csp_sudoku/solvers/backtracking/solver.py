"""The hand-written search as a solver: one engine whose options are the heuristics of the earlier systems.

The inner loops are the kernels in `kernels`, and `run` calls them. This module holds the table of options, and
translates the options into the settings of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError
from csp_sudoku.solvers.base import NO_LIMITS, Limits, Option, options_from
from csp_sudoku.solvers.sliced import SlicedSolver

if TYPE_CHECKING:
    from csp_sudoku.solvers.backtracking.run import SearchRun, TraceStep

# The names of the choices of each option. `kernels.state` has a constant for each name, with its index here, or with
# its bit for a pruning. So append a new name, and add its constant there.
VARIABLE_ORDERS = ("static", "mrv", "degree", "mrv+degree", "dom/wdeg")
VALUE_ORDERS = ("ascending", "random", "lcv-count", "lcv-domain")
WITHOUT_COSTS = ("ascending", "random")
"""The value orders that compute no cost for each value."""
PRUNINGS = {"none": 0, "forward": 1, "naked": 2, "hidden": 4, "pairs": 8, "locked": 16}


class Backtracking(SlicedSolver):
    """Depth-first search over cells, or over the places of a value in a region, with propagation.

    The keyword arguments are the options in `OPTIONS`; `csp-sudoku solvers` lists them with their defaults.

    >>> board = Board.parse("1... .... .... ...4")
    >>> Backtracking(variables="mrv", values="random", seed=7).count(board).solutions
    18
    >>> [step.kind for step in Backtracking(pruning="forward").trace(board)][:3]
    ['assign', 'prune', 'prune']
    """

    name = "backtracking"
    OPTIONS: Mapping[str, Option] = {
        "variables": Option("dom/wdeg", VARIABLE_ORDERS, "which cell next; ties go to the first in reading order"),
        "values": Option(
            "ascending",
            VALUE_ORDERS,
            "which value first: lcv-count, the candidate of the fewest empty peers; lcv-domain, the value after which "
            "the smallest domain of a peer is largest; ties ascend",
        ),
        "branching": Option(
            "cells", ("cells", "places"), "on a cell's values, or also on a value's places in a region"
        ),
        "pruning": Option(
            "forward+naked+hidden+pairs+locked",
            tuple(PRUNINGS),
            "forward checking, naked and hidden singles, naked pairs, locked candidates, to a fixpoint",
            several=True,
        ),
        "when": Option(
            "during", ("never", "before", "during"), "when to prune: never, before the search, or also during it"
        ),
        "restarts": Option(
            100, int, "unit of Luby's restarts before the first solution, in conflicts; 0 for no restarts"
        ),
        "seed": Option(1, int, "the seed of random values"),
    }

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)
        if self.options["restarts"] < 0:
            raise OptionError(
                f"expected backtracking option restarts to be at least 0; found {self.options['restarts']}"
            )

    def run(self, board: Board, limits: Limits = NO_LIMITS, *, solution_limit: int = 1) -> SearchRun:
        """Start a search that stops after `solution_limit` solutions (default 1)."""
        return self._run(board, limits, solution_limit, tracing=False)

    def trace(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[TraceStep]:
        """Yield the steps of the search for a first solution, for display and teaching."""
        return self._run(board, limits, solution_limit=1, tracing=True).steps()

    def _run(self, board: Board, limits: Limits, solution_limit: int, *, tracing: bool) -> SearchRun:
        from csp_sudoku.solvers.backtracking.run import SearchRun

        options, geometry = self.options, board.geometry
        flags = sum(PRUNINGS[name] for name in options["pruning"].split("+"))
        when = options["when"]
        scores_values = options["values"] not in WITHOUT_COSTS
        settings = {
            "variable_order": VARIABLE_ORDERS.index(options["variables"]),
            "value_order": VALUE_ORDERS.index(options["values"]),
            "branch_on_places": options["branching"] == "places",
            "root_pruning": 0 if when == "never" else flags,
            "node_pruning": flags if when == "during" else 0,
            "restart_unit": options["restarts"],
            "seed": (options["seed"] * 2 + 1) % 2**64,
            "solution_limit": solution_limit,
            "tracing": tracing,
            "node_work": geometry.cell_count // 4
            + (geometry.size * len(geometry.peers[0]) // 8 if scores_values else 0),
        }
        return SearchRun(board, limits, settings)
