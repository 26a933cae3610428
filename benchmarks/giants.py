"""The benchmark `giants` measures 25×25 puzzle by puzzle, for comparison with 004's Table 9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from . import races
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section
from .earlier import GIANTS, SYSTEMS
from .isolated import Budget
from .peers import PACKAGES
from .pictures import GREY, OTHERS, OURS, figure, grid_of, seconds_axis, whole_numbers
from .sets import from_files, generated
from .tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = ("auto", "learning", "cpsat", "backtracking", "exact-cover", "fighter")
PEERS = ("peer:minisat22", "peer:glucose4", "peer:cadical153", "peer:cpsat-boolean-plain", "peer:cpmpy")
FEW = ("auto", "learning", "cpsat", "fighter", "peer:minisat22")
MARKERS = "osD^vPX*<>"
HOUR = 3600.0


class Giants(Benchmark):
    """The seconds for each 25×25 puzzle."""

    name = "giants"
    title = "25×25, puzzle by puzzle"
    packages = PACKAGES

    def plan(self, asked: BenchmarkOptions) -> races.Race:
        names = races.chosen(asked, FEW if asked.quick else (*NAMES, *PEERS))
        count, usual = (4, (Budget(2, 6), 1)) if asked.quick else (8, (Budget(60, 120), 3))
        sets = from_files(asked.puzzles) if asked.puzzles else [generated(5, 5, "hard", count, asked.seed)]
        return races.Race.asked(asked, names, sets, usual)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: races.Found) -> Report:  # noqa: ARG002 - the results suffice
        assert isinstance(plan, races.Race)
        by_set = plan.rows(found)
        rows = [row for some in by_set.values() for row in some]
        sections = []
        for some in by_set.values():
            sections.append(races.table(some[0].puzzles.title, some, against=True))
            sections.append(_each(some))
        sections.append(
            Section(
                f"What {SYSTEMS['004']} reported",
                ["puzzle", "seconds"],
                [[name, "no result in one hour" if value == inf else number(value)] for name, value in GIANTS.items()],
                note="Other puzzles, another machine, plain Python; the preset `fighter` is its algorithm, compiled.",
            )
        )
        return Report(
            sections=sections,
            entries=[row.entry(self.name) for row in rows if row.results],
            draw=lambda: draw(by_set),
            caption="CPU time for each 25×25, with what 004 reported of its own; open triangles: no answer within the"
            " limit.",
            wrong=races.refuted(rows),
        )


def _each(rows: Sequence[races.Row]) -> Section:
    """Return the table of the seconds of each puzzle."""
    lines = []
    for number_ in range(rows[0].total):
        times = [row.seconds(number_) for row in rows]
        lines.append([str(number_ + 1), *("–" if each is None else number(each) for each in times)])
    names = [row.label.removeprefix("csp_sudoku ") for row in rows]
    return Section(f"{rows[0].puzzles.name}, CPU seconds", ["puzzle", *names], lines, note="–: not within the limit.")


def draw(by_set: Mapping[str, list[races.Row]]) -> Figure:
    """Draw the seconds of each puzzle, and those that 004 reported."""
    widths = [max(6, rows[0].total) for rows in by_set.values()] + [6]
    picture = figure(2.4 + 0.55 * sum(widths), 5)
    plots = grid_of(picture, 1, len(by_set) + 1, sharey=True, width_ratios=widths)
    shown: dict[str, Any] = {}
    for axes, rows in zip(plots, by_set.values(), strict=False):
        for place, row in enumerate(rows):
            colour = (OTHERS if ":" in row.subject else OURS)[place % len(OURS)]
            label = row.label.removeprefix("csp_sudoku ")
            _points(axes, [row.seconds(each) for each in range(row.total)], row.budget.item, colour, label, place)
        axes.set_title(rows[0].puzzles.title, fontsize=10.5, loc="left")
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    last = plots[-1]
    _points(last, [None if value == inf else value for value in GIANTS.values()], HOUR, GREY, "004's own ten", 0)
    last.set_title("004, on its ten", fontsize=10.5, loc="left")
    for axes in plots:
        axes.set_xlabel("puzzle", fontsize=9)
        whole_numbers(axes.xaxis)
    seconds_axis(plots[0].yaxis)
    plots[0].set_ylabel("CPU time to solve it", fontsize=9)
    picture.legend(
        shown.values(), shown.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize=8,
        title="open triangles: no answer within the limit, which is where they stand", title_fontsize=8,
    )  # fmt: skip
    return picture


def _points(axes: Axes, times: Sequence[float | None], limit: float, colour: str, label: str, place: int) -> None:
    """Draw a point for each puzzle; an unsolved puzzle is an open triangle at the limit."""
    solved = [(number_ + 1, each) for number_, each in enumerate(times) if each is not None]
    late = [number_ + 1 for number_, each in enumerate(times) if each is None]
    shift = 0.06 * (place % 5 - 2)
    marker = MARKERS[place % len(MARKERS)]
    axes.plot(
        [x + shift for x, _ in solved], [y for _, y in solved],
        marker, color=colour, markersize=5.5, label=label, linestyle="none",
    )  # fmt: skip
    axes.plot(
        [x + shift for x in late], [limit] * len(late),
        "^", markerfacecolor="none", markeredgecolor=colour, markersize=7, linestyle="none",
    )  # fmt: skip
