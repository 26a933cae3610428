"""Random constraints against brute force with their `check`: as models, together, and as propagation."""

from functools import cache

from csp_sudoku import Board, Geometry, Status
from csp_sudoku.solvers.cpsat.solver import CpSat
from tests.constraints.makers import MAKERS, THIRDS
from tests.support import pattern


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


def check_instance(name, random):
    """A random constraint on the empty 4×4 board, or on a 6×6 board with some cells empty: the same completions."""
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


def check_together(names, random):
    """Random constraints of these names on the empty 4×4 board leave the boards that all of them accept."""
    plain = Geometry.standard(2, 2)
    grid = list(random.choice(all_grids()))
    geometry = plain.with_constraints(*(MAKERS[name](plain, random, grid) for name in names))
    expected = {values for values in all_grids() if geometry.violated(values) is None}
    listed = {solution.values for solution in CpSat().solutions(Board(geometry, bytes(16)))}
    assert listed == expected, geometry.constraints


@cache
def _of_board(geometry):
    """A full board that satisfies the constraints of a geometry, or None."""
    return CpSat().solve(Board(geometry, bytes(geometry.cell_count))).solution


def check_pruning(name, random, *, must_hold=False):
    """Whatever the candidates are, propagation keeps a full board that satisfies the constraint.

    False if the random board does not satisfy it; with `must_hold`, another one is sought for a rule of whole boards.
    """
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
