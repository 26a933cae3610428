"""An agent of the old API that imports its modules by its own name, and hides the class that it derives from."""

from competitive_sudoku.execute import solve_sudoku
from competitive_sudoku.sudoku import GameState, Move, SudokuBoard, load_sudoku_from_text
from competitive_sudoku.sudokuai import SudokuAI

from old_absolute.tools.squares import empty_squares


class SudokuAI(SudokuAI):
    """Asks the referee before it proposes."""

    def __init__(self):
        pass  # and forgets to call the one it should

    def compute_best_move(self, game_state: GameState) -> None:
        """Propose the first move that the referee gives points for, or takes at all."""
        text = str(game_state.board)
        assert load_sudoku_from_text(text).squares == game_state.board.squares
        for i, j in empty_squares(game_state.board):
            for value in range(1, game_state.board.N + 1):
                option = f'--move "{SudokuBoard.rc2f(game_state.board, i, j)} {value}"'
                if "The score is" in solve_sudoku("bin/solve_sudoku", text, option):
                    self.propose_move(Move(i, j, value))
                    return
