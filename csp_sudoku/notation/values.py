"""The notation `values`: integers with white space or commas between them, 0 or "." for an empty cell.

    1 0 0 2  0 0 3 0  0 4 0 0  1 0 0 3        N·N of them are a board
    3x2: 1,0,0,…                              a shape that is not the default one of its size is named
    [[1, 0, 0, 2], [0, 0, 3, 0], …]           brackets are ignored, as in printed Python lists or numpy arrays

    1, 0, 0, 2                                or N in each of N lines
    …

Sixteen integers in a line are a 4×4 board, unless similar lines follow and one of up to sixteen lines has a value
beyond 4: then they are a row of a 16×16 board. If the caller gives a shape, that decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from csp_sudoku.geometry import MAX_SIZE
from csp_sudoku.notation.grid import (
    SIZES_TEXT,
    FoundGrid,
    Grid,
    ReadOptions,
    Shape,
    are_rows,
    checked,
    named_shape,
    prefix,
    read_words,
    settled,
)
from csp_sudoku.notation.symbols import EMPTY, SIZE_OF_COUNT, SIZES, WORD, expected_word, word_table, written_words
from csp_sudoku.notation.text import Text

_SPACES = str.maketrans(",[]", "   ")
_EMPTY_FIELD = re.compile(r",\s*(,)")


class _Line:
    """The integers of a line, and the shape that it names."""

    def __init__(self, number: int, line: str) -> None:
        self.number = number
        self.raw = line.partition("#")[0]
        self.shape, self.begin = named_shape(self.raw)
        self.spaced = self.raw[self.begin :].translate(_SPACES)
        self.words = self.spaced.split()

    def add_to(self, text: Text, found: FoundGrid) -> None:
        """Record the positions of the values; raise NotationError if there is no value between two commas."""
        gap = _EMPTY_FIELD.search(self.raw) if "," in self.raw else None
        if gap is not None:
            raise text.error("a value between two commas", "none", self.number, gap.start(1) + 1)
        found.add(self.number, self.spaced, 1 + self.begin, WORD)


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, each on one line or on N lines.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    lines = text.lines()
    named: Shape | None = None
    for raw in lines:
        line = _Line(text.line, raw)
        named = line.shape or named
        if line.words:
            yield _read_one(text, lines, line, named, options)
            named = None
    if named is not None:
        raise text.error("a board after its shape", "the end of the text", text.line)


def _read_one(text: Text, lines: Iterator[str], line: _Line, named: Shape | None, options: ReadOptions) -> Grid:
    """Return the board that begins with a line."""
    found = FoundGrid()
    known = named or options.shape
    line.add_to(text, found)
    text.start = found.place(0)
    size = known[0] * known[1] if known is not None else _size(text, line, found, options.zero_based)
    shape = settled(text, options, size, named, text.start)
    table, expected = word_table(size, options.zero_based), expected_word(size, options.zero_based)
    values = read_words(text, line.words, table, expected, found)
    if len(values) == size:
        rows = 1
        while rows < size and (next_line := _next_row(text, lines)) is not None:
            next_line.add_to(text, found)
            values += read_words(text, next_line.words, table, expected, found, rows * size)
            rows += 1
            if len(next_line.words) != size:
                at = (rows - 1) * size + min(size, len(next_line.words))
                raise text.error(f"{size} values in row {rows}", str(len(next_line.words)), *found.place(at))
        if rows < size:
            raise text.error(f"{size} rows of {size} values", str(rows), *found.end())
    elif len(values) != size * size:
        at = min(len(values), size * size)
        raise text.error(f"{size * size} values, or {size} in a row", str(len(values)), *found.place(at))
    return checked(text, shape, values, found)


def _next_row(text: Text, lines: Iterator[str]) -> _Line | None:
    """Return the next line with values; None if a blank line or the end of the text comes first."""
    for raw in lines:
        line = _Line(text.line, raw)
        if line.words:
            return line
        if not raw.strip():
            break
    return None


def _size(text: Text, line: _Line, found: FoundGrid, zero_based: bool) -> int:
    """Return the board size that fits the number of values in a first line."""
    count = len(line.words)
    if count == 16:
        return 16 if are_rows(chain([line.raw], text.following(15)), zero_based, words=True) else 4
    if count in SIZES:
        return count
    if count in SIZE_OF_COUNT:
        return SIZE_OF_COUNT[count]
    read_words(text, line.words, word_table(MAX_SIZE, zero_based), expected_word(MAX_SIZE, zero_based), found)
    near = min([*SIZES, *SIZE_OF_COUNT], key=lambda known: abs(known - count))
    place = found.place(min(near, count))
    raise text.error(f"N values in a row or N·N in a line, N among {SIZES_TEXT}", str(count), *place)


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board as N·N integers on one line; an empty cell is 0, or "." if values count from zero.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False)
    '1 0 0 2 1 0 0 2 1 0 0 2 1 0 0 2'
    """
    words = written_words(grid.values, zero_based, EMPTY[0] if zero_based else "0")
    return " ".join([prefix(grid), *words] if prefix(grid) else words)
