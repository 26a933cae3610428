"""The names of cells and moves, and how a typed move is read."""

import pytest

from csp_sudoku.cli.moves import move_text
from csp_sudoku.coordinates import cell_name, move_name, move_names, parse_move
from csp_sudoku.errors import OptionError
from csp_sudoku.moves.move import Move

MOVES = [Move(0, 0, 1), Move(3, 1, 7), Move(24, 9, 25)]


@pytest.mark.parametrize(("move", "name"), list(zip(MOVES, ["r1c1=1", "r4c2=7", "r25c10=25"], strict=True)))
def test_a_move_is_read_as_it_is_written(move, name):
    """Rows and columns count from 1 in the name, and from 0 in Python."""
    assert (move_name(*move), str(move)) == (name, name)
    assert name.startswith(f"{cell_name(move.row, move.col)}=")
    assert parse_move(name) == parse_move(f" {name.upper()} ") == move
    assert repr(move) == f"Move(row={move.row}, col={move.col}, value={move.value})"


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_long_lists_are_cut(most):
    """The first moves are named, and the number of the others is given."""
    names = [*map(str, MOVES[:most])] + ([f"and {3 - most} more"] if most < 3 else [])
    assert move_names(MOVES, most) == ", ".join(names)


@pytest.mark.parametrize(
    "text",
    ["", "r1c1", "r1c1=", "c1r1=1", "r0c1=1", "r1c0=1", "r-1c1=1", "r1c1=x", "r1c1=1 1", "r1c1=1234567890", "r¹c1=1"],
)
def test_other_texts_are_no_moves(text):
    """The message shows the form and the value found."""
    with pytest.raises(OptionError) as caught:
        parse_move(text)
    assert str(caught.value) == f"expected a move such as r1c5=7, with rows and columns from 1; found {text!r}"


def test_the_command_line_still_reads_the_form_of_0_1():
    """ROW,COL,VALUE counts from 0, as it did in version 0.1."""
    assert move_text("0,4,7") == move_text(" 0, 4 ,7") == move_text("r1c5=7") == (0, 4, 7)
