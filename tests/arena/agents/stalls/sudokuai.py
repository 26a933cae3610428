"""An agent that takes all the time that there is, and starts a process that would take more."""

import subprocess
import time

import competitive_sudoku.sudokuai


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Proposes nothing."""

    def compute_best_move(self, game_state):
        subprocess.Popen(["sleep", "600"], start_new_session=True)
        print("it begins")  # noqa: T201 - agents print
        time.sleep(600)
