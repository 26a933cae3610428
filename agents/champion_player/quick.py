"""Decisions without search: a good safe move at once, and whether a search can improve on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move

LEAST_HORIZON, HORIZON = 64, 4
"""In the mode classic, a search is worth its time with up to max(LEAST_HORIZON, HORIZON · N) empty cells.

With more empty cells, both sides have plenty of cells that they can fill without letting the opponent score, and a
search cannot predict which side will run out of them first. Such cells are rare once regions have three empty cells on
average.
"""


class Quick(NamedTuple):
    """A safe move that was found without search."""

    move: Move
    """The move."""
    given: int
    """The number of regions that the move leaves with one empty cell, so that the opponent can complete them."""


def any_move(state: GameState) -> Iterator[Move]:
    """Yield one legal move that is not taboo, which may be a bomb; yield nothing if there is none."""
    board = state.board
    squares = state.squares()
    if squares is None:
        squares = tuple(map(board.geometry.row_column, board.empty_cells()))
    moves = (Move(*square, value) for square in squares for value in board.candidates(*square))
    return islice((move for move in moves if move not in state.taboo), 1)


def quick_move(state: GameState, completion: bytes) -> Quick:
    """The safe move that scores most, and among those the one that leaves the fewest regions with one empty cell.

    The move places the value of `completion`, which is a completion of the state's board.
    """
    board = state.board
    geometry = board.geometry
    left = [sum(not board.values[cell] for cell in region) for region in geometry.regions]
    squares = state.squares()
    cells = board.empty_cells() if squares is None else [geometry.cell(*square) for square in squares]

    def promise(cell: int) -> tuple[int, int]:
        counts = [left[region] for region in geometry.regions_of[cell]]
        return reward(counts.count(1)), -counts.count(2)

    cell = max(cells, key=promise)
    return Quick(Move(*geometry.row_column(cell), completion[cell]), -promise(cell)[1])


def is_decided(state: GameState) -> bool:
    """Whether one side leads by more points than are left on the board, so that every safe move is good enough.

    >>> from csp_sudoku.board import Board
    >>> board = Board.parse("1243 3421 43.. 21..")
    >>> [is_decided(GameState.of(board, scores=scores)) for scores in ((3, 3), (13, 3), (14, 3))]
    [False, False, True]
    """
    values = state.board.values
    left = sum(any(not values[cell] for cell in region) for region in state.board.geometry.regions)
    most = left // 3 * reward(3) + reward(left % 3)
    return abs(state.scores[0] - state.scores[1]) > most


def is_far(state: GameState, quick: Quick, horizon: int = 0) -> bool:
    """Whether the game is still too far from its end for a search to be worth its time.

    This holds in the mode classic if more cells are empty than the `horizon`, and the quick move leaves no region with
    one empty cell. A horizon of 0, the default, stands for max(64, 4·N).
    """
    horizon = horizon or max(LEAST_HORIZON, HORIZON * state.board.size)
    return state.squares() is None and not quick.given and state.board.values.count(0) > horizon
