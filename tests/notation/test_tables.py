"""Boards given as Python objects: lists, arrays and data frames."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from csp_sudoku import Board, ClashError, NotationError, ShapeError, SudokuError

BOARD = Board.parse("1... ..2. .3.. ...4")
ROWS = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]
FLAT = [value for row in ROWS for value in row]
NAN = float("nan")


@pytest.mark.parametrize(
    "empty", [0, None, NAN, 0.0, "", " ", ".", "_", "*", "0", np.nan, np.int8(0), Decimal(0)], ids=repr
)
def test_empty_cells(empty):
    """An empty cell may be 0, nothing, or not a number."""
    assert Board.of([[value or empty for value in row] for row in ROWS]) == BOARD
    assert Board.of([value or empty for value in FLAT]) == BOARD


@pytest.mark.parametrize("number", [int, float, str, np.uint8, np.float32, Decimal])
def test_values(number):
    """A value is a whole number of any type, or a string."""
    assert Board.of([[number(value) for value in row] for row in ROWS]) == BOARD


@pytest.mark.parametrize(
    "table",
    [
        BOARD,
        BOARD.format("json"),
        tuple(map(tuple, ROWS)),
        (row for row in ROWS),
        np.array(ROWS, float),
        np.array(ROWS, np.uint8).ravel(),
        np.array(ROWS, object),
        np.ma.masked_equal(ROWS, 0),
        [np.array(row) for row in ROWS],
        np.where(np.array(ROWS) == 0, np.nan, ROWS),
        np.array([[str(value) for value in row] for row in ROWS]),
        ["1...", "..2.", ".3..", "...4"],
        ["1... ..2. .3.. ...4"],
        [FLAT],
        bytes(FLAT),
        BOARD.values,
        BOARD.cells,
    ],
    ids=lambda table: type(table).__name__,
)
def test_tables(table):
    """Lists, tuples, iterators, arrays of any type and strings for rows are read."""
    assert Board.of(table) == BOARD


def test_data_frames():
    """A data frame is read row by row, with all of pandas' marks for a missing value."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=list("abcd"))
    assert Board.of(frame) == BOARD
    assert Board.of(frame.replace(0, np.nan)) == BOARD
    assert Board.of(frame.astype("Int64").replace(0, pandas.NA)) == BOARD
    assert Board.of(pandas.Series(FLAT)) == BOARD
    with pytest.raises(ShapeError, match="expected 3 cells in row 1, as there are 3 rows; found 4"):
        Board.of(frame.head(3))


def test_large_values():
    """Values beyond 9 may be numbers, words or letters."""
    board = Board.empty(3, 4).place(0, 0, 12)
    for value in (12, 12.0, "12", "C", "c"):
        assert Board.of([value, *[0] * 143]) == board


def test_shapes():
    """The shape is the most square one, or the requested one."""
    assert Board.of([0] * 36) == Board.empty(2, 3)
    assert Board.of([0] * 36, shape=(3, 2)) == Board.of("." * 36, shape=(3, 2)) == Board.empty(3, 2)
    assert Board.of(BOARD, shape=(2, 2)) is BOARD
    with pytest.raises(ShapeError, match="expected a board of the shape 2×3, with 6 rows; found 4 rows"):
        Board.of(ROWS, shape=(2, 3))
    with pytest.raises(ShapeError, match="expected a board of the shape 2×3; found 2x2"):
        Board.of(BOARD, shape=(2, 3))


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (
            [[1, 0, 0, 0], [0, 0, 2], [0] * 4, [0] * 4],
            ShapeError,
            "expected 4 cells in row 2, as there are 4 rows; found 3",
        ),
        ([[0] * 4] * 3, ShapeError, "expected 3 cells in row 1, as there are 3 rows; found 4"),
        ([0] * 15, ShapeError, "expected N·N cells, or N rows of N cells; found 15 cells"),
        ([], ShapeError, "found 0 cells"),
        ([0] * 49, ShapeError, "found 7"),
        ([[0] * 7] * 7, ShapeError, "found 7"),
        (["1...", "..2", ".3..", "...4"], ShapeError, "expected 4 cells in row 2"),
        ([[0] * 4, 0, 0, 0], SudokuError, "expected a list of 4 cells as row 2; found an int"),
        ([0, [0] * 4, 0, 0], SudokuError, "expected a list of 4 cells as row 1; found an int"),
        ([5, *[0] * 15], SudokuError, "expected a whole number from 1 to 4, .* at r1c1; found 5"),
        ([[0] * 4, [0, 0, -1, 0], [0] * 4, [0] * 4], SudokuError, "at r2c3; found -1"),
        ([1.5, *[0] * 15], SudokuError, "at r1c1; found 1.5"),
        ([float("inf"), *[0] * 15], SudokuError, "found inf"),
        ([True, *[0] * 15], SudokuError, "found True"),
        (["x", *[0] * 15], SudokuError, "found 'x'"),
        ([object, *[0] * 15], SudokuError, "found <class 'object'>"),
        (np.zeros((4, 4, 1)), SudokuError, "at r1c1; found a list"),
        ([1, 1, *[0] * 14], ClashError, "expected each value once in row 1"),
        ([10**30, *[0] * 15], SudokuError, "found 1000000000000000000000000000000"),
        (7, SudokuError, "expected a board, a text, N rows of N cells, or N·N cells; found an int"),
        (None, SudokuError, "found None"),
        ({"board": ROWS}, SudokuError, "found a dict"),
        ({1, 2}, SudokuError, "found a set"),
        (Path("board.txt"), SudokuError, r"found a PosixPath \(csp_sudoku.load reads files\)"),
        ("1...", NotationError, "expected "),
    ],
)
def test_what_is_no_board(table, error, message):
    """Each mistake is one line with the expected value, the value found, and its place."""
    with pytest.raises(error, match=message) as caught:
        Board.of(table)
    assert "\n" not in str(caught.value)


def test_the_name_of_a_file(tmp_path):
    """A text that names a file gets a hint."""
    path = tmp_path / "board.txt"
    path.write_text("1... ..2. .3.. ...4")
    with pytest.raises(NotationError, match=r"found the name of a file \(csp_sudoku.load reads files\)"):
        Board.of(str(path))
