"""The layer of the game: the last move, the regions that it completed, and the squares of each player.

Player 1 has the upper left corner of a square, and player 2 the lower right one. A triangle there means that the player
has filled the square, and a bracket that it may play there, in the modes that restrict the squares. So the meaning of a
square does not depend on colour alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from csp_sudoku.drawing.elements import Markup, element, joined, path
from csp_sudoku.drawing.layout import Layout

PLAYERS = ("one", "two")
"""The classes of the elements of player 1 and of player 2."""

RING_INSET = 2.5
"""Distance from the border of the cell of the last move to its frame, in units."""
REGION_INSET = 0.045
"""Distance from the border of a completed region to its outline, in cells."""

Cells = frozenset[int]


@dataclass(frozen=True)
class GameMarks:
    """The marks of a position of a game besides its board."""

    last: int | None = None
    """The cell of the last move; None before the first one."""
    completed: tuple[int, ...] = ()
    """The numbers of the regions that the last move has completed."""
    filled_by: tuple[Cells, Cells] = field(default=(frozenset(), frozenset()))
    """The cells that player 1 and that player 2 have filled."""
    open_to: tuple[Cells, Cells] | None = None
    """The empty cells on which player 1 and player 2 may play; None if all are open to both."""


def game_layer(layout: Layout, marks: GameMarks) -> Markup:
    """Return the marks of a position."""
    parts: list[Markup] = []
    for player, cells in enumerate(marks.filled_by):
        parts += [corner(layout, cell, player) for cell in sorted(cells)]
    for player, cells in enumerate(marks.open_to or ()):
        parts += [bracket(layout, cell, player) for cell in sorted(cells)]
    parts += [completed(layout, region) for region in marks.completed]
    if marks.last is not None:
        parts.append(ring(layout, marks.last))
    return joined(*parts)


def states(marks: GameMarks, empty: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield the classes of the grounds of cells: the last move, and `empty` cells that are closed to both players."""
    if marks.last is not None:
        yield marks.last, "last"
    if marks.open_to is not None:
        first, second = marks.open_to
        for cell in empty:
            if cell not in first and cell not in second:
                yield cell, "closed"


def ring(layout: Layout, cell: int, **attributes: object) -> Markup:
    """Return the frame of the last move."""
    return element("path", class_="ring", d=layout.square(cell, RING_INSET), **attributes)


def completed(layout: Layout, region: int, **attributes: object) -> Markup:
    """Return the outline of a completed region, by its number."""
    data = layout.outline(layout.geometry.regions[region], REGION_INSET)
    return element("path", class_="completed", d=data, **attributes)


def corner(layout: Layout, cell: int, player: int) -> Markup:
    """Return the triangle of a cell that a player (0 or 1) has filled."""
    x, y, way = _anchor(layout, cell, player)
    arm = way * round(layout.cell * 0.22)
    return element("path", class_=f"corner {PLAYERS[player]}", d=path("M", x, y, "h", arm, "L", x, y + arm, "z"))


def bracket(layout: Layout, cell: int, player: int) -> Markup:
    """Return the bracket of a cell on which a player (0 or 1) may play."""
    x, y, way = _anchor(layout, cell, player)
    near, arm = way * 3, way * round(layout.cell * 0.22)
    data = path("M", x + near, y + arm, "V", y + near, "H", x + arm)
    return element("path", class_=f"bracket {PLAYERS[player]}", d=data)


def _anchor(layout: Layout, cell: int, player: int) -> tuple[float, float, int]:
    """Return the corner of a cell that belongs to a player, and the direction from there into the cell."""
    x, y = layout.corner(cell)
    return (x, y, 1) if player == 0 else (x + layout.cell, y + layout.cell, -1)
