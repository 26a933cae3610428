"""Move, and what can be known of one.

A legal move of a solvable board is *safe* if the board has a completion after it, and a *bomb* if it has none. On a
board without completions every legal move is a bomb.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Move(NamedTuple):
    """A value for a cell; rows and columns count from zero.

    >>> Move(0, 2, 7)
    Move(row=0, col=2, value=7)
    """

    row: int
    col: int
    value: int


class Verdict(enum.StrEnum):
    """What is known of a move."""

    FILLED = "filled"
    """The cell holds a value already."""
    ILLEGAL = "illegal"
    """A peer of the cell holds the value."""
    SAFE = "safe"
    """The board has a completion with it."""
    BOMB = "bomb"
    """It is proven that the board has no completion with it."""
    UNKNOWN = "unknown"
    """The deadline came first."""
