"""The most and the fewest bombs against brute force, and their bounds where not all solutions can be listed."""

from __future__ import annotations

from itertools import combinations

import pytest

from csp_sudoku import Board, Geometry, SudokuError, classify_moves, solutions
from csp_sudoku.constraints import Killer
from csp_sudoku.moves.bomb_extremes import fewest_bombs, most_bombs


@pytest.mark.parametrize("rules", [[], pytest.param([Killer([0, 1], 3)], marks=pytest.mark.slow)])
def test_extremes_are_those_of_brute_force(rules):
    """On 2×2 with two givens, of all solvable boards."""
    geometry = Geometry.standard(2, 2).with_constraints(*rules)
    full = [solution.values for solution in solutions(Board(geometry, bytes(16)))]
    counts = {}
    for values in full:
        for kept in combinations(range(16), 2):
            given = bytes(value if cell in kept else 0 for cell, value in enumerate(values))
            if given not in counts:
                agreeing = [other for other in full if all(other[cell] == values[cell] for cell in kept)]
                safe = {pair for other in agreeing for pair in enumerate(other) if pair[0] not in kept}
                board = Board(geometry, given)
                legal = sum(len(board.candidates(*divmod(cell, 4))) for cell in range(16) if cell not in kept)
                counts[given] = legal - len(safe)
    most, fewest = most_bombs(geometry, 2), fewest_bombs(geometry, 2)
    assert (most.value, fewest.value) == (max(counts.values()), min(counts.values()))
    assert most.is_proven
    assert fewest.is_proven
    for best in (most, fewest):
        assert len(classify_moves(best.board).bombs) == best.value
        assert sum(map(bool, best.board.values)) == 2


def test_bounds_of_larger_boards():
    """On 2×3, within no time to prove anything: a board that is what it says, and a bound on the right side."""
    geometry = Geometry.standard(2, 3)
    most, fewest = (find(geometry, 14, time_limit=1) for find in (most_bombs, fewest_bombs))
    assert fewest.bound <= fewest.value <= most.value <= most.bound
    for best in (most, fewest):
        assert len(classify_moves(best.board).bombs) == best.value
        assert sum(map(bool, best.board.values)) == 14


def test_boards_without_empty_cells_and_without_givens():
    """A full board has no moves, and an empty one no bombs."""
    geometry = Geometry.standard(2, 2)
    assert most_bombs(geometry, 16).value == 0
    assert most_bombs(geometry, 0).value == 0
    with pytest.raises(SudokuError, match="expected from 0 to 16 givens; found 17"):
        most_bombs(geometry, 17)
    with pytest.raises(SudokuError, match="expected a board that has a solution"):
        most_bombs(geometry.with_constraints(Killer([0, 1], 3), Killer([4, 5], 3)), 2)
