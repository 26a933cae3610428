"""The notation `tue`: the text form of the TU/e framework.

    2 3                      blocks of 2 rows and 3 columns; # comments are ignored
    1 . . . . 6              then N·N integers or "." (or 0) for an empty cell, with any line breaks
    …

Another board may follow on the next line.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.notation.grid import FoundGrid, Grid, ReadOptions, Shape, checked, read_number, read_words, settled
from csp_sudoku.notation.symbols import EMPTY, WORD, expected_word, word_table, written_words
from csp_sudoku.notation.text import Text, body, shown

_HEADER = "m and n, the rows and columns of a block"


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    lines = text.lines()
    while (grid := _read_one(text, lines, options)) is not None:
        yield grid


def _read_one(text: Text, lines: Iterator[str], options: ReadOptions) -> Grid | None:
    found = FoundGrid()
    words: list[str] = []
    shape: Shape | None = None
    values, table, expected, count = b"", {"": 0}, "", 1
    for line in lines:
        new = body(line).split()
        if not new:
            continue
        found.add(text.line, line.partition("#")[0], cells=WORD)
        if not words:
            text.start = found.place(0)
        words += new
        if shape is None and len(words) > 1:
            m, n = (read_number(text, words[at], _HEADER, found.place(at)) for at in (0, 1))
            shape = settled(text, options, None, (m, n), found.place(0))
            size = shape[0] * shape[1]
            table, expected = word_table(size, options.zero_based), expected_word(size, options.zero_based)
            count = size * size
        if shape is not None:
            done = 2 + len(values)
            values += read_words(text, words[done:], table, expected, found, done)
        if len(values) >= count:
            break
    if not words:
        return None
    if shape is None:
        raise text.error(_HEADER, shown(words[0]), *found.place(0))
    if len(values) != count:
        raise text.error(f"{count} cells after the header", str(len(values)), *found.place(2 + min(count, len(values))))
    return checked(text, shape, values, found, 2)


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board below its shape, in columns.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> print(write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False))
    2 2
    1 . . 2
    1 . . 2
    1 . . 2
    1 . . 2
    """
    return f"{grid.m} {grid.n}\n{write_rows(grid, zero_based)}"


def write_rows(grid: Grid, zero_based: bool, indent: str = "") -> str:
    """Return N lines of N words, right-aligned; `indent` begins each line (default empty).

    With `zero_based`, the value 1 is written as 0, and so on.
    """
    size = grid.m * grid.n
    words = written_words(grid.values, zero_based, EMPTY[0])
    width = len(str(size - zero_based))
    rows = [words[start : start + size] for start in range(0, size * size, size)]
    return "\n".join(indent + " ".join([word.rjust(width) for word in row]) for row in rows)
