"""Squares, by their index."""

from competitive_sudoku.sudoku import SudokuBoard


def empty_squares(board):
    """The (i, j) of every empty square."""
    return [SudokuBoard.f2rc(board, k) for k, value in enumerate(board.squares) if value == SudokuBoard.empty]
