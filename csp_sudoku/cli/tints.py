"""Tints of cells on a terminal: each rule that shows on a board has a background colour, in the board and the legend.

A coloured line has the colour that a drawing gives it. Other rules take a colour that no neighbouring cell has, as long
as there is one. A cell of several rules has the tint of the one with the fewest cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import click

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.geometry import Geometry

TONES = {"green": 151, "blue": 153, "violet": 183, "red": 217, "orange": 223, "pink": 218, "teal": 116, "yellow": 229}
"""The colour of each tone of marks but grey, as its number among 256 colours; all of them are light."""
OTHERS = (252, 195, 187, 225, 153, 223, 151, 217)
"""The colours of rules without a tone."""

_RESET = "\x1b[0m"
_DARK = {"\x1b[36m": 25, "\x1b[32m": 22, "\x1b[31m": 88, "\x1b[33m": 94}
"""Colours of type that are hard to read on a light ground, with darker ones."""


class Tints(NamedTuple):
    """The tints of a board."""

    of_rules: tuple[int | None, ...]
    """The tint of each constraint, in the order of the geometry; None if it does not show on cells."""
    of_cells: dict[int, int]
    """The tint of each cell that has one."""


@lru_cache(maxsize=64)
def tints_of(geometry: Geometry) -> Tints:
    """Return the tints of the boards of a geometry; a board without rules has none.

    >>> from csp_sudoku import Geometry
    >>> from csp_sudoku.constraints import AntiKnight, Killer, Whispers
    >>> rules = AntiKnight(), Killer([0, 1], 3), Whispers([5, 6]), Killer([4, 8])
    >>> tints_of(Geometry.standard(2, 2).with_constraints(*rules))
    Tints(of_rules=(None, 252, 151, 195), of_cells={0: 252, 1: 252, 5: 151, 6: 151, 4: 195, 8: 195})
    """
    if not geometry.constraints:
        return Tints((), {})
    constraints = cast("tuple[Constraint, ...]", geometry.constraints)
    shown = [_cells_and_tone(one, geometry) for one in constraints]
    of_rules: list[int | None] = [None] * len(shown)
    of_cells: dict[int, int] = {}
    size_of: dict[int, int] = {}
    for at, (cells, tone) in enumerate(shown):
        if cells:
            tint = of_rules[at] = TONES.get(tone) or _rarest(geometry, cells, of_cells, of_rules)
            for cell in cells:
                if len(cells) < size_of.get(cell, geometry.cell_count + 1):
                    of_cells[cell], size_of[cell] = tint, len(cells)
    return Tints(tuple(of_rules), of_cells)


def tinted(geometry: Geometry, texts: Sequence[str]) -> list[str]:
    """Return the texts of all cells, each between two blanks on the tint of its cell."""
    of_cells = tints_of(geometry).of_cells
    return [on_tint(f" {text} ", of_cells.get(cell)) for cell, text in enumerate(texts)]


def on_tint(text: str, tint: int | None) -> str:
    """Return a text, which may be styled, in dark type on a tint; None leaves it as it is."""
    if tint is None:
        return text
    ground = click.style("", fg=16, bg=tint, reset=False)
    for light, dark in _DARK.items():
        text = text.replace(light, f"\x1b[38;5;{dark}m")
    return f"{ground}{text.replace(_RESET, _RESET + ground)}{_RESET}"


def _cells_and_tone(constraint: Constraint, geometry: Geometry) -> tuple[list[int], str]:
    """Return the cells on which a constraint shows, each once, and the first tone of its marks that is not grey."""
    marks = constraint.marks(geometry)
    cells = [int(cell) for mark in marks for cell in (*getattr(mark, "cells", ()), *getattr(mark, "circle", ()))]
    tones = [tone for mark in marks if (tone := getattr(mark, "tone", "grey")) != "grey"]
    return list(dict.fromkeys(cells)), tones[0] if tones else ""


def _rarest(geometry: Geometry, cells: Sequence[int], of_cells: dict[int, int], of_rules: Sequence[int | None]) -> int:
    """Return the tint that the fewest cells around some cells have; of several, the one that the fewest rules have."""
    around = []
    for cell in cells:
        row, column = geometry.row_column(cell)
        for r, c in ((row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < geometry.size and 0 <= c < geometry.size:
                around.append(of_cells.get(geometry.cell(r, c)))
    return min(OTHERS, key=lambda tint: (around.count(tint), of_rules.count(tint)))
