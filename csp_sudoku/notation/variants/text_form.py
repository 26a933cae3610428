"""The notation `variant`: a board, and below it one rule per line, easy to write by hand.

    # comments and blank lines are ignored
    board                         or `board 2x3` for the shape, `board 7` for the size, `board 9 latin` without blocks
    5 3 . | . 7 . | . . .         the cells, as in the notations `grid`, `line` and `values`
    …
    title A small killer          title, author and rules (in words) may follow; the rest of the line is the text
    killer 10 r1c1 r1c2           the rules; the module `rules` describes their form
    anti-knight
    blocks aaab ccab cdbb cddd    N rows of N labels: the blocks of a jigsaw
    solution 1243 3421 …          the solution, if it is known

Another `board` begins another puzzle. Values count from 1. A board without drawn borders and without a shape has the
usual blocks of its size; a size that is not a product of two smaller numbers has no blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple, cast

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import ExtraRegion
from csp_sudoku.errors import NotationError, OptionError, ShapeError
from csp_sudoku.geometry import MAX_SIZE, Geometry
from csp_sudoku.notation import drawing
from csp_sudoku.notation.grid import Details, FoundGrid, Grid, ReadOptions, Shape, read_words
from csp_sudoku.notation.symbols import (
    CHARACTER,
    EMPTY,
    WORD,
    character_words,
    expected_character,
    expected_word,
    word_table,
    written_words,
)
from csp_sudoku.notation.text import Text, shown
from csp_sudoku.notation.tue import write_rows
from csp_sudoku.notation.variants.fpuzzles import fitting
from csp_sudoku.notation.variants.fpuzzles_reading import usual_geometry
from csp_sudoku.notation.variants.recognition import begins_variant
from csp_sudoku.notation.variants.rules import name_of, read_rule, write_rule

_HEADER = re.compile(
    r"\s*board\b(?:\s+(?P<m>\d{1,2})x(?P<n>\d{1,2})|\s+(?P<size>\d{1,2}))?(?P<latin>\s+latin)?(?P<rest>(?:\s.*)?)",
    re.IGNORECASE | re.ASCII,
)
_TEXTS = ("title", "author", "rules")
_KEYWORD = re.compile(r"\s*([A-Za-z][\w-]*[+]?)")
_RULE = re.compile(r"\br\d+c\d+\b", re.IGNORECASE)
_NO_CELLS = re.compile(r"\s*[A-Za-z-]*[Q-Zq-z]")
"""The beginning of a line whose first word has letters that no cell has, so that the line must be a rule."""
_LABELS = "abcdefghijklmnopqrstuvwxy"


class _Line(NamedTuple):
    """A line of the text, without its comment, and its number."""

    number: int
    text: str


class _Puzzle:
    """The lines of one puzzle: its header, its cells, its rules, and the rest by keyword."""

    def __init__(self, text: Text, header: _Line) -> None:
        self.text = text
        self.header = header
        self.cells: list[_Line] = []
        self.rules: list[_Line] = []
        self.blocks: _Line | None = None
        self.solution: _Line | None = None
        self.texts: dict[str, list[str]] = {}

    def add(self, line: _Line, raw: str) -> None:
        """Add a line to the part that it belongs to; `raw` is the line with its comment."""
        word = found[1].lower() if (found := _KEYWORD.match(line.text)) else ""
        if word in _TEXTS:
            self.texts.setdefault(word, []).append(raw.strip()[len(word) :].strip())
        elif word in ("blocks", "solution"):
            if getattr(self, word) is not None:
                raise self.text.error(f"{word} once", f"{word} again", line.number, 1)
            setattr(self, word, line._replace(text=line.text.lower().replace(word, " " * len(word), 1)))
        elif name_of(word) is not None or _NO_CELLS.match(line.text) or _RULE.search(line.text):
            self.rules.append(line)
        elif self.rules:
            place = line.number, 1 + len(line.text) - len(line.text.lstrip())
            raise self.text.error("a rule, or another board", shown(line.text.strip()), *place)
        else:
            self.cells.append(line)


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the puzzles of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    puzzle: _Puzzle | None = None
    for raw in text.lines():
        line = _Line(text.line, raw.partition("#")[0].rstrip())
        if begins_variant(line.text):
            if puzzle is not None:
                yield _grid(puzzle, options)
            puzzle = _Puzzle(text, line)
        elif line.text.strip() and puzzle is None:
            raise text.error("the line board above a puzzle", shown(line.text.strip()), text.line, 1)
        elif line.text.strip() and puzzle is not None:
            puzzle.add(line, raw)
    if puzzle is not None:
        yield _grid(puzzle, options)


def _grid(puzzle: _Puzzle, options: ReadOptions) -> Grid:
    text = puzzle.text
    text.start = puzzle.header.number, 1
    header = _HEADER.fullmatch(puzzle.header.text)
    if header is None:
        raise text.error("board, with a shape such as 2x3 or a size", shown(puzzle.header.text), *text.start)
    lines = [_Line(puzzle.header.number, " " * header.start("rest") + header["rest"]), *puzzle.cells]
    size = int(header["size"] or 0) or int(header["m"] or 0) * int(header["n"] or 0)
    cells = _Cells(text, [line for line in lines if line.text.strip()], size)
    plain = _geometry(puzzle, header, cells)
    values = cells.values
    if (clash := plain.clash(values)) is not None:
        region, one, other = clash
        line, column = cells.found.place(one)
        again = f"{shown(cells.found.word(other))} again (first at line {line}, column {column})"
        raise text.error(f"each value once in {plain.region_name(region)}", again, *cells.found.place(other))
    constraints = _rules(puzzle, plain)
    title, author, rules = ("\n".join(puzzle.texts.get(word, ())) for word in _TEXTS)
    solution = None
    if puzzle.solution is not None:
        solution = _Cells(text, [puzzle.solution], plain.size).values
        if 0 in solution:
            raise text.error("a value in each cell of the solution", "an empty cell", puzzle.solution.number, 1)
    details = Details(title, author, rules, solution)
    return fitting(text, Grid.on(plain.with_constraints(*constraints), values, details), options)


def _rules(puzzle: _Puzzle, plain: Geometry) -> list[Constraint]:
    """Return the constraints of the rules, in their order."""
    found: list[list[Constraint]] = [[] for _ in puzzle.rules]
    waiting = []
    for at, line in enumerate(puzzle.rules):
        if re.search(r"\bmarks\b", line.text, re.IGNORECASE):
            waiting.append(at)  # it needs the marks of all other lines
        else:
            found[at] = _rule(puzzle.text, line, plain, [])
    marks = [constraint for constraints in found for constraint in constraints]
    for at in waiting:
        found[at] = _rule(puzzle.text, puzzle.rules[at], plain, marks)
    return [constraint for constraints in found for constraint in constraints]


def _rule(text: Text, line: _Line, plain: Geometry, marks: list[Constraint]) -> list[Constraint]:
    def fail(expected: str, found: str, column: int) -> NotationError:
        return text.error(expected, found, line.number, column)

    return read_rule(line.text, 1, plain, fail, marks)


class _Cells:
    """The values of the cells in some lines, and the shape that their borders show.

    All cells are in one line, or there are N lines. `size` is N if it is known, else 0.
    """

    def __init__(self, text: Text, lines: list[_Line], size: int = 0) -> None:
        self.text = text
        self.found = FoundGrid()
        self.values = b""
        self._below: list[int] = []  # the number of rows above each drawn border
        self._widths: list[list[int]] = []  # the number of cells between the borders in each row
        rows: list[_Line] = []
        for line in lines:
            plain = line._replace(text=drawing.plain_lines(line.text))
            if drawing.is_border(plain.text):
                self._below.append(len(rows))
            else:
                rows.append(plain)
        if not rows:
            raise text.error("the cells of a board", "none", *text.start)
        self.size = size or self._size(rows)
        if not 1 <= self.size <= MAX_SIZE:
            raise text.error(f"a board of at most {MAX_SIZE} rows", str(self.size), rows[0].number, 1)
        count = self.size if len(rows) > 1 else self.size**2
        for line in rows:
            self._add(line, count)
        if len(self.values) != self.size**2 or len(rows) not in (1, self.size):
            expected = f"{self.size} rows of {self.size} cells, or {self.size**2} cells in one line"
            lines_text = f"{len(rows)} line{'' if len(rows) == 1 else 's'}"
            raise text.error(expected, f"{len(self.values)} cells in {lines_text}", *self.found.place(0))

    def _size(self, rows: list[_Line]) -> int:
        """Return N, which follows from the number of rows or of cells."""
        if len(rows) > 1:
            return len(rows)
        words = rows[0].text.replace(",", " ").split()
        count = len(words) if isqrt(len(words)) ** 2 == len(words) > 1 else sum(map(len, words))
        if isqrt(count) ** 2 != count:
            raise self.text.error("N·N cells in one line, or N lines", f"{count} cells", rows[0].number, 1)
        return isqrt(count)

    def _add(self, line: _Line, count: int) -> None:
        """Read a line, in which `count` cells are expected."""
        plain = line.text.replace("|", " ").replace(",", " ")
        words = plain.split()
        by_word = len(words) == count
        table, expected = character_words(self.size, False), expected_character(self.size, False)
        if by_word:
            table = table | word_table(self.size)
            expected = expected_word(self.size, False) if self.size > 9 else expected
        cells = words if by_word else list("".join(words))
        self.found.add(line.number, plain, cells=WORD if by_word else CHARACTER)
        self.values += read_words(self.text, cells, table, expected, self.found, len(self.values))
        if len(cells) != count:
            what = f"{count} cells" + ("" if count > self.size else " in a row")
            raise self.text.error(what, str(len(cells)), line.number, 1)
        groups = [part.split() for part in line.text.split("|")]
        self._widths.append([len(group) if by_word else sum(map(len, group)) for group in groups if group])

    def shape(self) -> Shape | None:
        """Return the shape that drawn borders show; None without borders; raise NotationError if they show no shape.

        Borders in one direction are enough.
        """
        size = self.size
        below = sorted({border for border in self._below if 0 < border < size})
        widths = self._widths[0] if len(self._widths) == size else []
        n = widths[0] if len(widths) > 1 else 0
        if not (below or n):
            return None
        m = below[0] if below else size // n
        n = n or size // m
        straight = not below or below == list(range(m, size, m))
        regular = len(widths) < 2 or all(found == [n] * (size // n) for found in self._widths)
        if m * n != size or not straight or not regular:
            raise self.text.error(f"borders around blocks of {size} cells", "others", *self.found.place(0))
        return m, n


def _geometry(puzzle: _Puzzle, header: re.Match[str], cells: _Cells) -> Geometry:
    """Return the geometry that the header, the blocks or the borders of a puzzle define."""
    text, size = puzzle.text, cells.size
    try:
        if puzzle.blocks is not None:
            layout = puzzle.blocks.text.split()
            return Geometry.irregular(layout) if len(layout) == size else _wrong_blocks(puzzle, size, len(layout))
        if header["latin"]:
            return Geometry.latin(size)
        drawn = cells.shape()
        named = (int(header["m"]), int(header["n"])) if header["m"] else drawn
        if drawn in (None, named):
            return usual_geometry(size) if named is None else Geometry.standard(*named)
    except ShapeError as error:
        expected, _, found = str(error).removeprefix("expected ").partition("; found ")
        place = (puzzle.blocks.number, 1) if puzzle.blocks is not None else text.start
        raise text.error(expected, found, *place) from None
    raise text.error(f"borders around blocks of {header['m']}×{header['n']}", "others", *cells.found.place(0))


def _wrong_blocks(puzzle: _Puzzle, size: int, count: int) -> Geometry:
    number = puzzle.blocks.number if puzzle.blocks is not None else 1
    raise puzzle.text.error(f"{size} rows of {size} labels behind blocks", f"{count} rows", number, 1)


def write(grid: Grid, zero_based: bool) -> str:
    """Return a puzzle as text: the board, and a line for each rule.

    OptionError with `zero_based`, because the numbers in rules count from 1.

    >>> from csp_sudoku.constraints.cages import Killer
    >>> geometry = Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3))
    >>> print(write(Grid.on(geometry, bytes(16)), False))
    board 2x2
    . . | . .
    . . | . .
    ----+----
    . . | . .
    . . | . .
    killer 3 r1c1 r1c2
    """
    if zero_based:
        raise OptionError("expected values that count from 1 in a board with rules; found values from 0")
    geometry = grid.geometry
    rows = (
        drawing.write(grid, False) if _has_shape(geometry) else write_rows(Grid(1, geometry.size, grid.values), False)
    )
    lines = [header(geometry), rows, *block_lines(geometry), *text_lines(grid.details)]
    lines += [write_rule(rule, geometry.plain) for rule in rules_of(geometry)]
    if grid.details.solution is not None:
        lines.append(f"solution {' '.join(written_words(grid.details.solution, False, EMPTY[0]))}")
    return "\n".join(lines)


def header(geometry: Geometry) -> str:
    """Return the first line of a puzzle on this `geometry`."""
    if _has_shape(geometry):
        return f"board {geometry.m}x{geometry.n}"
    return f"board {geometry.size}{'' if geometry.blocks else ' latin'}"


def block_lines(geometry: Geometry) -> list[str]:
    """Return a list with the line for the blocks; an empty list without blocks, or with the blocks of a shape m×n."""
    if _has_shape(geometry) or not geometry.blocks:
        return []
    labels = "".join(_LABELS[block] for block in geometry.block_of)
    rows = [labels[start : start + geometry.size] for start in range(0, geometry.cell_count, geometry.size)]
    return [f"blocks {' '.join(rows)}"]


def rules_of(geometry: Geometry) -> list[Constraint]:
    """Return the constraints of a geometry, and one for each of its extra regions."""
    return [*map(ExtraRegion, geometry.extra), *cast("tuple[Constraint, ...]", geometry.constraints)]


def _has_shape(geometry: Geometry) -> bool:
    """Return whether the blocks are the blocks of a shape m×n."""
    return geometry.m > 1 and geometry.blocks == Geometry.standard(geometry.m, geometry.n).blocks


def text_lines(details: Details) -> list[str]:
    """Return the lines for the title, the author and the rules in words."""
    lines = []
    for word, text in zip(_TEXTS, (details.title, details.author, details.rules), strict=True):
        for part in text.splitlines():
            clean = "".join(character if character.isprintable() else " " for character in part).strip()
            if clean:
                lines.append(f"{word} {clean}")
    return lines
