"""The smallest set of givens that admits no completion, found by hitting sets.

The givens that disagree with some grid are a *correction*: without them, that grid is a completion of the board. A set
of givens that admits no completion contains a given of every correction. So it is at least as large as a smallest
*hitting set*, which is a smallest set with a given of every known correction; CP-SAT finds one. If the hitting set
admits a completion, this completion yields one more correction. If not, the hitting set is the answer.

A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, Smallest MUS Extraction with Minimal Hitting Set
Dualization, CP 2015.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from csp_sudoku.errors import UndecidedError
from csp_sudoku.puzzles.explain import Thinning
from csp_sudoku.solvers.base import Deadline, Status
from csp_sudoku.solvers.cpsat.solver import ALWAYS

RELAXED: Mapping[str, Any] = {"linearization_level": 2}
"""Parameters that give CP-SAT's single worker the full linear relaxation. Without it, 9 disjoint sets took over 4 s."""


def smallest(thinning: Thinning, known: Sequence[int]) -> tuple[list[int], bool]:
    """The smallest set of givens that admits no completion, and whether its size is proven to be the least.

    `known` must be a minimal set that admits no completion. The result is always such a set. If the deadline of
    `thinning` passes first, it is the smallest one found, and its size is not proven.
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
        fewer, is_thin = thinning.thin_out(together)  # removes first givens first, so the hitting set stays longest
        if is_thin and len(fewer) < len(best):
            best = fewer
    return best, False


def _corrections(thinning: Thinning, together: Sequence[int]) -> Iterator[list[int]]:
    """Yield corrections that are disjoint from the set `together` and from each other.

    The iteration ends when the set and all these corrections together admit no completion, or when time runs out.
    """
    together = list(together)
    while True:
        result = thinning.solve(together)
        if result.solution is None:
            return
        correction = _correction(thinning, result.solution.values)
        yield correction
        together += correction


def _correction(thinning: Thinning, grid: bytes) -> list[int]:
    """A minimal correction among the givens that disagree with a grid; it may not be minimal if time runs out."""
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
    """Split the cells into those whose value agrees with a grid, and the others."""
    agreeing = [cell for cell in cells if values[cell] == grid[cell]]
    return agreeing, [cell for cell in cells if values[cell] != grid[cell]]


def _hitting_set(sets: Sequence[Sequence[int]], at_most: int, deadline: Deadline) -> list[int] | None:
    """A smallest set with a member of each of `sets`; None if it would have more than `at_most` members.

    UndecidedError if the deadline passes first.
    """
    if not sets:
        return []
    from ortools.sat.python import cp_model

    from csp_sudoku.solvers.cpsat.search import CpSatCall

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
    response = CpSatCall(model, parameters).finish()  # keeps the response alive while its fields are read
    if response.status == cp_model.INFEASIBLE:
        return None
    if response.status != cp_model.OPTIMAL:
        raise UndecidedError("expected a hitting set within the time limit")
    return [cell for cell, is_chosen in zip(chosen, response.solution, strict=True) if is_chosen]
