"""The layer of the board: grounds of cells, grid, borders of blocks, extra regions, values and coordinates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from csp_sudoku.drawing.elements import Markup, classes, element, joined, path
from csp_sudoku.drawing.layout import CAP_HEIGHT, Layout
from csp_sudoku.geometry import Region

EXTRA_INSET = 0.07
"""Distance from the border of an extra region to its outline, in cells."""

DOT = "·"
"""The sign for a given that is not part of an explanation."""


def paper(layout: Layout, height: float) -> Markup:
    """Return the ground of the whole drawing, which is `height` units high."""
    return element("rect", class_="paper", width=layout.width, height=height)


def grounds(layout: Layout, states: Mapping[int, Collection[str]]) -> Markup:
    """Return the grounds of the cells that have some; `states` are the classes of these cells."""
    return element("g", *[ground(layout, cell, *states[cell]) for cell in sorted(states) if states[cell]])


def ground(layout: Layout, cell: int, *states: str, **attributes: object) -> Markup:
    """Return the ground of a cell: a square with the classes `states`, and further attributes."""
    x, y = layout.corner(cell)
    return element(
        "rect", class_=classes("ground", *states), x=x, y=y, width=layout.cell, height=layout.cell, **attributes
    )


def lines(layout: Layout) -> Markup:
    """Return the grid, the borders of the blocks, which may be irregular, and the outlines of extra regions."""
    size, block_of = layout.size, layout.geometry.block_of
    steps: dict[bool, list[str]] = {False: [], True: []}
    for line in range(size + 1):
        low = layout.left + line * layout.cell
        for is_upright in (False, True):
            borders = [_is_border(block_of, size, line, at, is_upright=is_upright) for at in range(size)]
            for is_thick in (False, True):
                for begin, end in runs_of([border is is_thick for border in borders]):
                    start, length = layout.left + begin * layout.cell, (end - begin) * layout.cell
                    steps[is_thick].append(
                        path("M", low, start, "v", length) if is_upright else path("M", start, low, "h", length)
                    )
    return joined(
        *[_extra(layout, region) for region in layout.geometry.regions[3 * size :]],
        element("path", class_="thin", d="".join(steps[False])),
        element("path", class_="thick", d="".join(steps[True])),
    )


def values(layout: Layout, shown: Mapping[int, tuple[str, str]]) -> Markup:
    """Return the values of cells; `shown` has a text and the class "given" or "filled" for each of them."""
    texts = [value(layout, cell, word, kind) for cell, (word, kind) in shown.items()]
    return element("g", *texts, font_size=layout.value_type) if texts else Markup("")


def value(layout: Layout, cell: int, word: str, kind: str | None = None) -> Markup:
    """Return a value in the middle of a cell, with the class `kind` (default None: not yet known)."""
    x, y = layout.centre(cell)
    return element("text", word, class_=classes("value", kind), x=x, y=y + CAP_HEIGHT * layout.value_type)


def count(layout: Layout, cell: int, word: str) -> Markup:
    """Return a number of bombs in the middle of a cell."""
    x, y = layout.centre(cell)
    return element("text", word, class_="count", x=x, y=y + CAP_HEIGHT * layout.count_type, font_size=layout.count_type)


def coordinates(layout: Layout) -> Markup:
    """Return the numbers of the rows, on the left, and of the columns, above. Both count from 1, as text for people."""
    size = layout.margin_type
    texts = []
    for place in range(layout.size):
        along = layout.left + (place + 0.5) * layout.cell
        for x, y in ((along, layout.margin / 2), (layout.margin / 2, along)):
            texts.append(element("text", str(place + 1), class_="margin", x=x, y=y + CAP_HEIGHT * size))
    return element("g", *texts, font_size=size)


def _extra(layout: Layout, region: Region) -> Markup:
    """Return an extra region: a line through cells that touch at corners, such as a diagonal, else an outline."""
    cells = sorted(region)
    steps = {layout.size - 1, layout.size + 1}
    if len({after - before for before, after in pairwise(cells)}) == 1 and cells[1] - cells[0] in steps:
        return element("path", class_="extra", d=layout.through(cells))
    return element("path", class_="extra", d=layout.outline(cells, EXTRA_INSET))


def _is_border(block_of: tuple[int, ...], size: int, line: int, at: int, *, is_upright: bool) -> bool:
    """Return whether a line between two cells separates two blocks, or is the frame.

    The line is the upper side of row `line` in column `at`, or with `is_upright` the left side of column `line` in row
    `at`.
    """
    if line in (0, size):
        return True
    if is_upright:
        return block_of[at * size + line - 1] != block_of[at * size + line]
    return block_of[(line - 1) * size + at] != block_of[line * size + at]


def runs_of(flags: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each run of true values.

    >>> list(runs_of([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    begin = None
    for place, flag in enumerate([*flags, False]):
        if flag and begin is None:
            begin = place
        elif not flag and begin is not None:
            yield begin, place
            begin = None
