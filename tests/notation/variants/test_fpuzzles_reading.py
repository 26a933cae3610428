"""The board of f-puzzles: sizes, blocks, givens, candidates, and details."""

import json

import pytest

from csp_sudoku import NotationError, notation
from csp_sudoku.board import Board
from csp_sudoku.constraints.marks import OneOf
from csp_sudoku.constraints.regions import ExtraRegion
from csp_sudoku.geometry import Geometry
from tests.notation.variants.puzzles import board_of, error_of, puzzle, rules_of
from tests.notation.variants.samples import SOLUTION


def regions(data, layout):
    """A puzzle with the labels of a layout as its regions; "." leaves one out, and "-" is null."""
    for row, labels in zip(data["grid"], layout.split(), strict=True):
        for cell, label in zip(row, labels, strict=True):
            if label != ".":
                cell["region"] = None if label == "-" else int(label)
    return data


@pytest.mark.parametrize("size", range(3, 17))
def test_the_usual_blocks_of_each_size(size):
    """Sizes from 3 to 16 have the most square blocks, not higher than wide; those without any are Latin squares."""
    shapes = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 14: (2, 7), 15: (3, 5), 16: (4, 4)}
    expected = Geometry.standard(*shapes[size]) if size in shapes else Geometry.latin(size)
    assert board_of(puzzle(size)).geometry == expected


def test_givens():
    """A value is a given if it says so, as a number or a text; the progress of a player is none."""
    data = puzzle()
    data["grid"][0][:6] = [
        {"value": 5, "given": True},
        {"value": "3", "given": True},
        {"value": 4},
        {"value": "", "given": True},
        {"value": 6, "given": False, "centerPencilMarks": [1, 2], "cornerPencilMarks": [3], "c": "#FF0000"},
        None,
    ]
    board = board_of(data)
    assert board.cells[:6] == (5, 3, 0, 0, 0, 0)
    assert board.geometry.is_standard


def test_candidates():
    """Candidates that are given limit a cell; those that allow everything do not."""
    data = puzzle()
    data["grid"][0][0] = {"givenPencilMarks": [3, "1", 3]}
    data["grid"][0][1] = {"givenPencilMarks": list(range(1, 10))}
    data["grid"][0][2] = {"givenPencilMarks": [1], "value": 7, "given": True}
    data["grid"][0][3] = {"givenPencilMarks": None}
    assert rules_of(data) == [OneOf(0, (1, 3))]


def test_jigsaw():
    """Regions are the blocks; a cell without one is in its usual block, and the usual blocks are a plain board."""
    layout = "0001 2201 2311 2333"
    assert board_of(regions(puzzle(4), layout)).geometry == Geometry.irregular(layout.split())
    assert board_of(regions(puzzle(4), "..0. 220. .311 .3..")).geometry == Geometry.irregular(layout.split())
    assert board_of(regions(puzzle(4), "0011 0011 2233 2233")).geometry.is_standard
    assert board_of(regions(puzzle(6), "001122 001122 001122 334455 334455 334455")).geometry == Geometry.standard(3, 2)
    assert board_of(regions(puzzle(4), "0123 0123 0123 0123")).geometry == Geometry.latin(4)


def test_groups_that_are_no_blocks():
    """Groups of other sizes are no blocks, but their values differ; a cell may be in none."""
    geometry = board_of(regions(puzzle(4), "00-- 0011 2233 223-")).geometry
    assert geometry.plain == Geometry.latin(4)
    assert geometry.constraints == (
        *(ExtraRegion(cells) for cells in [(0, 1, 4, 5), (6, 7), (8, 9, 12, 13), (10, 11, 14)]),
    )


def test_details():
    """Title, author, rules and solution are kept; null is nothing, and a solution with gaps is none."""
    data = puzzle(title="A title", author=None, ruleset="Normal\nrules", solution=list(SOLUTION))
    details = notation.parse(json.dumps(data)).details
    assert details == notation.Details("A title", "", "Normal\nrules", SOLUTION)
    for solution in (
        "".join(map(str, SOLUTION)),
        ",".join(map(str, SOLUTION)),
        [list(SOLUTION[at : at + 9]) for at in range(0, 81, 9)],
    ):
        assert notation.parse(json.dumps(puzzle(solution=solution))).details.solution == SOLUTION
    for solution in ([None] * 81, "." * 81, [0, *SOLUTION[1:]], "", None):
        assert notation.parse(json.dumps(puzzle(solution=solution))).details.solution is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"size": 8}, "expected the number of rows, 9, as size, found '8'"),
        ({"grid": [[]] * 9}, "expected 9 cells in grid[0], as there are 9 rows, found 0"),
        ({"grid": [[{}]]}, "expected from 3 to 16 rows in grid, found 1"),
        ({"grid": [[{}] * 17] * 17}, "expected from 3 to 16 rows in grid, found 17"),
        ({"grid": [{}] * 9}, "expected a list as grid[0], found '{}'"),
        ({"grid": [[3] * 9] * 9}, "expected an object as grid[0][0], found '3'"),
        ({"solution": [1, 2]}, "expected 81 values as solution, found 2"),
        ({"solution": [10] * 81}, "expected a whole number from 1 to 9 as solution[0], found '10'"),
        ({"title": []}, None),
        ({"title": [1]}, "expected a text as title, found '[1]'"),
    ],
)
def test_a_wrong_board(change, expected):
    """A board that cannot be one is an error with its place."""
    if expected is None:
        board_of({**puzzle(), **change})
    else:
        assert error_of({**puzzle(), **change}) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ({"value": 10, "given": True}, "expected a whole number from 0 to 9 as grid[2][3].value, found '10'"),
        ({"value": 1, "given": "yes"}, "expected true or false as grid[2][3].given, found '\"yes\"'"),
        ({"region": 100}, "expected a whole number from 0 to 81 as grid[2][3].region, found '100'"),
        ({"region": 5}, None),
        ({"givenPencilMarks": [0]}, "expected a whole number from 1 to 9 as grid[2][3].givenPencilMarks[0], found '0'"),
        ({"cage": 3}, "expected a key of a cell that is known as grid[2][3], found 'cage'"),
    ],
)
def test_a_wrong_cell(cell, expected):
    """A cell that cannot be one is an error with its place; a group of more than N cells is one as well."""
    data = puzzle()
    data["grid"][2][3] = cell
    error = error_of(data)
    assert error.startswith(
        "expected a constraint that makes sense as grid[2][3].region" if expected is None else expected
    )


def test_a_clash():
    """Two givens of a region that are equal are an error."""
    assert error_of(puzzle(givens="5.5")) == "expected each value once in row 1, found 5 at r1c1 and at r1c3"


def test_another_shape_or_counting_from_zero_is_refused():
    """The caller's settings must agree with those in the puzzle."""
    text = json.dumps(puzzle(6))
    assert Board.parse(text, shape=(2, 3)) == Board.empty(2, 3)
    with pytest.raises(NotationError, match=r"expected the shape 3×2 that was asked for, found '2x3'"):
        Board.parse(text, shape=(3, 2))
    with pytest.raises(NotationError, match="expected values that count from 1 in a puzzle with rules"):
        Board.parse(text, zero_based=True)
