"""Every constraint as a CP-SAT model, and its propagation, against brute force with its `check`."""

from functools import cache

import pytest

from csp_sudoku import Board, Geometry, Status
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.solvers.cpsat.solver import CpSat
from tests.constraints.makers import MAKERS, THIRDS
from tests.support import pattern, random_of

MANY = 12
"""How many random instances of each kind the slow tests try."""


@cache
def all_grids():
    """All 288 full boards of the shape 2×2."""
    return [solution.values for solution in CpSat().solutions(Board.empty(2, 2))]


def completions(board):
    """Every completion of a board without constraints, by trying every value."""
    found = []

    def fill(values, cells):
        if not cells:
            found.append(bytes(values))
            return
        cell, *rest = cells
        held = {values[peer] for peer in board.geometry.peers[cell]}
        for value in range(1, board.size + 1):
            if value not in held:
                values[cell] = value
                fill(values, rest)
                values[cell] = 0

    fill(bytearray(board.values), list(board.empty_cells()))
    return found


def check_instance(name, *seed):
    """A random constraint on the empty 4×4 board, or on a 6×6 board with some cells empty: the same completions."""
    random = random_of(name, *seed)
    if name in (*THIRDS, "any-of") or random.random() < 0.3:
        plain = Geometry.standard(2, 3)
        grid = [value for row in pattern(2, 3, random) for value in row]
        board = Board(plain, grid).without(random.sample(range(36), random.randint(10, 16)))
        candidates = completions(board)
    else:
        plain, candidates = Geometry.standard(2, 2), all_grids()
        grid, board = list(random.choice(candidates)), Board(plain, bytes(16))
    constraint = MAKERS[name](plain, random, grid)
    geometry = plain.with_constraints(constraint)
    expected = {values for values in candidates if constraint.check(geometry, values)}
    solver = CpSat(encoding=random.choice(["boolean", "boolean", "integer"]), propagate=random.random() < 0.7)
    asked = Board(geometry, board.values)
    assert {solution.values for solution in solver.solutions(asked)} == expected, constraint
    counted = solver.count(asked, 3)
    assert counted.solutions == min(3, len(expected)), constraint
    assert counted.status is (Status.SOLVED if expected else Status.UNSOLVABLE)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_model_has_the_solutions_of_brute_force(name):
    """Each kind of constraint, posted to a model, leaves exactly the boards that its check accepts."""
    check_instance(name, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_many_models_have_the_solutions_of_brute_force(name):
    """The same for many random instances of each kind."""
    for trial in range(1, MANY + 1):
        check_instance(name, trial)


def check_together(first, second, *seed):
    """Two random constraints on the empty 4×4 board leave the boards that both accept."""
    random = random_of(first, second, *seed)
    plain = Geometry.standard(2, 2)
    grid = list(random.choice(all_grids()))
    geometry = plain.with_constraints(*(MAKERS[name](plain, random, grid) for name in (first, second)))
    expected = {values for values in all_grids() if geometry.violated(values) is None}
    listed = {solution.values for solution in CpSat().solutions(Board(geometry, bytes(16)))}
    assert listed == expected, geometry.constraints


PAIRED = [name for name in CONSTRAINTS if name not in THIRDS]


@pytest.mark.parametrize("trial", range(8))
def test_two_constraints_hold_together(trial):
    """Pairs of constraints on one board, a few kinds of each."""
    check_together(*random_of("pairs", trial).sample(PAIRED, 2), trial)


@pytest.mark.slow
def test_every_constraint_holds_together_with_others():
    """Each kind together with four others."""
    for trial, name in enumerate(PAIRED):
        for other in random_of("others", trial).sample(PAIRED, 4):
            check_together(name, other, trial)


@cache
def _of_board(geometry):
    """A full board that satisfies the constraints of a geometry, or None."""
    return CpSat().solve(Board(geometry, bytes(geometry.cell_count))).solution


def check_pruning(name, *seed, must_hold=False):
    """Whatever the candidates are, propagation keeps a full board that satisfies the constraint."""
    random = random_of("prune", name, *seed)
    m, n = random.choice([(2, 3), (3, 3)]) if name in THIRDS else random.choice([(2, 2), (2, 3), (2, 4), (3, 3)])
    geometry = Geometry.standard(m, n)
    grid = [value for row in pattern(m, n, random) for value in row]
    constraint = MAKERS[name](geometry, random, grid)
    if not constraint.check(geometry, grid):
        found = None
        if must_hold and len(constraint.scope(geometry)) == geometry.cell_count <= 36:  # a rule of the whole board
            found = _of_board(geometry.with_constraints(constraint))
        if found is None:
            return False
        grid = list(found.values)
    share = random.random()
    full = (1 << geometry.size) - 1
    masks = [
        1 << value - 1 | (random.getrandbits(geometry.size) & full if random.random() < share else 0) for value in grid
    ]
    before = list(masks)
    assert constraint.prune(geometry, masks), constraint
    assert all(mask >> value - 1 & 1 for mask, value in zip(masks, grid, strict=True)), constraint
    assert all(mask & ~old == 0 for mask, old in zip(masks, before, strict=True)), constraint
    scope = set(constraint.scope(geometry))
    assert all(masks[cell] == before[cell] for cell in range(len(masks)) if cell not in scope), constraint
    return True


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_propagation_keeps_solutions(name):
    """No candidate of a full board that satisfies the constraint is ever removed, and no cell outside its scope loses
    one.
    """
    for trial in range(6):
        check_pruning(name, trial)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_propagation_keeps_solutions_of_many_boards(name):
    """The same for hundreds of random instances, some of which the board satisfies."""
    assert sum(check_pruning(name, "many", trial, must_hold=trial < 20) for trial in range(300)) > 0
