"""Marks on single cells and on corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Odd(Constraint):
    """The value is odd."""

    name: ClassVar[str] = "odd"

    cell: int
    """The cell."""


@dataclass(frozen=True)
class Even(Constraint):
    """The value is even."""

    name: ClassVar[str] = "even"

    cell: int
    """The cell."""


@dataclass(frozen=True)
class OneOf(Constraint):
    """The value is one of `values`."""

    name: ClassVar[str] = "one-of"

    cell: int
    """The cell."""
    values: tuple[int, ...]
    """The allowed values."""


@dataclass(frozen=True)
class Minimum(Constraint):
    """Each of the cells holds less than each neighbour in its row and column that is not among the cells."""

    name: ClassVar[str] = "minimum"

    cells: Cells
    """All marked cells of the board."""


@dataclass(frozen=True)
class Maximum(Constraint):
    """Each of the cells holds more than each neighbour in its row and column that is not among the cells."""

    name: ClassVar[str] = "maximum"

    cells: Cells
    """All marked cells of the board."""


@dataclass(frozen=True)
class Quadruple(Constraint):
    """The values are among those of the cells; a value that is given twice is there twice."""

    name: ClassVar[str] = "quadruple"

    cells: Cells
    """The cells around a corner."""
    values: tuple[int, ...]
    """The values."""
