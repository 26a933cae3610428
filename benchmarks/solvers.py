"""The benchmark `solvers` measures our solvers, plain Python and pip-installable solvers on the same puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import races
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report
from .isolated import Budget
from .peers import PACKAGES, PEERS
from .pictures import figure, grid_of, styles
from .plain import PLAIN
from .sets import from_files, generated

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OURS = ("auto", "auto*many", "cpsat", "backtracking", "learning", "exact-cover")
EARLIER = ("brute-force", "most-constrained", "lookup-table", "fighter", "single-guess")
OTHERS = (*(f"plain:{name}" for name in PLAIN), *(f"peer:{name}" for name in PEERS))
FEW = tuple(f"peer:{name}" for name in ("minisat22", "exact-cover", "xcover", "python-constraint2", "cpsat-integer"))


@dataclass(frozen=True)
class SolverSize:
    """The amount of work."""

    nine: int
    sixteen: int
    twenty_five: int
    budget: Budget
    repeats: int


FULL = SolverSize(100, 16, 8, Budget(5, 15), 3)
QUICK = SolverSize(20, 4, 2, Budget(0.5, 1.5), 1)


class Solvers(Benchmark):
    """The puzzles solved within the limit; mean, median and worst time; nodes; and a comparison with the best peer."""

    name = "solvers"
    title = "Every solver on the same puzzles"
    packages = PACKAGES

    def plan(self, asked: BenchmarkOptions) -> races.Race:
        size = QUICK if asked.quick else FULL
        names = races.chosen(asked, (*OURS, *EARLIER, *(FEW if asked.quick else OTHERS)))
        if asked.puzzles:
            sets = from_files(asked.puzzles, size.nine if asked.quick else None)
        else:
            sets = [
                generated(3, 3, "easy", size.nine, asked.seed),
                generated(3, 3, "hard", size.nine, asked.seed),
                generated(4, 4, "hard", size.sixteen, asked.seed),
                generated(5, 5, "hard", size.twenty_five, asked.seed),
            ]
        return races.Race.asked(asked, names, sets, (size.budget, size.repeats))

    def report(self, asked: BenchmarkOptions, plan: Plan, found: races.Found) -> Report:  # noqa: ARG002 - the results suffice
        assert isinstance(plan, races.Race)
        by_set = plan.rows(found)
        rows = [row for some in by_set.values() for row in some]
        return Report(
            sections=[races.table(some[0].puzzles.title, ranked(some), against=True) for some in by_set.values()],
            entries=[row.entry(self.name) for row in rows if row.results],
            draw=lambda: draw(by_set),
            caption="How many puzzles of a set each solver has solved, by the CPU time that it had for each. Full"
            " lines are solvers of ours, dash-dotted ones presets of ours, dashed ones others."
            " An external program counts with its mean for each puzzle.",
            wrong=races.refuted(rows),
        )


def ranked(rows: list[races.Row]) -> list[races.Row]:
    """Return our solvers in their order, then the others by the number of solved puzzles and the time."""
    ours = [row for row in rows if ":" not in row.subject]
    others = [row for row in rows if ":" in row.subject]
    return ours + sorted(others, key=lambda row: (-len(row.solved), sum(row.charged)))


def draw(by_set: Mapping[str, list[races.Row]]) -> Figure:
    """Draw a cactus plot for each set."""
    columns = min(2, len(by_set))
    lines = -(-len(by_set) // columns)
    picture = figure(5.6 * columns, 3.4 * lines + 1.6)
    plots = grid_of(picture, lines, columns)
    looks = styles(row.subject for rows in by_set.values() for row in rows)
    shown: dict[str, Any] = {}
    for axes, rows in zip(plots, by_set.values(), strict=False):
        races.cactus(axes, rows, looks)
        axes.set_ylabel("puzzles solved", fontsize=9)
        axes.set_xlabel("within so much CPU time each", fontsize=9)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    for axes in plots[len(by_set) :]:
        axes.set_visible(False)
    picture.legend(
        shown.values(), shown.keys(), loc="outside lower center", ncols=4, frameon=False, fontsize=8, handlelength=3.5,
        title="full lines: solvers of ours; dash-dotted: presets of ours; dashed: others", title_fontsize=8,
    )  # fmt: skip
    return picture
