"""A picture: the contents of a drawing of a board, as a value, and the drawing from the layers.

From below: the paper, the grounds of cells, marks of variants below the values, the grid, values or candidates, marks
above the values, the marks of a game, coordinates, and a caption. The same picture always gives the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from csp_sudoku.constraints.shapes import Mark
from csp_sudoku.drawing import board_layer, game_layer
from csp_sudoku.drawing.candidate_layer import Heat, ShownCandidates, candidates
from csp_sudoku.drawing.elements import Markup, element, joined
from csp_sudoku.drawing.game_layer import GameMarks
from csp_sudoku.drawing.layout import EDGE, LINE, Layout
from csp_sudoku.drawing.marks import lanes_of, mark_layer
from csp_sudoku.drawing.palette import ROOT, style

if TYPE_CHECKING:
    from csp_sudoku.board import Board

NAMESPACE = "http://www.w3.org/2000/svg"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The contents of a drawing of a board."""

    board: Board
    """The board, with all values that are shown."""
    title: str
    """The title of the picture, in a few words; screen readers read it first."""
    given: frozenset[int]
    """The filled cells that are givens; the other filled cells were filled in."""
    candidates: ShownCandidates | None = None
    """The candidates of the empty cells; None leaves these cells empty."""
    heat: Heat | None = None
    """The number of bombs of each empty cell, which replaces the candidates; None shows no heat."""
    faded: frozenset[int] = frozenset()
    """The filled cells outside an explanation; a dot stands for their value."""
    part: frozenset[int] = frozenset()
    """The cells of an explanation; their ground is tinted."""
    game: GameMarks = field(default_factory=GameMarks)
    """The marks of a position of a game."""
    marks: tuple[Mark, ...] = ()
    """The marks of a variant."""
    caption: tuple[str, ...] = ()
    """Paragraphs below the board."""
    coordinates: bool = True
    """Whether the rows and columns are numbered."""


def render(picture: Picture) -> str:
    """Return a picture as a self-contained SVG document: it needs no font, no script and no other file."""
    for mark in picture.marks:
        mark.require_on(picture.board.size)
    has_candidates = picture.candidates is not None and picture.heat is None
    layout = Layout.of(
        picture.board.geometry,
        candidates=has_candidates,
        coordinates=picture.coordinates,
        lanes=lanes_of(picture.marks),
    )
    caption = layout.wrapped(picture.caption)
    height = layout.height(len(caption))
    return document(
        layout,
        height,
        picture.title,
        described(picture),
        board_layer.paper(layout, height),
        board_layer.grounds(layout, _states(picture)),
        mark_layer(layout, picture.marks, is_below=True),
        board_layer.lines(layout),
        board_layer.values(layout, _values(picture)),
        _counts(layout, picture),
        _candidates(layout, picture),
        mark_layer(layout, picture.marks, is_below=False),
        game_layer.game_layer(layout, picture.game),
        board_layer.coordinates(layout) if picture.coordinates else Markup(""),
        _caption(layout, caption),
        least_width=layout.least_width if has_candidates else None,
    )


def document(
    layout: Layout,
    height: float,
    title: str,
    description: str,
    *layers: Markup,
    extra_style: str = "",
    least_width: float | None = None,
) -> str:
    """Return an SVG document of some layers.

    `layout` gives the width, and `height` the height. `title` and `description` are read aloud. `extra_style` is added
    to the style sheet (default: nothing). `least_width` is the width below which a reader does not scale the drawing to
    the room that there is (default None: every width will do).
    """
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        element("style", Markup(style() + extra_style)),
        *layers,
        xmlns=NAMESPACE,
        class_=ROOT,
        style=None if least_width is None else f"min-width:{least_width:g}px",
        role="img",
        viewBox=f"0 0 {round(layout.width, 2):g} {round(height, 2):g}",
        width=layout.width,
        height=height,
    )


def described(picture: Picture) -> str:
    """Return the board and the caption of a picture as text, for screen readers.

    >>> from csp_sudoku.board import Board
    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> described(Picture(board=board, title="a puzzle", given=frozenset({0, 6, 9, 15})))
    'row 1: 1 . . .; row 2: . . 2 .; row 3: . 3 . .; row 4: . . . 4'
    """
    rows = [
        f"row {number}: {' '.join(str(value or '.') for value in row)}"
        for number, row in enumerate(picture.board.rows, 1)
    ]
    return ". ".join(["; ".join(rows), *picture.caption])


def _states(picture: Picture) -> dict[int, list[str]]:
    """Return the classes of the grounds of cells."""
    states: dict[int, list[str]] = {cell: ["given"] for cell in sorted(picture.given)}
    empty = list(picture.board.empty_cells())
    for cell, state in game_layer.states(picture.game, empty):
        states.setdefault(cell, []).append(state)
    for cell in sorted(picture.part):
        states.setdefault(cell, []).append("part")
    if picture.heat is not None:
        for cell in empty:
            states.setdefault(cell, []).append(picture.heat.state(cell))
    return states


def _values(picture: Picture) -> dict[int, tuple[str, str]]:
    """Return the texts of the filled cells, each with its class."""
    shown = {}
    for cell, value in enumerate(picture.board.values):
        if value:
            word = board_layer.DOT if cell in picture.faded else str(value)
            shown[cell] = word, "given" if cell in picture.given else "filled"
    return shown


def _counts(layout: Layout, picture: Picture) -> Markup:
    """Return the numbers of bombs of the empty cells, if the picture shows them."""
    if picture.heat is None:
        return Markup("")
    cells = picture.board.empty_cells()
    return joined(*[board_layer.count(layout, cell, picture.heat.word(cell)) for cell in cells])


def _candidates(layout: Layout, picture: Picture) -> Markup:
    if picture.candidates is None or picture.heat is not None:
        return Markup("")
    return candidates(layout, picture.candidates, list(picture.board.empty_cells()))


def _caption(layout: Layout, lines: list[str]) -> Markup:
    size = layout.caption_type
    texts = [
        element("text", line, class_="caption", x=EDGE, y=layout.width + size * (1 + LINE * at))
        for at, line in enumerate(lines)
    ]
    return element("g", *texts, font_size=size) if texts else joined()
