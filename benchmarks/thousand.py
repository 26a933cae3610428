"""The benchmark `thousand` measures 1000 boards of 9×9 as in 003, by 003's solvers and ours, serial and parallel."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from . import races, subjects
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .earlier import SYSTEMS, THOUSAND
from .isolated import Budget
from .peers import PACKAGES
from .pictures import GREY, OURS, figure, grid_of, plain_text, seconds_axis
from .runner import Task
from .sets import PuzzleSet, emptied, from_files
from .tables import median, number
from .timing import puzzle_items

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("brute-force", "most-constrained", "lookup-table", "backtracking", "learning", "cpsat", "auto", "auto*many")
OTHERS = ("plain:algorithm-x", "plain:singles-and-guess", "peer:minisat22", "peer:xcover", "peer:python-constraint2")
PARALLEL = ("lookup-table", "cpsat", "auto")
MOST = 200_000
"""Upper bound for the number of puzzles in a list."""


@dataclass(frozen=True)
class Both(races.Race):
    """The tasks of one process, and the tasks of several processes."""

    shared: Mapping[tuple[str, int], Task] = field(default_factory=dict)


class Thousand(Benchmark):
    """The seconds for all boards, and the speed-up by the number of processes."""

    name = "thousand"
    title = "A thousand boards of 9×9"
    packages = PACKAGES

    def plan(self, asked: BenchmarkOptions) -> Both:
        names = races.chosen(asked, (*NAMES, *OTHERS))
        count = 200 if asked.quick else 1000
        sets = from_files(asked.puzzles, count) if asked.puzzles else [emptied(3, 3, count, asked.seed)]
        usual = (Budget(1, 5), 1) if asked.quick else (Budget(5, 30), 3)
        told = "Boards as 003 had them, 60 % of a random solution emptied." if not asked.puzzles else ""
        race = races.Race.asked(asked, names, sets, usual, told)
        shared = {
            (name, jobs): _task(name, jobs, sets[0], asked.quick)
            for name in PARALLEL
            for jobs in process_counts()
            if name in names
        }
        return replace(Both(**vars(race)), tasks=[*race.tasks, *shared.values()], shared=shared)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: races.Found) -> Report:  # noqa: ARG002 - the results suffice
        assert isinstance(plan, Both)
        by_set = plan.rows(found)
        rows = [row for some in by_set.values() for row in some]
        parallel = {key: found.get(task.key, []) for key, task in plan.shared.items()}
        wrong = [
            f"{subjects.label(name)} with {jobs} processes: {part['wrong']} boards"
            for (name, jobs), results in parallel.items()
            for result in results
            for part in result["parts"]
            if part.get("wrong")
        ]
        entries = [row.entry(self.name) for row in rows if row.results]
        entries += [
            TrackedFigure(
                f"{self.name} | {name}, {jobs} processes", "boards per second", rates, key, is_higher_better=True
            )
            for (name, jobs), results in parallel.items()
            if (rates := rates_of(results)) and (key := plan.shared[name, jobs].key)
        ]
        sections = [*map(_serial, by_set.values())]
        if parallel:
            sections.append(_shared(parallel))
        return Report(
            sections=sections,
            entries=entries,
            draw=lambda: draw(rows, parallel),
            caption="Left: the time for a thousand boards, one after the other, ours and what 003 reported of its own."
            " Right: how many times as many boards several processes solve in the same time as one.",
            wrong=[*races.refuted(rows), *wrong],
        )


def process_counts() -> list[int]:
    """Return the powers of two up to the number of processors, and that number."""
    most = os.cpu_count() or 1
    return sorted({most, *(2**power for power in range(most.bit_length()) if 2**power <= most)})


def _task(name: str, jobs: int, puzzles: PuzzleSet, quick: bool) -> Task:
    """Return the task of solving lists of boards with `jobs` processes; fast solvers get the set several times."""
    times = {"auto": 40, "lookup-table": 10}.get(name, 1)
    many = (list(puzzles.puzzles) * times)[:MOST]
    return Task(
        work="timing:many",
        case={"solver": name, "set": puzzles.name, "puzzles": len(many), "jobs": jobs},
        common={"subject": name, "jobs": jobs},
        items=[puzzle_items(many)] * (1 if quick else 3),
        budget=Budget(30, 30),
        is_alone=True,
    )


def rates_of(results: Sequence[dict[str, Any]]) -> list[float]:
    """Return the boards per second in each repeat."""
    found = []
    for result in results:
        rates = [part["boards"] / part["seconds"] for part in result["parts"] if "boards" in part]
        if rates:
            found.append(median(rates))
    return found


def _for_thousand(row: races.Row) -> float:
    """Return the seconds for a thousand boards; an unsolved board counts with the limit."""
    return sum(row.charged) * 1000 / row.total


def _serial(rows: Sequence[races.Row]) -> Section:
    """Return the table of the seconds of one process."""
    lines = []
    slowest = next((_for_thousand(row) for row in rows if row.subject == "brute-force"), None)
    for row in rows:
        late = "> " if len(row.solved) < row.total else ""
        theirs = THOUSAND.get(row.subject)
        seconds = _for_thousand(row)
        lines.append(
            [
                *(row.label, row.solved_text, late + number(seconds)),
                "" if slowest is None else number(slowest / seconds),
                "" if theirs is None else number(theirs),
                "" if theirs is None else number(THOUSAND["brute-force"] / theirs),
            ]
        )
    columns = ["solver", "solved", "s for 1000", "× brute force", "003 reported, s", "× its brute force"]
    note = f"{SYSTEMS['003']}: plain Python, other boards, another machine."
    return Section(f"{rows[0].puzzles.title}, one after the other", columns, lines, frozenset({0, 1}), note)


def _shared(parallel: Mapping[tuple[str, int], Sequence[dict[str, Any]]]) -> Section:
    """Return the table of the speed-ups."""
    lines = []
    for (name, jobs), results in parallel.items():
        rates, ones = rates_of(results), rates_of(parallel[name, 1])
        if rates and ones:
            speed_up = median(rates) / median(ones)
            lines.append([subjects.label(name), str(jobs), number(median(rates)), f"{speed_up:.2f}"])
    return Section(
        "In parallel",
        ["solver", "processes", "boards per second", "× one process"],
        lines,
        note="By the wall clock, `solve_many` in one process, and shared among several that are there and have"
        " compiled; no other measurement ran.",
    )


def draw(rows: Sequence[races.Row], parallel: Mapping[tuple[str, int], Sequence[dict[str, Any]]]) -> Figure:
    """Draw bars for one process, and lines for several."""
    picture = figure(10.5, 1.6 + 0.3 * (len(rows) + len(THOUSAND)))
    left, right = grid_of(picture, 1, 2, width_ratios=[3, 2])
    bars = [(plain_text(row.label.removeprefix("csp_sudoku ")), _for_thousand(row),
             OURS[0] if ":" not in row.subject else OURS[1], len(row.solved) < row.total) for row in rows]  # fmt: skip
    bars += [(f"003: {name}", seconds, GREY, False) for name, seconds in THOUSAND.items()]
    for place, (_, seconds, colour, is_late) in enumerate(bars):
        left.barh(place, seconds, color=colour, height=0.75)
        left.text(seconds * 1.1, place, ("> " if is_late else "") + f"{number(seconds)} s", va="center", fontsize=8)
    left.set_yticks(range(len(bars)), [name for name, *_ in bars], fontsize=9)
    left.invert_yaxis()
    seconds_axis(left.xaxis)
    left.set_xlim(right=left.get_xlim()[1] * 4)
    left.set_title("1000 boards one after the other", fontsize=10.5, loc="left")
    left.set_xlabel("CPU time; blue: ours, orange: others, grey: what 003 reported", fontsize=9)
    counts = sorted({jobs for _, jobs in parallel})
    right.plot(counts, counts, color="0.6", linestyle=":", label="as many times as processes")
    for number_, name in enumerate(dict.fromkeys(name for name, _ in parallel)):
        ones = rates_of(parallel[name, 1])
        points = [
            (jobs, median(rates) / median(ones))
            for jobs in counts
            if ones and (rates := rates_of(parallel[name, jobs]))
        ]
        right.plot(*zip(*points, strict=True), "o-", color=OURS[number_], label=name) if points else None
    right.set_title("Several processes against one", fontsize=10.5, loc="left")
    right.set_xlabel("processes", fontsize=9)
    right.set_ylabel("times as many boards per second", fontsize=9)
    right.set_xticks(counts)
    right.set_ylim(bottom=0)
    right.legend(frameon=False, fontsize=8)
    return picture
