"""Solvers on sets of puzzles: the tasks, the evaluation of their runs, and tables and pictures of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any

from csp_sudoku.errors import OptionError

from . import external, subjects
from .benchmark import BenchmarkOptions, Plan, Section, TrackedFigure
from .isolated import USED_UP, Budget
from .models import PeerPuzzle
from .pictures import plain_text, seconds_axis, whole_numbers
from .runner import Task
from .sets import PuzzleSet, with_isomorphs
from .tables import median, ms, number
from .timing import puzzle_items

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Found = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Race(Plan):
    """A plan, with the subject and the set of each task."""

    entered: tuple[tuple[str, PuzzleSet, Task], ...] = ()

    @staticmethod
    def of(
        names: Iterable[str],
        sets: Sequence[PuzzleSet],
        budget: Budget,
        repeats: int,
        told: str = "",
        *,
        is_sparing: bool = False,
    ) -> Race:
        """Plan the measurement of every installed subject on every set; raise OptionError if none is installed.

        `budget` applies to each repeat of a task, or with `is_sparing` (default False), to all its repeats together.
        `told` begins the description (default empty).
        """
        known = entrants(names)
        if not any(map(subjects.is_installed, known)):
            names = ", ".join(map(subjects.label, known))
            raise OptionError(f'expected a solver that is installed ("csp-sudoku[bench]" brings more); found {names}')
        entered = tuple(
            (subject, puzzles, task(subject, puzzles, budget))
            for puzzles in sets
            for subject in known
            if subjects.is_installed(subject)
        )
        together = ", all repeats together" if is_sparing and repeats > 1 else ""
        limits = f"At most {budget.item:g} CPU seconds for a puzzle, and {budget.total:g} for a set{together}."
        missing = [subjects.label(name) for name in known if not subjects.is_installed(name)]
        words = [told, limits, f"Not installed: {', '.join(missing)}." if missing else ""]
        return Race([each for *_, each in entered], repeats, " ".join(filter(None, words)), is_sparing, entered)

    @staticmethod
    def asked(
        asked: BenchmarkOptions,
        names: Iterable[str],
        sets: Sequence[PuzzleSet],
        usual: tuple[Budget, int],
        told: str = "",
    ) -> Race:
        """Make the same plan with the usual budget and repeats, unless the command line sets others.

        The limit of a set grows with that of a puzzle. It covers all the usual repeats together.
        """
        budget, repeats = usual
        if asked.isomorphs:
            sets = [with_isomorphs(each, asked.isomorphs, asked.seed) for each in sets]
        if asked.limit is not None:
            budget = Budget(asked.limit, max(asked.limit, budget.total * asked.limit / budget.item))
        is_sparing = asked.repeats is None
        return Race.of(names, sets, budget, asked.repeats or repeats, told, is_sparing=is_sparing)

    def rows(self, found: Found) -> dict[str, list[Row]]:
        """Return the rows of each set, by the name of the set."""
        rows: dict[str, list[Row]] = {}
        for subject, puzzles, each in self.entered:
            rows.setdefault(puzzles.name, []).append(Row(subject, puzzles, each.budget, found.get(each.key, [])))
        return rows


def entrants(*names: Iterable[str]) -> list[str]:
    """Return the subjects of these names, each once; raise OptionError if there is no such subject."""
    return [subjects.require(name) for name in dict.fromkeys(chain(*names))]


def chosen(asked: BenchmarkOptions, usual: Iterable[str]) -> list[str]:
    """Return the subjects that the command line selects, each once. `usual` are the subjects of the benchmark.

    `--only` replaces the usual subjects, `--peer` the usual peers; `--solver` and `--solver-cmd` add to them. Raise
    OptionError for an unknown subject, for a peer that the command line names and that is not installed, and for two
    programs of the same name.
    """
    peers = list(map(subjects.selected_peer, asked.peers))
    ours = list(map(subjects.selected, asked.only)) or [
        name for name in usual if not (peers and subjects.is_peer(name))
    ]
    kind = next(kind for kind, empty in external.EMPTY.items() if empty == asked.empty)
    commands = dict.fromkeys(f"{kind}:{line}" for line in asked.commands)
    found = entrants(ours, peers, commands, asked.solvers)
    labels = Counter(map(subjects.label, commands))
    if twice := [label for label, count in labels.items() if count > 1]:
        raise OptionError(f"expected programs of different names; found several called {twice[0]!r}")
    return found


def task(subject: str, puzzles: PuzzleSet, budget: Budget) -> Task:
    """Return the measurement of a subject on a set.

    `budget` limits the CPU seconds for a puzzle and for the set.
    """
    source = subjects.source(subject)
    common: dict[str, Any] = {"subject": subject} | ({"source": source} if source else {})
    if subjects.is_command(subject):
        kind, _, line = subject.partition(":")
        limit = min(budget.total, budget.item * len(puzzles.puzzles))
        common |= {"command": external.words(line), "empty": external.EMPTY[kind], "limit": limit}
    return Task(
        work="external:solve" if subjects.is_command(subject) else "timing:solve",
        case={"solver": subject, "set": puzzles.name, "puzzles": len(puzzles.puzzles)},
        common=common,
        items=puzzle_items(puzzles.puzzles),
        budget=budget,
    )


@dataclass(frozen=True)
class Row:
    """The results of a subject on a set, for each puzzle as medians over the repeats."""

    subject: str
    puzzles: PuzzleSet
    budget: Budget
    results: Sequence[dict[str, Any]]

    @property
    def label(self) -> str:
        """The label of the subject in the tables."""
        return subjects.label(self.subject)

    @property
    def total(self) -> int:
        """The number of puzzles in the set."""
        return len(self.puzzles.puzzles)

    def times(self, number: int) -> list[float]:
        """Return the CPU seconds of a puzzle in each repeat that solved it; each is the median of the passes."""
        found = []
        for result in self.results:
            parts = result["parts"]
            if number < len(parts) and parts[number].get("verdict") == "solved":
                seconds = median([parts[number]["seconds"], *(each[number] for each in result["passes"])])
                if seconds <= self.budget.item:  # a solver slightly over the limit may finish before the parent notices
                    found.append(seconds)
        return found

    def seconds(self, number: int) -> float | None:
        """Return the median of the CPU seconds of a puzzle; None unless more than half of the repeats solved it."""
        times = self.times(number)
        return median(times) if 2 * len(times) > len(self.results) else None

    @property
    def solved(self) -> list[float]:
        """The CPU seconds of all solved puzzles."""
        return [seconds for each in range(self.total) if (seconds := self.seconds(each)) is not None]

    @property
    def charged(self) -> list[float]:
        """The CPU seconds of all puzzles; an unsolved one counts with the limit."""
        return [self.budget.item if (seconds := self.seconds(each)) is None else seconds for each in range(self.total)]

    def of_parts(self, name: str) -> list[float]:
        """Return the values of this name in the parts of the first repeat, for the solved puzzles that have one."""
        parts = self.results[0]["parts"] if self.results else []
        return [part[name] for part in parts if part.get("verdict") == "solved" and name in part]

    @property
    def wrong(self) -> list[int]:
        """The numbers of the puzzles with a wrong answer in any repeat, from 0."""
        return sorted(
            {
                each
                for result in self.results
                for each, part in enumerate(result["parts"])
                if part.get("verdict") == "wrong"
            }
        )

    @property
    def unanswered(self) -> int:
        """The number of puzzles to which an external program gave no answer in any repeat."""
        parts = [result["parts"] for result in self.results]
        return sum(
            any(number < len(each) and each[number].get("verdict") == "no answer" for each in parts)
            for number in range(self.total)
        )

    @property
    def trouble(self) -> str:
        """The reason why results are missing, in a few words; empty if there is none."""
        for result in self.results:
            if result["trouble"]:
                return str(result["trouble"])
            for part in result["parts"]:
                if part.get("error"):
                    return str(part["error"])
        return ""

    @property
    def ready(self) -> float | None:
        """The time to import, compile and warm up, in CPU seconds; None if it is unknown."""
        found = [result["ready"] for result in self.results if result["ready"] is not None]
        return median(found) if found else None

    @property
    def solved_text(self) -> str:
        """The number of solved puzzles, with the errors, as text."""
        text = f"{len(self.solved)}/{self.total}"
        if self.wrong:
            text += f", {len(self.wrong)} WRONG"
        if self.unanswered:
            text += f", {self.unanswered} no answer"
        missing = self.total - len(self.solved)
        reason = self.trouble
        if missing and reason and reason != USED_UP:
            text += f" ({reason})"
        return text

    def entry(self, prefix: str) -> TrackedFigure:
        """Return the mean seconds of each repeat, for later comparison; unsolved puzzles count with the limit."""
        values = []
        for result in self.results:
            one = Row(self.subject, self.puzzles, self.budget, [result])
            values.append(fmean(one.charged))
        of = sha256(repr((self.puzzles.puzzles, self.budget)).encode()).hexdigest()[:16]
        return TrackedFigure(f"{prefix} | {self.puzzles.name} | {self.label}", "s per puzzle", values, of)


def refuted(rows: Iterable[Row]) -> list[str]:
    """Return a line for each solver with wrong answers; it contains the first such puzzle."""
    return [
        f"{row.label} on {len(row.wrong)} of {row.puzzles.title}; puzzle {row.wrong[0] + 1} is"
        f" {line(row.puzzles.puzzles[row.wrong[0]])}"
        for row in rows
        if row.wrong
    ]


def line(puzzle: PeerPuzzle) -> str:
    """Return a puzzle in one line."""
    cells = [str(value or ".") for value in puzzle.cells]
    return ("" if puzzle.size <= 9 else " ").join(cells)


COLUMNS = ("solver", "solved", "mean, ms", "median, ms", "worst, ms", "model, ms", "nodes", "ready, s")


def table(title: str, rows: Sequence[Row], *, against: bool = False, note: str = "") -> Section:
    """Return the table of a set; with `against`, it also compares each solver with the best peer."""
    best = min(
        (row for row in rows if subjects.is_peer(row.subject) and row.solved),
        key=lambda row: (-len(row.solved), sum(row.charged)),
        default=None,
    )
    columns = list(COLUMNS) + (["× best peer"] if against else [])
    lines = []
    for row in rows:
        cells = [row.label, row.solved_text, *figures(row)]
        if against:
            cells.append(ratio_text(row, best))
        lines.append(cells)
    if best is not None and against:
        note = f"{note} Best peer: {best.label}.".strip()
    return Section(title, columns, lines, frozenset({0, 1}), note)


def figures(row: Row) -> list[str]:
    """Return the entries of a row after its name and its number of solved puzzles."""
    solved = row.solved
    if not solved:
        return ["", "", "", "", "", "" if row.ready is None else f"{row.ready:.2f}"]
    bound = "> " if len(solved) < row.total else ""
    charged = row.charged
    is_mean = subjects.is_command(row.subject)  # a program has the mean of the set for each puzzle
    build, nodes = row.of_parts("build"), row.of_parts("nodes")
    return [
        bound + ms(fmean(charged)),
        "" if is_mean else ("> " if median(charged) >= row.budget.item else "") + ms(median(charged)),
        "" if is_mean else bound + ms(max(charged)),
        ms(median(build)) if build else "",
        number(median(nodes)) if nodes else "",
        "" if row.ready is None else f"{row.ready:.2f}",
    ]


def ratio_text(row: Row, best: Row | None) -> str:
    """Return the mean time of the best peer as a multiple of the row's; a bound if either was cut short."""
    if best is None or not row.solved:
        return ""
    mark = "< " if len(row.solved) < row.total else "> " if len(best.solved) < best.total else ""
    return mark + number(sum(best.charged) / sum(row.charged))


def cactus(axes: Axes, rows: Sequence[Row], styles: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw the number of puzzles that each solver solves, over the time limit per puzzle."""
    limit = rows[0].budget.item
    for row in rows:
        times = sorted(row.solved)
        if times:
            counts = list(range(1, len(times) + 1))
            axes.step(
                [times[0], *times, limit], [0, *counts, counts[-1]],
                where="post", label=plain_text(row.label.removeprefix("csp_sudoku ")), **styles[row.subject],
            )  # fmt: skip
    axes.set_title(rows[0].puzzles.title, fontsize=10.5, loc="left")
    seconds_axis(axes.xaxis)
    axes.set_ylim(0, rows[0].total * 1.04)
    whole_numbers(axes.yaxis)
    axes.set_xlim(right=limit)
