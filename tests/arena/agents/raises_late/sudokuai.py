"""An agent that raises an error in each turn after it has proposed a move."""

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import Move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes the first move that breaks no rule of sudoku."""

    def compute_best_move(self, game_state):
        board = game_state.board
        for row in range(board.N):
            for column in range(board.N):
                taken = {board.get((row, k)) for k in range(board.N)} | {board.get((k, column)) for k in range(board.N)}
                if board.get((row, column)) == 0:
                    self.propose_move(Move((row, column), min(set(range(1, board.N + 1)) - taken)))
                    raise ValueError("too\nlate")
