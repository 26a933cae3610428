"""SudokuPad: givens, blocks, cages and rules of the whole board are read; rules that are only drawn are refused."""

import json

import pytest

from csp_sudoku import NotationError, notation
from csp_sudoku.board import Board
from csp_sudoku.constraints.cages import Killer, Sum
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.variants.lzstring import compress
from csp_sudoku.notation.variants.sudokupad import expanded

BLOCKS = [[[t + r, left + c] for r in (0, 1) for c in (0, 1)] for t in (0, 2) for left in (0, 2)]
SHORT = (
    "{id:'abc',cs:64,ce:[[{v:1},,,],[,,,],[,,,],[,,,{v:'2'}]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
    "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],ca:[{cells:[[0,0],[0,1]],v:3,unique:t,c1:#0},"
    "{v:'rules: It\\'s a cage'}],metadata:{author:'me'}}"
).replace("cells:", "ce:")


def puzzle(**parts):
    """A 4×4 puzzle with some parts."""
    return {"id": "x", "cellSize": 50, "cells": [[{}] * 4] * 4, "regions": BLOCKS, **parts}


def read(**parts):
    """The board of a puzzle."""
    return Board.parse(json.dumps(puzzle(**parts)))


CAGE = {"cells": [[0, 0], [0, 1]]}


def test_what_is_read():
    """Givens, blocks, cages and rules of the whole board; words and a solution are kept."""
    cells = [[{"value": 1}, {"value": "2"}, {}, {"centremarks": [3]}], *[[{}] * 4] * 3]
    metadata = {"title": "A title", "rules": ["One", "two"], "antiknight": True, "solution": "1234341221434321"}
    text = json.dumps(puzzle(cells=cells, cages=[{**CAGE, "value": "3"}], metadata=metadata))
    grid = notation.parse(text)
    assert grid.geometry == Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3), AntiKnight())
    assert grid.values[:4] == bytes([1, 2, 0, 0])
    assert grid.details[:3] == ("A title", "", "One\ntwo")
    assert grid.details.solution == bytes(map(int, "1234341221434321"))


def test_cages():
    """A cage with a number has that sum; its values differ unless it says otherwise."""
    cages = [
        {**CAGE, "value": 3, "sum": 3, "unique": True},
        {**CAGE, "value": "3", "unique": False},
        {**CAGE, "unique": True},
        {**CAGE, "hidden": True},
        {"value": "author: me"},
        {"cells": []},
    ]
    board = read(cages=cages, **{"global": ["antiking"]})
    assert board.geometry.constraints == (Killer([0, 1], 3), Sum([0, 1], 3), Killer([0, 1]), AntiKing())


def test_blocks():
    """Without regions there are no blocks; regions of any form are a jigsaw."""
    assert read(regions=[]).geometry == Geometry.latin(4)
    rows = [[[r, c] for c in range(4)] for r in range(4)]
    assert read(regions=rows).geometry == Geometry.latin(4)
    assert read(lines=[], overlays=None).geometry == Geometry.standard(2, 2)


def test_the_short_form():
    """Keys without quotes, omitted objects and short words have the same meaning as the long form."""
    assert json.loads(expanded("{ce:[[,{v:5,r:f}],[]],c2:#F,c:aabbcc,th:123456}")) == {
        "cells": [[{}, {"value": 5, "rounded": False}], [{}]],
        "backgroundColor": "#F",
        "color": "aabbcc",
        "thickness": 123456,
    }
    for text in (f"scl{compress(SHORT)}", f"https://sudokupad.app/?puzzleid=scl{compress(SHORT).replace('+', '%2B')}"):
        grid = notation.parse(text)
        assert grid.geometry == Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3))
        assert (grid.values[0], grid.values[15], grid.details.author, grid.details.rules) == (1, 2, "me", "It's a cage")
    assert notation.parse(f"ctc{compress(json.dumps(puzzle(cages=[])))}").variant is None


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {"lines": [{}], "overlays": [{}, {}]},
            "expected a puzzle of SudokuPad whose rules are data, found 1 lines, 2 ove",
        ),
        ({"cages": [CAGE]}, "expected a cage with a sum, or with different values, as cages[0], found one of unknown"),
        (
            {"cages": [{**CAGE, "value": "x"}]},
            "expected a whole number from 1 to 9999 as cages[0].value, found '\"x\"'",
        ),
        (
            {"cages": [{"cells": [[0, 4]], "value": 1}]},
            "expected a whole number from 0 to 3 as cages[0].cells[0][1], fo",
        ),
        (
            {"cages": [{"cells": [[0]], "value": 1}]},
            "expected the row and the column of a cell as cages[0].cells[0], fo",
        ),
        (
            {"global": ["chaos"]},
            "expected a rule among antiknight, antiking, nonconsecutive as global[0], found 'chaos'",
        ),
        (
            {"metadata": {"norowcol": True}},
            "expected a rule among antiknight, antiking, nonconsecutive as metadata.norow",
        ),
        ({"bars": [1]}, "expected a part of a puzzle of SudokuPad that is known, found 'bars'"),
        ({"cells": [[{}] * 4] * 3}, "expected from 3 to 16 rows of as many cells, found rows of [4, 4, 4]"),
        ({"cells": [[{"value": 5}] * 4] * 4}, "expected a whole number from 1 to 4 as cells[0][0].value, found '5'"),
        ({"cells": [[{"value": 2}] * 4] * 4}, "expected each value once in row 1, found 2 at r1c1 and at r1c2"),
    ],
)
def test_what_cannot_be_known_is_refused(parts, expected):
    """A part whose meaning is not known is an error that names it."""
    with pytest.raises(NotationError) as caught:
        read(**parts)
    assert str(caught.value).startswith(f"line 1, column 1: {expected}")
