"""Names of cells and moves in text for people: r4c2 is row 4 and column 2, and r4c2=7 places 7 there.

Rows and columns count from 1 in such text, as `Geometry.region_name` counts regions. Everywhere else, in Python and in
JSON, rows and columns count from 0, also in the arguments and results of these functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from csp_sudoku.errors import OptionError

MOVE = re.compile(r"\s*r(\d{1,9})c(\d{1,9})=(\d{1,9})\s*", re.ASCII | re.IGNORECASE)

CELL = re.compile(r"r(\d{1,9})c(\d{1,9})", re.ASCII | re.IGNORECASE)


def cell_name(row: int, column: int) -> str:
    """The name of a cell for people; `row` and `column` count from 0.

    >>> cell_name(3, 1)
    'r4c2'
    """
    return f"r{row + 1}c{column + 1}"


def parse_cell(text: str) -> tuple[int, int]:
    """Read a cell as `cell_name` writes it; return its row and column, counted from 0. OptionError if it is no cell.

    >>> parse_cell("r4c2")
    (3, 1)
    """
    found = CELL.fullmatch(text)
    if found is None or not (int(found[1]) and int(found[2])):
        raise OptionError(f"expected a cell such as r4c2, with rows and columns from 1; found {text!r}")
    return int(found[1]) - 1, int(found[2]) - 1


def move_name(row: int, column: int, value: int) -> str:
    """The name of a value in a cell for people; `row` and `column` count from 0.

    >>> move_name(3, 1, 7)
    'r4c2=7'
    """
    return f"{cell_name(row, column)}={value}"


def move_names(moves: Sequence[tuple[int, int, int]], most: int) -> str:
    """The names of the first `most` moves, and the number of the others. Each move is (row, column, value), from 0.

    >>> move_names([(0, 1, 4), (2, 2, 1), (3, 0, 1)], most=2)
    'r1c2=4, r3c3=1, and 1 more'
    """
    names = [move_name(*move) for move in moves[:most]]
    return ", ".join(names) + (f", and {len(moves) - most} more" if len(moves) > most else "")


def parse_move(text: str) -> tuple[int, int, int]:
    """Read a move as `move_name` writes it; return its row and column, counted from 0, and its value.

    OptionError if the text is not a move. Whether a board has the cell and the value is not checked.

    >>> parse_move("r1c5=7")
    (0, 4, 7)
    >>> parse_move("r0c5=7")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a move such as r1c5=7, with rows and columns from 1; found 'r0c5=7'
    """
    found = MOVE.fullmatch(text)
    if found is None or not (int(found[1]) and int(found[2])):
        raise OptionError(f"expected a move such as r1c5=7, with rows and columns from 1; found {text!r}")
    return int(found[1]) - 1, int(found[2]) - 1, int(found[3])
