"""The stand-in for competitive_sudoku.execute: the referee's answers, without a process or a file."""

from __future__ import annotations

import shlex

from csp_sudoku.errors import SudokuError
from csp_sudoku.framework.solve_sudoku import answer, parse, pick_any


def solve_sudoku(solve_sudoku_path: str, board_text: str, options: str = "") -> str:  # noqa: ARG001 - see below
    """What the referee binary says of a board; the path is where agents believe it to be, and is not looked at.

    >>> solve_sudoku("bin/solve_sudoku", "2 2" + " ." * 16, '--move "0 5"')
    "Invalid move '0 5'.\\n"
    """
    try:
        return answer(board_text, parse(shlex.split(options)).options, pick_any) + "\n"
    except (SudokuError, ValueError) as error:  # shlex's errors are ValueErrors
        return f"solve_sudoku: {error}\n"
