"""A move, and the verdicts on a move.

A legal move of a solvable board is *safe* if the board has a completion after it, and a *bomb* if it has none. On a
board without completions every legal move is a bomb.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from csp_sudoku.coordinates import move_name
from csp_sudoku.errors import MoveError


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

    def __str__(self) -> str:
        """The name of the move for people, in which row and column count from 1.

        >>> str(Move(0, 2, 7))
        'r1c3=7'
        """
        return move_name(*self)

    def require_on(self, size: int) -> None:
        """Raise MoveError unless a board with `size` rows has this cell and this value.

        >>> Move(0, 4, 1).require_on(4)
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.MoveError: expected a move from r1c1=1 to r4c4=4; found r1c5=1
        """
        if not (0 <= self.row < size and 0 <= self.col < size and 1 <= self.value <= size):
            raise MoveError(f"expected a move from r1c1=1 to {Move(size - 1, size - 1, size)}; found {self}")


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
