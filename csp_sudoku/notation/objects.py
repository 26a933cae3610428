"""The notation `json`: an object per board, one after the other (JSON Lines) or in a list.

    {"rows": 2, "columns": 2, "board": [1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 2, 0, 0, 3]}

`rows` and `columns` (of a block) may be missing, `board` may be N rows of N values, and other keys are ignored. A bare
list of N rows, or of N·N values, is a board too. An empty cell is 0 or null (or -1, if values count from zero).

    {"status": "solved", "rows": 2, "columns": 2, "solution": [[1, 2, 4, 3], …], …}

An object with a `grid` is a puzzle of f-puzzles, and one with `cells` of SudokuPad (`variants.fpuzzles`).

The output of `csp-sudoku solve --json` is read as well: the board is the solution. An object with a status but without
a solution is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.elements import TOKEN, Element, elements, loaded
from csp_sudoku.notation.grid import SIZES_TEXT, FoundGrid, Grid, ReadOptions, Shape, checked, settled
from csp_sudoku.notation.symbols import EMPTY, SIZE_OF_COUNT, expected_word
from csp_sudoku.notation.text import Text, shown
from csp_sudoku.notation.variants.recognition import is_fpuzzles, is_sudokupad

_WHAT = 'an object {"rows": m, "columns": n, "board": […]} or a list of N rows'
_CELL = re.compile(r'"[^"]*"|[^\s,:\[\]{}"]+')
_EMPTY = tuple(EMPTY)
_COLON = re.compile(r"\s*:\s*")


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    for element in elements(text, _WHAT):
        start, text.start = text.start, element.start
        grid = _read_one(text, element, options)
        if grid is not None:
            yield grid
        else:
            text.start = start


def _read_one(text: Text, element: Element, options: ReadOptions) -> Grid | None:
    """Return the board of an element; None if it is an answer without a solution."""
    data = loaded(text, element)
    if is_fpuzzles(data) or is_sudokupad(data):
        from csp_sudoku.notation.variants import fpuzzles

        return fpuzzles.read_object(text, element, data, options)
    key = _key(data)
    named, board = (_named(text, element, data), data.get(key)) if isinstance(data, dict) else (None, data)
    if key == "solution" and board is None:
        return None
    if not isinstance(board, list):
        place = element.place(_span(element.source, key)[0])
        raise text.error(_WHAT, f"{key} {shown(_json(board))}" if key in data else "no board", *place)
    known = named or options.shape
    in_rows = bool(board) and isinstance(board[0], list)
    if known is not None:
        size: int | None = known[0] * known[1]
    else:
        size = len(board[0]) if in_rows else SIZE_OF_COUNT.get(len(board))
    if size is None:
        place = _found(element).place(len(board))
        raise text.error(f"N·N values, N among {SIZES_TEXT}", str(len(board)), *place)
    m, n = settled(text, options, size, named, element.start)
    size = m * n
    cells = _flat(text, element, board, size) if in_rows else board
    if len(cells) != size * size:
        place = _found(element).place(min(len(cells), size * size))
        raise text.error(f"{size * size} values", str(len(cells)), *place)
    values = [_value(cell, size, options.zero_based) for cell in cells]
    if -1 in values:
        at, found = values.index(-1), _found(element)
        written = _json(cells[at]) if isinstance(cells[at], list | dict) else found.word(at)
        raise text.error(expected_word(size, options.zero_based), shown(written), *found.place(at))
    if Geometry.standard(m, n).clash(values) is not None:
        return checked(text, (m, n), bytes(values), _found(element))  # this raises the error
    return Grid(m, n, bytes(values))


def _key(data: object) -> str:
    """Return the key of the board: "board", or "solution" in the output of `csp-sudoku solve --json`."""
    is_answer = isinstance(data, dict) and "board" not in data and "status" in data and "solution" in data
    return "solution" if is_answer else "board"


def _json(value: object) -> str:
    import json

    return json.dumps(value)


def _named(text: Text, element: Element, data: dict[str, Any]) -> Shape | None:
    """Return the shape that an object names, or None."""
    if data.get("rows") is None and data.get("columns") is None:
        return None
    m, n = (_named_number(text, element, data, key) for key in ("rows", "columns"))
    return m, n


def _named_number(text: Text, element: Element, data: dict[str, Any], key: str) -> int:
    number = data.get(key)
    if type(number) is int and 0 < number < 1000:
        return number
    place = element.place(_span(element.source, key)[0])
    raise text.error(f"the number of {key} of a block", shown(_json(number)) if key in data else f"no {key}", *place)


def _flat(text: Text, element: Element, board: list[Any], size: int) -> list[Any]:
    """Return the values of N rows of N values."""
    for number, row in enumerate(board[:size]):
        length = len(row) if isinstance(row, list) else 1
        if length != size:
            found, first = _found(element), number * size
            place = found.after(first + length - 1) if 0 < length < size else found.place(first + min(length, size))
            raise text.error(f"{size} values in row {number + 1}", str(length), *place)
    if len(board) != size:
        place = _found(element).place(min(len(board), size) * size)
        raise text.error(f"{size} rows", str(len(board)), *place)
    return [value for row in board for value in row]


def _value(cell: Any, size: int, zero_based: bool) -> int:
    """Return the value of a cell: 0 if it is empty, and -1 if it is not a valid value."""
    if type(cell) is int:  # but not bool
        value = cell + zero_based
        return value if 0 <= value <= size else -1
    return 0 if cell is None or cell in _EMPTY else -1


def _found(element: Element) -> FoundGrid:
    """Return the places of the cells of an element."""
    start, end = _span(element.source, "board")
    if not start and element.source[0] == "{":
        start, end = _span(element.source, "solution")
    line, column = element.place(start)
    found = FoundGrid()
    for part in element.source[start:end].split("\n"):
        found.add(line, part, column, _CELL)
        line, column = line + 1, 1
    return found


def _span(source: str, key: str) -> tuple[int, int]:
    """Return the span of the value of a key of the outermost object, without its last bracket.

    If the value is not in brackets, the span begins at the value and ends with the object. If the element is a list,
    the span is the whole list.
    """
    depth, begin = 0, None
    for token in TOKEN.finditer(source):
        mark = token[0]
        if mark == f'"{key}"' and depth == 1 and (colon := _COLON.match(source, token.end())):
            begin = colon.end()
        elif mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
            if depth == 1 and begin is not None:
                return begin, token.start()
    return begin or 0, len(source) - 1


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board as an object on one line.

    With `zero_based`, the value 1 is written as 0, and an empty cell as -1.

    >>> write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False)
    '{"rows": 2, "columns": 2, "board": [1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2]}'
    """
    cells = [value - zero_based for value in grid.values]
    return f'{{"rows": {grid.m}, "columns": {grid.n}, "board": {cells}}}'
