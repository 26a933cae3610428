"""Cages: groups of cells with different values and a sum or a balance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Killer(Constraint):
    """The cells hold different values, which add up to `total`, if it is given."""

    name: ClassVar[str] = "killer"

    cells: Cells
    """The cells."""
    total: int | None = None
    """The sum, or None (the default) for any."""


@dataclass(frozen=True)
class EqualityCage(Constraint):
    """The cells hold different values, as many even as odd ones, and as many low as high ones."""

    name: ClassVar[str] = "equality-cage"

    cells: Cells
    """The cells."""


@dataclass(frozen=True)
class Sum(Constraint):
    """The sum of the values, each times its coefficient, stands in a relation to `total`."""

    name: ClassVar[str] = "sum"

    cells: Cells
    """The cells."""
    total: int
    """The number that the sum is compared with."""
    relation: str = "=="
    """The relation of the sum to `total`: one of == (the default), !=, <=, >=, < and >."""
    coefficients: tuple[int, ...] = ()
    """The coefficient of each cell; empty, the default, stands for 1 for each."""


@dataclass(frozen=True)
class CountingCircles(Constraint):
    """A value in one of the cells is the number of these cells that hold it."""

    name: ClassVar[str] = "counting-circles"

    cells: Cells
    """The cells."""
