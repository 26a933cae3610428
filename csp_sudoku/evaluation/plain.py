"""The value of a position by plain recursion, which is slow, obviously correct, and independent of the searches.

The recursion finds completions by trying every value in every cell. It treats every bomb as a move of its own, and it
prunes nothing. Its only optimisation is a cache of the values of positions.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from csp_sudoku.game.state import GameState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from csp_sudoku.board import Board


def plain_value(state: GameState) -> int:
    """The future points of the side to move, minus the future points of the other side, when both play their best.

    >>> from csp_sudoku.board import Board
    >>> plain_value(GameState.start(Board.parse("1243 3421 43.. 21..")))
    -7
    """
    completions = list(_completions(state.board))
    size = state.board.size

    @cache
    def value(state: GameState) -> int:
        if state.is_over:
            return 0
        if state.must_pass:
            return -value(state.play(None)[0])
        given = [(cell, number) for cell, number in enumerate(state.board.values) if number]
        left = [cells for cells in completions if all(cells[cell] == number for cell, number in given)]
        best = -len(state.board.values) * 7
        for move in state.moves():
            is_safe = any(cells[move.row * size + move.col] == move.value for cells in left)
            after, outcome = state.place(move) if is_safe else state.skip(move)
            best = max(best, outcome.reward - value(_without_past(after)))
        return best

    return value(_without_past(state))


def _without_past(state: GameState) -> GameState:
    """The state without its history and scores, because future points do not depend on them."""
    return GameState.of(
        state.board,
        initial=state.board,
        player=state.player,
        taboo=state.taboo,
        mode=state.mode,
        allowed=state.allowed,
        occupied=state.occupied,
    )


def _completions(board: Board) -> Iterator[bytes]:
    """The completions of a board, cell by cell and value by value."""
    cell = next(iter(board.empty_cells()), None)
    if cell is None:
        if board.geometry.violated(board.values) is None:
            yield board.values
        return
    row, column = divmod(cell, board.size)
    for value in board.candidates(row, column):
        yield from _completions(board.place(row, column, value))
