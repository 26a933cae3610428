"""Lines on which every two neighbours, or every few cells in a row, stand in a relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Whispers(Constraint):
    """Neighbours on the line differ by at least `difference`."""

    name: ClassVar[str] = "whispers"

    cells: Cells
    """The cells of the line, in its order."""
    difference: int | None = None
    """The least difference; None, the default, stands for (N + 1) // 2."""


@dataclass(frozen=True)
class Entropic(Constraint):
    """Every three cells in a row on the line hold a low, a middle and a high value (three equal ranges)."""

    name: ClassVar[str] = "entropic"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Modular(Constraint):
    """Every `modulus` cells in a row on the line hold values with different remainders."""

    name: ClassVar[str] = "modular"

    cells: Cells
    """The cells of the line, in its order."""
    modulus: int = 3
    """The modulus (default 3)."""


@dataclass(frozen=True)
class Neighbours(Constraint):
    """Every two neighbours on the line, in its order, hold one of the pairs of values."""

    name: ClassVar[str] = "neighbours"

    cells: Cells
    """The cells of the line, in its order."""
    pairs: tuple[tuple[int, int], ...]
    """The allowed pairs (value, next value)."""
