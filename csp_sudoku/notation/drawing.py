"""The notation `grid`: a board as people draw it.

    5 3 . | . 7 . | . . .        N lines of N cells, a number or "." each,
    6 . . | 1 9 5 | . . .        the borders of the blocks drawn with | + - or blank lines:
    . 9 8 | . . . | . 6 .        they show the shape
    ------+-------+------
    …

    53..7....                    or without borders, a character per cell (letters beyond 9)
    6..195...
    …

Line-drawing characters are accepted in place of | + -, and so is a frame around the board. Borders around every single
cell do not show blocks and are ignored.

    │  5 ·3 ·4 │ >6 …        the marks in the drawings of this program are ignored: "·" or "'" before a value that was
                             found, ">" before the last move. A "·" alone is an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from csp_sudoku.geometry import MAX_SIZE
from csp_sudoku.notation import candidates
from csp_sudoku.notation.grid import SIZES_TEXT, FoundGrid, Grid, ReadOptions, Shape, checked, read_words, settled
from csp_sudoku.notation.symbols import (
    CHARACTER,
    EMPTY,
    SIZES,
    WORD,
    are_values,
    character_words,
    expected_character,
    expected_word,
    word_table,
    written_words,
)
from csp_sudoku.notation.text import Text

_UPRIGHT = "│┃┆┇┊┋╎╏║╿╽"
_LEVEL = "─━┄┅┈┉╌╍═╼╾"
_LINES = dict.fromkeys(range(0x2500, 0x2580), "+") | dict.fromkeys(map(ord, _UPRIGHT), "|")
_LINES |= dict.fromkeys(map(ord, _LEVEL), "-")


_MARK = re.compile("[·'>](?=[0-9._*])")
_MARKED_WORD = re.compile("[·'>]?(?:[0-9]{1,2}|[._*])|[·']")
_ALONE = str.maketrans("·'", "..")


def plain_lines(line: str) -> str:
    """Return a line with | + - in place of line-drawing characters, and without the marks of drawings.

    Each character is replaced by one character, so that positions in the line stay the same.

    >>> plain_lines("├──┼──┤ │"), plain_lines("│  1 ·2 │ >4  · │"), plain_lines("│ 1·3· │")
    ('+--+--+ |', '|  1  2 |  4  . |', '| 1.3. |')
    """
    if line.isascii() and "'" not in line and ">" not in line:
        return line
    line = line.translate(_LINES)
    words = line.replace("|", " ").split()
    if len(words) in SIZES and all(map(_MARKED_WORD.fullmatch, words)):  # else the cells are single characters
        return _MARK.sub(" ", line).translate(_ALONE)
    return line.replace("·", ".")


def is_border(line: str) -> bool:
    """Return whether a line is only the border between two rows of blocks.

    >>> is_border("------+------"), is_border("| . . |")
    (True, False)
    """
    marks = "".join(line.split())
    return not marks.strip("-+=|") and marks.strip("|") != ""


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    drawing = _Drawing(text, options)
    lines = text.lines()
    for raw in lines:
        if not drawing.rows and candidates.begin_at(text, raw):
            yield candidates.read_one(text, lines, raw, options)
            drawing = _Drawing(text, options)
            continue
        line = plain_lines(raw.partition("#")[0])
        if words := line.replace("|", " ").split():
            if is_border(line):
                drawing.add_border(drawn=True)
                continue
            drawing.add(line, words)
            if drawing.rows == drawing.size:
                yield drawing.grid()
                drawing = _Drawing(text, options)
        elif not raw.strip():
            drawing.add_border(drawn=False)
    if drawing.rows:
        place = drawing.found.end()
        raise text.error(f"{drawing.size} rows of {drawing.size} cells", str(drawing.rows), *place)


class _Border(NamedTuple):
    """A border between two rows of blocks: a line of dashes, or a blank one."""

    rows: int  # the number of rows above it
    line: int
    drawn: bool


class _Drawing:
    """The parts of one board that have been read."""

    def __init__(self, text: Text, options: ReadOptions) -> None:
        self.text = text
        self.options = options
        self.size = 0  # N, known after the first row
        self.values = b""
        self.found = FoundGrid()
        self.borders: list[_Border] = []
        self.cuts: list[tuple[tuple[int, ...], bool]] = []  # per row: the cells before each border; is it drawn?

    @property
    def rows(self) -> int:
        return len(self.cuts)

    def add(self, line: str, words: list[str]) -> None:
        """Read a line with cells, which are its words; if it does not have N words, the cells are its characters."""
        text, zero_based, first = self.text, self.options.zero_based, self.rows * self.size
        size = self.size = self.size or _size(text, line, words, self.options)
        by_word = len(words) == size
        cells = words if by_word else list("".join(words))
        table = character_words(size, zero_based) | (word_table(size, zero_based) if by_word else {})
        expected = (expected_word if by_word and size > 9 else expected_character)(size, zero_based)
        self.found.add(text.line, line.replace("|", " "), cells=WORD if by_word else CHARACTER)
        if not self.rows:
            text.start = self.found.place(0)
        self.values += read_words(text, cells, table, expected, self.found, first)
        if len(cells) != size:
            place = self.found.place(first + min(size, len(cells)))
            raise text.error(f"{size} cells in row {self.rows + 1}", str(len(cells)), *place)
        drawn = "|" in line
        groups = [part.split() for part in line.split("|")] if drawn else [[word] for word in words]
        widths = [len(group) if by_word else sum(map(len, group)) for group in groups if group]
        self.cuts.append((tuple(accumulate(widths[:-1])), drawn))

    def add_border(self, *, drawn: bool) -> None:
        """Record a border; several borders between the same two rows count as one."""
        known = self.borders and self.borders[-1].rows == self.rows and self.borders[-1].drawn >= drawn
        if self.rows and not known:
            self.borders.append(_Border(self.rows, self.text.line, drawn))

    def grid(self) -> Grid:
        """Return the board, once all rows have been read."""
        (m, m_drawn), (n, n_drawn) = self._block_rows(), self._block_columns()
        named: Shape | None = None
        if (m or n) and (m_drawn or n_drawn or self.options.shape is None):
            m, n = m or self.size // n, n or self.size // m
            named = (m, n) if m * n == self.size else None
            if named is None and (m_drawn or n_drawn):
                blocks = f"blocks of {m}×{n}"
                raise self.text.error(f"borders around blocks of {self.size} cells", blocks, *self.text.start)
        shape = settled(self.text, self.options, self.size, named, self.text.start)
        return checked(self.text, shape, self.values, self.found)

    def _block_rows(self) -> tuple[int, bool]:
        """Return the number of rows of a block (0 if no border shows it), and whether a drawn border shows it."""
        borders = [border for border in self.borders if border.rows < self.size]
        cuts = tuple(sorted({border.rows for border in borders}))
        step = _step(cuts, self.size)
        if step is None:
            rows, line, drawn = next((border for border in borders if border.rows % cuts[0]), borders[-1])
            if drawn:
                below = f"borders below the rows {', '.join(map(str, cuts))}"
                raise self.text.error("borders around blocks of equal height", below, line, 1)
            raise self.text.error(f"{self.size} rows of {self.size} cells", f"a blank line below row {rows}", line, 1)
        return step, step > 0 and any(border.drawn for border in borders)

    def _block_columns(self) -> tuple[int, bool]:
        """Return the number of columns of a block (0 if no border shows it), and whether a drawn border shows it."""
        drawn = any(drawn for _, drawn in self.cuts)
        rows = [(row, cuts) for row, (cuts, is_drawn) in enumerate(self.cuts) if is_drawn == drawn]
        usual = rows[0][1]
        step = _step(usual, self.size)
        odd = next((row for row, cuts in rows if cuts != usual or step is None), None)
        if odd is None:
            return step or 0, drawn and bool(step)
        if not drawn:
            return 0, False  # the words may have any length
        what = f"borders before the cells {', '.join(str(cut + 1) for cut in self.cuts[odd][0])}"
        raise self.text.error("borders around blocks of equal width", what, *self.found.place(odd * self.size))


def _step(cuts: tuple[int, ...], size: int) -> int | None:
    """Return the distance between cuts; 0 if there are no cuts or they are everywhere; None if the distances differ."""
    if not cuts:
        return 0
    if cuts != tuple(range(cuts[0], size, cuts[0])) or size % cuts[0]:
        return None
    return cuts[0] if cuts[0] > 1 else 0


def row_size(words: list[str], zero_based: bool) -> int:
    """Return the N of a first row.

    N is the number of words, if most are numbers up to N or empty cells; otherwise it is the number of characters.

    With `zero_based`, numbers count from 0.

    >>> row_size("53. .7. ...".split(), False), row_size("5 10 . . 3 . 6 . 2 . . 1".split(), False)
    (9, 12)
    """
    return len(words) if are_values(words, len(words), zero_based) else sum(map(len, words))


def _size(text: Text, line: str, words: list[str], options: ReadOptions) -> int:
    if options.shape is not None:
        return options.shape[0] * options.shape[1]
    size = row_size(words, options.zero_based)
    if size not in SIZES:
        found = FoundGrid()
        found.add(text.line, line.replace("|", " "))
        cells, table = list("".join(words)), character_words(MAX_SIZE, options.zero_based)
        read_words(text, cells, table, expected_character(MAX_SIZE, options.zero_based), found)
        raise text.error(f"a row of N cells, N among {SIZES_TEXT}", str(size), *found.place(0))
    return size


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board with the borders of its blocks.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> print(write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False))
    1 . | . 2
    1 . | . 2
    ----+----
    1 . | . 2
    1 . | . 2
    """
    m, n = grid.m, grid.n
    size = m * n
    width = len(str(size - zero_based))
    words = [word.rjust(width) for word in written_words(grid.values, zero_based, EMPTY[0])]
    lines = []
    for row in range(size):
        if row and row % m == 0:
            lines.append("-+-".join(["-" * (n * (width + 1) - 1)] * m))
        cells = words[row * size : (row + 1) * size]
        lines.append(" | ".join([" ".join(cells[start : start + n]) for start in range(0, size, n)]))
    return "\n".join(lines)
