"""Constraints that some groups of cells hold different values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """The cells hold different values."""

    name: ClassVar[str] = "different"

    cells: Cells
    """The cells."""


@dataclass(frozen=True)
class ExtraRegion(AllDifferent):
    """The cells hold different values, as a region does; N cells hold each value once."""

    name: ClassVar[str] = "region"

    cells: Cells
    """The cells."""


@dataclass(frozen=True)
class Diagonal(Constraint):
    """The cells of a long diagonal hold different values."""

    name: ClassVar[str] = "diagonal"

    falling: bool
    """Whether the diagonal leads from the first cell to the last one; the other one rises from the first column."""


@dataclass(frozen=True)
class Windoku(Constraint):
    """The windows, which lie between the blocks one cell from each border, hold each value once."""

    name: ClassVar[str] = "windoku"


@dataclass(frozen=True)
class DisjointGroups(Constraint):
    """Cells at the same place in their blocks hold different values."""

    name: ClassVar[str] = "disjoint-groups"


@dataclass(frozen=True)
class GlobalEntropy(Constraint):
    """Each 2×2 square of the board has a low, a middle and a high value (three equal ranges)."""

    name: ClassVar[str] = "global-entropy"
