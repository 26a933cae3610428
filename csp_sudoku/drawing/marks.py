"""Marks: the shapes that variants of sudoku draw on a board, such as cages, lines, dots and clues outside.

A mark is plain data, which names cells from 0 to N·N - 1, row by row; `Mark.draw` draws it on a layout. Marks stand
below the values or above them. `csp_sudoku.drawing.svg(board, marks=…)` draws them, and those that the constraints of
the board's geometry have (`marks_of`). On a page, they let the clicks through to the cells.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import ClassVar, Literal

from csp_sudoku.coordinates import cell_name
from csp_sudoku.drawing.elements import Markup, element, joined, path
from csp_sudoku.drawing.layout import CAP_HEIGHT, Layout
from csp_sudoku.drawing.palette import MARK_TONES
from csp_sudoku.errors import OptionError, SudokuError
from csp_sudoku.geometry import Geometry

Side = Literal["left", "top", "right", "bottom"]
SIDES: tuple[Side, ...] = ("left", "top", "right", "bottom")

CAGE_INSET = 0.08
"""Distance from the border of a cage to its outline, in cells."""
CORNER_TYPE = 0.22
"""Size of the type of a label in the corner of a cage, in cells."""


@dataclass(frozen=True)
class Mark(ABC):
    """A shape on a board. A subclass is a frozen dataclass; its coordinates are cells."""

    is_below: ClassVar[bool] = False
    """Whether the values are drawn over the mark."""

    @abstractmethod
    def draw(self, layout: Layout) -> Markup:
        """Return the elements of the mark."""

    def require_on(self, size: int) -> None:
        """Raise SudokuError if the mark names a cell that a board with `size` rows lacks."""
        for cell in getattr(self, "cells", ()):
            if not 0 <= cell < size * size:
                last = cell_name(size - 1, size - 1)
                raise SudokuError(f"expected a mark on cells 0 (r1c1) to {size * size - 1} ({last}); found cell {cell}")
        if not getattr(self, "cells", (0,)):
            raise SudokuError(f"expected at least one cell of a {type(self).__name__}; found none")


@dataclass(frozen=True)
class Shade(Mark):
    """A tint on the ground of some cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells."""
    tone: str = "grey"
    """One of `MARK_TONES`."""

    def draw(self, layout: Layout) -> Markup:
        data = "".join([layout.square(cell) for cell in self.cells])
        return element("path", class_=f"shade {_tone(self.tone)}", d=data)


@dataclass(frozen=True)
class CageMark(Mark):
    """A dashed outline around some cells, with a label in the corner of the first of them, such as a sum."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells."""
    label: str = ""
    """The text in the corner; none by default."""

    def draw(self, layout: Layout) -> Markup:
        outline = element("path", class_="cage", d=layout.outline(self.cells, CAGE_INSET))
        if not self.label:
            return outline
        x, y = layout.corner(min(self.cells))
        size = CORNER_TYPE * layout.cell
        place = x + CAGE_INSET * layout.cell + 1 + size * 0.3 * len(self.label)
        label = element("text", self.label, class_="label", x=place, y=y + size, font_size=round(size, 1))
        return joined(outline, label)


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

    def draw(self, layout: Layout) -> Markup:
        tone = _tone(self.tone)
        data = layout.through(self.cells) + ("z" if self.is_closed else "")
        drawn = element("path", class_=f"line {tone}", d=data, stroke_width=self.width * layout.cell)
        if not self.bulb:
            return drawn
        x, y = layout.centre(self.cells[0])
        return joined(drawn, element("circle", class_=f"shade {tone}", cx=x, cy=y, r=self.bulb * layout.cell))


@dataclass(frozen=True)
class ArrowMark(Mark):
    """A circle on the first cell, or a pill around several, and a thin arrow from there through cells."""

    is_below: ClassVar[bool] = True

    cells: Sequence[int]
    """The cells of the shaft. It begins at the border of the circle in the first one, and its head is in the last."""
    bulb: Sequence[int] = ()
    """The cells of the circle or pill; by default the first cell alone."""

    def draw(self, layout: Layout) -> Markup:
        radius = 0.36 * layout.cell
        bulb = [layout.centre(cell) for cell in self.bulb or self.cells[:1]]
        xs, ys = [x for x, _ in bulb], [y for _, y in bulb]
        pill = element(
            "rect", class_="arrow", x=min(xs) - radius, y=min(ys) - radius, rx=radius,
            width=max(xs) - min(xs) + 2 * radius, height=max(ys) - min(ys) + 2 * radius,
        )  # fmt: skip
        return joined(pill, *self._shaft(layout, radius))

    def _shaft(self, layout: Layout, radius: float) -> list[Markup]:
        """Return the line, which begins at the border of the circle, and its head."""
        points = [layout.centre(cell) for cell in self.cells]
        if len(points) < 2:
            return []
        (x, y), (next_x, next_y) = points[:2]
        length = hypot(next_x - x, next_y - y)
        points[0] = x + (next_x - x) * radius / length, y + (next_y - y) * radius / length
        (before_x, before_y), (end_x, end_y) = points[-2:]
        length = hypot(end_x - before_x, end_y - before_y)
        ahead_x, ahead_y = (end_x - before_x) / length, (end_y - before_y) / length
        arm = 0.18 * layout.cell
        barbs = [
            (end_x - arm * (ahead_x + side * ahead_y), end_y - arm * (ahead_y - side * ahead_x)) for side in (1, -1)
        ]
        shaft = "M" + "".join([path("L", *point) for point in points])[1:]
        head = path("M", *barbs[0], "L", end_x, end_y, "L", *barbs[1])
        return [element("path", class_="arrow", d=shaft + head)]


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

    def draw(self, layout: Layout) -> Markup:
        x, y = layout.middle(self.cells)
        kind = "solid" if self.is_filled else "hollow"
        circle = element("circle", class_=kind, cx=x, cy=y, r=self.radius * layout.cell)
        if not self.text:
            return circle
        size = round(min(1.5, 2.6 / max(1, len(self.text))) * self.radius * layout.cell, 1)
        label = element("text", self.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)
        return joined(circle, label)


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

    def draw(self, layout: Layout) -> Markup:
        tone, radius = _tone(self.tone), 0.38 * layout.cell
        if self.is_square:
            data = "".join([layout.square(cell, layout.cell / 2 - radius) for cell in self.cells])
            return element("path", class_=f"shade {tone}", d=data)
        centres = [layout.centre(cell) for cell in self.cells]
        return joined(*[element("circle", class_=f"shade {tone}", cx=x, cy=y, r=radius) for x, y in centres])


@dataclass(frozen=True)
class Label(Mark):
    """A text at the mean of some cells, such as X, V or < between two."""

    cells: Sequence[int]
    """The cells."""
    text: str
    """The text."""
    size: float = 0.3
    """The size of the type, in cells."""

    def draw(self, layout: Layout) -> Markup:
        x, y = layout.middle(self.cells)
        size = round(self.size * layout.cell, 1)
        return element("text", self.text, class_="label", x=x, y=y + CAP_HEIGHT * size, font_size=size)


@dataclass(frozen=True)
class Outside(Mark):
    """A clue outside the board, beside a row or a column."""

    side: Side
    """The side of the board: left and right have a place for each row, top and bottom for each column."""
    place: int
    """The row or column, counted from 0."""
    text: str
    """The text."""

    def draw(self, layout: Layout) -> Markup:
        along = layout.left + (self.place + 0.5) * layout.cell
        near, far = layout.left - 0.36 * layout.cell, layout.left + layout.side + 0.36 * layout.cell
        across = near if self.side in ("left", "top") else far
        x, y = (across, along) if self.side in ("left", "right") else (along, across)
        size = round(0.36 * layout.cell * min(1.0, 2.6 / max(1, len(self.text))), 1)
        return element("text", self.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)

    def require_on(self, size: int) -> None:
        if self.side not in SIDES:
            raise OptionError(f"expected a side among {', '.join(SIDES)}; found {self.side!r}")
        if not 0 <= self.place < size:
            raise SudokuError(f"expected a place outside the board from 0 to {size - 1}; found {self.place}")


def marks_of(geometry: Geometry) -> tuple[Mark, ...]:
    """Return the marks of the constraints of a geometry, in their order; a plain geometry has none.

    A geometry of a variant may have `constraints`, and each of them a method `marks`, which takes the geometry and
    returns marks. A constraint without that method is not drawn.
    """
    constraints = getattr(geometry, "constraints", ())
    drawn = [constraint.marks for constraint in constraints if hasattr(constraint, "marks")]
    return tuple([mark for marks in drawn for mark in marks(geometry)])


def mark_layer(layout: Layout, marks: Iterable[Mark], *, is_below: bool) -> Markup:
    """Return the marks that stand below the values, or with `is_below` false those above, as a group."""
    drawn = [mark.draw(layout) for mark in marks if mark.is_below is is_below]
    return element("g", *drawn, class_="variant") if drawn else Markup("")


def has_outside(marks: Iterable[Mark]) -> bool:
    """Return whether some mark is a clue outside, which needs room beside the board."""
    return any(isinstance(mark, Outside) for mark in marks)


def _tone(name: str) -> str:
    """Return the name of a tone of marks; raise OptionError if there is none of that name."""
    if name not in MARK_TONES:
        raise OptionError(f"expected a tone of marks among {', '.join(MARK_TONES)}; found {name!r}")
    return name
