"""A constraint of every kind on a 9×9 board, most of which one solution satisfies; puzzles made of them."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import CountingCircles, EqualityCage, Killer, Sum
from csp_sudoku.constraints.chess import AntiKing, AntiKnight, SelfTaxicab
from csp_sudoku.constraints.dots import (
    Difference,
    Greater,
    NoDifference,
    NonConsecutive,
    NoPairSum,
    NoRatio,
    PairSum,
    Ratio,
)
from csp_sudoku.constraints.generic import AllOf, AnyOf, Automaton, Table
from csp_sudoku.constraints.indexing import BoxIndexer, ColumnIndexer, RowIndexer
from csp_sudoku.constraints.marks import Even, Maximum, Minimum, Odd, OneOf, Quadruple
from csp_sudoku.constraints.neighbours import Entropic, Modular, Neighbours, Whispers
from csp_sudoku.constraints.outside import (
    FullRank,
    LittleKiller,
    NumberedRoom,
    Sandwich,
    Skyscraper,
    XSum,
    diagonal_from,
    seen_from,
)
from csp_sudoku.constraints.regions import AllDifferent, Diagonal, DisjointGroups, ExtraRegion, GlobalEntropy, Windoku
from csp_sudoku.constraints.sets import Between, Lockout, Nabner, Renban
from csp_sudoku.constraints.sums import Arrow, DoubleArrow, RegionSumLine, SumLine, Zipper
from csp_sudoku.constraints.thermometers import Clone, Palindrome, SlowThermometer, Thermometer
from csp_sudoku.geometry import Geometry

NINE = Geometry.standard(3, 3)
SOLUTION = bytes(map(int, "534678912672195348198342567859761423426853791713924856961537284287419635345286179"))
"""A solution, for which the sums and counts of the samples are computed."""


def paths(length: int) -> Iterator[tuple[int, ...]]:
    """All lines of so many cells, each a king's move from the one before, in a fixed order."""

    def longer(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(path) == length:
            yield path
            return
        row, column = divmod(path[-1], 9)
        for r in range(max(0, row - 1), min(8, row + 1) + 1):
            for c in range(max(0, column - 1), min(8, column + 1) + 1):
                if (cell := 9 * r + c) not in path:
                    yield from longer((*path, cell))

    for start in range(81):
        yield from longer((start,))


def line(kind: type[Constraint], length: int, *numbers: object) -> Constraint:
    """The first line of so many cells on which the solution satisfies the constraint."""
    made = (kind(path, *numbers) for path in paths(length))
    return next(constraint for constraint in made if constraint.check(NINE, SOLUTION))


def total(cells: tuple[int, ...] | list[int]) -> int:
    """The sum of some cells of the solution."""
    return sum(SOLUTION[cell] for cell in cells)


def _arrow(circle: int) -> Constraint:
    made = (Arrow(path[:circle], path[circle:]) for path in paths(circle + 3))
    straight = (arrow for arrow in made if list(arrow.circle) == sorted(arrow.circle))
    rows = (arrow for arrow in straight if len({cell // 9 for cell in arrow.circle}) == 1)
    return next(arrow for arrow in rows if arrow.check(NINE, SOLUTION))


def _clue(kind: type[Constraint], row: int, column: int) -> Constraint:
    cells = seen_from(NINE, row, column)
    made = (kind(cells, number) for number in range(46))
    return next(clue for clue in made if clue.check(NINE, SOLUTION))


def _clone() -> Constraint:
    first = (0, 1)
    other = next(path for path in paths(2) if path[0] > 8 and [SOLUTION[cell] for cell in path] == [5, 3])
    return Clone(first, other)


DIAGONAL = diagonal_from(NINE, 5, 1, -1)
EVEN_SUM = ((0, 1, 0), (0, 2, 1), (1, 1, 1), (1, 2, 0), *((s, v, s ^ (v % 2)) for s in (0, 1) for v in range(3, 10)))
MARKS = (Difference((0, 9)), line(Ratio, 2), PairSum((0, 1), 8))
PAIRS = [tuple(sorted(mark.cells)) for mark in MARKS[:2]]

SAMPLES: dict[str, Constraint] = {
    sample.name: sample
    for sample in (
        AllDifferent((0, 1, 9)),
        ExtraRegion((10, 11, 12, 19, 20, 21, 28, 29, 30)),
        Diagonal(True),
        Windoku(),
        DisjointGroups(),
        GlobalEntropy(),
        AntiKnight(),
        AntiKing(),
        SelfTaxicab(),
        Killer((0, 1, 9), total((0, 1, 9))),
        line(EqualityCage, 4),
        Sum((0, 10, 20), 2 * SOLUTION[0] - SOLUTION[10] + SOLUTION[20], "<=", (2, -1, 1)),
        CountingCircles((7, 8, 11)),
        line(Thermometer, 3),
        line(SlowThermometer, 4),
        line(Palindrome, 3),
        _clone(),
        line(Whispers, 3, 4),
        line(Entropic, 3),
        line(Modular, 3),
        Neighbours((0, 1, 2), ((5, 3), (3, 4), (1, 9))),
        line(Renban, 3),
        line(Nabner, 3),
        line(Between, 3),
        line(Lockout, 3, 5),
        _arrow(1),
        line(DoubleArrow, 4),
        line(RegionSumLine, 5),
        line(Zipper, 4),
        line(SumLine, 3, 15),
        *MARKS,
        Greater((0, 1)),
        NonConsecutive(),
        NoDifference(PAIRS, (1,)),
        NoRatio(PAIRS, (2,)),
        NoPairSum([(0, 1)], (5, 8, 10)),
        Odd(0),
        Even(5),
        OneOf(2, (1, 4, 7)),
        Minimum((6, 40)),
        Maximum((7,)),
        Quadruple((0, 1, 9, 10), (7, 6, 3)),
        LittleKiller(DIAGONAL, total(DIAGONAL)),
        _clue(Sandwich, 0, -1),
        _clue(XSum, 9, 3),
        _clue(Skyscraper, 4, 9),
        NumberedRoom(seen_from(NINE, -1, 0), SOLUTION[9 * (SOLUTION[0] - 1)]),
        FullRank(seen_from(NINE, -1, 2), 5),
        RowIndexer(0),
        ColumnIndexer(80),
        BoxIndexer(40),
        Table((0, 1), ((5, 3), (3, 5)), True),
        Automaton((0, 1, 2), 0, (0, 1), EVEN_SUM),
        AnyOf((Odd(0), Killer((1, 2), 4), AllOf((Even(2), Odd(8))))),
        AllOf((Odd(0), Greater((0, 1)))),
    )
}
"""A constraint of every kind, by its name."""

HOLDING = {name: sample for name, sample in SAMPLES.items() if sample.check(NINE, SOLUTION)}
"""Those that the solution satisfies."""

NOT_IN_FPUZZLES = (
    *(
        "global-entropy",
        "self-taxicab",
        "equality-cage",
        "sum",
        "counting-circles",
        "neighbours",
        "sum-line",
        "greater",
    ),
    *("numbered-room", "full-rank", "table", "automaton", "any-of", "all-of"),
)
"""The kinds that f-puzzles has no rule for."""
