"""A move, and the verdicts on a move.

A legal move of a solvable board is *safe* if the board has a completion after it, and a *bomb* if it has none. On a
board without completions every legal move is a bomb.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Move(NamedTuple):
    """A value for a cell, with row and column counted from 0.

    >>> Move(0, 2, 7)
    Move(row=0, col=2, value=7)
    """

    row: int
    """The row of the cell, counted from 0."""
    col: int
    """The column of the cell, counted from 0."""
    value: int
    """The value, from 1 to N."""


class Verdict(enum.StrEnum):
    """The verdict on a move."""

    FILLED = "filled"
    """The cell already holds a value."""
    ILLEGAL = "illegal"
    """A peer of the cell holds the value."""
    SAFE = "safe"
    """The board has a completion with the move."""
    BOMB = "bomb"
    """It is proven that the board has no completion with the move."""
    UNKNOWN = "unknown"
    """The deadline passed before the move was decided."""
