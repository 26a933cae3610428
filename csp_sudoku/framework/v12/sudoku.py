"""The stand-in for competitive_sudoku.sudoku of the old API.

`__all__` includes the names that agents use after `from competitive_sudoku.sudoku import *` without importing them.
"""

from __future__ import annotations

import random
import re
from copy import deepcopy
from os import PathLike
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Set, Tuple, Union  # noqa: UP035 - agents use these names

from csp_sudoku.framework.boards import BoardBase, Copied, MoveBase, Square, board_as_text, board_from_text

__all__ = [
    "Dict", "GameState", "Iterator", "List", "Move", "Optional", "Path", "Set", "Square", "SudokuBoard", "TabooMove",
    "Tuple", "Union", "load_sudoku", "load_sudoku_from_text", "print_board", "random", "re", "save_sudoku",
]  # fmt: skip


class Move(MoveBase):
    """A value in row i and column j."""

    parts = ("i", "j", "value")

    def __init__(self, i: int, j: int, value: int) -> None:
        self.i = i
        self.j = j
        self.value = value

    def place(self) -> Square:
        """Return the row and the column."""
        return self.i, self.j


class TabooMove(Move):
    """A move after which the sudoku has no solution."""


class SudokuBoard(BoardBase):
    """A sudoku board. Indices are not checked: a column beyond the last one is a square of the next row."""

    def put(self, i: int, j: int, value: int) -> None:
        """Write a value into row i and column j."""
        self.squares[self.rc2f(i, j)] = value

    def get(self, i: int, j: int) -> int:
        """Return the value in row i and column j."""
        return self.squares[self.rc2f(i, j)]

    def rc2f(self, i: int, j: int) -> int:
        """Return the index in `squares` of row i and column j."""
        return self.N * i + j

    def f2rc(self, k: int) -> tuple[int, int]:
        """Return the row and the column of an index in `squares`."""
        return divmod(k, self.N)


class GameState(Copied):
    """A game: the initial and the current board, the taboo moves, all moves (with the taboo ones), both scores.

    A missing `initial_board` is an empty 3×3 board, and a missing `board` is a copy of it. The lists are empty by
    default, and `scores` are [0, 0].
    """

    def __init__(
        self,
        initial_board: SudokuBoard | None = None,
        board: SudokuBoard | None = None,
        taboo_moves: list[TabooMove] | None = None,
        moves: list[Move] | None = None,
        scores: list[int] | None = None,
    ) -> None:
        self.initial_board = SudokuBoard() if initial_board is None else initial_board
        self.board = deepcopy(self.initial_board) if board is None else board
        self.taboo_moves = [] if taboo_moves is None else taboo_moves
        self.moves = [] if moves is None else moves
        self.scores = [0, 0] if scores is None else scores

    def current_player(self) -> int:
        """Return the player to move, 1 or 2."""
        return 1 + len(self.moves) % 2

    def __str__(self) -> str:
        taboo, moves = (", ".join(map(str, some)) for some in (self.taboo_moves, self.moves))
        return f"{self.board}taboo moves: {taboo}\nmoves: {moves}\nscores: {self.scores}\n"


def load_sudoku_from_text(text: str) -> SudokuBoard:
    """Return the board of a text."""
    return board_from_text(SudokuBoard, text)


def load_sudoku(filename: str | PathLike[str]) -> SudokuBoard:
    """Return the board of a text file."""
    return load_sudoku_from_text(Path(filename).read_text(encoding="utf-8"))


def save_sudoku(filename: str | PathLike[str], board: SudokuBoard) -> None:
    """Write a board to a text file."""
    Path(filename).write_text(print_board(board), encoding="utf-8")


def print_board(board: SudokuBoard) -> str:
    """Return the text form of a board."""
    return board_as_text(board)
