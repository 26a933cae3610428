"""An agent that proposes objects that are no moves."""

import competitive_sudoku.sudokuai


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes None."""

    def compute_best_move(self, game_state):
        self.propose_move(None)
