"""The graph of a game: the lead of player 1 over the turns, and the margin if both play their best from there on.

The graph is 400 units wide, so that its text is readable on a narrow screen as well. The page defines its colours, and
the script of the page moves the cursor: the abscissa of turn t is `data-zero` + t · `data-step`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.drawing.elements import Markup, element, path

if TYPE_CHECKING:
    from csp_sudoku.evaluation.margins import Margin

WIDTH, HEIGHT = 400, 200
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 8, 40
"""The margins around the area of the lines; below it are the marks of skips and the numbers of turns."""
ARM = 5
"""Half of the width of a mark."""


class Slip(NamedTuple):
    """A marked turn: a mistake, a blunder, or a turn that lost the game at once."""

    turn: int
    player: int
    kind: str


class _Scale:
    """The coordinates of turns and of points in the graph."""

    def __init__(self, turns: int, low: float, high: float) -> None:
        self.step = (WIDTH - LEFT - RIGHT) / max(1, turns)
        room = max(1.0, (high - low) * 0.08)
        self._low, self._high = low - room, high + room

    def x(self, turn: float) -> float:
        return LEFT + turn * self.step

    def y(self, points: float) -> float:
        return TOP + (self._high - points) / (self._high - self._low) * (HEIGHT - TOP - BOTTOM)


def value_graph(leads: Sequence[int], margins: Sequence[Margin], slips: Sequence[Slip], skips: Sequence[int]) -> str:
    """Return the graph.

    `leads` are the leads of player 1 at the start and after each turn. `margins` are the margins that are known, in the
    order of the turns. `slips` are the marked turns, and `skips` the numbers of the turns that were skips.
    """
    ends = [*leads, *(one.margin for one in margins), 0]
    scale = _Scale(len(leads) - 1, min(ends), max(ends))
    turns = range(len(leads))
    heights = dict(enumerate(map(float, leads))) | {one.turn: one.margin for one in margins}
    score = path("M", scale.x(0), scale.y(leads[0])) + "".join(
        [path("H", scale.x(turn), "V", scale.y(leads[turn])) for turn in turns[1:]]
    )
    return element(
        "svg",
        element("title", "Player 1's lead over the turns"),
        element("desc", _described(slips, skips)),
        *_axes(scale, len(leads) - 1, min(ends), max(ends)),
        element("path", class_="score", d=score),
        element("path", class_="estimate", d=_line(scale, ((one.turn, one.margin) for one in margins))),
        *_proven(scale, margins),
        *[_skip(scale, turn) for turn in skips],
        *[_slip(scale, slip, heights[slip.turn]) for slip in slips if slip.turn in heights],
        element("path", class_="cursor", d=path("M", 0, TOP, "V", HEIGHT - BOTTOM + 14)),
        class_="graph",
        role="img",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        data_zero=LEFT,
        data_step=f"{scale.step:.4f}",
    )


def _axes(scale: _Scale, turns: int, low: float, high: float) -> Iterator[Markup]:
    """Yield the zero line, and the numbers of points and of turns."""
    yield element("path", class_="axis", d=path("M", LEFT, scale.y(0), "H", WIDTH - RIGHT))
    for points in ticks(low, high, most=5):
        text = f"{points:+g}" if points else "0"
        yield element("text", text, class_="points", x=LEFT - 5, y=scale.y(points) + 4)
    for turn in ticks(0, turns, most=8):
        yield element("text", f"{turn:g}", class_="turn", x=scale.x(turn), y=HEIGHT - 5)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from `low` to `high`, at most `most` + 1 of them; they are multiples of 1, 2 or 5 tens.

    >>> ticks(-7, 13, most=5), ticks(0, 3, most=8)
    ([-5, 0, 5, 10], [0, 1, 2, 3])
    """
    step = 1
    while (high - low) / step > most:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    first = -(-low // step)
    return [int(first + place) * step for place in range(int(high // step - first) + 1)]


def _proven(scale: _Scale, margins: Sequence[Margin]) -> Iterator[Markup]:
    """Yield the proven margins: lines between successive ones, and a dot at each."""
    lines = [
        _line(scale, ((one.turn, one.margin), (after.turn, after.margin)))
        for one, after in pairwise(margins)
        if one.exact and after.exact
    ]
    if lines:
        yield element("path", class_="proven", d="".join(lines))
    for one in margins:
        if one.exact:
            yield element("circle", class_="proven-dot", cx=scale.x(one.turn), cy=scale.y(one.margin), r=1.8)


def _line(scale: _Scale, points: Iterable[tuple[int, float]]) -> str:
    steps = [path("L", scale.x(turn), scale.y(margin)) for turn, margin in points]
    return "M" + "".join(steps)[1:] if steps else ""


def _slip(scale: _Scale, slip: Slip, height: float) -> Markup:
    """Return the triangle of a slip; it points in the direction in which the slip moves the margin."""
    way = -1 if slip.player == 1 else 1
    x, y = scale.x(slip.turn), scale.y(height) + way * 3
    data = path("M", x - ARM, y + way * 2 * ARM, "h", 2 * ARM, "L", x, y, "z")
    tip = element("title", f"turn {slip.turn}: {slip.kind} of player {slip.player}")
    return element("path", tip, class_=f"slip {slip.kind}", d=data)


def _skip(scale: _Scale, turn: int) -> Markup:
    """Return the mark of a skip, a diamond below the lines."""
    x, y = scale.x(turn), HEIGHT - BOTTOM + 14
    data = path("M", x, y - 4, "l", 4, 4, "l", -4, 4, "l", -4, -4, "z")
    return element("path", element("title", f"turn {turn}: skip"), class_="skip", d=data)


def _described(slips: Sequence[Slip], skips: Sequence[int]) -> str:
    """Return the marked turns as text."""
    kinds = {kind: [slip.turn for slip in slips if slip.kind == kind] for kind in ("mistake", "blunder", "forfeit")}
    found = {**kinds, "skip": list(skips)}
    parts = [f"{kind}s: turns {', '.join(map(str, numbers))}" for kind, numbers in found.items() if numbers]
    return "; ".join(parts) or "No turn is marked."
