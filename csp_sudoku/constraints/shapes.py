"""Marks: the shapes with which variants show their rules on a board, such as cages, lines, dots and clues outside.

A mark is plain data, which names cells from 0 to N·N - 1, row by row. `Constraint.marks` returns those of a rule, and
`csp_sudoku.drawing.marks` draws them. Marks stand below the values or above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import OptionError, SudokuError

Side = Literal["left", "top", "right", "bottom"]
SIDES: tuple[Side, ...] = ("left", "top", "right", "bottom")

MARK_TONES = ("grey", "green", "blue", "violet", "red", "orange")
"""The tones that the lines and shades of variants may have."""


@dataclass(frozen=True)
class Mark:
    """A shape on a board. A subclass is a frozen dataclass; its coordinates are cells."""

    is_below: ClassVar[bool] = False
    """Whether the values are drawn over the mark."""

    def require_on(self, size: int) -> None:
        """Raise SudokuError if the mark names a cell that a board with `size` rows lacks."""
        for cell in getattr(self, "cells", ()):
            if not 0 <= cell < size * size:
                last = cell_name(size - 1, size - 1)
                raise SudokuError(f"expected a mark on cells 0 (r1c1) to {size * size - 1} ({last}); found cell {cell}")
        if not getattr(self, "cells", (0,)):
            raise SudokuError(f"expected at least one cell of a {type(self).__name__}; found none")
        tone = getattr(self, "tone", MARK_TONES[0])
        if tone not in MARK_TONES:
            raise OptionError(f"expected a tone of marks among {', '.join(MARK_TONES)}; found {tone!r}")


@dataclass(frozen=True)
class Shade(Mark):
    """A tint on the ground of some cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells."""
    tone: str = "grey"
    """One of `MARK_TONES`."""


@dataclass(frozen=True)
class CageMark(Mark):
    """A dashed outline around some cells, with a label in the corner of the first of them, such as a sum."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells."""
    label: str = ""
    """The text in the corner; none by default."""


@dataclass(frozen=True)
class LineMark(Mark):
    """A line through the centres of cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells, in the order of the line."""
    tone: str = "grey"
    """One of `MARK_TONES`."""
    width: float = 0.2
    """The width of the line, in cells."""
    is_closed: bool = False
    """Whether the line leads back to its first cell."""
    bulb: float = 0.0
    """The radius of a disc at the first cell, in cells, as a thermometer has; 0, the default, is none."""


@dataclass(frozen=True)
class ArrowMark(Mark):
    """A circle on the first cell, or a pill around several, and a thin arrow from there through cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells of the shaft. It begins at the border of the circle in the first one, and its head is in the last."""
    bulb: Sequence[int] = ()
    """The cells of the circle or pill; by default the first cell alone."""


@dataclass(frozen=True)
class DotMark(Mark):
    """A dot at the mean of some cells: in one cell, on the border of two, or on the corner of four."""

    cells: Sequence[int]
    """The cells."""
    is_filled: bool = False
    """Whether the dot is black; by default it is white with a border."""
    text: str = ""
    """A text in the dot; none by default."""
    radius: float = 0.13
    """The radius, in cells."""


@dataclass(frozen=True)
class Ring(Mark):
    """A circle or a square behind the value of a cell, such as marks odd and even cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells; each has a shape of its own."""
    is_square: bool = False
    """Whether the shape is a square; by default it is a circle."""
    tone: str = "grey"
    """One of `MARK_TONES`."""


@dataclass(frozen=True)
class Label(Mark):
    """A text at the mean of some cells, such as X, V or < between two."""

    cells: Sequence[int]
    """The cells."""
    text: str
    """The text."""
    size: float = 0.3
    """The size of the type, in cells."""


@dataclass(frozen=True)
class Outside(Mark):
    """A clue outside the board, beside a row or a column."""

    side: Side
    """The side of the board: left and right have a place for each row, top and bottom for each column."""
    place: int
    """The row or column, counted from 0."""
    text: str
    """The text."""

    def require_on(self, size: int) -> None:
        """Raise OptionError for an unknown side, and SudokuError for a place that a board with `size` rows lacks."""
        if self.side not in SIDES:
            raise OptionError(f"expected a side among {', '.join(SIDES)}; found {self.side!r}")
        if not 0 <= self.place < size:
            raise SudokuError(f"expected a place outside the board from 0 to {size - 1}; found {self.place}")
