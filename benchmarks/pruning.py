"""The benchmark `pruning` measures heuristics and prunings, one change at a time, against 004's Tables 7 and 8.

All are settings of our own search, so that only the compared part differs. The base is 004's best: MRV, the value that
leaves the largest smallest domain, forward checking with naked and hidden singles and naked pairs to a fixpoint, before
and during the search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from statistics import fmean
from typing import TYPE_CHECKING

from . import races
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .earlier import ORDER, PLACEMENT, SYSTEMS
from .isolated import Budget
from .peers import PACKAGES
from .pictures import OURS, figure, grid_of, seconds_axis
from .sets import from_files, generated
from .tables import ms, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BASE = {
    "variables": "mrv",
    "values": "lcv-domain",
    "pruning": "forward+naked+hidden+pairs",
    "when": "during",
    "branching": "cells",
    "restarts": "0",
}


def changed(**options: str) -> str:
    """Return the base with some options changed, as the text of a subject."""
    return "backtracking?" + "&".join(f"{name}={value}" for name, value in {**BASE, **options}.items())


GROUPS: Mapping[str, Mapping[str, str]] = {
    "When it prunes": {
        "never": changed(when="never"),
        "before the search": changed(when="before"),
        "before and during": changed(),
    },
    "Which cell is next": {
        "reading order": changed(variables="static"),
        "degree": changed(variables="degree"),
        "MRV": changed(),
        "MRV, ties by degree": changed(variables="mrv+degree"),
        "dom/wdeg": changed(variables="dom/wdeg"),
    },
    "What it prunes": {
        "forward checking alone": changed(pruning="forward"),
        "and naked singles": changed(pruning="forward+naked"),
        "and hidden singles, no pairs": changed(pruning="forward+naked+hidden"),
        "and pairs, no hidden singles": changed(pruning="forward+naked+pairs"),
        "and both (004)": changed(),
        "and locked candidates": changed(pruning="forward+naked+hidden+pairs+locked"),
    },
    "Which value is first": {
        "ascending": changed(values="ascending"),
        "random": changed(values="random"),
        "LCV, fewest peers": changed(values="lcv-count"),
        "LCV, largest smallest domain": changed(),
    },
    "And besides": {
        "nothing (004)": changed(),
        "restarts (Luby, 100)": changed(restarts="100"),
        "branching on places, too": changed(branching="places"),
        "our defaults": "backtracking",
        "auto": "auto",
    },
}
PRUNING_TIMES = {"never": "none", "before": "before", "during": "before and during"}


class Pruning(Benchmark):
    """The solved puzzles, mean seconds and mean nodes of each setting."""

    name = "pruning"
    title = "What heuristics and pruning are worth"
    packages = PACKAGES

    def plan(self, asked: BenchmarkOptions) -> races.Race:
        every = [name for group in GROUPS.values() for name in group.values()]
        names = races.chosen(asked, every)
        if asked.puzzles:
            sets = from_files(asked.puzzles, 6 if asked.quick else None)
        elif asked.quick:
            sets = [generated(4, 4, "hard", 4, asked.seed), generated(5, 5, "medium", 2, asked.seed)]
        else:
            sets = [
                generated(4, 4, "medium", 12, asked.seed),
                generated(4, 4, "hard", 12, asked.seed),
                generated(5, 5, "medium", 8, asked.seed),
                generated(5, 5, "hard", 8, asked.seed),
            ]
        usual = (Budget(0.5, 1), 1) if asked.quick else (Budget(4, 12), 3)
        return races.Race.asked(asked, names, sets, usual)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: races.Found) -> Report:  # noqa: ARG002 - the results suffice
        assert isinstance(plan, races.Race)
        by_set = plan.rows(found)
        groups = {
            title: {label: rows for label, name in group.items() if (rows := _rows(name, by_set))}
            for title, group in GROUPS.items()
        }
        known = {name for group in GROUPS.values() for name in group.values()}
        others = [name for name in dict.fromkeys(subject for subject, *_ in plan.entered) if name not in known]
        groups["Others"] = {name: _rows(name, by_set) for name in others}
        groups = {title: group for title, group in groups.items() if group}
        entries = {
            entry.name: entry
            for title, group in groups.items()
            for label, rows in group.items()
            for row in rows
            for entry in [_entry(self.name, title, label, row)]
            if row.results
        }
        return Report(
            sections=[*(_table(title, group) for title, group in groups.items()), *_reported()],
            entries=list(entries.values()),
            draw=lambda: draw(groups),
            caption="Mean CPU time for a puzzle, what was not solved counted with the limit (dotted lines); beside the"
            " bars, how many were solved.",
            wrong=races.refuted(row for rows in by_set.values() for row in rows),
        )


def _rows(name: str, by_set: Mapping[str, Sequence[races.Row]]) -> list[races.Row]:
    """Return the rows of a setting, one for each set."""
    return [row for rows in by_set.values() for row in rows if row.subject == name]


def _entry(benchmark: str, title: str, label: str, row: races.Row) -> TrackedFigure:
    """Return the entry of a row, named by the labels of this benchmark."""
    entry = row.entry(benchmark)
    return TrackedFigure(f"{benchmark} | {row.puzzles.name} | {title}: {label}", entry.unit, entry.values, entry.of)


def _table(title: str, group: Mapping[str, Sequence[races.Row]]) -> Section:
    """Return a table with a line for each setting, and three columns for each set."""
    columns = ["setting"]
    for row in next(iter(group.values())):
        columns += [f"{row.puzzles.name}: solved", "mean, ms", "nodes, mean"]
    lines = []
    for label, rows in group.items():
        line = [label]
        for row in rows:
            late = "> " if len(row.solved) < row.total else ""
            nodes = row.of_parts("nodes")
            line += [row.solved_text, late + ms(fmean(row.charged)) if row.solved else "", _mean(nodes)]
        lines.append(line)
    return Section(title, columns, lines)


def _mean(values: Sequence[float]) -> str:
    return number(fmean(values)) if values else ""


def _reported() -> list[Section]:
    """Return the tables that 004 reported."""

    def seconds(value: float) -> str:
        return "none in 5 minutes" if value == inf else f"{value:.3f}"

    return [
        Section(
            f"What {SYSTEMS['004']} reported: seconds, by when it prunes",
            ["puzzle, 16×16", *PRUNING_TIMES.values()],
            [[name, *(seconds(row[each]) for each in PRUNING_TIMES)] for name, row in PLACEMENT.items()],
            note="Its Table 7; its puzzles are not public, its program was plain Python.",
        ),
        Section(
            "And by which cell is next",
            ["puzzle, 16×16", "MRV", "degree"],
            [[name, *(seconds(row[each]) for each in ("mrv", "degree"))] for name, row in ORDER.items()],
            note="Its Table 8.",
        ),
    ]


def draw(groups: Mapping[str, Mapping[str, Sequence[races.Row]]]) -> Figure:
    """Draw a bar for each setting and set."""
    heights = [0.9 + 0.19 * sum(map(len, group.values())) for group in groups.values()]
    picture = figure(9.5, sum(heights) + 0.9)
    plots = grid_of(picture, len(groups), 1, sharex=True, height_ratios=heights)
    for axes, (title, group) in zip(plots, groups.items(), strict=True):
        place = 0.0
        ticks = []
        for label, rows in group.items():
            ticks.append((place + (len(rows) - 1) / 2, label))
            for number_, row in enumerate(rows):
                value = fmean(row.charged)
                name = f"{row.puzzles.title}" if place == number_ else None
                axes.barh(place, value, height=0.9, color=OURS[number_ % len(OURS)], label=name)
                told = f"{len(row.solved)}/{row.total}"
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
                axes.text(value * 1.12, place, told, va="center", fontsize=8, bbox=box)
                place += 1
            place += 0.6
        for limit in sorted({row.budget.item for rows in group.values() for row in rows}):
            axes.axvline(limit, color="0.4", linestyle=":", linewidth=1)
        axes.set_yticks([where for where, _ in ticks], [label for _, label in ticks], fontsize=9)
        axes.invert_yaxis()
        axes.set_title(title, fontsize=10.5, loc="left")
    seconds_axis(plots[-1].xaxis)
    for axes in plots:
        low, high = axes.get_xlim()
        axes.set_xlim(low, max(high, 2 * max(row.budget.item for group in groups.values()
                                             for rows in group.values() for row in rows)))  # fmt: skip
    plots[-1].set_xlabel(
        "mean CPU time for a puzzle; beside the bars: how many were solved; dotted: the limit", fontsize=9
    )
    handles, labels = plots[0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    return picture
