"""What takes no search: a good safe move at once, and whether more thought can be worth anything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move

LEAST_HORIZON, HORIZON = 64, 4
"""Empty cells up to which a game of the mode classic is worth a search: at least, and times the values.

With more there are plenty of cells to fill that give nothing away, and nobody can say yet who will run out of them.
They are rare when regions have three empty cells on average.
"""


class Quick(NamedTuple):
    """A safe move without search."""

    move: Move
    given: int
    """How many regions it leaves with one empty cell."""


def any_move(state: GameState) -> Iterator[Move]:
    """A legal move that is not taboo, though it may be a bomb; nothing if there is none."""
    board = state.board
    squares = state.squares()
    if squares is None:
        squares = tuple(map(board.geometry.row_column, board.empty_cells()))
    moves = (Move(*square, value) for square in squares for value in board.candidates(*square))
    return islice((move for move in moves if move not in state.taboo), 1)


def quick_move(state: GameState, completion: bytes) -> Quick:
    """A safe move without search: the most points, then the fewest regions left with one empty cell."""
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
    """Whether one side leads by more than the other could still get, so that any legal moves will do.

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
    """Whether the mode is classic, more cells are empty than the horizon (0: the usual), and nothing is given."""
    horizon = horizon or max(LEAST_HORIZON, HORIZON * state.board.size)
    return state.squares() is None and not quick.given and state.board.values.count(0) > horizon
