"""Draws the marks of variants: cages, lines, arrows, dots, labels and clues outside.

`csp_sudoku.constraints.shapes` has the marks. `csp_sudoku.drawing.svg(board, marks=…)` draws them, and those that the
constraints of the board's geometry have (`marks_of`). On a page, they let the clicks through to the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot
from typing import Any

from csp_sudoku.constraints.shapes import ArrowMark, CageMark, DotMark, Label, LineMark, Mark, Outside, Ring, Shade
from csp_sudoku.drawing.elements import Markup, element, joined, path
from csp_sudoku.drawing.layout import CAP_HEIGHT, Layout
from csp_sudoku.geometry import Geometry

CAGE_INSET = 0.08
"""Distance from the border of a cage to its outline, in cells."""
CORNER_TYPE = 0.22
"""Size of the type of a label in the corner of a cage, in cells."""


def draw(mark: Mark, layout: Layout) -> Markup:
    """Return the elements of a mark."""
    return DRAWERS[type(mark)](mark, layout)


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
    drawn = [draw(mark, layout) for mark in marks if mark.is_below is is_below]
    return element("g", *drawn, class_="variant") if drawn else Markup("")


def has_outside(marks: Iterable[Mark]) -> bool:
    """Return whether some mark is a clue outside, which needs room beside the board."""
    return any(isinstance(mark, Outside) for mark in marks)


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
    drawn = element("path", class_=f"line {mark.tone}", d=data, stroke_width=mark.width * layout.cell)
    if not mark.bulb:
        return drawn
    x, y = layout.centre(mark.cells[0])
    return joined(drawn, element("circle", class_=f"shade {mark.tone}", cx=x, cy=y, r=mark.bulb * layout.cell))


def _arrow(mark: ArrowMark, layout: Layout) -> Markup:
    radius = 0.36 * layout.cell
    bulb = [layout.centre(cell) for cell in mark.bulb or mark.cells[:1]]
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
    size = round(min(1.5, 2.6 / max(1, len(mark.text))) * mark.radius * layout.cell, 1)
    label = element("text", mark.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)
    return joined(circle, label)


def _ring(mark: Ring, layout: Layout) -> Markup:
    radius = 0.38 * layout.cell
    if mark.is_square:
        data = "".join([layout.square(cell, layout.cell / 2 - radius) for cell in mark.cells])
        return element("path", class_=f"shade {mark.tone}", d=data)
    centres = [layout.centre(cell) for cell in mark.cells]
    return joined(*[element("circle", class_=f"shade {mark.tone}", cx=x, cy=y, r=radius) for x, y in centres])


def _label(mark: Label, layout: Layout) -> Markup:
    x, y = layout.middle(mark.cells)
    size = round(mark.size * layout.cell, 1)
    return element("text", mark.text, class_="label", x=x, y=y + CAP_HEIGHT * size, font_size=size)


def _outside(mark: Outside, layout: Layout) -> Markup:
    along = layout.left + (mark.place + 0.5) * layout.cell
    near, far = layout.left - 0.36 * layout.cell, layout.left + layout.side + 0.36 * layout.cell
    across = near if mark.side in ("left", "top") else far
    x, y = (across, along) if mark.side in ("left", "right") else (along, across)
    size = round(0.36 * layout.cell * min(1.0, 2.6 / max(1, len(mark.text))), 1)
    return element("text", mark.text, class_="clue", x=x, y=y + CAP_HEIGHT * size, font_size=size)


DRAWERS: dict[type[Mark], Callable[[Any, Layout], Markup]] = {
    Shade: _shade,
    CageMark: _cage,
    LineMark: _line,
    ArrowMark: _arrow,
    DotMark: _dot,
    Ring: _ring,
    Label: _label,
    Outside: _outside,
}
"""The function that draws each kind of mark."""
