"""The best board of a kind: heaviest solutions and fewest clues against brute force, and what a limit leaves."""

from __future__ import annotations

from itertools import combinations

import pytest

from csp_sudoku import Board, Geometry, MoveError, OptionError, SudokuError, UndecidedError, is_unique, solutions
from csp_sudoku.constraints import AntiKnight, Killer
from csp_sudoku.puzzles.fewest_clues import SYMMETRIES, fewest_clues
from csp_sudoku.puzzles.heaviest import heaviest
from csp_sudoku.puzzles.optimum import Best
from csp_sudoku.solvers.base import Deadline
from tests.support import pattern, random_of

ALL = [solution.values for solution in solutions(Board.empty(2, 2))]
"""The 288 full boards of 2×2."""


@pytest.mark.parametrize("trial", range(4))
@pytest.mark.parametrize("lightest", [False, True])
def test_a_heaviest_solution_is_that_of_brute_force(trial, lightest):
    """On random boards, with random weights, some by factor and some by value."""
    random = random_of("weights", trial)
    rules = [Killer([0, 1], 5)] if trial % 2 else []
    geometry = Geometry.standard(2, 2).with_constraints(*rules)
    table = [[[random.randint(-9, 9) for _ in range(4)] for _ in range(4)] for _ in range(4)]
    weights = [[entry if random.random() < 0.7 else entry[0] for entry in row] for row in table]

    def weight(values):
        entries = [entry for row in weights for entry in row]
        return sum(e[v - 1] if isinstance(e, list) else e * v for e, v in zip(entries, values, strict=True))

    board = Board(geometry, bytes(16)).place(3, 3, random.randint(1, 4))
    expected = [weight(values) for values in ALL if values[15] == board[3, 3] and geometry.violated(values) is None]
    told = []
    best = heaviest(board, weights, lightest=lightest, on_progress=lambda value, bound: told.append((value, bound)))
    assert best.is_proven
    assert best.value == weight(best.board.values) == (min(expected) if lightest else max(expected))
    assert not told or told[-1] == (best.value, best.bound)


def test_heaviest_of_boards_that_propagation_decides():
    """A full board weighs what it weighs, and a board without a solution has no best one."""
    full = Board((2, 2), ALL[0])
    assert heaviest(full, [[1] * 4] * 4) == Best(full, 40, 40)
    assert heaviest("12.. ..3. .... ...4", [[1] * 4] * 4) is None
    knight = Geometry.standard(2, 2).with_constraints(AntiKnight(), Killer([0, 1], 3), Killer([4, 5], 3))
    assert heaviest(Board(knight, bytes(16)), [[1] * 4] * 4) is None


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([[1] * 4] * 3, "found 3 rows of 4"),
        ([[1] * 3] * 4, "found 4 rows of 3"),
        ([[[1]] * 4] * 4, "expected 4 weights for the values of a cell; found 1"),
        ([[0.5] * 4] * 4, "expected whole numbers as weights; found 0.5"),
        ([[10**12] * 4] * 4, "expected weights up to 1,000,000,000"),
    ],
)
def test_weights_that_do_not_fit(weights, expected):
    """What is wrong with weights is named."""
    with pytest.raises(OptionError, match=expected):
        heaviest(Board.empty(2, 2), weights)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_fewest_clues_are_those_of_brute_force(symmetry):
    """For each symmetry: no smaller set of groups of cells determines the board."""
    random = random_of("clues", symmetry)
    solution = Board((2, 2), random.choice(ALL))
    best = fewest_clues(solution, symmetry=symmetry)
    assert best.is_proven
    assert is_unique(best.board)
    assert sum(map(bool, best.board.values)) == best.value
    turns = SYMMETRIES[symmetry]
    groups = {frozenset({(r, c), *(turn(r, c, 3) for turn in turns)}): None for r in range(4) for c in range(4)}
    for count in range(best.value):
        for chosen in combinations(groups, count):
            kept = {4 * r + c for group in chosen for r, c in group}
            if len(kept) < best.value:
                agreeing = [values for values in ALL if all(values[cell] == solution.values[cell] for cell in kept)]
                assert len(agreeing) > 1


def test_fewest_clues_stay_within_a_pattern():
    """Clues stand in the pattern only; a pattern that does not determine the board is an error."""
    grid = [value for row in pattern(2, 3, random_of("pattern")) for value in row]
    solution = Board((2, 3), grid)
    cells = [(row, column) for row in range(6) for column in range(6) if (row + column) % 2 or row < 2]
    best = fewest_clues(solution, cells)
    given = {divmod(cell, 6) for cell, value in enumerate(best.board.values) if value}
    assert given <= set(cells)
    assert best.is_proven
    assert best.bound >= fewest_clues(solution).value
    with pytest.raises(SudokuError, match="expected cells whose values determine the board"):
        fewest_clues(solution, cells[:3])
    with pytest.raises(MoveError, match="expected cells with row and column from 0 to 5"):
        fewest_clues(solution, [(0, 6)])
    with pytest.raises(SudokuError, match="expected a full board"):
        fewest_clues(best.board)


def test_a_limit_keeps_the_best():
    """Without time there is no heaviest solution, and all cells are clues; an end in between keeps what is known."""
    with pytest.raises(UndecidedError):
        heaviest(Board.empty(3, 3), [[1] * 9] * 9, time_limit=0)
    solution = Board((2, 2), ALL[0])
    assert fewest_clues(solution, time_limit=0) == Best(solution, 16, 0)

    def stop(value, bound):
        Deadline.are_over = value is not None

    try:
        best = fewest_clues(Board((3, 3), [v for row in pattern(3, 3, random_of(1)) for v in row]), on_progress=stop)
    finally:
        Deadline.are_over = False
    assert best.bound < best.value < 81
    assert not best.is_proven
    assert best.gap == best.value - best.bound
