"""Drawings with candidates are read; mistakes are reported with their places."""

import pytest

from csp_sudoku.board import Board
from csp_sudoku.cli.drawing import draw_board, draw_candidates
from csp_sudoku.errors import NotationError

BOARD = Board.parse("1243 342. 431. 2...")
DRAWN = draw_candidates(BOARD)


def test_a_drawing_is_read():
    """The givens are in brackets, and the cells with candidates are empty; indentation does not matter."""
    assert Board.parse(DRAWN) == BOARD
    assert Board.parse("\n".join(f"   {line}" for line in DRAWN.splitlines())) == BOARD
    assert Board.parse(DRAWN, "grid", shape=(2, 2)) == BOARD


def test_a_heavy_frame_with_one_line_per_cell_is_a_plain_drawing():
    """Borders around every cell are no sign of candidates."""
    lines = ["┏━━━┯━━━┳━━━┯━━━┓", *("┃ 1 │ . ┃ . │ . ┃", "┠───┼───╂───┼───┨", "┃ . │ . ┃ 2 │ . ┃")]
    lines += ["┣━━━┿━━━╋━━━┿━━━┫", "┃ . │ 3 ┃ . │ . ┃", "┠───┼───╂───┼───┨", "┃ . │ . ┃ . │ 4 ┃", "┗━━━┷━━━┻━━━┷━━━┛"]
    assert Board.parse("\n".join(lines)) == Board.parse("1... ..2. .3.. ...4")
    assert Board.parse(draw_board(BOARD)) == BOARD


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "[4] │ [3] ┃ [1]",
            "[4] │ [3] ┃ [3]",
            r"line 9, column 15: expected each value once in row 3, found '\[3\]' again",
        ),
        ("┃ [1] │", "┃ [5] │", r"line 3, column 3: expected a given from 1 to 4, found '\[5\]'"),
        ("┃ [1] │ [2]", "┃ [1]   [2]", "line 3, column 1: expected 4 cells in each line of row 1, found 3"),
        ("┠─────┼─────╂─────┼─────┨\n", "", "line 4, column 1: expected a border below row 1"),
        (DRAWN[DRAWN.index("┗") :], "", "expected a border below row 4, found ''"),
        (DRAWN[30:], "", "expected "),
    ],
)
def test_mistakes(old, new, message):
    """Each is one line with its place."""
    with pytest.raises(NotationError, match=message):
        Board.parse(DRAWN.replace(old, new, 1))


def test_another_shape_than_asked_for():
    """The borders show the shape."""
    with pytest.raises(NotationError, match="expected the shape 2×3 that was asked for, found 2×2"):
        Board.parse(DRAWN, shape=(2, 3))
