"""The drawings with candidates, as `csp-sudoku show --candidates` prints them: a part of the notation `grid`.

    ┏━━━━━┯━━━━━┳━━━━━┯━━━━━┓      a cell has m lines; a given is in brackets
    ┃     │ 1   ┃ 1   │     ┃
    ┃ [2] │ 3 4 ┃ 3 4 │ [3] ┃      a cell without brackets is empty, with or without candidates
    ┠─────┼─────╂─────┼─────┨
    …

A drawing with a border around every cell and one line per cell is a plain drawing, which `drawing` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from csp_sudoku.notation.grid import FoundGrid, Grid, ReadOptions, checked, settled
from csp_sudoku.notation.symbols import WORD
from csp_sudoku.notation.text import Text, shown

_CELL = re.compile("[^┃│]+")
_GIVEN = re.compile(r"\[(\d{1,2})\]")


def begin_at(text: Text, line: str) -> bool:
    """Return whether a drawing with candidates begins with `line`, the line of `text` that was read last."""
    if not (line.lstrip().startswith("┏") and "┯" in line):
        return False
    first, second = text.peek(0), text.peek(1)
    return all(following is not None and following.lstrip().startswith("┃") for following in (first, second))


def read_one(text: Text, lines: Iterator[str], top: str, options: ReadOptions) -> Grid:
    """Return the board of the drawing that begins with the line `top`; NotationError at the first mistake.

    `lines` yields the lines of `text` that follow, and `options` holds the caller's settings.
    """
    text.start = text.line, len(top) - len(top.lstrip()) + 1
    m = top.count("┳") + 1
    size = top.count("┯") + m
    m, n = settled(text, options, size, (m, size // m), text.start)
    if m * n != size:
        raise text.error("blocks of equal width", shown(top.strip()), *text.start)
    found = FoundGrid()
    values = b""
    for row in range(size):
        values += _row(text, lines, row, (m, size), options, found)
        rule = next(lines, "").strip()
        if rule[:1] not in tuple("┗" if row == size - 1 else "┠┣"):
            raise text.error(f"a border below row {row + 1}", shown(rule), text.line, 1)
    return checked(text, (m, n), values, found)


def _row(
    text: Text, lines: Iterator[str], row: int, shape: tuple[int, int], options: ReadOptions, found: FoundGrid
) -> bytes:
    """Return the values of a row; `shape` is the height m of its cells, and their number N."""
    height, size = shape
    cells: list[tuple[int, int, str]] = []  # line, column and text of the given, or of the first line of the cell
    for part in range(height):
        line = next(lines, "")
        parts = list(_CELL.finditer(line.strip()))
        indent = len(line) - len(line.lstrip())
        if len(parts) != size:
            raise text.error(f"{size} cells in each line of row {row + 1}", str(len(parts)), text.line, 1)
        for at, cell in enumerate(parts):
            given = _GIVEN.search(cell[0])
            if part == 0:
                cells.append((text.line, indent + cell.start() + 1, "."))
            if given is not None:
                cells[at] = text.line, indent + cell.start() + given.start() + 1, given[0]
    values = []
    for line_number, column, word in cells:
        found.add(line_number, word, column, WORD)
        value = 0 if word == "." else int(word[1:-1]) + options.zero_based
        if not (value or word == ".") or value > size:
            raise text.error(f"a given from 1 to {size}", shown(word), line_number, column)
        values.append(value)
    return bytes(values)
