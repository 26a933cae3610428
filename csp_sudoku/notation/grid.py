"""The class Grid, which every reader returns and every writer takes, and the checks that all readers share.

The notation of the name `grid` is in `drawing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from csp_sudoku.geometry import MAX_SIZE, Geometry, default_shape, is_shape
from csp_sudoku.notation.symbols import CHARACTER, SIZES
from csp_sudoku.notation.text import Place, Text, body, shown

Shape = tuple[int, int]

PREFIX = re.compile(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*:")
"""The prefix of a line that names the shape, such as "3x2:"."""

_WORDS = re.compile(r"[^\s,|\[\]]+")
_BEYOND_FOUR = {
    (zero_based, words): re.compile(f"[{5 - zero_based}-9A-Pa-p]" + ("|[0-9]{2}" if words else ""))
    for zero_based in (False, True)
    for words in (False, True)
}

SIZES_TEXT = ", ".join(map(str, SIZES))


class Details(NamedTuple):
    """The information in a text about its puzzle, besides the puzzle itself; all fields are empty by default."""

    title: str = ""
    author: str = ""
    rules: str = ""
    """The rules in words."""
    solution: bytes | None = None
    """The N·N values of the solution, row by row, if the text gives them all."""


NO_DETAILS = Details()
"""The details of most texts: none."""


class Grid(NamedTuple):
    """The shape m×n of a board, and its N·N values row by row; 0 is an empty cell."""

    m: int
    n: int
    values: bytes
    variant: Geometry | None = None
    """The geometry of a board that is not a plain m×n board; None, the default, for a plain one."""
    details: Details = NO_DETAILS

    @property
    def geometry(self) -> Geometry:
        """The geometry of the board."""
        return self.variant or Geometry.standard(self.m, self.n)

    @classmethod
    def on(cls, geometry: Geometry, values: bytes, details: Details = NO_DETAILS) -> Grid:
        """The grid of a board of this `geometry`, with its N·N `values` and its `details` (default: none).

        >>> Grid.on(Geometry.standard(2, 2), bytes(16)).variant, Grid.on(Geometry.latin(5), bytes(25)).variant
        (None, <Geometry latin 5>)
        """
        return cls(geometry.m, geometry.n, values, None if geometry.is_standard else geometry, details)


class ReadOptions(NamedTuple):
    """The caller's settings for a text: the shape of its boards (None: any), and whether values count from zero."""

    shape: Shape | None = None
    zero_based: bool = False


class FoundGrid:
    """The parts of a text that hold the cells of one board, for the position of a cell in an error.

    >>> found = FoundGrid()
    >>> found.add(7, "  1 2   3")
    >>> found.place(2), found.word(2), found.end()
    ((7, 9), '3', (7, 10))
    """

    def __init__(self) -> None:
        self._parts: list[tuple[int, int, str, re.Pattern[str]]] = []

    def add(self, line: int, text: str, column: int = 1, cells: re.Pattern[str] = CHARACTER) -> None:
        """Record the next cells: they are the matches of `cells` in a text that begins at (line, column)."""
        self._parts.append((line, column, text, cells))

    def place(self, cell: int) -> Place:
        """Return the line and the column of a cell."""
        return self._look(cell)[0]

    def word(self, cell: int) -> str:
        """Return a cell as it is written in the text."""
        return self._look(cell)[1]

    def after(self, cell: int) -> Place:
        """Return the position right after a cell."""
        (line, column), word = self._look(cell)
        return line, column + len(word)

    def end(self) -> Place:
        """Return the position after the last cell, where another cell was expected."""
        line, column, text, _ = self._parts[-1]
        return line, column + len(text.rstrip())

    def _look(self, cell: int) -> tuple[Place, str]:
        for line, column, text, cells in self._parts:
            for match in cells.finditer(text):
                if cell == 0:
                    return (line, column + match.start()), match[0]
                cell -= 1
        return self.end(), ""


def settled(text: Text, options: ReadOptions, size: int | None, named: Shape | None, place: Place) -> Shape:
    """Return the shape of a board: the shape in the text, else the caller's shape, else the default shape of the size.

    `size` is the board size N if it is known, `named` the shape in the text or None, and `place` the position for
    errors. Raise NotationError if there is no board of that size, or if text and caller name different shapes.

    `options` holds the caller's settings, and `text` makes the errors.
    """
    if named is not None:
        if not is_shape(*named):
            what = f"a shape m×n with 2 ≤ m, 2 ≤ n and m·n ≤ {MAX_SIZE}"
            raise text.error(what, f"{named[0]}×{named[1]}", *place)
        if options.shape not in (None, named):
            raise text.error(f"the shape {_times(options.shape)} that was asked for", _times(named), *place)
        return named
    if options.shape is not None:
        return options.shape
    if size not in SIZES:
        raise text.error(f"a board size among {SIZES_TEXT}", str(size), *place)
    return default_shape(size)


def named_shape(line: str) -> tuple[Shape | None, int]:
    """Return the shape that a line names with a prefix (or None), and the index of the rest of the line.

    >>> named_shape("3x2: 1 2"), named_shape("1 2")
    (((3, 2), 4), (None, 0))
    """
    match = PREFIX.match(line)
    return ((int(match[1]), int(match[2])), match.end()) if match else (None, 0)


def are_rows(lines: Iterable[str], zero_based: bool, words: bool) -> bool:
    """Return whether lines of sixteen cells are rows of a 16×16 board, rather than 4×4 boards.

    They are rows if there are at least two lines of sixteen cells, and one of them has a value beyond 4. The check
    stops at the first line with another number of cells. Cells are words if `words` is true, else characters.

    With `zero_based`, values count from 0.
    """
    beyond = False
    for number, line in enumerate(lines):
        cells = _WORDS.findall(body(line))
        if (len(cells) if words else sum(map(len, cells))) != 16:
            return False
        beyond = beyond or _BEYOND_FOUR[zero_based, words].search(line) is not None
        if beyond and number:
            return True
    return False


def prefix(grid: Grid) -> str:
    """Return the prefix that names the shape before the cells; an empty string for the default shape of a size.

    >>> prefix(Grid(3, 2, bytes(36))), prefix(Grid(2, 3, bytes(36)))
    ('3x2:', '')
    """
    shape = (grid.m, grid.n)
    return "" if shape == default_shape(grid.m * grid.n) else f"{grid.m}x{grid.n}:"


def read_number(text: Text, word: str, expected: str, place: Place) -> int:
    """Return a number of at most three digits; raise NotationError, with `expected`, for anything else.

    `place` is the line and the column of `word` in `text`.
    """
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise text.error(expected, shown(word), *place)
    return int(word)


def read_words(
    text: Text, words: Sequence[str], table: dict[str, int], expected: str, found: FoundGrid, first: int = 0
) -> bytes:
    """Return the values of words, looked up in `table`; raise NotationError, with `expected`, at a wrong word.

    The first word is the cell `first` of `found` (default 0).
    """
    try:
        return bytes([table[word] for word in words])
    except KeyError:
        at = next(number for number, word in enumerate(words) if word not in table)
        raise text.error(expected, shown(words[at]), *found.place(first + at)) from None


def checked(text: Text, shape: Shape, values: bytes, found: FoundGrid, first: int = 0) -> Grid:
    """Return the grid of N·N valid values; raise NotationError if two of them clash.

    Its cells begin at the cell `first` of `found` (default 0).

    `values` are the N·N values of a board of this `shape`, and `text` makes the error.
    """
    geometry = Geometry.standard(*shape)
    clash = geometry.clash(values)
    if clash is not None:
        region, one, other = clash
        line, column = found.place(first + one)
        what = f"each value once in {geometry.region_name(region)}"
        again = f"{shown(found.word(first + other))} again (first at line {line}, column {column})"
        raise text.error(what, again, *found.place(first + other))
    return Grid(*shape, values)


def _times(shape: Shape | None) -> str:
    return "×".join(map(str, shape or ()))
