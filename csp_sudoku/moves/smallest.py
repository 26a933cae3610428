"""The smallest set of givens that admits no completion: by hitting sets.

The givens that disagree with some grid are a *correction*: without them the board has that grid as a completion.
Whatever admits no completion has a given of every correction, so it is no smaller than the smallest set that has
(a smallest *hitting set*, which CP-SAT finds). If that set admits a completion, it tells of one more correction; if
not, it is the answer.

A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, Smallest MUS Extraction with Minimal Hitting Set
Dualization, CP 2015.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from csp_sudoku.errors import UndecidedError
from csp_sudoku.explanation import Thinning
from csp_sudoku.solvers.base import Deadline, Status
from csp_sudoku.solvers.cpsat import ALWAYS

RELAXED: Mapping[str, Any] = {"linearization_level": 2}
"""What gives CP-SAT's single worker the whole linear relaxation: without it, 9 disjoint sets took it over 4 seconds."""


def smallest(thinning: Thinning, known: Sequence[int]) -> tuple[list[int], bool]:
    """The smallest set of givens that admits no completion, and whether that is proven: not if time ran out.

    `known` must be a set that admits none, of which no given can be spared; so is the answer, in any case.
    """
    best = list(known)
    corrections: list[list[int]] = []
    while not thinning.deadline.passed():
        try:
            hitting = _hitting_set(corrections, len(best) - 1, thinning.deadline)
        except UndecidedError:
            break
        if hitting is None:
            return best, True
        together = hitting
        for correction in _corrections(thinning, hitting):
            corrections.append(correction)
            together = correction + together
        if thinning.solve(together).status is not Status.UNSOLVABLE:
            break
        if together is hitting:
            return hitting, True
        fewer, is_thin = thinning.thin_out(together)  # what stands first is spared first: the hitting set stays longest
        if is_thin and len(fewer) < len(best):
            best = fewer
    return best, False


def _corrections(thinning: Thinning, together: Sequence[int]) -> Iterator[list[int]]:
    """Corrections without a given of this set or of one another, until with all of them there is no completion."""
    together = list(together)
    while True:
        result = thinning.solve(together)
        if result.solution is None:
            return
        correction = _correction(thinning, result.solution.values)
        yield correction
        together += correction


def _correction(thinning: Thinning, grid: bytes) -> list[int]:
    """A correction that is among those of a grid: none of its givens can stay, unless time ran out."""
    values = thinning.board.values
    agreeing, doubtful = _split(thinning.givens, values, grid)
    correction = []
    while doubtful:
        cell, *rest = doubtful
        solution = thinning.solve([*agreeing, cell]).solution
        if solution is None:
            correction.append(cell)
            doubtful = rest
        else:
            more, doubtful = _split(doubtful, values, solution.values)
            agreeing += more
    return correction


def _split(cells: Sequence[int], values: bytes, grid: bytes) -> tuple[list[int], list[int]]:
    """The cells whose value is that of a grid, and the others."""
    agreeing = [cell for cell in cells if values[cell] == grid[cell]]
    return agreeing, [cell for cell in cells if values[cell] != grid[cell]]


def _hitting_set(sets: Sequence[Sequence[int]], at_most: int, deadline: Deadline) -> list[int] | None:
    """A smallest set that has a member of each of these; None if it would be too large; UndecidedError."""
    if not sets:
        return []
    from ortools.sat.python import cp_model

    from csp_sudoku.solvers.cpsat_search import Search

    model = cp_model.CpModel()
    chosen = {cell: model.new_bool_var("") for cell in sorted({cell for cells in sets for cell in cells})}
    for cells in sets:
        model.add_bool_or([chosen[cell] for cell in cells])
    model.add(sum(chosen.values()) <= at_most)
    model.minimize(sum(chosen.values()))
    parameters = {**ALWAYS, **RELAXED}
    left = deadline.left()
    if left is not None:
        parameters["max_time_in_seconds"] = left
    response = Search(model, parameters).finish()  # kept: its fields die with it
    if response.status == cp_model.INFEASIBLE:
        return None
    if response.status != cp_model.OPTIMAL:
        raise UndecidedError("expected a hitting set within the time limit")
    return [cell for cell, is_chosen in zip(chosen, response.solution, strict=True) if is_chosen]
