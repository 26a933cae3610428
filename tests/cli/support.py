"""The csp-sudoku command for tests: as a process of its own, or within this one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping

ONE = "1.....2..3.....4"
"""A 2×2 board with one solution."""
ONE_SOLVED = [[1, 2, 4, 3], [3, 4, 2, 1], [4, 3, 1, 2], [2, 1, 3, 4]]
NONE = "12....3........."
"""A 2×2 board without a clash and without a solution: block 2 has its 3, and row 1 needs one there."""
EMPTY = "." * 16
"""The 2×2 board with all its 288 solutions."""


def full(m: int, n: int) -> list[list[int]]:
    """The rows of a solved m×n board: each row is the one above, shifted."""
    size = m * n
    return [[(n * (row % m) + row // m + column) % size + 1 for column in range(size)] for row in range(size)]


def holes(m: int, n: int, every: int = 3) -> str:
    """The same board, each `every`-th cell emptied, as numbers row by row."""
    rows = full(m, n)
    return "\n".join(
        " ".join(str(0 if (row * 7 + column) % every == 0 else value) for column, value in enumerate(values))
        for row, values in enumerate(rows)
    )


def line9() -> str:
    """A 9×9 puzzle as one line of 81 characters."""
    return "".join(holes(3, 3).split())


PROGRAM = [sys.executable, "-m", "csp_sudoku"]


def environment(**changes: str) -> dict[str, str]:
    """This process's environment, changed, and without variables that would colour or narrow the output."""
    plain = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return {**plain, "PYTHONIOENCODING": "utf-8", **changes}


def told(stderr: str | bytes) -> str:
    """The text on standard error, without the messages about compiling kernels in a slow first run."""
    text = stderr if isinstance(stderr, str) else stderr.decode()
    news = ": compiling the kernel ", ": preparing ", " went into compiling, "
    return "".join(line for line in text.splitlines(keepends=True) if not any(part in line for part in news))


def run(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*PROGRAM, *arguments], input=given, capture_output=True, env=env or environment(), check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), told(done.stderr))


def unfolded(text: str) -> str:
    """An output in which each line that was folded is one line again."""
    return re.sub(r"\n {4,}(?=\S)", " ", text)
