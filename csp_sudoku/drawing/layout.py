"""The layout of a drawing: where each cell, candidate, coordinate and caption stands, in units of the drawing.

One unit is about a pixel. A cell is a square whose side depends on the size of the board and on what it holds, so that
candidates of a 25×25 board are still readable when a reader zooms in. All drawings of a board share this geometry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from textwrap import wrap

from csp_sudoku.drawing.elements import path
from csp_sudoku.drawing.outline import Point, outlines
from csp_sudoku.geometry import Geometry

CANDIDATE = 16
"""Smallest side of the square of one candidate."""
PADDING = 0.06
"""Distance from the border of a cell to its candidates, in cells."""
LEAST_CELL = 40
"""Smallest side of a cell."""
LEAST_TYPE = 9
"""Smallest size of the type of a candidate that can be read, in pixels."""
LEAST_BOARD = 260
"""Smallest side of a board, so that a caption below a small one has room."""
EDGE = 4
"""Room around a board without coordinates."""
CAPTION = 13
"""Smallest size of the type of a caption."""
LINE = 1.4
"""Distance between two lines of a caption, in parts of the size of its type."""
LETTER = 0.54
"""Mean width of a letter, in parts of the size of the type; measured in the system's fonts, and rounded up."""
LANE = 0.7
"""Width of a lane of clues outside the board, in cells."""
CAP_HEIGHT = 0.35
"""Distance from the middle of a digit to its base line, in parts of the size of the type."""


@dataclass(frozen=True)
class Layout:
    """The places of a drawing of a board of `geometry`."""

    geometry: Geometry
    """The geometry of the board."""
    cell: float
    """The side of a cell."""
    left: float
    """The distance from the left border of the drawing to the board, and from its upper border as well."""
    margin: float
    """The part of that distance that the coordinates take."""
    right: float
    """The room on the right of the board and below it."""

    @staticmethod
    def of(geometry: Geometry, *, candidates: bool = False, coordinates: bool = True, lanes: int = 0) -> Layout:
        """Return the layout of a drawing.

        `geometry` is that of the board. `candidates` says whether cells must have room for candidates, `coordinates`
        whether rows and columns are numbered, and `lanes` how many clues stand outside the board, one behind another.
        """
        size = geometry.size
        side = max(LEAST_CELL, ceil(LEAST_BOARD / size))
        if candidates:
            side = max(side, 56, ceil(CANDIDATE * ceil(sqrt(size)) / (1 - 2 * PADDING)))
        clues = round(LANE * lanes * side)
        margin = round(1.7 * _margin_type(side)) if coordinates else EDGE
        return Layout(geometry, side, margin + clues, margin, EDGE + clues)

    @property
    def size(self) -> int:
        """N, the number of rows."""
        return self.geometry.size

    @property
    def side(self) -> float:
        """The side of the board."""
        return self.size * self.cell

    @property
    def width(self) -> float:
        """The width of the drawing, and its height without a caption."""
        return self.left + self.side + self.right

    @cached_property
    def columns(self) -> int:
        """The number of candidates beside each other in a cell."""
        return ceil(sqrt(self.size))

    @cached_property
    def lines(self) -> int:
        """The number of lines of candidates in a cell."""
        return ceil(self.size / self.columns)

    @property
    def value_type(self) -> float:
        """The size of the type of a value."""
        return round(self.cell * (0.62 if self.size < 10 else 0.5))

    @property
    def count_type(self) -> float:
        """The size of the type of a number of bombs, which is smaller than that of a value."""
        return round(self.cell * 0.34)

    @property
    def room(self) -> float:
        """The width of the place of one candidate."""
        return self.cell * (1 - 2 * PADDING) / self.columns

    @property
    def candidate_type(self) -> float:
        """The size of the type of a candidate."""
        return round(self.room * (0.76 if self.size < 10 else 0.66), 1)

    @property
    def least_width(self) -> float:
        """The smallest width at which the candidates of the drawing can be read."""
        return ceil(self.width * LEAST_TYPE / self.candidate_type)

    @property
    def margin_type(self) -> float:
        """The size of the type of a coordinate."""
        return _margin_type(self.cell)

    @property
    def caption_type(self) -> float:
        """The size of the type of the caption, which grows with the drawing, since a large one is shown smaller."""
        return max(CAPTION, round(0.018 * self.width))

    def corner(self, cell: int) -> Point:
        """Return the upper left corner of a cell."""
        row, column = divmod(cell, self.size)
        return self.left + column * self.cell, self.left + row * self.cell

    def centre(self, cell: int) -> Point:
        """Return the centre of a cell."""
        x, y = self.corner(cell)
        return x + self.cell / 2, y + self.cell / 2

    def middle(self, cells: Sequence[int]) -> Point:
        """Return the mean of the centres of some cells: of two neighbours it is their border, of four their corner."""
        centres = [self.centre(cell) for cell in cells]
        return sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres)

    def candidate(self, value: int) -> Point:
        """Return the centre of a candidate, measured from the corner of its cell."""
        line, place = divmod(value - 1, self.columns)
        edge, inner = PADDING * self.cell, self.cell * (1 - 2 * PADDING)
        return edge + (place + 0.5) * self.room, edge + (line + 0.5) * inner / self.lines

    def square(self, cell: int, inset: float = 0.0) -> str:
        """Return the data of a path around a cell; `inset` is the distance to its border, in units (default 0)."""
        x, y = self.corner(cell)
        side = self.cell - 2 * inset
        return path("M", x + inset, y + inset, "h", side, "v", side, "h", -side, "z")

    def through(self, cells: Sequence[int]) -> str:
        """Return the data of a line through the centres of some cells."""
        return "M" + "".join([path("L", *self.centre(cell)) for cell in cells])[1:]

    def outline(self, cells: Iterable[int], inset: float = 0.0) -> str:
        """Return the data of a path around some cells; `inset` is the distance to their border, in cells (default 0).

        >>> Layout.of(Geometry.standard(2, 2), coordinates=False).outline([0, 1])
        'M4 4L134 4L134 69L4 69z'
        """
        return "".join([self.polygon(points) for points in outlines(cells, self.size, inset)])

    def polygon(self, points: Sequence[Point]) -> str:
        """Return the data of a closed path through points of the board, whose unit is a cell."""
        steps = [path("L", self.left + x * self.cell, self.left + y * self.cell) for x, y in points]
        return f"M{''.join(steps)[1:]}z"

    def wrapped(self, caption: Sequence[str]) -> list[str]:
        """Return the lines of a caption; a paragraph that is wider than the drawing is wrapped."""
        most = max(12, int((self.width - 2 * EDGE) / (self.caption_type * LETTER)))
        return [line for paragraph in caption for line in wrap(paragraph, most) or [""]]

    def height(self, lines: int) -> float:
        """Return the height of the drawing with a caption of so many lines."""
        return self.width + (round(lines * LINE * self.caption_type) + EDGE if lines else 0)


def _margin_type(cell: float) -> float:
    """Return the size of the type of a coordinate beside cells of this side."""
    return max(12, round(0.26 * cell))
