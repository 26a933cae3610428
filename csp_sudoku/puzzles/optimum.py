"""The best known answer to a question of optimisation, and the calls of CP-SAT for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.cpsat.solver import require_workers

if TYPE_CHECKING:
    from collections.abc import Sequence


RELAXED: Mapping[str, Any] = {"linearization_level": 2}
"""Parameters that give CP-SAT the full linear relaxation, with which bounds are close. Without it, a heaviest solution
of an empty 9×9 board with random weights is not proven within minutes; with it, within four seconds."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best board that was found, and the proven bound."""

    board: Board
    """The board."""
    value: int
    """The maximised or minimised quantity of this board."""
    bound: int
    """The proven bound: no board has a larger value (if it is maximised) or a smaller one (if it is minimised)."""

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that no board is better."""
        return self.value == self.bound

    @property
    def gap(self) -> int:
        """The distance of the bound from the value."""
        return abs(self.bound - self.value)


OnProgress = Callable[[int | None, int], object]
"""A callback with the value of the best board so far, None before the first one, and the bound.

It may be called by another thread.
"""


class Optimising:
    """The settings of an optimisation, and its calls of CP-SAT.

    `time_limit` bounds the time in seconds (None: no limit), `workers` is the number of threads of CP-SAT, and
    `on_progress` is called with each better board and bound (None: no calls).
    """

    def __init__(self, time_limit: float | None, workers: int, on_progress: OnProgress | None) -> None:
        require_workers(workers)
        self.deadline = Deadline(Limits(time_limit).seconds)
        self._workers = workers
        self._on_progress = on_progress

    def tell(self, value: int | None, bound: int) -> None:
        """Report the best value and the bound."""
        if self._on_progress is not None:
            self._on_progress(value, bound)

    def run(self, model: Any, on_progress: OnProgress | None = None) -> tuple[Sequence[int], int | None, bool]:
        """Optimise a `cp_model.CpModel`: the values of its variables, the bound, and whether it is infeasible.

        Without a solution, the values are empty. The bound is None if CP-SAT has none. `on_progress` is called with the
        values and bounds of this model (default None: no calls).
        """
        from ortools.sat.python import cp_model

        from csp_sudoku.solvers.cpsat.search import CpSatCall
        from csp_sudoku.solvers.cpsat.solver import ALWAYS

        is_maximum = model.proto.objective.scaling_factor < 0

        def whole(bound: float) -> int:
            """The bound as an integer; it can be rounded, because values are integers."""
            return floor(bound + 1e-6) if is_maximum else ceil(bound - 1e-6)

        def note(value: float | None, bound: float) -> None:
            assert on_progress is not None
            on_progress(None if value is None else round(value), whole(bound))

        given = {**ALWAYS, **RELAXED, "num_workers": self._workers}
        if (left := self.deadline.left()) is not None:
            given["max_time_in_seconds"] = left
        call = CpSatCall(model, given, on_progress=None if on_progress is None else note)
        response = call.finish()
        if response.status == cp_model.INFEASIBLE:
            return (), None, True
        has_bound = response.status in (cp_model.OPTIMAL, cp_model.FEASIBLE) or abs(response.best_objective_bound) > 0
        bound = whole(response.best_objective_bound) if has_bound else None
        return list(response.solution), bound, False
