"""The layer of the candidates: what each empty cell may hold, by the verdict on it, and the heat of a cell.

A safe move is green, a bomb is red, bold and underlined, an undecided move is grey and slanted, and a taboo move is
crossed. A candidate stands at the same place in every cell, so that a reader finds a value without reading it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from csp_sudoku.drawing.elements import Markup, element, number, path
from csp_sudoku.drawing.layout import CAP_HEIGHT, Layout
from csp_sudoku.drawing.palette import heat_level

KINDS = ("safe", "bomb", "unknown")
"""The classes of candidates, in the order of the masks of `ShownCandidates`."""


@dataclass(frozen=True)
class ShownCandidates:
    """The candidates of all cells, as one mask per cell and verdict, in which bit v - 1 stands for the value v."""

    safe: Sequence[int]
    """The moves that leave a completion."""
    bombs: Sequence[int]
    """The moves that leave none."""
    unknown: Sequence[int]
    """The moves that are not decided."""
    taboo: frozenset[tuple[int, int]] = field(default=frozenset())
    """The bombs that were proposed, as pairs of a cell and a value; they are crossed."""

    def kind(self, cell: int, value: int) -> str | None:
        """Return the verdict on a candidate, "safe", "bomb" or "unknown"; None if the move is not legal."""
        for kind, masks in zip(KINDS, (self.safe, self.bombs, self.unknown), strict=True):
            if masks[cell] >> value - 1 & 1:
                return kind
        return None

    def count(self, kind: str) -> int:
        """Return the number of candidates of a kind."""
        masks = dict(zip(KINDS, (self.safe, self.bombs, self.unknown), strict=True))
        return sum(mask.bit_count() for mask in masks[kind])


def candidates(layout: Layout, shown: ShownCandidates, cells: Collection[int]) -> Markup:
    """Return the candidates of some cells, and the crosses of the taboo moves that are no candidates any more."""
    groups = [_cell(layout, shown, cell) for cell in sorted(cells)]
    return element("g", *groups, font_size=layout.candidate_type)


def _cell(layout: Layout, shown: ShownCandidates, cell: int) -> Markup:
    x, y = layout.corner(cell)
    return element("g", *_in_cell(layout, shown, cell), transform=f"translate({number(x)} {number(y)})")


def _in_cell(layout: Layout, shown: ShownCandidates, cell: int) -> Iterator[Markup]:
    for value in range(1, layout.size + 1):
        kind, is_taboo = shown.kind(cell, value), (cell, value) in shown.taboo
        if kind is not None or is_taboo:
            yield candidate(layout, value, kind or "bomb")
        if is_taboo:
            yield cross(layout, value)


def candidate(layout: Layout, value: int, *kinds: str, **attributes: object) -> Markup:
    """Return one candidate at its place, measured from the corner of its cell, with the classes `kinds`."""
    x, y = layout.candidate(value)
    down = y + CAP_HEIGHT * layout.candidate_type
    return element("text", str(value), class_=" ".join(kinds) or None, x=x, y=down, **attributes)


def cross(layout: Layout, value: int, **attributes: object) -> Markup:
    """Return the cross over a taboo candidate."""
    x, y = layout.candidate(value)
    arm = 0.38 * layout.room
    data = path("M", x - arm, y - arm, "l", 2 * arm, 2 * arm, "M", x - arm, y + arm, "l", 2 * arm, -2 * arm)
    return element("path", class_="cross", d=data, **attributes)


@dataclass(frozen=True)
class Heat:
    """The number of bombs of each cell, and of its undecided moves."""

    bombs: Sequence[int]
    unknown: Sequence[int]

    @staticmethod
    def of(shown: ShownCandidates) -> Heat:
        """Return the heat of a board with these candidates."""
        return Heat([mask.bit_count() for mask in shown.bombs], [mask.bit_count() for mask in shown.unknown])

    def state(self, cell: int) -> str:
        """Return the class of the ground of an empty cell: "heat0" without bombs, to "heat8"."""
        return f"heat{heat_level(self.bombs[cell], max(self.bombs))}"

    def word(self, cell: int) -> str:
        """Return the text in an empty cell: the number of bombs, and after a question mark that of undecided moves."""
        left = self.unknown[cell]
        return f"{self.bombs[cell]}?{left}" if left else str(self.bombs[cell])
