"""Draws the marks of variants: cages, lines, arrows, dots, labels and clues outside.

`csp_sudoku.constraints.shapes` has the marks. `csp_sudoku.drawing.svg(board, marks=…)` draws them, and those that the
constraints of the board's geometry have (`marks_of`). On a page, they let the clicks through to the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, Any, cast

from csp_sudoku.constraints.shapes import (
    Angle,
    ArrowMark,
    CageMark,
    DiagonalMark,
    DotMark,
    Label,
    LineMark,
    Mark,
    NoteMark,
    Outside,
    Ring,
    Shade,
)
from csp_sudoku.drawing.elements import Markup, element, joined, path
from csp_sudoku.drawing.layout import CAP_HEIGHT, LANE, Layout
from csp_sudoku.geometry import Geometry

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint

CAGE_INSET = 0.08
"""Distance from the border of a cage to its outline, in cells."""
CORNER_TYPE = 0.22
"""Size of the type of a label in the corner of a cage, in cells."""
NOTE_TYPE = 0.2
"""Size of the type of a note at the lower border of a cell, in cells."""


def draw(mark: Mark, layout: Layout) -> Markup:
    """Return the elements of a mark."""
    return DRAWERS[type(mark)](mark, layout)


def mark_layer(layout: Layout, marks: Iterable[Mark], *, is_below: bool) -> Markup:
    """Return the marks that are drawn below the values, shades first, or those above them, as a group."""
    chosen = [mark for mark in marks if mark.is_below is is_below]
    chosen.sort(key=lambda mark: not isinstance(mark, Shade))
    return element("g", *[draw(mark, layout) for mark in chosen], class_="variant") if chosen else joined()


def lanes_of(marks: Iterable[Mark]) -> int:
    """Return the number of lanes that the clues outside the board take."""
    return max([mark.lane + 1 for mark in marks if isinstance(mark, Outside)], default=0)


def marks_of(geometry: Geometry) -> tuple[Mark, ...]:
    """Return the marks of the constraints of a geometry, in their order; a plain geometry has none."""
    constraints = cast("tuple[Constraint, ...]", geometry.constraints)
    return in_lanes([mark for constraint in constraints for mark in constraint.marks(geometry)])


def in_lanes(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return the marks, with outside clues at the same place moved away from the board until each has its own lane.

    >>> [mark.lane for mark in in_lanes([Outside(-1, 0, "7"), Outside(-1, 0, "12"), Outside(-1, 1, "3")])]
    [0, 1, 0]
    """
    found: list[Mark] = []
    taken: set[tuple[int, int, int]] = set()
    for mark in marks:
        if isinstance(mark, Outside):
            while (mark.row, mark.column, mark.lane) in taken:
                mark = replace(mark, lane=mark.lane + 1)  # noqa: PLW2901 - the same mark, farther out
            taken.add((mark.row, mark.column, mark.lane))
        found.append(mark)
    return tuple(found)


def _shade(mark: Shade, layout: Layout) -> Markup:
    data = "".join([layout.square(cell) for cell in mark.cells])
    return element("path", class_=f"shade {mark.tone}", d=data)


def _cage(mark: CageMark, layout: Layout) -> Markup:
    outline = element("path", class_="cage", d=layout.outline(mark.cells, CAGE_INSET))
    if not mark.label:
        return outline
    x, y = layout.corner(min(mark.cells))
    size = CORNER_TYPE * layout.cell
    place = x + CAGE_INSET * layout.cell + 1 + size * 0.3 * len(mark.label)
    label = element("text", mark.label, class_="label", x=place, y=y + size, font_size=round(size, 1))
    return joined(outline, label)


def _line(mark: LineMark, layout: Layout) -> Markup:
    data = layout.through(mark.cells) + ("z" if mark.is_closed else "")
    dashes = f"{2.5 * mark.width * layout.cell:g}" if mark.is_dashed else None
    drawn = element(
        "path", class_=f"line {mark.tone}", d=data, stroke_width=mark.width * layout.cell, stroke_dasharray=dashes
    )
    if not mark.bulb:
        return drawn
    x, y = layout.centre(mark.cells[0])
    return joined(drawn, element("circle", class_=f"shade {mark.tone}", cx=x, cy=y, r=mark.bulb * layout.cell))


def _arrow(mark: ArrowMark, layout: Layout) -> Markup:
    radius = 0.36 * layout.cell
    bulb = [layout.centre(cell) for cell in mark.circle or mark.cells[:1]]
    xs, ys = [x for x, _ in bulb], [y for _, y in bulb]
    pill = element(
        "rect", class_="arrow", x=min(xs) - radius, y=min(ys) - radius, rx=radius,
        width=max(xs) - min(xs) + 2 * radius, height=max(ys) - min(ys) + 2 * radius,
    )  # fmt: skip
    return joined(pill, *_shaft(mark, layout, radius))


def _shaft(mark: ArrowMark, layout: Layout, radius: float) -> list[Markup]:
    """Return the line of an arrow, which begins at the border of the circle, and its head."""
    points = [layout.centre(cell) for cell in mark.cells]
    if len(points) < 2:
        return []
    (x, y), (next_x, next_y) = points[:2]
    length = hypot(next_x - x, next_y - y)
    points[0] = x + (next_x - x) * radius / length, y + (next_y - y) * radius / length
    (before_x, before_y), (end_x, end_y) = points[-2:]
    length = hypot(end_x - before_x, end_y - before_y)
    ahead_x, ahead_y = (end_x - before_x) / length, (end_y - before_y) / length
    arm = 0.18 * layout.cell
    barbs = [(end_x - arm * (ahead_x + side * ahead_y), end_y - arm * (ahead_y - side * ahead_x)) for side in (1, -1)]
    shaft = "M" + "".join([path("L", *point) for point in points])[1:]
    head = path("M", *barbs[0], "L", end_x, end_y, "L", *barbs[1])
    return [element("path", class_="arrow", d=shaft + head)]


def _dot(mark: DotMark, layout: Layout) -> Markup:
    x, y = layout.middle(mark.cells)
    kind = "solid" if mark.is_filled else "hollow"
    circle = element("circle", class_=kind, cx=x, cy=y, r=mark.radius * layout.cell)
    if not mark.text:
        return circle
    lines = mark.text.split("\n")
    size = round(min(1.7 / len(lines), 2.6 / max(map(len, lines))) * mark.radius * layout.cell, 1)
    kind = "in-black" if mark.is_filled else "in-white"
    labels = [
        element("text", line, class_=kind, x=x, y=y + size * (CAP_HEIGHT + at - (len(lines) - 1) / 2), font_size=size)
        for at, line in enumerate(lines)
    ]
    return joined(circle, *labels)


def _ring(mark: Ring, layout: Layout) -> Markup:
    radius = 0.38 * layout.cell
    kind = "open" if mark.is_hollow else f"shade {mark.tone}"
    if mark.form == "square":
        data = "".join([layout.square(cell, layout.cell / 2 - radius) for cell in mark.cells])
        return element("path", class_=kind, d=data)
    centres = [layout.centre(cell) for cell in mark.cells]
    if mark.form == "diamond":
        arm = 1.15 * radius
        corners = [path("M", x - arm, y, "l", arm, -arm, "l", arm, arm, "l", -arm, arm, "z") for x, y in centres]
        return element("path", class_=kind, d="".join(corners))
    return joined(*[element("circle", class_=kind, cx=x, cy=y, r=radius) for x, y in centres])


def _label(mark: Label, layout: Layout) -> Markup:
    x, y = layout.middle(mark.cells)
    size = round(mark.size * layout.cell, 1)
    return element("text", mark.text, class_="label", x=x, y=y + CAP_HEIGHT * size, font_size=size)


def _note(mark: NoteMark, layout: Layout) -> Markup:
    size = round(NOTE_TYPE * layout.cell * min(1.0, 7 / max(1, len(mark.text))), 1)
    texts = [
        element("text", mark.text, class_="label", x=x, y=y + 0.45 * layout.cell, font_size=size)
        for x, y in map(layout.centre, mark.cells)
    ]
    return joined(*texts)


def _angle(mark: Angle, layout: Layout) -> Markup:
    (x, y), (to_x, to_y) = map(layout.centre, mark.cells)
    length = hypot(to_x - x, to_y - y)
    ahead_x, ahead_y = (to_x - x) / length, (to_y - y) / length
    middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
    depth, arm = 0.07 * layout.cell, 0.12 * layout.cell
    tip = middle_x + depth * ahead_x, middle_y + depth * ahead_y
    ends = [
        (middle_x - depth * ahead_x - side * arm * ahead_y, middle_y - depth * ahead_y + side * arm * ahead_x)
        for side in (1, -1)
    ]
    return element("path", class_="angle", d=path("M", *ends[0], "L", *tip, "L", *ends[1]))


def _diagonal(mark: DiagonalMark, layout: Layout) -> Markup:
    low, high = layout.left, layout.left + layout.side
    start, end = (low, high) if mark.falling else (high, low)
    return element("path", class_="diagonal", d=path("M", low, start, "L", high, end))


def _outside(mark: Outside, layout: Layout) -> Markup:
    x, y = [_off_board(at, mark.lane, layout) for at in (mark.column, mark.row)]
    size = round((0.36 if not any(mark.direction) else 0.3) * layout.cell * min(1.0, 2.6 / max(1, len(mark.text))), 1)
    if not any(mark.direction):
        return element("text", mark.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)
    down, right = mark.direction
    x, y = x - 0.08 * right * layout.cell, y - 0.08 * down * layout.cell
    reach, barb = 0.17 * layout.cell, 0.09 * layout.cell
    tip_x, tip_y = x + 0.36 * right * layout.cell, y + 0.36 * down * layout.cell
    arrow = path(
        "M", tip_x - reach * right, tip_y - reach * down, "L", tip_x, tip_y, "m", -barb * right, 0, "h", barb * right,
        "v", -barb * down,
    )  # fmt: skip
    label = element("text", mark.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)
    return joined(label, element("path", class_="pointer", d=arrow))


def _off_board(at: int, lane: int, layout: Layout) -> float:
    """Return the position of a clue in row or column `at`: beside the board, or along it."""
    if at < 0:
        return layout.left - (0.36 + LANE * lane) * layout.cell
    if at >= layout.size:
        return layout.left + layout.side + (0.36 + LANE * lane) * layout.cell
    return layout.left + (at + 0.5) * layout.cell


DRAWERS: dict[type[Mark], Callable[[Any, Layout], Markup]] = {
    Shade: _shade,
    CageMark: _cage,
    LineMark: _line,
    ArrowMark: _arrow,
    DotMark: _dot,
    Ring: _ring,
    Label: _label,
    NoteMark: _note,
    Angle: _angle,
    DiagonalMark: _diagonal,
    Outside: _outside,
}
"""The function that draws each kind of mark."""
