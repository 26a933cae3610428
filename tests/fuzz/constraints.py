"""Kind `constraints`: random constraints, alone and together, against brute force: models, propagation, move maps."""

from __future__ import annotations

from random import Random

from csp_sudoku import Board, Geometry, classify_moves
from csp_sudoku.constraints.table import CONSTRAINTS
from tests.constraints.comparing import all_grids, check_instance, check_pruning, check_together
from tests.constraints.makers import MAKERS, THIRDS
from tests.fuzz.case import Budget, MismatchError, expect_equal


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    name = random.choice(list(CONSTRAINTS))
    together = [name for name in random.sample(list(CONSTRAINTS), 4) if name not in THIRDS]
    try:
        kind = random.choice(["model", "model", "together", "pruning", "map"])
        if kind == "model":
            check_instance(name, random)
        elif kind == "pruning":
            check_pruning(name, random)
        elif kind == "together":
            check_together(together[: random.randint(1, 3)], random)
        else:
            check_map(together[:2], random)
    except AssertionError as error:
        raise MismatchError(str(error).partition("\n")[0] or f"an assertion about {name}") from None


def check_map(names: list[str], random: Random) -> None:
    """The safe moves are the values of the grids that satisfy the constraints."""
    plain = Geometry.standard(2, 2)
    grid = list(random.choice(all_grids()))
    geometry = plain.with_constraints(*(MAKERS[name](plain, random, grid) for name in names))
    fitting = [values for values in all_grids() if geometry.violated(values) is None]
    expected = {(cell, value) for values in fitting for cell, value in enumerate(values)}
    found = classify_moves(Board(geometry, bytes(16)))
    expect_equal("the set of safe moves", {(4 * row + col, value) for row, col, value in found.safe}, expected)
    expect_equal("the number of bombs", len(found.bombs), 64 - len(expected))
