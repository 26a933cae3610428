"""The pencil marks: both forms of the candidates say the same, whatever is placed and crossed out."""

import pytest

from csp_sudoku import Board
from csp_sudoku.puzzles.steps.marks import PencilMarks, cells_of, values_of
from tests.puzzles.steps.support import KINDS, varied
from tests.support import random_of


def consistent(marks):
    """The candidates of the cells and the places of the values are the same set of pairs."""
    by_cell = {(cell, value) for cell, mask in enumerate(marks.masks) for value in values_of(mask)}
    by_value = {(cell, value) for value in marks.all_values for cell in cells_of(marks.places[value])}
    return by_cell == by_value


@pytest.mark.parametrize("kind", KINDS)
def test_marks_are_the_candidates_of_the_board(kind):
    """At first, and after each value that is placed, the marks are the values that no peer holds."""
    random = random_of("marks", kind)
    board, solution = varied(2, 3, random, kind, 0.7)
    marks = PencilMarks(board)
    for cell in random.sample(list(board.empty_cells()), 8):
        place = (*board.geometry.row_column(cell), solution.values[cell])
        board = board.place(*place)
        marks.place(cell, place[2])
        assert consistent(marks)
        assert bytes(marks.values) == board.values
        for other in range(board.geometry.cell_count):
            assert tuple(values_of(marks.masks[other])) == board.candidates(*board.geometry.row_column(other))


def test_contradictions():
    """A cell without a candidate comes before a region without a place; a plain board has neither."""
    assert PencilMarks(Board.empty(2, 2)).contradiction() == ""
    assert PencilMarks(Board.parse("12.. ..3. .... ....")).contradiction() == "row 1 has no place for 3"
    assert PencilMarks(Board.parse("12.. ...3 ..4. ....")).contradiction() == "r1c3 can take no value"


def test_a_value_that_is_no_candidate():
    """Placing such a value is a contradiction, not an error; a filled cell stays unchanged."""
    marks = PencilMarks(Board.parse("12.. .... .... ...."))
    marks.place(0, 3)
    assert marks.values[0] == 1
    marks.place(4, 1)
    assert marks.contradiction() == "r2c1 can take no value"
    assert consistent(marks)
