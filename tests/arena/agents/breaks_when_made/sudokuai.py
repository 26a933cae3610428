"""An agent that cannot be made."""

import competitive_sudoku.sudokuai


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    """Crashes when it is made."""

    def __init__(self):
        super().__init__()
        raise ValueError("nobody may make me")
