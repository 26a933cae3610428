"""Constraints from which others are built: tables, automata, and combinations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Table(Constraint):
    """The values of the cells, in their order, are one of the rows, or with `allowed` False none of them."""

    name: ClassVar[str] = "table"

    cells: Cells
    """The cells."""
    rows: tuple[tuple[int, ...], ...]
    """The rows, each with a value for each cell."""
    allowed: bool = True
    """Whether the rows are the allowed ones (the default) or the forbidden ones."""


@dataclass(frozen=True)
class Automaton(Constraint):
    """An automaton that reads the values of the cells in their order ends in an accepting state."""

    name: ClassVar[str] = "automaton"

    cells: Cells
    """The cells."""
    start: int
    """The state in which the automaton starts."""
    accepting: tuple[int, ...]
    """The states in which it may end."""
    transitions: tuple[tuple[int, int, int], ...]
    """Each (state, value, next state); a value without a transition is not allowed."""


@dataclass(frozen=True)
class AnyOf(Constraint):
    """At least one of the constraints holds."""

    name: ClassVar[str] = "any-of"

    constraints: tuple[Constraint, ...]
    """The constraints."""


@dataclass(frozen=True)
class AllOf(Constraint):
    """All of the constraints hold."""

    name: ClassVar[str] = "all-of"

    constraints: tuple[Constraint, ...]
    """The constraints."""
