"""The forms of f-puzzles: the object, LZ-string and links, recognised or named, alone or many in a text."""

import io
import json
from urllib.parse import quote

import pytest

import csp_sudoku as cs
from csp_sudoku import NotationError, OptionError, ShapeError, notation
from csp_sudoku.board import Board, load, load_many
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.grid import Grid
from csp_sudoku.notation.variants.lzstring import compress
from tests.notation.variants.puzzles import puzzle
from tests.notation.variants.samples import HOLDING, NINE, NOT_IN_FPUZZLES, SOLUTION

DATA = puzzle(givens="53.6", killercage=[{"cells": ["R1C1", "R2C1"], "value": "11"}], antiknight=True)
TEXT = json.dumps(DATA)
PACKED = compress(TEXT)
LINKS = [
    f"https://f-puzzles.com/?load={quote(PACKED, safe='')}",
    f"https://www.f-puzzles.com/?load={PACKED}",
    f"https://sudokupad.app/?load=fpuzzles{quote(PACKED)}",
    f"https://sudokupad.app/?puzzleid=fpuzzles{quote(PACKED)}&setting-x=1",
    f"https://sudokupad.app/fpuzzles{quote(PACKED, safe='')}",
]
FORMS = [
    TEXT,
    json.dumps(DATA, indent=2),
    PACKED,
    PACKED.rstrip("="),
    PACKED.replace("+", " "),
    f"fpuzzles{PACKED}",
    *LINKS,
]


@pytest.mark.parametrize("text", FORMS, ids=lambda text: text[:40].replace("\n", ""))
def test_every_form_is_recognised(text, tmp_path):
    """The object, its packed form and links to it are the same board, in a text, a file and a stream."""
    board = Board.parse(TEXT)
    assert board.cells[:4] == (5, 3, 0, 6)
    assert len(board.geometry.constraints) == 2
    assert Board.parse(text) == Board.of(f"\n{text}\n") == Board.parse(text, "fpuzzles") == board
    path = tmp_path / "puzzle.txt"
    path.write_text(text)
    assert load(path) == board


def test_an_object_as_a_dictionary():
    """The result of `json.load` is a board for every function; values that JSON cannot have are an error."""
    assert Board.of(DATA) == Board.parse(TEXT)
    assert cs.is_solvable(DATA)
    with pytest.raises(cs.SudokuError, match="found values that JSON does not have"):
        Board.of({"grid": [{1, 2}]})
    with pytest.raises(cs.SudokuError, match="found a dict"):
        Board.of({})


def test_many_puzzles_in_one_text(tmp_path):
    """Objects follow each other or stand in a list, packed ones on lines of their own, and comments between them."""
    path = tmp_path / "puzzles.txt"
    for text in (f"{TEXT}\n{TEXT}", f"[{TEXT}, {TEXT}]", f"{PACKED}\n# a comment\n\n{LINKS[0]}  # another"):
        path.write_text(text)
        assert list(load_many(path)) == [Board.parse(TEXT)] * 2


def test_objects_of_both_kinds_in_one_text():
    """A list may hold plain boards and puzzles of f-puzzles."""
    grids = list(notation.read(io.StringIO(f'[{{"board": {[0] * 16}}}, {TEXT}]')))
    assert [grid.variant is None for grid in grids] == [True, False]


def test_puzzles_come_as_the_stream_comes():
    """A line that holds a puzzle is enough for it; no line is read ahead."""
    asked = []

    def endless():
        while True:
            asked.append(1)
            yield PACKED

    grids = notation.read(endless())
    for number in range(1, 4):
        next(grids)
        assert len(asked) == number


@pytest.mark.parametrize("format", ["fpuzzles", "fpuzzles-packed", "fpuzzles-url"])
def test_what_is_written_is_read_back(format):
    """A puzzle of every rule that f-puzzles has comes back, with its details, in every form."""
    left_out = ("different", "windoku", *NOT_IN_FPUZZLES)  # the first two have other names there
    constraints = [sample for name, sample in HOLDING.items() if name not in left_out]
    assert len(constraints) > 25
    values = bytes(value if cell % 3 else 0 for cell, value in enumerate(SOLUTION))
    values = values[:2] + b"\0" + values[3:]  # its candidates are given
    details = notation.Details("A “title”", "me", "Rules\nhere", SOLUTION)
    grid = Grid.on(NINE.with_constraints(*sorted(constraints, key=repr)), values, details)
    text = notation.format_grid(grid, format)
    assert "\n" not in text
    again = notation.parse(text)
    assert (again.values, again.details) == (grid.values, details)
    assert set(again.geometry.constraints) == set(grid.geometry.constraints)
    assert notation.format_grid(again, format) == notation.format_grid(again, format)


def test_plain_boards_have_the_form_too():
    """A board without rules is written and read back as the plain board, of any shape that f-puzzles can hold."""
    for shape in [(2, 2), (3, 2), (4, 4)]:
        board = Board.empty(*shape).place(0, 0, 2)
        assert Board.parse(board.format("fpuzzles-packed")) == board
    jigsaw = Board(Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]), [1] + [0] * 15)
    latin = Board(Geometry.latin(7), [0] * 48 + [7])
    assert [Board.parse(board.format("fpuzzles")) for board in (jigsaw, latin)] == [jigsaw, latin]
    with pytest.raises(ShapeError, match="expected from 3 to 16 rows in a puzzle of f-puzzles; found 25"):
        Board.empty(5, 5).format("fpuzzles")
    with pytest.raises(OptionError, match="expected values that count from 1"):
        Board.empty(2, 2).format("fpuzzles", zero_based=True)


def test_plain_notations_refuse_rules():
    """A notation that has no place for rules does not leave them out."""
    board = Board(Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3)), [0] * 16)
    for format in notation.FORMATS:
        with pytest.raises(
            ShapeError, match=f"expected a plain m×n board to write as {format}; found <Geometry 2x2 wi"
        ):
            board.format(format)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "https://f-puzzles.com/",
            "expected a link that holds the puzzle, with ?load=, found 'https://f-puzzles.com/'",
        ),
        ("https://sudokupad.app/abc123", "expected a link that holds the puzzle, with ?load=, found "),
        (PACKED[:-60], "expected a puzzle of f-puzzles, compressed by LZ-string, found the end of the text before"),
        (compress('{"size": 9}'.ljust(60)), "line 1, unpacked, line 1, column 1: expected a puzzle of f-puzzles: "),
        (compress(TEXT + TEXT), "expected one puzzle of f-puzzles, compressed by LZ-string, found 2 of them"),
        (compress(TEXT[:-1]), "expected a closing bracket, found the end of the text"),
        (compress("{" * 100), "expected at most 64 brackets within each other, found more"),
        (compress('{"grid": [' + " " * (1 << 20) + "]}"), "found a text of more than 1048576 characters"),
    ],
    ids=lambda text: text[:30],
)
def test_a_broken_form(text, expected):
    """A link without a puzzle, and a text that cannot be unpacked, are one line each."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text, "fpuzzles")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["[3]", "{}", '{"size": 9, "grid": 3}', "3"])
def test_what_is_no_puzzle(text):
    """The named notation demands a puzzle of f-puzzles."""
    with pytest.raises(NotationError):
        Board.parse(text, "fpuzzles")
