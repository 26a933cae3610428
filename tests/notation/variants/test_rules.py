"""Rules as lines of text: every kind is written and read back, in all the ways that people write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from csp_sudoku import NotationError
from csp_sudoku.constraints.base import Cells, Constraint
from csp_sudoku.constraints.cages import Killer, Sum
from csp_sudoku.constraints.chess import AntiKnight
from csp_sudoku.constraints.dots import Difference, NoDifference, NoPairSum, NoRatio, PairSum, Ratio
from csp_sudoku.constraints.generic import AllOf, AnyOf, Automaton, Table
from csp_sudoku.constraints.indexing import RowIndexer
from csp_sudoku.constraints.marks import Even, Odd, OneOf, Quadruple
from csp_sudoku.constraints.neighbours import Whispers
from csp_sudoku.constraints.outside import FullRank, LittleKiller, Sandwich, Skyscraper, XSum
from csp_sudoku.constraints.regions import Diagonal, ExtraRegion
from csp_sudoku.constraints.sets import Renban
from csp_sudoku.constraints.sums import Arrow, Zipper
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.constraints.thermometers import Clone, SlowThermometer, Thermometer
from csp_sudoku.notation.variants.rules import read_rule, usage, write_rule
from tests.notation.variants.samples import NINE, SAMPLES


def fail(expected, found, column):
    """The error of a line."""
    return NotationError(expected, found, column=column)


def read(line, marks=()):
    """The constraints of a line on a 9×9 board."""
    return read_rule(line, 1, NINE, fail, marks)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_written_is_read_back(name):
    """A rule of every kind comes back from its line."""
    line = write_rule(SAMPLES[name], NINE)
    assert line.split()[0] == name
    assert read(line) == [SAMPLES[name]]
    assert read(line.upper().replace("-OF", "-of")) == [SAMPLES[name]]


@pytest.mark.parametrize("kind", CONSTRAINTS.values(), ids=lambda kind: kind.name)
def test_every_kind_says_how_it_is_written(kind):
    """The form of a rule begins with its name, and names its parts."""
    assert usage(kind).startswith(kind.name)


ROW_3 = tuple(range(18, 27))
LINES = [
    ("killer 10 r1c1 r1c2", [Killer((0, 1), 10)]),
    ("killer r1c1 r1c2 10", [Killer((0, 1), 10)]),
    ("killer r1c1-r1c3", [Killer((0, 1, 2))]),
    ("killer 10 r1c1, r1c2, R2C1", [Killer((0, 1, 9), 10)]),
    ("killer-cage 45 r1c1-r3c3", [Killer((0, 1, 2, 9, 10, 11, 18, 19, 20), 45)]),
    ("region row 3", [ExtraRegion(ROW_3)]),
    ("thermo r1c1 r2c2 r3c3", [Thermometer((0, 10, 20))]),
    ("thermo r3c1-r1c1", [Thermometer((18, 9, 0))]),
    ("slow-thermo r1c1 r1c2", [SlowThermometer((0, 1))]),
    ("antiknight", [AntiKnight()]),
    ("anti-knight", [AntiKnight()]),
    ("diagonal+", [Diagonal(False)]),
    ("diagonal-", [Diagonal(True)]),
    ("diagonal falling", [Diagonal(True)]),
    ("sandwich row 3 15", [Sandwich(ROW_3, 15)]),
    ("sandwich row 3 from right 15", [Sandwich(ROW_3[::-1], 15)]),
    ("xsum column 2 down 20", [XSum(range(1, 81, 9), 20)]),
    ("x-sum 20 column 2 bottom", [XSum(range(73, 0, -9), 20)]),
    ("skyscraper row 1 left 3", [Skyscraper(range(9), 3)]),
    ("skyscraper column 9 up 3", [Skyscraper(range(80, 7, -9), 3)]),
    ("full-rank row 1 7", [FullRank(range(9), 7)]),
    ("little-killer 20 r1c6 down-left", [LittleKiller((5, 13, 21, 29, 37, 45), 20)]),
    ("little-killer 20 r1c6 r2c5", [LittleKiller((5, 13), 20)]),
    ("arrow r1c1 = r1c2 r1c3", [Arrow((0,), (1, 2))]),
    ("arrow r1c1 r1c2 = r2c1", [Arrow((0, 1), (9,))]),
    ("clone r1c1 r1c2=r4c1 r4c2", [Clone((0, 1), (27, 28))]),
    ("whispers r1c1 r1c2", [Whispers((0, 1))]),
    ("whispers 4 r1c1 r1c2", [Whispers((0, 1), 4)]),
    ("zipper-line r1c1-r1c3", [Zipper((0, 1, 2))]),
    ("renban r1c1-r1c3", [Renban((0, 1, 2))]),
    ("x r1c1 r1c2", [PairSum((0, 1), 10)]),
    ("V r1c1 r1c2", [PairSum((0, 1), 5)]),
    ("difference r1c1 r1c2", [Difference((0, 1))]),
    ("ratio 3 r1c1 r1c2", [Ratio((0, 1), 3)]),
    ("odd r1c1 r1c3-r1c4", [Odd(0), Odd(2), Odd(3)]),
    ("even r1c1", [Even(0)]),
    ("one-of r1c1 1 2 3", [OneOf(0, (1, 2, 3))]),
    ("row-indexer r1c1 r2c1", [RowIndexer(0), RowIndexer(9)]),
    ("quadruple 1 1 2 r1c1-r2c2", [Quadruple((0, 1, 9, 10), (1, 1, 2))]),
    ("sum 10 r1c1 r1c2", [Sum((0, 1), 10)]),
    ("sum == 10 r1c1 r1c2", [Sum((0, 1), 10)]),
    ("sum <= 10 2*r1c1 r1c2 -1*r1c3", [Sum((0, 1, 2), 10, "<=", (2, 1, -1))]),
    ("table 1,2 2,3 r1c1 r1c2", [Table((0, 1), ((1, 2), (2, 3)))]),
    ("table allowed=no 1, r1c1", [Table((0,), ((1,),), False)]),
    ("automaton 0 1 2 0,1,1 1,2,2 r1c1 r1c2", [Automaton((0, 1), 0, (1, 2), ((0, 1, 1), (1, 2, 2)))]),
    ("any-of (odd r1c1) (killer 3 r1c2 r1c3)", [AnyOf((Odd(0), Killer((1, 2), 3)))]),
    ("any-of (odd r1c1 r1c2) (all-of (even r1c1))", [AnyOf((Odd(0), Odd(1), AllOf((Even(0),))))]),
    ("no-difference", [NoDifference()]),
    ("no-difference 1 2 except r1c1 r1c2, r1c5-r1c6", [NoDifference([(0, 1), (4, 5)], [1, 2])]),
    ("no-ratio 2 3", [NoRatio([], [2, 3])]),
    ("no-pair-sum", [NoPairSum()]),
]


@pytest.mark.parametrize(("line", "expected"), LINES, ids=[line for line, _ in LINES])
def test_the_ways_to_write_a_rule(line, expected):
    """Ranges, sides, short names, defaults and any order of numbers and cells."""
    assert read(line) == expected


def test_except_marks():
    """The marks of the other lines are the pairs that a rule about absent marks leaves out."""
    marks = [Difference((1, 0)), Ratio((4, 5)), PairSum((7, 8), 9), Odd(3)]
    assert read("no-ratio except marks", marks) == [NoRatio([(0, 1), (4, 5)])]
    assert read("no-difference 1 except marks r2c1 r2c2", marks) == [NoDifference([(9, 10), (0, 1), (4, 5)])]
    assert read("no-pair-sum except marks", marks) == [NoPairSum([(7, 8)])]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kiler 10 r1c1 r1c2", "column 1: expected the name of a rule (did you mean 'killer'?), found 'kiler'"),
        ("10 r1c1", "column 1: expected the name of a rule, found '10'"),
        ("killer 10 r1c1 r1c10", "column 16: expected a cell from r1c1 to r9c9, found 'r1c10'"),
        ("killer 10 r0c1", "column 11: expected a cell from r1c1 to r9c9, found 'r0c1'"),
        ("killer 10", "column 1: expected killer [total] cells…, found no cells"),
        ("killer 10 11 r1c1", "column 1: expected killer [total] cells…, found '11'"),
        ("killer 10 r1c1 what", "column 1: expected killer [total] cells…, found 'what'"),
        ("killer 10 r1c1 = r1c2", "column 1: expected killer [total] cells…, found 'r1c2'"),
        ("killer 1,2 r1c1", "column 1: expected killer [total] cells…, found '1,2'"),
        ("killer size=3 r1c1", "column 1: expected killer [total] cells…, found 'size=3'"),
        ("killer 2*r1c1", "column 1: expected killer [total] cells…, found '2*'"),
        ("killer <= 3 r1c1", "column 1: expected killer [total] cells…, found '<='"),
        ("killer 3 r1c1 r1c1", "column 1: expected a rule that makes sense, found killer: expected each cell once"),
        ("killer 3 r1c1 §", "column 15: expected a cell such as r1c2, a number or a word, found '§'"),
        ("killer 3 r1c1 (odd r1c1)", "column 15: expected the end of the rule, found '('"),
        ("arrow r1c1", "column 1: expected arrow circle… = shaft…, found no shaft"),
        ("pair-sum r1c1 r1c2", "column 1: expected pair-sum total cells…, found no total"),
        ("odd", "column 1: expected odd cell…, found no cell"),
        ("diagonal", "column 1: expected diagonal falling, or diagonal rising, found no falling"),
        ("diagonal left", "column 1: expected diagonal falling, or diagonal rising, found no falling"),
        ("sandwich row 10 3", "column 14: expected the number of a row from 1 to 9, found '10'"),
        ("sandwich row", "column 10: expected the number of a row from 1 to 9, found the end of the line"),
        ("sandwich row 3 top 4", "column 16: expected a side of a row: left, right, found 'top'"),
        ("sandwich 5 r1c1 r1c2", "column 1: expected a rule that makes sense, found sandwich: expected the cells of"),
        ("quadruple 10 r1c1-r2c2", "column 1: expected a rule that makes sense, found quadruple: expected values from"),
        ("no-ratio except r1c1", "column 1: expected pairs of cells behind except, found 1 cells"),
        ("no-ratio dots", "column 1: expected no-ratio numbers… [except cells…], found 'dots'"),
        ("any-of", "column 1: expected rules in parentheses, found none"),
        ("any-of (odd r1c1", 'column 1: expected ")", found the end of the line'),
        ("any-of (", "column 8: expected a rule in parentheses, found the end of the line"),
        ("any-of (odd r1c1) 3", "column 19: expected the end of the rule, found '3'"),
        ("any-of (qqq r1c1)", "column 9: expected the name of a rule, found 'qqq'"),
        ("any-of (" * 30, "column 161: expected at most 20 rules within each other, found more"),
        ("table 1,2, r1c1", "column 7: expected a cell such as r1c2, a number or a word, found '1,2,'"),
        ("table 1,2 r1c1", "column 1: expected a rule that makes sense, found table: expected "),
    ],
)
def test_a_wrong_rule(line, expected):
    """A line that is no rule is an error with its column, and with the form of the rule."""
    with pytest.raises(NotationError) as caught:
        read(line)
    assert str(caught.value).startswith(expected)


def test_a_new_kind_needs_no_line_here(monkeypatch):
    """A kind that is added to the table is read and written by its fields."""

    @dataclass(frozen=True)
    class Weighed(Constraint):
        """A rule with fields of several sorts."""

        name: ClassVar[str] = "weighed"
        cells: Cells
        others: Cells
        weight: int
        least: int | None = None
        is_strict: bool = False

        def check(self, geometry, values):
            """It always holds."""
            return True

        def post(self, posting):
            """It demands nothing."""

        def describe(self, geometry):
            """It says nothing."""
            return "nothing"

    monkeypatch.setitem(CONSTRAINTS, "weighed", Weighed)
    for constraint in (Weighed((0, 1), (2,), 7), Weighed((0,), (1, 2), 7, 3, True)):
        assert read(write_rule(constraint, NINE)) == [constraint]
    assert write_rule(Weighed((0, 1), (2,), 7, None, True), NINE) == "weighed 7 is_strict=yes r1c1 r1c2 = r1c3"
