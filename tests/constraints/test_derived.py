"""Derived constraints hold on every board that satisfies what they are derived from, and make models stronger."""

import pytest

from csp_sudoku import Board, Geometry, solutions
from csp_sudoku.constraints import Killer, LittleKiller, Sum, derived
from csp_sudoku.constraints.derived import strengthened
from csp_sudoku.solvers.cpsat.model import Candidates
from tests.constraints.comparing import all_grids
from tests.support import pattern, random_of

SHAPES = [Geometry.standard(2, 2), Geometry.standard(2, 3), Geometry.standard(3, 3), Geometry.diagonal(2, 3)]


def random_sums(geometry, grid, random):
    """Random cages, sums and diagonals that a full board satisfies; some of them overlap."""
    rules = []
    for _ in range(random.randint(1, geometry.size * 2)):
        start = random.randrange(geometry.cell_count)
        cells = {start}
        for _ in range(random.randint(0, 4)):
            row, column = geometry.row_column(random.choice(sorted(cells)))
            down, right = random.choice([(0, 1), (1, 0)])
            if max(row + down, column + right) < geometry.size:
                cells.add(geometry.cell(row + down, column + right))
        cells = sorted(cells)
        total = sum(grid[cell] for cell in cells)
        differ = len({grid[cell] for cell in cells}) == len(cells)
        kind = random.choice(["killer", "sum", "little"])
        if kind == "killer" and differ:
            rules.append(Killer(cells, total))
        else:
            rules.append(LittleKiller(cells, total) if kind == "little" else Sum(cells, total))
    return rules


def a_grid(geometry, random):
    """A full board of a geometry."""
    if geometry.extra:
        return next(solutions(Board(geometry, bytes(geometry.cell_count)))).values
    return bytes(value for row in pattern(geometry.m, geometry.n, random) for value in row)


@pytest.mark.parametrize("geometry", SHAPES, ids=str)
def test_derived_constraints_hold(geometry, monkeypatch):
    """For hundreds of random sums that a full board satisfies, it satisfies all that follows, of any length."""
    monkeypatch.setattr(derived, "MOST_CELLS", 12)
    found = 0
    for trial in range(150):
        random = random_of("derived", geometry.name, trial)
        grid = a_grid(geometry, random)
        given = geometry.with_constraints(*random_sums(geometry, grid, random))
        for rule in derived.derived.__wrapped__(given):
            rule.require_fits(geometry)
            assert rule.check(given, grid), (given.constraints, rule)
            found += 1
    assert found > 150


@pytest.mark.parametrize("trial", range(30))
def test_derived_constraints_exclude_no_board(trial):
    """Of all full 4×4 boards, those that satisfy random sums satisfy what follows from them."""
    random = random_of("exclude", trial)
    plain = Geometry.standard(2, 2)
    given = plain.with_constraints(*random_sums(plain, random.choice(all_grids()), random))
    followed = strengthened(given)
    assert followed[: len(given.constraints)] == given.constraints
    for grid in all_grids():
        if given.violated(grid) is None:
            assert all(rule.check(given, grid) for rule in followed)


def test_innies_and_outies():
    """A row but for one cell settles this cell; so does a cage that reaches one cell beyond a block."""
    plain = Geometry.standard(3, 3)
    innie = plain.with_constraints(Killer([0, 1, 2, 3], 10), Killer([4, 5, 6, 7], 26))
    candidates = Candidates.of(Board(innie, bytes(81)))
    assert candidates.propagate()
    assert candidates.masks[8] == 1 << 8
    outie = plain.with_constraints(Killer([0, 1, 9], 20), Killer([2, 3, 11], 9), Killer([10, 18, 19, 20], 20))
    candidates = Candidates.of(Board(outie, bytes(81)))
    assert candidates.propagate()
    assert candidates.masks[3] == 1 << 3


def test_boards_without_sums_have_none():
    """Nothing follows from cages without a sum, nor from other relations than equality."""
    plain = Geometry.standard(2, 2)
    assert derived.derived(plain) == ()
    assert derived.derived(plain.with_constraints(Killer([0, 1]), Sum([4, 5, 6], 8, "<="))) == ()
