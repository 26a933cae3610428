"""An agent of the new API that imports everything there is, and relies on it for `random` and the types."""

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import *  # noqa: F403 - that is the point


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes any move."""

    def choices(self, game_state: GameState) -> List[Square]:  # noqa: F405
        """The squares on which it may play."""
        return game_state.player_squares()

    def compute_best_move(self, game_state: GameState) -> None:  # noqa: F405
        """Propose one."""
        self.propose_move(Move(random.choice(self.choices(game_state)), 1))  # noqa: F405
