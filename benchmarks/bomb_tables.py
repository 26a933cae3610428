"""The tables and the picture of `bombs`."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .benchmark import Section
from .bomb_boards import Shape
from .bomb_games import SLICES, TENTHS, Counts, Tracking
from .bomb_maps import Time, median
from .pictures import figure, grid_of
from .tables import number


class Target(NamedTuple):
    """The target times in milliseconds, for a map from scratch and for a turn of the tracker."""

    scratch: float
    turn: float
    of_median: bool = False
    """Whether the first target is for the median of the boards, instead of each board."""


TARGETS: Mapping[Shape, Target] = {(3, 3): Target(2, 0.3), (4, 4): Target(20, 2), (5, 5): Target(200, 10, True)}


Boards = Mapping[int, Sequence[Mapping[str, Any]]]
"""The measurements on the boards of a family, by their fill in percent."""


def from_scratch(shape: Shape, family: str, by_fill: Boards) -> Section:
    """Return the table of a shape and a family; the time of each board is the median of the repeats."""
    target = TARGETS.get(shape)
    labels = list(dict.fromkeys(name for parts in by_fill.values() for part in parts for name in part["times"]))
    columns = ["filled", "boards", "bombs", *labels, "× best other", "× …, formula free"]
    if target:
        columns.append(f"≤ {target.scratch:g} ms" + (", median" if target.of_median else ""))
    lines = []
    for fill, parts in by_fill.items():
        times = {name: [part["times"][name] for part in parts if name in part["times"]] for name in labels}
        own, *others = times.values()
        line = [f"{fill} %", str(len(parts)), f"{statistics.fmean(part['bombs'] for part in parts):.0f}"]
        line += [times_text(each) if each else "" for each in (own, *others)]
        line += [ratio_text(own, others, is_formula_free=free) for free in (False, True)]
        if target:
            worst = median(own) if target.of_median else max(own)
            line.append("hit" if not worst.is_late and 1000 * worst.seconds <= target.scratch else "missed")
        lines.append(line)
    return Section(f"{shape[0]}×{shape[1]} from scratch, {family}", columns, lines)


def times_text(times: Sequence[Time]) -> str:
    """Return the median and the maximum as text, or the only time."""
    shown = [median(times), max(times)] if len(times) > 1 else times
    return " / ".join(("> " if each.is_late else "") + _ms(each.seconds) for each in shown)


def _ms(seconds: float) -> str:
    """Return a time in milliseconds as text, with three significant digits."""
    return number(1000 * seconds)


def ratio_text(own: Sequence[Time], others: Sequence[Sequence[Time]], *, is_formula_free: bool) -> str:
    """Return the time of the best other column as a multiple of that of `search`, on the same boards.

    A column that decided all its boards is better than a column that did not. The text is empty if neither did.
    """
    found = []
    for times in filter(None, others):
        ours = own[: len(times)]
        theirs = sum(each.seconds - (each.built if is_formula_free else 0) for each in times)
        is_bound, is_ours_late = (any(each.is_late for each in part) for part in (times, ours))
        if not (is_bound and is_ours_late):
            mark = "> " if is_bound else "< " if is_ours_late else ""
            found.append((is_bound, theirs / sum(each.seconds for each in ours), mark))
    if not found:
        return ""
    _, ratio, mark = min(found)
    return f"{mark}{ratio:.3g}"


def tracked(trackings: Mapping[Shape, Tracking]) -> Iterator[Section]:
    """Yield the tables of the tracker."""
    columns = [
        "shape",
        "games",
        "turns measured",
        "mean",
        "median",
        "99 %",
        "max",
        "target",
        "turns within",
        "the mean",
    ]
    lines, parts = [], []
    for (m, n), found in trackings.items():
        times = sorted(turn.time for turn in found.turns)
        line = [f"{m}×{n}", f"{found.games}", f"{len(times):,} of {found.total:,}", _mean(times)]
        line += [times_text([each]) for each in (median(times), times[99 * (len(times) - 1) // 100], times[-1])]
        if (m, n) in TARGETS:
            target = TARGETS[m, n].turn
            within = sum(not each.is_late and 1000 * each.seconds <= target for each in times) / len(times)
            is_hit = 1000 * statistics.fmean(each.seconds for each in times) <= target
            line += [f"≤ {target:g} ms", f"{within:.1%}", "hit" if is_hit else "missed"]
        lines.append(line + [""] * (len(columns) - len(line)))
        by_tenth = [[turn.time for turn in found.turns if turn.tenth == tenth] for tenth in range(TENTHS)]
        parts.append([f"{m}×{n}", "tracker", *map(_mean, by_tenth)])
        parts.append(["", "from scratch", *map(_mean, found.scratch)])
        if len(times) < found.total:
            parts.append(["", "turns measured", *(f"{len(each)}" for each in by_tenth)])
    note = "Milliseconds per turn of games of random safe moves, from the empty board on."
    yield Section("Turn by turn", columns, lines, note=note)
    tenths = ["shape", "", *(f"{10 * tenth}–{10 * tenth + 10} %" for tenth in range(TENTHS))]
    yield Section("The mean by tenths of the game, ms", tenths, parts, frozenset({0, 1}))


def _mean(times: Sequence[Time]) -> str:
    """Return the mean in milliseconds as text; if a map is late, the mean is a bound."""
    return ("> " if any(each.is_late for each in times) else "") + _ms(statistics.fmean(each.seconds for each in times))


def counted(counts: Mapping[Shape, Counts], played: Mapping[Shape, int]) -> Iterator[Section]:
    """Yield the tables of the bombs."""
    head_line = [
        "shape",
        "games",
        "positions",
        "undecided",
        "with a bomb",
        "first bomb at",
        "most bombs at",
        "bombs there",
    ]
    lines = []
    for (m, n), found in counts.items():
        bombs = found.mean("bombs")
        first, most = int(np.argmax(bombs > 0)), int(np.nanargmax(bombs))
        line = [f"{m}×{n}", f"{played[m, n]}", f"{found.sums[:, 0].sum():,}", f"{found.undecided}"]
        line += [
            f"{found.whole('with bombs', 'positions'):.1%}",
            f"{_slice(first)}",
            f"{_slice(most)}",
            f"{bombs[most]:.1f}",
        ]
        lines.append(line + [f"{found.whole(name, 'bombs'):.1%}" for name in ("rule", "columns", "both")])
    note = (
        "In games of random safe moves; the last columns are the share of all bombs that 000's rule finds, its twin for"
        " columns, and both."
    )
    yield Section("Bombs", [*head_line, "rule", "rule-columns", "both"], lines, note=note)
    columns = ["filled", "positions", "safe moves", "bombs", "with a bomb", "rule", "rule-columns", "both"]
    for (m, n), found in counts.items():
        lines = []
        for part in range(SLICES):
            line = [f"{_slice(part)}", f"{found.sums[part, 0]:,}"]
            line += [_or_nothing(found.mean(name)[part], ".1f") for name in ("safe", "bombs")]
            line.append(_or_nothing(found.mean("with bombs")[part], ".1%"))
            line += [_or_nothing(found.mean(name, "bombs")[part], ".1%") for name in ("rule", "columns", "both")]
            lines.append(line)
        yield Section(f"Bombs on {m}×{n}", columns, lines)


def _slice(part: int) -> str:
    return f"{100 * part // SLICES}–{100 * (part + 1) // SLICES} %"


def _or_nothing(value: float, form: str) -> str:
    return "" if np.isnan(value) else format(value, form)


def picture(counts: Mapping[Shape, Counts]) -> Any:
    """Draw four diagrams of the bombs as a board fills."""
    import matplotlib as mpl
    from matplotlib.ticker import PercentFormatter

    view = figure(9, 6.4)
    grid = grid_of(view, 2, 2, sharex=True)
    colours = mpl.colormaps["viridis_r"](np.linspace(0.12, 1, len(counts)))
    middles = (np.arange(SLICES) + 0.5) / SLICES
    for colour, ((m, n), found) in zip(colours, counts.items(), strict=True):
        there = found.sums[:, 0] > 0  # small boards have no position in some slices
        x, bombs, safe = middles[there], found.mean("bombs")[there], found.mean("safe")[there]
        style = {"color": colour, "linewidth": 1.8, "marker": "o", "markersize": 3, "label": f"{m}×{n}"}
        grid[0].plot(x, np.where(bombs > 0, bombs, np.nan), **style)
        grid[1].plot(x, bombs / (bombs + safe), **style)
        grid[2].plot(x, found.mean("with bombs")[there], **style)
        grid[3].plot(x, found.mean("both", "bombs")[there], **style)
    grid[0].set_yscale("log")
    grid[0].yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    titles = ("Bombs on a board (mean)", "Bombs among the legal moves", "Boards with at least one bomb")
    for axes, title in zip(grid, (*titles, "Bombs that the rule and its twin find"), strict=True):
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1))
    for axes in grid[1:]:
        axes.set_ylim(-0.02, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
    for axes in grid[2:]:
        axes.set_xlabel("share of the cells filled, in games of random safe moves", fontsize=9)
    view.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(counts), frameon=False)
    return view
