"""The common part of several agents."""

from competitive_sudoku.sudoku import Move


def first_move(state):
    """A move in the first empty square."""
    square = next(iter(state.player_squares() or [state.board.index2square(state.board.squares.index(0))]))
    return Move(square, 1)
