"""An agent that cannot be made."""

import competitive_sudoku.sudokuai


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Crashes in every turn, since each has a new one."""

    def __init__(self):
        super().__init__()
        raise ValueError("nobody may make me")
