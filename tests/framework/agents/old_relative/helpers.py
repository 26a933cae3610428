"""The available moves, in the old API."""

from competitive_sudoku.sudoku import Move, SudokuBoard, TabooMove


def legal_moves(state):
    """Every move that the rules of sudoku and the taboo moves leave."""
    board = state.board
    return [
        Move(i, j, value)
        for i in range(board.N)
        for j in range(board.N)
        if board.get(i, j) is SudokuBoard.empty
        for value in range(1, board.N + 1)
        if fits(board, i, j, value) and TabooMove(i, j, value) not in state.taboo_moves
    ]


def fits(board, i, j, value):
    """Whether no region of a square holds a value."""
    top, left = i - i % board.region_height(), j - j % board.region_width()
    return all(
        board.get(i, k) != value
        and board.get(k, j) != value
        and board.get(top + k // board.n, left + k % board.n) != value
        for k in range(board.N)
    )
