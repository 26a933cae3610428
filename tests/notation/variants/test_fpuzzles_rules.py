"""The rules of f-puzzles: each key is the constraint that it stands for, whatever exports leave out or add."""

import pytest

from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.constraints.dots import Difference, NoDifference, NonConsecutive, NoPairSum, NoRatio, PairSum, Ratio
from csp_sudoku.constraints.indexing import BoxIndexer, ColumnIndexer, RowIndexer
from csp_sudoku.constraints.marks import Even, Maximum, Minimum, Odd, Quadruple
from csp_sudoku.constraints.neighbours import Entropic, Modular, Whispers
from csp_sudoku.constraints.outside import LittleKiller, Sandwich, Skyscraper, XSum
from csp_sudoku.constraints.regions import Diagonal, DisjointGroups, ExtraRegion
from csp_sudoku.constraints.sets import Between, Lockout, Nabner, Renban
from csp_sudoku.constraints.sums import Arrow, DoubleArrow, RegionSumLine, Zipper
from csp_sudoku.constraints.thermometers import Clone, Palindrome, SlowThermometer, Thermometer
from tests.notation.variants.puzzles import board_of, error_of, puzzle, rules_of

LINE = ["R1C1", "R1C2", "R2C3"]
CELLS = (0, 1, 11)
LEFT_DOWN = (5, 13, 21, 29, 37, 45)


def lines(**more):
    """The value of a key for lines: one line, decorated as exports do it."""
    return [{"lines": [LINE], "outlineC": "#FF0000", "width": 0.3, "value": "", **more}]


def cells(names="R1C1 R1C2 R2C3", **more):
    """The value of a key for cells."""
    return [{"cells": names.split(), "outlineC": "#000000", "fontC": "#000000", **more}]


RULES = [
    ({"diagonal_plus": True}, [Diagonal(False)]),
    ({"diagonal_minus": True}, [Diagonal(True)]),
    ({"antiknight": True, "antiking": False}, [AntiKnight()]),
    ({"antiking": True}, [AntiKing()]),
    ({"disjointgroups": True}, [DisjointGroups()]),
    ({"nonconsecutive": True}, [NonConsecutive()]),
    ({"killercage": cells(value="14")}, [Killer(CELLS, 14)]),
    ({"killercage": cells(value=14)}, [Killer(CELLS, 14)]),
    ({"killercage": cells(value="") + cells("R3C3 R3C4")}, [Killer(CELLS), Killer((20, 21))]),
    ({"killercage": cells("R1C1 R1C2 R2C3 R1C1", value="0")}, [Killer(CELLS)]),
    ({"thermometer": lines()}, [Thermometer(CELLS)]),
    ({"thermometer": [{"lines": [LINE, LINE[::-1]]}]}, [Thermometer(CELLS), Thermometer(CELLS[::-1])]),
    ({"thermometer": [{"lines": [["R1C1"], []]}, {}]}, []),
    ({"slowthermometer": lines()}, [SlowThermometer(CELLS)]),
    ({"palindrome": lines()}, [Palindrome(CELLS)]),
    ({"renban": [{"lines": [[*LINE, "R1C1"]]}]}, [Renban(CELLS)]),
    ({"whispers": lines()}, [Whispers(CELLS)]),
    ({"whispers": lines(value="4")}, [Whispers(CELLS, 4)]),
    ({"germanwhispers": lines()}, [Whispers(CELLS)]),
    ({"dutchwhispers": lines()}, [Whispers(CELLS, 4)]),
    ({"regionsumline": lines()}, [RegionSumLine(CELLS)]),
    ({"betweenline": lines()}, [Between(CELLS)]),
    ({"betweenline": [{"lines": [LINE[:2]]}]}, []),
    ({"lockout": lines()}, [Lockout(CELLS, 4)]),
    ({"lockoutline": lines(value="3")}, [Lockout(CELLS, 3)]),
    ({"entropicline": lines()}, [Entropic(CELLS)]),
    ({"modularline": lines()}, [Modular(CELLS)]),
    ({"zipperline": lines()}, [Zipper(CELLS)]),
    ({"doublearrow": lines()}, [DoubleArrow(CELLS)]),
    ({"nabner": lines()}, [Nabner(CELLS)]),
    ({"arrow": [{"cells": ["R1C1"], "lines": [LINE]}]}, [Arrow((0,), (1, 11))]),
    ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"], []]}]}, []),
    (
        {"arrow": [{"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R2C3"], ["R1C1", "R2C1"]]}]},
        [Arrow((0, 1), (11,)), Arrow((0, 1), (9,))],
    ),
    ({"arrow": [{"cells": ["R3C1", "R2C1"], "lines": [["R2C1", "R1C1"]]}]}, [Arrow((9, 18), (0,))]),
    ({"extraregion": cells()}, [ExtraRegion(CELLS)]),
    ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R5C5", "R1C2"]}]}, [Clone((0,), (40,))]),
    ({"quadruple": [{"cells": ["R1C1", "R1C2"], "values": [1, "2"]}]}, [Quadruple((0, 1), (1, 2))]),
    ({"quadruple": [{"cells": ["R1C1", "R1C2"], "values": []}]}, []),
    ({"difference": cells("R1C1 R1C2")}, [Difference((0, 1))]),
    ({"difference": cells("R1C1 R1C2", value="3")}, [Difference((0, 1), 3)]),
    ({"ratio": cells("R1C1 R1C2", value="")}, [Ratio((0, 1))]),
    ({"ratio": cells("R1C1 R1C2", value="3")}, [Ratio((0, 1), 3)]),
    ({"xv": cells("R1C1 R1C2", value="x") + cells("R2C1 R2C2", value="V")}, [PairSum((0, 1), 10), PairSum((9, 10), 5)]),
    ({"xv": cells("R1C1 R1C2")}, []),
    ({"sum": cells("R1C1 R1C2", value="7") + cells("R1C1 R1C2")}, [PairSum((0, 1), 7)]),
    ({"odd": [{"cell": "R1C2"}], "even": [{"cell": "R1C1"}]}, [Odd(1), Even(0)]),
    ({"minimum": [{"cell": "R1C2"}, {"cell": "R2C2"}]}, [Minimum((1, 10))]),
    ({"maximum": [{"cell": "R1C2"}]}, [Maximum((1,))]),
    ({"rowindexer": cells("R1C1 R2C2")}, [RowIndexer(0), RowIndexer(10)]),
    ({"columnindexer": cells("R1C1")}, [ColumnIndexer(0)]),
    ({"boxindexer": cells("R1C1")}, [BoxIndexer(0)]),
    ({"sandwichsum": [{"cell": "R0C2", "value": "0"}]}, [Sandwich(range(1, 81, 9), 0)]),
    ({"sandwichsum": [{"cell": "R0C2", "value": ""}, {"cell": "R1C0"}]}, []),
    ({"sandwichsum": [{"cell": "R2C0", "value": "12"}]}, [Sandwich(range(9, 18), 12)]),
    ({"xsum": [{"cell": "R10C1", "value": "20"}]}, [XSum(range(72, -1, -9), 20)]),
    ({"skyscraper": [{"cell": "R1C10", "value": 3}]}, [Skyscraper(range(8, -1, -1), 3)]),
    ({"littlekillersum": [{"cell": "R0C7", "direction": "DL", "value": "30"}]}, [LittleKiller(LEFT_DOWN, 30)]),
    (
        {"littlekillersum": [{"cell": "R0C7", "direction": "DL", "cells": ["R1C6", "R2C5"], "value": ""}]},
        [],
    ),
    ({"littlekillersum": [{"cells": ["R1C6", "R2C5"], "value": "9"}]}, [LittleKiller((5, 13), 9)]),
    ({"littlekillersum": [{"cell": "R10C0", "direction": "UR", "value": 9}]}, [LittleKiller(range(72, 0, -8), 9)]),
]
"""Keys of f-puzzles with their values, and the constraints that they stand for."""


@pytest.mark.parametrize(
    ("rules", "expected"), RULES, ids=[f"{at}-{'-'.join(rules)}" for at, (rules, _) in enumerate(RULES)]
)
def test_a_key_is_its_constraints(rules, expected):
    """A key stands for its constraints, as numbers or texts, with or without a value, with decoration."""
    assert rules_of(puzzle(**rules)) == expected


def test_the_usual_numbers_depend_on_the_size():
    """On other sizes, whispers, lockout lines and outside clues count from the number of values."""
    six = puzzle(6, whispers=lines(), lockout=lines(), dutchwhispers=lines(), skyscraper=[{"cell": "R7C2", "value": 2}])
    line = (0, 1, 8)
    expected = [Whispers(line), Lockout(line, 3), Whispers(line, 2), Skyscraper(range(31, 0, -6), 2)]
    assert rules_of(six) == expected


@pytest.mark.parametrize(("size", "outer"), [(4, 1), (5, 2), (7, 2), (8, 3), (10, 3), (16, 5)])
def test_entropic_lines_on_other_sizes(size, outer):
    """If 3 does not divide the number of values, the middle range is the one with another number of them."""
    line = ["R1C1", "R1C2", "R2C3", "R2C4"]
    geometry = board_of(puzzle(size, entropicline=[{"lines": [line]}])).geometry
    low, middle, high = 1, outer + 1, size
    for values, allowed in (
        ((low, middle, high, low), True),
        ((outer, size - outer, size - outer + 1, outer), True),
        ((low, middle, low, high), False),
        ((low, outer, middle, high), False),
        ((middle, low, high, size - outer), True),
    ):
        grid = [1] * size * size
        for cell, value in zip((0, 1, size + 2, size + 3), values, strict=True):
            grid[cell] = value
        assert (geometry.violated(grid) is None) == allowed


def test_what_no_mark_means():
    """Pairs without either kropki mark have neither relation; the numbers are those of the marks."""
    dots = {"difference": cells("R1C1 R1C2"), "ratio": cells("R2C2 R2C1", value="3")}
    marked = ((0, 1), (9, 10))
    both = [Difference((0, 1)), Ratio((10, 9), 3)]
    assert rules_of(puzzle(**dots, negative=["ratio"])) == [*both, NoRatio(marked, (2, 3))]
    assert rules_of(puzzle(**dots, negative=["difference"])) == [*both, NoDifference(marked, (1,))]
    assert rules_of(puzzle(**dots, nonconsecutive=True)) == [*both, NoDifference(marked, (1,))]
    assert rules_of(puzzle(difference=cells("R1C1 R1C2", value="2"), negative=["difference"], nonconsecutive=True)) == [
        Difference((0, 1), 2),
        NoDifference(((0, 1),), (1, 2)),
    ]
    assert rules_of(puzzle(negative=["ratio", "xv"])) == [NoRatio(), NoPairSum()]
    assert rules_of(puzzle(negative=["XV"], xv=cells("R1C1 R1C2", value="X"))) == [
        PairSum((0, 1), 10),
        NoPairSum(((0, 1),), (5, 10)),
    ]
    assert rules_of(puzzle(negative=None, nonconsecutive=None)) == []


def test_what_is_only_drawn_is_no_rule():
    """Drawings, settings, empty lists and false flags say nothing, even under keys that are not known."""
    drawn = puzzle(
        **{
            key: [{"cells": ["R1C1"], "value": "x", "whatever": 1}]
            for key in ("line", "circle", "rectangle", "text", "cage")
        },
        disabledlogic=["tuples"],
        truecandidatesoptions=["colored"],
        highlightConflicts=True,
        metadata={"a": 1},
        unheardof=[],
        unknown=False,
        nothing={},
        blank=" ",
    )
    assert rules_of(drawn) == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"chaosline": lines()}, "expected a rule of f-puzzles that is known, found 'chaosline'"),
        ({"antiknight": "yes"}, "expected true or false as antiknight, found '\"yes\"'"),
        ({"killercage": {"cells": []}}, "expected a list as killercage, found "),
        ({"killercage": ["R1C1"]}, "expected an object as killercage[0], found '\"R1C1\"'"),
        ({"killercage": cells(value="<15")}, "expected a whole number from 0 to 9999 as killercage[0].value, found "),
        (
            {"killercage": cells(value=2.5)},
            "expected a whole number from 0 to 9999 as killercage[0].value, found '2.5'",
        ),
        (
            {"killercage": cells(value=[1])},
            "expected a whole number from 0 to 9999 as killercage[0].value, found '[1]'",
        ),
        ({"killercage": cells(unique=True)}, "expected a key among cells, value in killercage[0], found 'unique'"),
        (
            {"killercage": cells("R1C1 R10C1")},
            "expected a cell from R1C1 to R9C9 as killercage[0].cells[1], found '\"R10C1\"'",
        ),
        (
            {"killercage": cells("R1C1 A1")},
            "expected a cell from R1C1 to R9C9 as killercage[0].cells[1], found '\"A1\"'",
        ),
        (
            {"killercage": [{"cells": [], "value": "5"}]},
            "expected a constraint that makes sense as killercage[0], found killer: expected at least 1 cell; found 0",
        ),
        (
            {"difference": cells()},
            "expected a constraint that makes sense as difference[0], found difference: expected 2",
        ),
        ({"xv": cells("R1C1 R1C2", value="IX")}, "expected X or V as xv[0].value, found '\"IX\"'"),
        ({"renban": lines(value="3")}, "expected a key among lines in renban[0], found 'value'"),
        ({"thermometer": [{"lines": ["R1C1"]}]}, "expected a list as thermometer[0].lines[0], found '\"R1C1\"'"),
        ({"sandwichsum": [{"cell": "R1C1", "value": 3}]}, "expected a cell beside the board, such as R0C1 as sandwich"),
        (
            {"sandwichsum": [{"cell": "R0C0", "value": 3}]},
            "expected a cell beside a row or a column, such as R0C1 as sa",
        ),
        ({"sandwichsum": [{"value": 3}]}, "expected a cell beside the board, such as R0C1 as sandwichsum[0].cell"),
        (
            {"quadruple": [{"cells": ["R1C1"], "values": [10]}]},
            "expected a whole number from 1 to 9 as quadruple[0].valu",
        ),
        (
            {"clone": [{"cells": ["R1C1"], "cloneCells": []}]},
            "expected as many cloneCells as cells in clone[0], found 0 and 1",
        ),
        (
            {"littlekillersum": [{"cell": "R0C7", "direction": "D", "value": 3}]},
            "expected a direction among DR, DL, UR, UL as littlekillersum[0].direction, found '\"D\"'",
        ),
        (
            {"littlekillersum": [{"cell": "R0C7", "direction": "UL", "value": 3}]},
            "expected a direction that leads from R0C7 onto the board as littlekillersum[0].direction, found '\"UL\"'",
        ),
        (
            {"littlekillersum": [{"cell": "R0C7", "direction": "DL", "cells": ["R1C1"], "value": 3}]},
            "expected the cells that the clue and its direction point at as littlekillersum[0].cells, found ",
        ),
        ({"negative": ["even"]}, "expected a name among difference, ratio, xv, sum as negative[0], found '\"even\"'"),
        (
            {"arrow": [{"cells": [], "lines": [LINE]}]},
            "expected a constraint that makes sense as arrow[0].lines[0], fou",
        ),
    ],
)
def test_a_value_that_is_not_known_is_named(rules, expected):
    """A rule that cannot be read is an error that names it with its place, because it would change the puzzle."""
    assert error_of(puzzle(**rules)).startswith(expected)
