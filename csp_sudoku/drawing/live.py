"""A drawing that a script fills in: it contains every element that any position of the board may show.

A page that shows many positions of one board would be large with a drawing of each. So it has one drawing with all
elements, and its script only sets classes and texts. All places come from the layers, as in every other drawing.

Each cell has a ground, `<rect class="ground" data-ground="12">`, and `<g class="cell" data-cell="12">` with its value,
the number of its bombs, the triangles and brackets of both players, and the frame of a last move. The hidden group
`<g class="template">` has each candidate and each cross once; the script copies them into the cells. Each region has an
outline `<path class="completed" data-region="3">`. Lines and the marks of a variant let clicks through to the cells.
The classes that the script sets are those of `LIVE_STYLE`.
"""

from __future__ import annotations

from csp_sudoku.drawing import board_layer
from csp_sudoku.drawing.candidate_layer import candidate, cross
from csp_sudoku.drawing.elements import Markup, element
from csp_sudoku.drawing.game_layer import bracket, completed, corner, ring
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.drawing.marks import lanes_of, mark_layer, marks_of
from csp_sudoku.drawing.picture import document
from csp_sudoku.geometry import Geometry

HIDDEN = (".template", ".cell .corner", ".cell .bracket", ".cell .ring", ".completed")
"""The elements that are visible only in some states."""

SHOWN = (
    ".cell.filled1 .corner.one",
    ".cell.filled2 .corner.two",
    ".cell.open1 .bracket.one",
    ".cell.open2 .bracket.two",
    ".cell.last .ring",
    ".completed.now",
)
"""The states in which they are visible."""

SILENT = (".thin", ".thick", ".extra", ".completed")
"""The elements that let the clicks through to the cells."""

LIVE_STYLE = (
    f"{','.join(f'.live {one}' for one in HIDDEN)}{{display:none}}{','.join(f'.live {one}' for one in SHOWN)}"
    f"{{display:inline}}{','.join(f'.live {one}' for one in SILENT)}{{pointer-events:none}}"
)
"""The style sheet of the states, which complements that of all drawings. A script may also set classes of grounds."""


def live_board(geometry: Geometry, title: str) -> str:
    """Return the drawing of a board of `geometry` for a script; `title` is the text that screen readers read.

    The rules of the geometry are drawn, and take no clicks.

    >>> drawing = live_board(Geometry.standard(2, 2), "a game")
    >>> drawing.count('class="cell"'), drawing.count("data-region"), drawing.count("data-candidate")
    (16, 12, 4)
    """
    marks = marks_of(geometry)
    layout = Layout.of(geometry, candidates=True, lanes=lanes_of(marks))
    cells = range(geometry.cell_count)
    size = layout.size
    template = [candidate(layout, value, data_candidate=value) for value in range(1, size + 1)]
    template += [cross(layout, value, data_cross=value) for value in range(1, size + 1)]
    regions = [completed(layout, region, data_region=region) for region in range(len(geometry.regions))]
    live = element(
        "g",
        element("g", *[board_layer.ground(layout, cell, data_ground=cell) for cell in cells]),
        mark_layer(layout, marks, is_below=True),
        board_layer.lines(layout),
        element("g", *[_cell(layout, cell) for cell in cells], font_size=layout.value_type),
        element("g", *template, class_="template", font_size=layout.candidate_type),
        mark_layer(layout, marks, is_below=False),
        element("g", *regions),
        class_="live",
    )
    paper, coordinates = board_layer.paper(layout, layout.width), board_layer.coordinates(layout)
    description = "The board of the position that is chosen; the list of turns says the same in words."
    return document(layout, layout.width, title, description, paper, live, coordinates, extra_style=LIVE_STYLE)


def _cell(layout: Layout, cell: int) -> Markup:
    """Return the elements of a cell: its value, its bombs, the marks of both players, the frame of a last move."""
    x, y = layout.corner(cell)
    return element(
        "g",
        board_layer.value(layout, cell, ""),
        board_layer.count(layout, cell, ""),
        *[draw(layout, cell, player) for draw in (corner, bracket) for player in (0, 1)],
        ring(layout, cell),
        class_="cell",
        data_cell=cell,
        data_x=x,
        data_y=y,
    )
