"""Step: one step of a person who solves a puzzle, as an immutable value with a sentence for people.

The **reason** of a step consists of cells, values and regions. Its consequences are **placements**, or
**eliminations**: candidates that a cell cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from csp_sudoku.coordinates import cell_name, move_name

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry

Square = tuple[int, int]
"""The (row, column) of a cell, both counted from 0."""

Entry = tuple[int, int, int]
"""The (row, column, value) of a candidate; row and column count from 0."""

NAMED_AT_MOST = 12
"""Maximum number of cells that a list in a sentence names."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: the technique, its reason, its conclusions, and a sentence with all of them.

    `board.place(*placement)` takes a placement, since rows and columns count from 0. The sentence counts from 1.
    """

    technique: str
    """The name of the technique, as in `techniques.TECHNIQUES`."""
    cells: tuple[Square, ...]
    """The cells of the reason, in ascending order."""
    values: tuple[int, ...]
    """The values of the reason, in ascending order."""
    regions: tuple[int, ...]
    """The regions of the reason, by their numbers in the geometry; empty if the reason needs no region."""
    placements: tuple[Entry, ...]
    """The values of cells that follow."""
    eliminations: tuple[Entry, ...]
    """The candidates that no solution has."""
    sentence: str
    """The reason and the conclusions, for people, worded to follow "naked pair: "."""

    def as_object(self) -> dict[str, Any]:
        """The step as a JSON object; rows, columns and regions count from 0."""
        return {
            "technique": self.technique,
            "cells": [list(square) for square in self.cells],
            "values": list(self.values),
            "regions": list(self.regions),
            "placements": [list(entry) for entry in self.placements],
            "eliminations": [list(entry) for entry in self.eliminations],
            "sentence": self.sentence,
        }

    def __str__(self) -> str:
        return f"{self.technique}: {self.sentence}"


def placing(
    technique: str, geometry: Geometry, cell: int, value: int, because: str, regions: Iterable[int] = ()
) -> Step:
    """Make a step that places `value` in `cell`; `because` is the reason, worded as the end of a sentence.

    `regions` are the regions of the reason, by number (default: none).
    """
    square = geometry.row_column(cell)
    entry = (*square, value)
    return Step(technique, (square,), (value,), tuple(regions), (entry,), (), f"{move_name(*entry)}, since {because}.")


def eliminating(
    technique: str,
    geometry: Geometry,
    reason: tuple[Iterable[int], Iterable[int], Iterable[int]],
    gone: Iterable[tuple[int, Iterable[int]]],
    because: str,
) -> Step:
    """Make a step that eliminates candidates.

    `reason` are the cells, the values and the regions of the reason. `gone` are pairs of a value and the cells that
    cannot hold it. `because` is the reason, worded as the first clause of a sentence.
    """
    cells, values, regions = reason
    eliminated: dict[int, list[int]] = {}
    for value, places in gone:
        for cell in places:
            eliminated.setdefault(cell, []).append(value)
    entries = [(*geometry.row_column(cell), value) for cell in sorted(eliminated) for value in sorted(eliminated[cell])]
    return Step(
        technique,
        tuple(geometry.row_column(cell) for cell in sorted(cells)),
        tuple(sorted(values)),
        tuple(sorted(regions)),
        (),
        tuple(entries),
        f"{because}, so {_impossible(geometry, eliminated)}.",
    )


def _impossible(geometry: Geometry, eliminated: dict[int, list[int]]) -> str:
    """Describe the eliminations; cells that lose the same values are named together."""
    together: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(eliminated):
        together.setdefault(tuple(sorted(eliminated[cell])), []).append(cell)
    *first, last = [
        f"{cell_names(geometry, cells)} cannot be {listed(map(str, values), 'or')}"
        for values, cells in together.items()
    ]
    return f"{', '.join(first)}, and {last}" if first else last


def cell_names(geometry: Geometry, cells: Iterable[int], last: str = "and") -> str:
    """The names of cells as a list, with the word `last` before the last one (default "and").

    >>> from csp_sudoku.geometry import Geometry
    >>> cell_names(Geometry.standard(2, 2), [0, 1, 7], "or")
    'r1c1, r1c2 or r2c4'
    """
    return listed((cell_name(*geometry.row_column(cell)) for cell in cells), last)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a list, with the word `last` before the last one (default "and"); a long list is cut.

    >>> listed("a"), listed("ab"), listed("abc", "or"), listed(map(str, range(1, 16)))
    ('a', 'a and b', 'a, b or c', '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more')
    """
    known: Sequence[str] = list(words)
    if len(known) > NAMED_AT_MOST + 1:
        known = [*known[:NAMED_AT_MOST], f"{len(known) - NAMED_AT_MOST} more"]
    *first, end = known
    return f"{', '.join(first)} {last} {end}" if first else end
