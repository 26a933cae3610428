"""The available moves, in the new API."""

from competitive_sudoku.sudoku import Move, SudokuBoard, TabooMove


def legal_moves(state):
    """Every move that the player whose turn it is may propose."""
    board = state.board
    squares = state.player_squares()
    if squares is None:
        squares = [board.index2square(k) for k in range(board.N * board.N)]
    return [
        Move(square, value)
        for square in squares
        if board.get(square) == SudokuBoard.empty
        for value in range(1, board.N + 1)
        if fits(board, square, value) and TabooMove(square, value) not in state.taboo_moves
    ]


def fits(board, square, value):
    """Whether no region of a square holds a value."""
    row, column = square
    top, left = row - row % board.m, column - column % board.n
    return all(
        value not in {board.get((row, k)), board.get((k, column)), board.get((top + k // board.n, left + k % board.n))}
        for k in range(board.N)
    )
