"""The stand-in for competitive_sudoku.execute: the referee's answers, without a process or a file.

As in the framework, an answer has no surrounding white space, because agents compare it with a whole sentence.
"""

from __future__ import annotations

import shlex
import subprocess

from csp_sudoku.errors import SudokuError
from csp_sudoku.framework.solve_sudoku import answer, parse, pick_any


def solve_sudoku(solve_sudoku_path: str, board_text: str, options: str = "") -> str:  # noqa: ARG001 - path unused
    """Return the answer of the referee binary for a board.

    `solve_sudoku_path` is the path where agents expect the binary; it is not used. `board_text` is the board in one of
    the framework's text forms, and `options` are the options of the binary (default none).

    >>> solve_sudoku("bin/solve_sudoku", "2 2" + " ." * 16, '--move "0 5"')
    "Invalid move '0 5'."
    """
    try:
        return answer(board_text, parse(shlex.split(options)).options, pick_any)
    except (SudokuError, ValueError) as error:  # the errors of shlex are ValueErrors
        return f"solve_sudoku: {error}"


def execute_command(command: str) -> str:
    """Run a shell command, and return its output, or if it is empty, its error output, without surrounding white space.

    >>> execute_command("echo '  so'; echo no >&2")
    'so'
    """
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 - as asked
    return (done.stdout or done.stderr).strip()
