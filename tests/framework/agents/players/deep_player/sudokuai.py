"""An agent of the new API within a package, whose name it uses in its imports."""

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState
from players.common import first_move as same_move
from players.deep_player.tools import first_move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes a move in the first square."""

    def compute_best_move(self, game_state: GameState) -> None:
        """Propose it."""
        assert first_move is same_move
        self.propose_move(first_move(game_state))
