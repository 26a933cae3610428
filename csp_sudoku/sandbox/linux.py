"""Checks that this system is Linux, before a player's process is started."""

from __future__ import annotations

import sys

from csp_sudoku.errors import SudokuError


def require_linux() -> None:
    """Raise SudokuError on any other system, because the separation of players uses features of Linux."""
    if sys.platform != "linux":
        raise SudokuError("the arena needs Linux; WSL and containers do")
