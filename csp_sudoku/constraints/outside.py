"""Clues outside the board about a row, a column or a diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint
from csp_sudoku.errors import ConstraintError
from csp_sudoku.geometry import Geometry


def seen_from(geometry: Geometry, row: int, column: int) -> Cells:
    """The cells of a row or a column in the order in which a clue outside the board sees them.

    `row` and `column` are the place of the clue: one of them is -1 or N, and the other from 0 to N - 1.

    >>> from csp_sudoku import Geometry
    >>> seen_from(Geometry.standard(2, 2), 1, 4)
    (7, 6, 5, 4)
    """
    size = geometry.size
    if row in (-1, size) and 0 <= column < size:
        cells = [geometry.cell(r, column) for r in range(size)]
        return tuple(cells if row < 0 else cells[::-1])
    if column in (-1, size) and 0 <= row < size:
        cells = [geometry.cell(row, c) for c in range(size)]
        return tuple(cells if column < 0 else cells[::-1])
    raise ConstraintError(
        f"expected a clue beside a row or a column, with -1 or {size} as its column or row; found {(row, column)}"
    )


def diagonal_from(geometry: Geometry, cell: int, down: int, right: int) -> Cells:
    """The cells of a diagonal from `cell` to the border.

    `down` and `right` are its direction, each 1 or -1: -1 leads up, or to the left.

    >>> from csp_sudoku import Geometry
    >>> diagonal_from(Geometry.standard(2, 2), 1, 1, 1)
    (1, 6, 11)
    """
    row, column = geometry.row_column(cell)
    cells = []
    while 0 <= row < geometry.size and 0 <= column < geometry.size:
        cells.append(geometry.cell(row, column))
        row, column = row + down, column + right
    return tuple(cells)


@dataclass(frozen=True)
class LittleKiller(Constraint):
    """The values along a diagonal add up to `total`; they may repeat."""

    name: ClassVar[str] = "little-killer"

    cells: Cells
    """The cells of the diagonal, from the clue on."""
    total: int
    """The sum."""


@dataclass(frozen=True)
class Sandwich(Constraint):
    """The values between 1 and N add up to `total`."""

    name: ClassVar[str] = "sandwich"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    total: int
    """The sum."""


@dataclass(frozen=True)
class XSum(Constraint):
    """The first X values add up to `total`, where X is the first of them."""

    name: ClassVar[str] = "x-sum"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    total: int
    """The sum."""


@dataclass(frozen=True)
class Skyscraper(Constraint):
    """`count` values are seen: each is higher than all before it."""

    name: ClassVar[str] = "skyscraper"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    count: int
    """How many values are seen."""


@dataclass(frozen=True)
class NumberedRoom(Constraint):
    """The value at place X is `value`, where X is the first value."""

    name: ClassVar[str] = "numbered-room"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    value: int
    """The value."""


@dataclass(frozen=True)
class FullRank(Constraint):
    """Among the 4·N numbers that the rows and columns show from both ends, this one has rank `rank`."""

    name: ClassVar[str] = "full-rank"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    rank: int
    """The place of the number when all are sorted, counted from 1; equal numbers share the lowest place."""
