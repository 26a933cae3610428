"""Puzzles with constraints: explained, generated and graded."""

import pytest

from csp_sudoku import (
    Board,
    ConstraintError,
    Geometry,
    SudokuError,
    UndecidedError,
    explain,
    generate,
    grade,
    is_solvable,
    is_unique,
)
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKnight
from csp_sudoku.constraints.marks import Odd
from csp_sudoku.constraints.regions import Diagonal
from csp_sudoku.constraints.thermometers import Thermometer
from csp_sudoku.puzzles.variants import generate_on
from tests.support import random_of

FOUR = Geometry.standard(2, 2)


def test_an_explanation_names_givens_and_constraints():
    """The set of both is minimal: without any of them, the others have a completion."""
    geometry = FOUR.with_constraints(AntiKnight(), Killer([0, 1], 3), Killer([2, 3], 4), Odd(12))
    board = Board(geometry, [0, 0, 0, 2, *[0] * 11, 1])
    found = explain(board)
    assert found.minimal
    assert found.givens == (3,)
    assert found.constraints == (Killer([2, 3], 4),)
    assert (found.among, found.constraints_among) == (2, 4)
    assert found.sentence() == (
        "1 of the 2 givens and 1 of the 4 constraints admit no completion. None of them can be spared: r1c4=2; "
        "the values of r1c3 r1c4 differ and add up to 4."
    )
    assert not is_solvable(found.board)
    assert is_solvable(found.board.without([3]))
    assert is_solvable(Board(FOUR, found.board.values))


def test_constraints_alone_can_clash():
    """No given takes part; a kept given stays."""
    geometry = FOUR.with_constraints(Odd(15), Thermometer([0, 1, 2]), Thermometer([2, 3, 7]))
    found = explain(Board(geometry, bytes(16)))
    assert found.givens == ()
    assert found.constraints == (Thermometer([0, 1, 2]), Thermometer([2, 3, 7]))
    assert explain(Board(FOUR.with_constraints(Odd(15)), bytes(16))) is None
    kept = explain(Board(FOUR.with_constraints(Odd(0)), [2, *[0] * 15]), keep=[0])
    assert kept.kept == (0,)
    assert kept.sentence().startswith("with r1c1=2, 0 of the 0 givens and 1 of 1 constraint admits no completion")
    with pytest.raises(UndecidedError):
        explain(Board(FOUR.with_constraints(AntiKnight()), bytes(16)), time_limit=0)


def test_puzzles_with_constraints_are_generated():
    """A generated puzzle has one solution, and no clue to spare; the same seed makes the same one."""
    cages = [Killer([0, 1, 4], 7), Thermometer([2, 3])]
    puzzle = generate(2, 2, rng=3, constraints=cages)
    assert puzzle == generate(2, 2, rng=3, constraints=cages)
    assert puzzle.geometry == FOUR.with_constraints(*cages)
    assert is_unique(puzzle)
    clues = [cell for cell, value in enumerate(puzzle.values) if value]
    assert not any(is_unique(puzzle.without([cell])) for cell in clues)
    latin = generate_on(Geometry.latin(3).with_constraints(Odd(0)), random_of("latin"))
    assert is_unique(latin)
    with pytest.raises(SudokuError, match="expected constraints that a board can satisfy; found none"):
        generate(2, 2, constraints=[Killer([0, 1], 30)])
    with pytest.raises(UndecidedError, match="expected a puzzle within the time limit; found none"):
        generate_on(FOUR.with_constraints(AntiKnight()), random_of("late"), 0)


def test_grades_know_regions_only():
    """A puzzle with diagonals as constraints has the grade of the one with diagonals as regions; others have none."""
    diagonals = FOUR.with_constraints(Diagonal(falling=True), Diagonal(falling=False))
    puzzle = Board(Geometry.diagonal(2, 2), [1, 2, 3, 0, 3, *[0] * 11])
    assert is_unique(puzzle)
    assert grade(Board(diagonals, puzzle.values)) == grade(puzzle)
    with pytest.raises(ConstraintError, match="expected a board without constraints for a grade; found one with 1"):
        grade(Board(FOUR.with_constraints(Odd(0)), puzzle.values))
