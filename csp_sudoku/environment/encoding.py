"""Moves as numbers, and positions as arrays, for learners.

The moves of a board of size N are numbered by square, row by row, and then by value: (N·row + column)·N + value - 1.
A position is a stack of planes over the squares, from the point of view of one player:

    0 … N-1     the squares of each value
    N … 2N-1    the squares on which each value is taboo, because it is known to be a bomb
    2N, +1      the squares that the player itself has filled, and those that the opponent has filled
    2N+2, +3    the squares that are open to the player, and those that are open to the opponent
    2N+4        the player's points minus the opponent's, divided by 7N, the upper bound on the points of a board
    2N+5        1 if the player is to move

Each of the last two planes has the same number on all squares. Together, the planes determine the rest of the game.
"""

from __future__ import annotations

from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.errors import MoveError
from csp_sudoku.game.rules import other
from csp_sudoku.moves.move import Move

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from csp_sudoku.game.rules import Square
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move_map import MoveMap

SAFE, BOMB = 1, -1
"""The verdicts in an array of moves; 0 stands for a move that would lose."""


class Encoding:
    """The numbers of the moves, and the planes of the positions, for boards with `size` values.

    >>> encoding = Encoding(4)
    >>> encoding.action(Move(1, 2, 3)), encoding.move(26), encoding.actions, encoding.shape
    (26, Move(row=1, col=2, value=3), 64, (4, 4, 14))
    >>> encoding.move(64)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.MoveError: expected an action from 0 to 63; found 64
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.actions = size**3
        """The number of moves, legal or not."""
        self.shape = (size, size, 2 * size + 6)
        """The shape of the array of planes: row, column, plane."""
        self.most_points = 7 * size
        """Upper bound on the points of both players together: all 3N regions, completed three at a time."""

    def action(self, move: Iterable[int]) -> int:
        """The number of a move (row, column, value), which must be in range."""
        row, col, value = move
        return (row * self.size + col) * self.size + value - 1

    def move(self, action: Any) -> Move:
        """The move with this number, which may be an integer of numpy; MoveError if no move has it."""
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.actions:
            raise MoveError(f"expected an action from 0 to {self.actions - 1}; found {action!r}")
        cell, value = divmod(number, self.size)
        return Move(*divmod(cell, self.size), value + 1)

    def mask(self, state: GameState) -> NDArray[np.int8]:
        """An array with 1 for each move that does not lose the game at once, bombs included, and 0 for the others."""
        mask = np.zeros(self.actions, np.int8)
        moves = state.moves()
        if moves:
            mask[np.array(moves) @ self._weights - 1] = 1
        return mask

    def verdicts(self, mask: NDArray[np.int8], known: MoveMap) -> NDArray[np.int8]:
        """An array with SAFE or BOMB for each move of the mask, and 0 for the others.

        `known` is the move map of the position. It has to be complete, since a move that is not safe counts as a bomb.
        """
        bits = known.safe_masks[:, None] >> np.arange(self.size, dtype=np.uint32) & 1
        return np.where(bits.ravel(), SAFE, BOMB).astype(np.int8) * mask

    def planes(self, state: GameState, player: int) -> NDArray[np.float32]:
        """The planes of a position from the point of view of `player`."""
        size, opponent = self.size, other(player)
        planes = np.zeros(self.shape, np.float32)
        values = np.asarray(state.board)
        planes[:, :, :size] = values[:, :, None] == self._values
        for row, col, value in state.taboo:
            planes[row, col, size + value - 1] = 1
        for plane, who in enumerate((player, opponent), 2 * size):
            _mark(planes[:, :, plane], state.occupied[who - 1])
            squares = state.squares(who)
            if squares is None:
                planes[:, :, plane + 2] = values == 0
            else:
                _mark(planes[:, :, plane + 2], squares)
        planes[:, :, -2] = (state.scores[player - 1] - state.scores[opponent - 1]) / self.most_points
        planes[:, :, -1] = state.player == player
        return planes

    @cached_property
    def _weights(self) -> NDArray[np.int64]:
        return np.array([self.size**2, self.size, 1])

    @cached_property
    def _values(self) -> NDArray[np.int64]:
        return np.arange(1, self.size + 1)


def _mark(plane: NDArray[np.float32], squares: Iterable[Square]) -> None:
    """Write a 1 on each of these squares of the plane."""
    for square in squares:
        plane[square] = 1
