"""Tables: boards given as Python objects instead of text.

    [[5, 3, 0, …], …]              N rows of N cells: lists, tuples, numpy arrays, pandas data frames
    [5, 3, 0, …]                   or N·N cells, row by row
    ["53..7....", "6..195...", …]  or N strings, one for each row

A cell is a whole number (a float such as 5.0, too) or a string of one cell ("5", "."). It is empty if it is 0, None,
NaN, pandas' NA, an empty string, or one of . _ * as in the notations.

Arrays and data frames are recognised by their methods, so neither numpy nor pandas is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from math import isqrt
from operator import index
from os import PathLike
from typing import Any

from csp_sudoku.errors import ShapeError, SudokuError
from csp_sudoku.geometry import default_shape
from csp_sudoku.notation.grid import Grid, Shape
from csp_sudoku.notation.symbols import character_words, word_table
from csp_sudoku.notation.text import shown

_WHAT = "a board, a text, N rows of N cells, or N·N cells"
_MISSING = frozenset({"NAType", "NaTType"})


def values_of(table: object) -> tuple[int, bytes]:
    """Return the size N and the N·N values of a table; ShapeError or SudokuError at the first mistake.

    >>> values_of([[1, None, 0, "."], [float("nan"), 2.0, "3", ""], [0] * 4, [0] * 4])[1][:8].hex(" ")
    '01 00 00 00 00 02 03 00'
    >>> values_of([[1, 0, 0, 0], [0, 2, 0], [0] * 4, [0] * 4])
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ShapeError: expected 4 cells in row 2, as there are 4 rows; found 3
    """
    items = _listed(table)
    if items is None:
        hint = " (csp_sudoku.load reads files)" if isinstance(table, PathLike) else ""
        raise SudokuError(f"expected {_WHAT}; found {_named(table)}{hint}")
    if items and all(isinstance(item, str) and len(item) > 2 for item in items):
        items = [list("".join(item.split())) for item in items]
    if len(items) == 1 and (only := _listed(items[0])) is not None:  # one row with all the cells
        items = only
    rows = [_listed(item) for item in items]
    if not any(row is not None for row in rows):
        size = isqrt(len(items))
        if size * size != len(items) or not items:
            raise ShapeError(f"expected N·N cells, or N rows of N cells; found {len(items)} cells")
        cells = items
    else:
        size, cells = len(items), []
        for number, (item, row) in enumerate(zip(items, rows, strict=True), 1):
            if row is None:
                raise SudokuError(f"expected a list of {size} cells as row {number}; found {_named(item)}")
            if len(row) != size:
                raise ShapeError(f"expected {size} cells in row {number}, as there are {size} rows; found {len(row)}")
            cells += row
    default_shape(size)  # raises ShapeError if there is no such size
    return size, bytes([_value(cell, size, at) for at, cell in enumerate(cells)])


def grid_of(table: object, shape: Shape | None = None) -> Grid:
    """Return the grid of a table; `shape` is the shape of the board (default None: the most square one of its size).

    Clashes are not checked here.
    """
    size, values = values_of(table)
    m, n = shape or default_shape(size)
    if m * n != size:
        raise ShapeError(f"expected a board of the shape {m}×{n}, with {m * n} rows; found {size} rows")
    return Grid(m, n, values)


def _listed(table: Any) -> list[Any] | None:
    """Return the items of a list, an array or a data frame; None for anything else, strings and mappings included."""
    if isinstance(table, str | Mapping | AbstractSet):
        return None
    if hasattr(table, "to_numpy"):
        table = table.to_numpy()
    if hasattr(table, "tolist"):
        table = table.tolist()
    return list(table) if isinstance(table, Iterable) else None


def _value(cell: Any, size: int, at: int) -> int:
    """Return the value of a cell, 0 if it is empty; SudokuError if it is no value. `at` counts the cells from 0."""
    value: int | None = None
    if cell is None or type(cell).__name__ in _MISSING:
        return 0
    if isinstance(cell, str):
        word = cell.strip()
        value = 0 if not word else word_table(size).get(word, character_words(size, False).get(word))
    elif not isinstance(cell, bool):
        try:
            value = index(cell)
        except TypeError:
            value = _whole(cell)
    if value is None or not 0 <= value <= size:
        row, column = divmod(at, size)
        found = _named(cell) if _listed(cell) is not None else shown(cell) if isinstance(cell, str) else repr(cell)
        raise SudokuError(
            f"expected a whole number from 1 to {size}, or 0, None or NaN for an empty cell, "
            f"at r{row + 1}c{column + 1}; found {found[:80]}"
        )
    return value


def _whole(cell: Any) -> int | None:
    """Return the value of a number of another type, and 0 for NaN; None for a fraction or for no number."""
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    if number != number:  # noqa: PLR0124 - NaN is the only number that differs from itself
        return 0
    return int(number) if number.is_integer() else None


def _named(value: object) -> str:
    """Return the type of a value in words, with its article."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
