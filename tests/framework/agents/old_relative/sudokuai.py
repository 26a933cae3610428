"""An agent of the old API: relative imports, no __init__.py; it proposes whatever is legal, the last move last."""

import copy

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState

from .helpers import legal_moves


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes each legal move in turn."""

    def __init__(self):
        super().__init__()

    def compute_best_move(self, game_state: GameState) -> None:
        """Play on a copy, then propose."""
        assert game_state.current_player() in (1, 2)
        copied = copy.deepcopy(game_state)
        for move in legal_moves(game_state):
            copied.board.put(move.i, move.j, move.value)
            assert copied.board.get(move.i, move.j) == move.value
            copied.board.put(move.i, move.j, copied.board.empty)
            self.propose_move(move)
