"""The value of a position by plain recursion: slow, obviously right, and sharing nothing with the searches.

Completions are found by trying every value in every cell; every bomb is a move of its own; nothing is cut off. What is
asked for again is remembered, and that is all.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from csp_sudoku.game.state import GameState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from csp_sudoku.board import Board


def plain_value(state: GameState) -> int:
    """The points to come for the side to move, less those of the other, when both play their best.

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
    """A state without history and scores, which the points to come do not depend on."""
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
        yield board.values
        return
    row, column = divmod(cell, board.size)
    for value in board.candidates(row, column):
        yield from _completions(board.place(row, column, value))
