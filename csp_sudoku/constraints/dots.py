"""Marks between two neighbours, and what their absence means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Difference(Constraint):
    """The two values differ by `difference`."""

    name: ClassVar[str] = "difference"

    cells: Cells
    """The two cells."""
    difference: int = 1
    """The difference (default 1)."""


@dataclass(frozen=True)
class Ratio(Constraint):
    """One of the two values is `ratio` times the other."""

    name: ClassVar[str] = "ratio"

    cells: Cells
    """The two cells."""
    ratio: int = 2
    """The ratio (default 2)."""


@dataclass(frozen=True)
class PairSum(Constraint):
    """The two values add up to `total`: 10 for X, 5 for V."""

    name: ClassVar[str] = "pair-sum"

    cells: Cells
    """The two cells."""
    total: int
    """The sum."""


@dataclass(frozen=True)
class Greater(Constraint):
    """The first value is greater than the second one."""

    name: ClassVar[str] = "greater"

    cells: Cells
    """The two cells."""


@dataclass(frozen=True)
class NonConsecutive(Constraint):
    """Neighbours in a row or a column never hold consecutive values."""

    name: ClassVar[str] = "non-consecutive"


@dataclass(frozen=True)
class NoDifference(Constraint):
    """Neighbours in a row or a column never differ by one of `differences`, except for the marked pairs."""

    name: ClassVar[str] = "no-difference"

    marked: tuple[tuple[int, int], ...] = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    differences: tuple[int, ...] = (1,)
    """The forbidden differences (default: 1)."""


@dataclass(frozen=True)
class NoRatio(Constraint):
    """Of neighbours in a row or a column, none is one of `ratios` times the other, except for the marked pairs."""

    name: ClassVar[str] = "no-ratio"

    marked: tuple[tuple[int, int], ...] = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    ratios: tuple[int, ...] = (2,)
    """The forbidden ratios (default: 2)."""


@dataclass(frozen=True)
class NoPairSum(Constraint):
    """Neighbours in a row or a column never add up to one of `totals`, except for the marked pairs."""

    name: ClassVar[str] = "no-pair-sum"

    marked: tuple[tuple[int, int], ...] = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    totals: tuple[int, ...] = (5, 10)
    """The forbidden sums (default: 5 and 10)."""
