"""The benchmark `cover` tests a claim of 002: Algorithm X is thousands of times as fast as 001's singles and guessing.

Both are measured in plain Python, as in the earlier systems, and compiled, as in this package, on boards from
games and on puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from . import races
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section
from .isolated import Budget
from .peers import PACKAGES
from .pictures import OURS, figure, grid_of, seconds_axis
from .sets import emptied, empty, from_files, generated
from .tables import ms, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = {
    "plain Python": ("plain:singles-and-guess", "plain:algorithm-x"),
    "compiled": ("single-guess", "exact-cover"),
}
LABELS = {"single-guess": "naked singles and guessing, compiled", "exact-cover": "Algorithm X, compiled"}
"""The labels of these solvers in the picture."""
NAMES = (*PAIRS["plain Python"], *PAIRS["compiled"], "auto")


class Cover(Benchmark):
    """The mean seconds of each solver, and how many times as fast Algorithm X is."""

    name = "cover"
    title = "Algorithm X against naked singles and guessing"
    packages = PACKAGES

    def plan(self, asked: BenchmarkOptions) -> races.Race:
        names = races.chosen(asked, NAMES)
        few, many = (5, 20) if asked.quick else (10, 50)
        if asked.puzzles:
            sets = from_files(asked.puzzles, many if asked.quick else None)
        else:
            sets = [
                empty(3, 3),
                emptied(3, 3, many, asked.seed),
                generated(3, 3, "easy", many, asked.seed),
                generated(3, 3, "hard", many, asked.seed),
                empty(4, 4),
                emptied(4, 4, few, asked.seed),
                generated(4, 4, "easy", few, asked.seed),
            ]
        usual = (Budget(1, 2), 1) if asked.quick else (Budget(5, 20), 3)
        return races.Race.asked(asked, names, sets, usual)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: races.Found) -> Report:  # noqa: ARG002 - the results suffice
        assert isinstance(plan, races.Race)
        by_set = plan.rows(found)
        rows = [row for some in by_set.values() for row in some]
        return Report(
            sections=[_ratios(by_set), *(races.table(some[0].puzzles.title, some) for some in by_set.values())],
            entries=[row.entry(self.name) for row in rows if row.results],
            draw=lambda: draw(by_set),
            caption="Mean CPU time for a board, with its model; what was not solved counts with the limit, and is a"
            " bound (arrows).",
            wrong=races.refuted(rows),
        )


def _ratios(by_set: Mapping[str, Sequence[races.Row]]) -> Section:
    """Return the table that shows how many times as fast Algorithm X is."""
    lines = []
    for name, rows in by_set.items():
        known = {row.subject: row for row in rows}
        line = [name]
        for singles, cover in PAIRS.values():
            if singles not in known or cover not in known:
                line += ["", "", ""]
                continue
            first, second = known[singles], known[cover]
            line += [_mean(first), _mean(second), _ratio(first, second)]
        lines.append(line)
    columns = ["boards"]
    for title in PAIRS:
        columns += [f"{title}: singles and guessing, ms", "Algorithm X, ms", "× as fast"]
    note = (
        "002 said of its Algorithm X that it is thousands of times as fast as 001's solver. 001's copied the board, and"
        " looked for singles from the beginning after each; here nothing is copied."
    )
    return Section("How many times as fast", columns, lines, note=note)


def _mean(row: races.Row) -> str:
    return ("> " if len(row.solved) < row.total else "") + ms(fmean(row.charged))


def _ratio(singles: races.Row, cover: races.Row) -> str:
    """Return the ratio of the means, or a bound on it."""
    late = [len(row.solved) < row.total for row in (singles, cover)]
    if all(late):
        return ""
    return ("> " if late[0] else "< " if late[1] else "") + number(fmean(singles.charged) / fmean(cover.charged))


def draw(by_set: Mapping[str, Sequence[races.Row]]) -> Figure:
    """Draw the mean of each solver on each set."""
    picture = figure(9.5, 1.4 + 0.75 * len(by_set))
    (axes,) = grid_of(picture, 1, 1)
    subjects = list(dict.fromkeys(row.subject for rows in by_set.values() for row in rows))
    for place, rows in enumerate(by_set.values()):
        for row in rows:
            number_ = subjects.index(row.subject)
            at = place + 0.14 * (number_ - (len(subjects) - 1) / 2)
            name = LABELS.get(row.subject, row.label) if place == 0 else None
            value, colour = fmean(row.charged), OURS[number_ % len(OURS)]
            axes.plot(value, at, "o", color=colour, markersize=6, label=name)
            if len(row.solved) < row.total:
                axes.annotate("", (value * 2.2, at), (value, at), arrowprops={"arrowstyle": "->", "color": colour})
    axes.set_yticks(range(len(by_set)), [rows[0].puzzles.title for rows in by_set.values()], fontsize=9)
    axes.invert_yaxis()
    seconds_axis(axes.xaxis)
    axes.set_xlim(right=axes.get_xlim()[1] * 3)
    axes.set_xlabel("mean CPU time for a board; arrows: at least so much", fontsize=9)
    picture.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    return picture
