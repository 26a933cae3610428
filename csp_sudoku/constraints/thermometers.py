"""Lines along which the values grow, or repeat, in the order of the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Thermometer(Constraint):
    """The values grow strictly along the line."""

    name: ClassVar[str] = "thermometer"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class SlowThermometer(Constraint):
    """The values never fall along the line."""

    name: ClassVar[str] = "slow-thermometer"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Palindrome(Constraint):
    """The line reads the same in both directions."""

    name: ClassVar[str] = "palindrome"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Clone(Constraint):
    """Two groups of cells hold the same values, cell by cell."""

    name: ClassVar[str] = "clone"

    cells: Cells
    """The cells of the first group."""
    copies: Cells
    """The cells of the second group, in the same order."""
