"""Drawings of our values for notebooks; the code for drawing is loaded when a notebook asks for it.

`Board`, `MoveMap`, `Result`, `GameState`, `GameRecord`, `Explanation` and `MoveExplanation` have the method that
IPython asks for. The two modules are imported by name, because they import the modules of those classes.
"""

from __future__ import annotations

from importlib import import_module

DRAWING = "csp_sudoku.drawing"
PAGES = "csp_sudoku.pages"


def as_svg(value: object) -> str:
    """Return the drawing of a value as an SVG document."""
    drawn: str = import_module(DRAWING).svg(value)
    return drawn


def as_html(record: object) -> str:
    """Return a game record as HTML: a frame with the page on which a reader steps through the game."""
    frame: str = import_module(PAGES).replay_frame(record)
    return frame
