"""Fold text to the width of the terminal: prose and lists between words, Markdown tables between columns.

A table that is too wide becomes several tables, one below the other. Each begins with the columns that name its rows:
all columns up to the first one that holds words.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

import click

USUAL_WIDTH = 80
"""The number of columns of an output that is no terminal."""
SEPARATOR = re.compile(r"(?<!\\)\|")
"""The border of a cell; a "|" in a cell has a backslash before it."""


def columns() -> int:
    """Return the width to which output is folded: the width of the terminal, or USUAL_WIDTH without a terminal."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size((USUAL_WIDTH, 24)).columns if is_terminal else USUAL_WIDTH


def folded(text: str, *, indent: int = 0, width: int | None = None) -> str:
    """Fold the lines of a text that are longer than `width` columns (default None: `columns()`).

    The continuation of a line is indented by `indent` columns more than the line itself (default 0). Lines that begin
    with "|" are Markdown tables. A single word, or a single column of a table with the columns of names, is never
    split.

    >>> print(folded("best: r1c1=1, r2c2=2, r3c3=3", indent=4, width=24))
    best: r1c1=1, r2c2=2,
        r3c3=3
    >>> print(folded("| who | games | wins |\\n|-----|------:|-----:|\\n| a   |     8 |    3 |", width=20))
    | who | games |
    |-----|------:|
    | a   |     8 |
    <BLANKLINE>
    | who | wins |
    |-----|-----:|
    | a   |    3 |
    """
    width = columns() if width is None else width
    parts: list[str] = []
    for is_table, group in groupby(text.split("\n"), lambda line: line.startswith("|")):
        lines = list(group)
        parts += _tables(lines, width) if is_table else [_line(line, indent, width) for line in lines]
    return "\n".join(parts)


def _line(line: str, indent: int, width: int) -> str:
    """Fold a line between its words; colour codes have no width."""
    if len(click.unstyle(line)) <= width:
        return line
    start = len(line) - len(line.lstrip(" "))
    margin = " " * (start + indent)
    found, used = [line[:start]], start
    for piece in re.findall(r"\S+ *", line[start:]):
        size = len(click.unstyle(piece).rstrip(" "))
        if used + size > width and found[-1].strip(" "):
            found[-1] = found[-1].rstrip(" ")
            found.append(margin)
            used = len(margin)
        found[-1] += piece
        used += len(click.unstyle(piece))
    return "\n".join(found)


def _tables(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield the lines of a table, or if it is too wide, of narrower tables that each show some of its columns."""
    cells = [SEPARATOR.split(line)[1:-1] for line in lines]
    widths = [len(cell) + 1 for cell in cells[0]]
    words = [place for place, mark in enumerate(cells[1]) if not mark.rstrip().endswith(":")] if len(cells) > 1 else []
    names = words[0] + 1 if words else 1
    taken = 1 + sum(widths[:names])
    groups: list[list[int]] = [[]]
    room = width - taken
    for place in range(names, len(widths)):
        if widths[place] > room and groups[-1]:
            groups.append([])
            room = width - taken
        groups[-1].append(place)
        room -= widths[place]
    for number, group in enumerate(groups):
        if number:
            yield ""
        for row in cells:
            yield "|" + "|".join(row[place] for place in (*range(names), *group)) + "|"
