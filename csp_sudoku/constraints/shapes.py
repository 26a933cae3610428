"""Marks: the shapes with which variants show their rules on a board, such as cages, lines, dots and clues outside.

A mark is plain data, which names cells from 0 to N·N - 1, row by row. `Constraint.marks` returns the marks of a rule,
and `csp_sudoku.drawing.marks` draws them. Marks stand below the values or above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import OptionError, SudokuError

Form = Literal["circle", "square", "diamond"]
FORMS: tuple[Form, ...] = ("circle", "square", "diamond")
"""The forms that a `Ring` may have."""

MARK_TONES = ("grey", "green", "blue", "violet", "red", "orange", "pink", "teal", "yellow")
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
class DiagonalMark(Mark):
    """A thin line from one corner of the board to the other one."""

    is_below: ClassVar[bool] = True

    falling: bool
    """Whether the line begins in the upper left corner; the other one begins in the lower left one."""


@dataclass(frozen=True)
class Shade(Mark):
    """A tint on the ground of some cells, below all other marks."""

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
    is_dashed: bool = False
    """Whether the line is dashed; by default it is not."""


@dataclass(frozen=True)
class ArrowMark(Mark):
    """A circle on the first cell, or a pill around several, and a thin arrow from there through cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells of the shaft. It begins at the border of the circle in the first one, and its head is in the last."""
    circle: Sequence[int] = ()
    """The cells of the circle or pill; by default the first cell alone."""


@dataclass(frozen=True)
class DotMark(Mark):
    """A dot at the mean of some cells: in one cell, on the border of two, or on the corner of four.

    It is white or black, in dark surroundings as well, because that tells what it means.
    """

    cells: Sequence[int]
    """The cells."""
    is_filled: bool = False
    """Whether the dot is black; by default it is white with a border."""
    text: str = ""
    """A text in the dot, of one or several lines; none by default."""
    radius: float = 0.13
    """The radius, in cells."""


@dataclass(frozen=True)
class Ring(Mark):
    """A shape behind the value of a cell, such as the marks of odd and even cells, and of the ends of lines."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells; each has a shape of its own."""
    form: Form = "circle"
    """One of `FORMS`."""
    tone: str = "grey"
    """One of `MARK_TONES`."""
    is_hollow: bool = False
    """Whether the shape is only a border; by default it is filled with its tone."""

    def require_on(self, size: int) -> None:
        """Raise OptionError for an unknown form, and the errors of other marks."""
        super().require_on(size)
        if self.form not in FORMS:
            raise OptionError(f"expected a form among {', '.join(FORMS)}; found {self.form!r}")


@dataclass(frozen=True)
class Label(Mark):
    """A text at the mean of some cells, such as X or V between two."""

    cells: Sequence[int]
    """The cells."""
    text: str
    """The text."""
    size: float = 0.3
    """The size of the type, in cells."""


@dataclass(frozen=True)
class NoteMark(Mark):
    """A small text at the lower border of a cell."""

    cells: Sequence[int]
    """The cells; each has the text."""
    text: str
    """The text."""


@dataclass(frozen=True)
class Angle(Mark):
    """An angle between two neighbours, as in "greater than"; its tip is at the second one."""

    cells: Sequence[int]
    """The two cells."""

    def require_on(self, size: int) -> None:
        """Raise SudokuError unless there are two cells of the board."""
        super().require_on(size)
        if len(set(self.cells)) != 2:
            raise SudokuError(f"expected two cells of an Angle; found {list(self.cells)}")


@dataclass(frozen=True)
class Outside(Mark):
    """A clue outside the board, beside a row, a column or a corner."""

    row: int
    """The row of the clue, counted from 0: -1 is above the board, and N below it."""
    column: int
    """The column of the clue, counted from 0: -1 is on the left of the board, and N on the right."""
    text: str
    """The text."""
    direction: tuple[int, int] = (0, 0)
    """The direction of an arrow beside the text, as rows down and columns right; (0, 0), the default, is no arrow."""
    lane: int = 0
    """The distance from the board: 0 (the default) is next to it. Clues at one place stand in different lanes."""

    def require_on(self, size: int) -> None:
        """Raise SudokuError if the place is not beside a board with `size` rows."""
        inside = [0 <= at < size for at in (self.row, self.column)]
        if all(inside) or not all(-1 <= at <= size for at in (self.row, self.column)):
            expected = f"a clue beside the board, in row or column -1 or {size}"
            raise SudokuError(f"expected {expected}; found {(self.row, self.column)}")
