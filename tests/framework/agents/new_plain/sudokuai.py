"""An agent of the new API that imports a module of its folder plainly."""

import copy

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState
from plain_helpers import legal_moves


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes each legal move in turn."""

    def compute_best_move(self, game_state: GameState) -> None:
        """Play on a copy, then propose."""
        for move in legal_moves(game_state):
            copied = copy.deepcopy(game_state)
            copied.board.put(move.square, move.value)
            copied.moves.append(move)
            if not copied.is_classic_game():
                copied.occupied_squares().append(move.square)
            copied.current_player = 3 - copied.current_player
            assert game_state.board.get(move.square) == game_state.board.empty
            self.propose_move(move)
