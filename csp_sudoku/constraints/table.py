"""The table of all constraints. To add a constraint, write its class in a module and add a line here."""

from __future__ import annotations

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
from csp_sudoku.constraints.outside import FullRank, LittleKiller, NumberedRoom, Sandwich, Skyscraper, XSum
from csp_sudoku.constraints.regions import AllDifferent, Diagonal, DisjointGroups, ExtraRegion, GlobalEntropy, Windoku
from csp_sudoku.constraints.sets import Between, Lockout, Nabner, Renban
from csp_sudoku.constraints.sums import Arrow, DoubleArrow, RegionSumLine, SumLine, Zipper
from csp_sudoku.constraints.thermometers import Clone, Palindrome, SlowThermometer, Thermometer

CONSTRAINTS: dict[str, type[Constraint]] = {
    kind.name: kind
    for kind in (
        AllDifferent,
        ExtraRegion,
        Diagonal,
        Windoku,
        DisjointGroups,
        GlobalEntropy,
        AntiKnight,
        AntiKing,
        SelfTaxicab,
        Killer,
        EqualityCage,
        Sum,
        CountingCircles,
        Thermometer,
        SlowThermometer,
        Palindrome,
        Clone,
        Whispers,
        Entropic,
        Modular,
        Neighbours,
        Renban,
        Nabner,
        Between,
        Lockout,
        Arrow,
        DoubleArrow,
        RegionSumLine,
        Zipper,
        SumLine,
        Difference,
        Ratio,
        PairSum,
        Greater,
        NonConsecutive,
        NoDifference,
        NoRatio,
        NoPairSum,
        Odd,
        Even,
        OneOf,
        Minimum,
        Maximum,
        Quadruple,
        LittleKiller,
        Sandwich,
        XSum,
        Skyscraper,
        NumberedRoom,
        FullRank,
        RowIndexer,
        ColumnIndexer,
        BoxIndexer,
        Table,
        Automaton,
        AnyOf,
        AllOf,
    )
}
"""Every constraint, by its name."""
