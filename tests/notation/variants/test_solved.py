"""Puzzles of every kind of rule with a known solution, written in every form, read back and solved to that solution."""

from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.board import Board
from csp_sudoku.cli.check import fault
from csp_sudoku.notation import VARIANT_FORMATS
from tests.notation.variants.puzzles import board_of, puzzle
from tests.notation.variants.samples import HOLDING, NINE, NOT_IN_FPUZZLES, SAMPLES, SOLUTION
from tests.support import most_slow

QUICK = ("killer", "arrow", "anti-knight")


def puzzle_of(name):
    """A puzzle of one rule with one solution, and the solution."""
    geometry = NINE.with_constraints(SAMPLES[name])
    values = SOLUTION
    if name not in HOLDING:
        found = cs.solve(Board.trusted(geometry, bytes(81)), time_limit=20).solution
        assert found is not None
        values = found.values
    solution = Board(geometry, values)
    return thinned(solution, name), solution


def thinned(solution, seed):
    """A puzzle with this only solution; most of its values are removed at random."""
    cells = Random(seed).sample(range(81), 55)
    while not cs.is_unique(board := solution.without(cells)):
        cells = cells[: len(cells) * 3 // 4]
    return board


@pytest.mark.parametrize("name", most_slow(SAMPLES, QUICK, is_one_argument=True))
def test_a_puzzle_of_each_kind(name):
    """A puzzle comes back from every form that has its rule, and has its known solution."""
    board, solution = puzzle_of(name)
    forms = ["variant"] if name in NOT_IN_FPUZZLES else list(VARIANT_FORMATS)
    if name in ("no-difference", "no-ratio", "no-pair-sum"):  # the pairs of the sample have no marks
        forms = ["variant"]
    for form in forms:
        again = Board.parse(board.format(form))
        assert again.values == board.values
        assert cs.solve(again).solution.values == solution.values
        assert fault(again, solution.values) is None


def test_the_miracle_sudoku():
    """Mitchell Lee's puzzle of two givens has one solution under three rules of the whole board."""
    data = puzzle(antiknight=True, antiking=True, nonconsecutive=True)
    data["grid"][4][2] = {"value": 1, "given": True}
    data["grid"][5][6] = {"value": 2, "given": True}
    board = board_of(data)
    assert cs.is_unique(board)
    assert cs.solve(board).solution.cells[:9] == (4, 8, 3, 7, 2, 6, 1, 5, 9)


def test_a_puzzle_of_many_rules():
    """A puzzle of all rules that one solution satisfies needs few givens; it has that solution."""
    constraints = [HOLDING[name] for name in HOLDING if name not in NOT_IN_FPUZZLES]
    again = Board.parse(thinned(Board(NINE.with_constraints(*constraints), SOLUTION), 1).format("fpuzzles-packed"))
    assert again.empty_count > 40
    assert cs.solve(again).solution.values == SOLUTION
    assert fault(again, SOLUTION) is None
    assert fault(again, SOLUTION[::-1]) is not None
