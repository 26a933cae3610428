"""The words of a rule in the notation `variant`, and their meaning.

    killer 10 r1c1-r1c3           a range: the cells between two of a row or a column, or else the rectangle
    arrow r1c1 = r1c2 r1c3        "=" separates two groups of cells
    skyscraper row 3 right 2      the cells of a row from the right; those of a column from the top or the bottom
    little-killer 20 r1c2 down-right      the diagonal that begins in a cell
    table 1,2 2,3 r1c1 r1c2       numbers with commas between them are one row
    any-of (odd r1c1) (even r9c9)         rules within a rule

Rows and columns count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from csp_sudoku.constraints.outside import diagonal_from, seen_from
from csp_sudoku.errors import NotationError
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.text import shown

FailAt = Callable[[str, str, int], NotationError]
"""A function that makes an error from the expected text, the text found, and its column."""

DIAGONALS = {"down-right": (1, 1), "down-left": (1, -1), "up-right": (-1, 1), "up-left": (-1, -1)}
"""The directions of diagonals, as steps down and to the right."""

ROW_SIDES = {"left": False, "right": True}
COLUMN_SIDES = {"top": False, "down": False, "bottom": True, "up": True}
"""The sides from which a row or a column is seen, and whether its last cell comes first."""

_WORD = re.compile(
    r"""(?P<cells>r\d{1,2}c\d{1,2}(?:-r\d{1,2}c\d{1,2})?)(?![\w-]),?
    |(?P<times>[-+]?\d{1,6}\*(?=r\d))
    |(?P<group>-?\d{1,6},(?:-?\d{1,6})?(?:,-?\d{1,6})*)(?![\w,])
    |(?P<number>-?\d{1,6})(?![\w,])
    |(?P<option>[a-z_]+=(?=[\w<>=!])[^\s()]+)
    |(?P<relation>==|!=|<=|>=|<|>)
    |(?P<mark>[=()])
    |(?P<word>[a-z][\w-]*[+]?)
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_CELL = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)


class Word(NamedTuple):
    """A word of a line: its kind, which is a name of a group in the pattern, its text, and its column."""

    kind: str
    text: str
    column: int


def words_of(line: str, column: int, fail: FailAt) -> Iterator[Word]:
    """Yield the words of a line that begins at `column`; raise NotationError at a character that begins no word.

    `fail` makes the errors.
    """
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        found = _WORD.match(line, at)
        if found is None or found.lastgroup is None:
            what = "a cell such as r1c2, a number or a word"
            raise fail(what, shown(line[at:].split(maxsplit=1)[0]), column + at)
        yield Word(found.lastgroup, found[found.lastgroup].lower(), column + at)
        at = found.end()


@dataclass
class Parts:
    """The parts of a rule that follow its name."""

    cells: list[list[int]] = field(default_factory=lambda: [[]])
    """The cells, in groups that "=" separates."""
    numbers: list[int] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    """The rows of numbers that commas separate."""
    words: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    """The values of the options, such as allowed=no."""
    factors: dict[int, int] = field(default_factory=dict)
    """The coefficients before cells, by the index of the cell."""


class PartsReader:
    """A reader of the words of one rule, on a board of this `geometry`; `fail` makes the errors."""

    def __init__(self, words: list[Word], geometry: Geometry, fail: FailAt) -> None:
        self.words = words
        self.geometry = geometry
        self.fail = fail
        self.at = 0

    def peek(self) -> Word | None:
        """Return the next word, or None after the last one."""
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self) -> Word:
        """Return the next word, and go on; raise NotationError after the last one."""
        if self.at == len(self.words):
            last = self.words[-1] if self.words else None
            column = 1 if last is None else last.column + len(last.text)
            raise self.fail("the name of a rule", "the end of the line", column)
        self.at += 1
        return self.words[self.at - 1]

    def parts(self) -> Parts:
        """Return the parts that the words stand for, up to a parenthesis or the end."""
        parts = Parts()
        while (word := self.peek()) is not None and word.text not in ("(", ")"):
            self.take()
            if word.kind == "cells":
                parts.cells[-1] += self._cells(word)
            elif word.kind == "times":
                parts.factors[len(parts.cells[-1])] = int(word.text[:-1])
            elif word.kind == "number":
                parts.numbers.append(int(word.text))
            elif word.kind == "group":
                parts.rows.append(tuple(int(number) for number in word.text.split(",") if number))
            elif word.kind == "option":
                name, _, value = word.text.partition("=")
                parts.options[name] = value
            elif word.kind == "relation":
                parts.relations.append(word.text)
            elif word.text == "=":
                parts.cells.append([])
            elif word.text in ("row", "column"):
                parts.cells[-1] += self._line(word)
            else:
                parts.words.append(word.text)
        return parts

    def _cells(self, word: Word) -> list[int]:
        """Return the cells of a name, of a range, or of a diagonal."""
        places = [self._place(word, found) for found in _CELL.finditer(word.text)]
        following = self.peek()
        if following is not None and following.text in DIAGONALS and len(places) == 1:
            self.take()
            cell = self.geometry.cell(*places[0])
            return list(diagonal_from(self.geometry, cell, *DIAGONALS[following.text]))
        (top, left), (bottom, right) = places[0], places[-1]
        rows = range(top, bottom + 1) if top <= bottom else range(top, bottom - 1, -1)
        columns = range(left, right + 1) if left <= right else range(left, right - 1, -1)
        return [self.geometry.cell(row, column) for row in rows for column in columns]

    def _place(self, word: Word, found: re.Match[str]) -> tuple[int, int]:
        row, column, size = int(found[1]) - 1, int(found[2]) - 1, self.geometry.size
        if not (0 <= row < size and 0 <= column < size):
            raise self.fail(f"a cell from r1c1 to r{size}c{size}", shown(word.text), word.column)
        return row, column

    def _line(self, word: Word) -> list[int]:
        """Return the cells of a row or a column, in the order in which they are seen from a side."""
        size = self.geometry.size
        number = self.peek()
        if number is None or number.kind != "number" or not 1 <= int(number.text) <= size:
            found = shown(number.text) if number is not None else "the end of the line"
            raise self.fail(f"the number of a {word.text} from 1 to {size}", found, (number or word).column)
        self.take()
        sides = ROW_SIDES if word.text == "row" else COLUMN_SIDES
        if (side := self.peek()) is not None and side.text == "from":
            self.take()
            side = self.peek()
        from_end = False
        if side is not None and side.text in (*ROW_SIDES, *COLUMN_SIDES):
            if side.text not in sides:
                raise self.fail(f"a side of a {word.text}: {', '.join(sides)}", shown(side.text), side.column)
            self.take()
            from_end = sides[side.text]
        beside, at = (size if from_end else -1), int(number.text) - 1
        return list(seen_from(self.geometry, *((at, beside) if word.text == "row" else (beside, at))))
