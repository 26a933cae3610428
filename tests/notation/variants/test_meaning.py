"""Random rules of every kind, in every form: the rules that are read back allow the same boards."""

from random import Random

import pytest

from csp_sudoku import ConstraintError
from csp_sudoku.board import Board
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.variants.rules import read_rule, write_rule
from tests.constraints.makers import MAKERS, THIRDS
from tests.notation.variants.samples import NOT_IN_FPUZZLES, SAMPLES
from tests.notation.variants.test_rules import fail
from tests.support import most_slow, pattern

GEOMETRIES = [Geometry.standard(2, 2), Geometry.standard(2, 3), Geometry.standard(3, 3)]


def cases(name, count):
    """Geometries with random constraints of a kind, and boards that are full."""
    random = Random(name)
    for _ in range(count):
        geometry = random.choice([one for one in GEOMETRIES if name not in THIRDS or one.size % 3 == 0])
        grids = [[value for row in pattern(geometry.m, geometry.n, random) for value in row] for _ in range(8)]
        yield geometry.with_constraints(MAKERS[name](geometry, random, grids[0])), grids


@pytest.mark.parametrize("count", [2, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MAKERS)
def test_a_line_of_text(name, count):
    """The line of a rule is read back as the same constraint."""
    for geometry, _ in cases(name, count):
        [constraint] = geometry.constraints
        assert read_rule(write_rule(constraint, geometry.plain), 1, geometry.plain, fail) == [constraint]


@pytest.mark.parametrize(
    "name", most_slow(MAKERS, ("killer", "windoku", "no-difference", "lockout"), is_one_argument=True)
)
def test_f_puzzles(name):
    """A rule of f-puzzles comes back as rules with the same meaning; any other rule is refused, never omitted."""
    written = 0
    for geometry, grids in cases(name, 30):
        try:
            text = Board.trusted(geometry, bytes(geometry.cell_count)).format("fpuzzles")
        except ConstraintError:
            continue
        written += 1
        again = Board.parse(text).geometry
        for grid in grids:
            assert (again.violated(grid) is None) == (geometry.violated(grid) is None), text
    if name in NOT_IN_FPUZZLES:
        assert written == 0
    elif name in SAMPLES and not name.startswith("no-"):  # those about absent marks hardly ever fit the marks
        assert written > 0
