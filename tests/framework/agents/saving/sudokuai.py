"""An agent of the new API that counts its turns in what it saves, a tree of objects of its own class."""

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState, Move


class Memory:
    """The data that is kept between turns."""

    def __init__(self):
        self.turns = 0
        self.last = None


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes the number of its turn."""

    def compute_best_move(self, game_state: GameState) -> None:
        """Count, save, propose."""
        memory = self.load() or Memory()
        memory.turns += 1
        memory.last = Move((0, memory.turns), game_state.current_player)
        self.save(memory)
        self.propose_move(memory.last)
