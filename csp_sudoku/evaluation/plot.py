"""A plot of a game: the final margin of player 1 after each turn if both players play their best from there on.

This module loads matplotlib, so import it only where it is used. It draws without a window and does not use pyplot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from csp_sudoku.evaluation.analyse import Judgement, Review
from csp_sudoku.evaluation.margins import Margin, margins
from csp_sudoku.moves.heat_map import DOTS_PER_INCH, FAINT, INK, VALUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PROVEN, ESTIMATE, SCORE = "#0b4f8a", "#9cc3e6", "#a8a8a8"
"""The colours of the lines: proven margins, estimated margins, and the score so far."""
MISTAKE, BLUNDER = "#e69f00", "#c8102e"
"""The colours of the marks of mistakes and of blunders."""
DOWN, UP = "v", "^"
"""The marks of slips of player 1 and of player 2. Each points in the direction in which the margin moves."""
NAMED = 12
"""Maximum number of blunders that are labelled with the number of the turn; more labels would overlap."""


def value_plot(
    reviews: Sequence[Review], names: tuple[str, str], title: str, scores: tuple[int, int] | None = None
) -> Figure:
    """Plot the margin over the turns of a game.

    `reviews` come from `csp_sudoku.evaluation.analyse`, `names` are the names of player 1 and player 2, and `title` is
    the title of the plot. `scores` are the scores at the end of the game, if the reviews reach up to it; by default no
    final point is drawn.
    """
    figure = Figure(figsize=(10, 5.4), dpi=DOTS_PER_INCH, facecolor="white")
    axes = figure.add_axes((0.075, 0.2, 0.9, 0.64))
    points = margins(reviews, scores)
    turns = [point.turn for point in points]
    axes.axhline(0, color=INK, linewidth=0.8, zorder=1)
    axes.step(turns, [point.score for point in points], where="post", color=SCORE, linewidth=1.0, zorder=2)
    axes.plot(turns, [point.margin for point in points], color=ESTIMATE, linewidth=1.6, zorder=3)
    proven = [point.margin if point.exact else float("nan") for point in points]
    axes.plot(turns, proven, color=PROVEN, linewidth=2.4, marker=".", markersize=5, zorder=4)
    _mark(axes, reviews, {point.turn: point.margin for point in points})
    _label(axes, points, names)
    figure.text(0.075, 0.95, title, fontsize=14, weight="bold", color=INK, va="top", parse_math=False)
    what = "The final margin when both play their best from there on. ▼ are slips of player 1, ▲ of player 2."
    figure.text(0.075, 0.892, what, fontsize=10.5, color=INK, va="top")
    figure.legend(
        handles=_key(),
        loc="lower left",
        bbox_to_anchor=(0.065, 0.005),
        ncols=5,
        frameon=False,
        fontsize=9.5,
        labelcolor=INK,
        handlelength=1.4,
        columnspacing=1.6,
    )
    return figure


def _mark(axes: Axes, reviews: Sequence[Review], margins: dict[int, float]) -> None:
    """Mark each mistake and each blunder at the margin after its turn."""
    blunders = [review for review in reviews if review.judgement is Judgement.BLUNDER]
    for review in reviews:
        if review.judgement not in (Judgement.MISTAKE, Judgement.BLUNDER) or review.number not in margins:
            continue
        is_blunder = review.judgement is Judgement.BLUNDER
        place = review.number, margins[review.number]
        axes.plot(
            *place,
            marker=DOWN if review.player == 1 else UP,
            color=BLUNDER if is_blunder else MISTAKE,
            markersize=11 if is_blunder else 7,
            markeredgecolor="white",
            zorder=6 if is_blunder else 5,
        )
        if is_blunder and len(blunders) <= NAMED:
            axes.annotate(
                f"turn {review.number}",
                place,
                xytext=(0, -15 if review.player == 1 else 9),
                textcoords="offset points",
                ha="center",
                fontsize=8.5,
                color=BLUNDER,
                zorder=7,
            )


def _label(axes: Axes, points: Sequence[Margin], names: tuple[str, str]) -> None:
    """Label the axes, and write on each side of the zero line which player wins there."""
    lows = [value for point in points for value in (point.margin, point.score)] or [0]
    low, high = min(0, *lows, -2), max(0, *lows, 2)
    room = (high - low) * 0.14
    axes.set_ylim(low - room, high + room)
    if points:
        axes.set_xlim(points[0].turn - 0.5, points[-1].turn + 0.5)
    for name, player, at in ((names[0], 1, 0.975), (names[1], 2, 0.025)):
        axes.text(
            0.008,
            at,
            f"player {player}, {_short(name)}, wins",
            transform=axes.transAxes,
            parse_math=False,  # a name is plain text, even if it contains a dollar sign
            va="top" if player == 1 else "bottom",
            fontsize=9.5,
            color=VALUE,
        )
    axes.set_xlabel("turns played", fontsize=10.5, color=INK)
    axes.set_ylabel("player 1's margin at the end", fontsize=10.5, color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=9, integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{round(value):+}" if round(value) else "draw")
    axes.tick_params(labelsize=9, colors=INK, length=3)
    axes.grid(axis="y", color=FAINT, linewidth=0.4)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _short(name: str, most: int = 40) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _key() -> list[Line2D]:
    """The entries of the legend, which explain the lines and marks."""

    def line(label: str, color: str, width: float) -> Line2D:
        return Line2D([], [], color=color, linewidth=width, label=label)

    def mark(label: str, color: str, size: float) -> Line2D:
        return Line2D(
            [], [], color=color, marker=DOWN, markersize=size, markeredgecolor="white", linestyle="none", label=label
        )

    return [
        line("proven", PROVEN, 2.4),
        line("estimate", ESTIMATE, 1.6),
        line("score so far", SCORE, 1.0),
        mark("mistake (costs points)", MISTAKE, 7),
        mark("blunder (changes who wins)", BLUNDER, 11),
    ]
