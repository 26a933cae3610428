"""The interface of a benchmark: the settings from the command line, the plan of measurements, and the report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from .runner import MeasurementPool, OnRun, Task, Workload, results, run
from .store import Runs, RunStore

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BenchmarkOptions:
    """The settings of a benchmark from the command line; None leaves the choice to the benchmark."""

    quick: bool = False
    seed: int = 0
    repeats: int | None = None
    limit: float | None = None
    """The limit for a puzzle, in CPU seconds."""
    puzzles: tuple[str, ...] = ()
    """Files of puzzles, instead of the generated sets."""
    isomorphs: int = 0
    """The number of isomorphs to add for each puzzle."""
    solvers: tuple[str, ...] = ()
    """The user's own solvers, as module:function, in addition to ours."""
    commands: tuple[str, ...] = ()
    """The command lines of external programs, in addition to our solvers."""
    empty: str = "."
    """The character for an empty cell that these programs read: "." or "0"."""
    peers: tuple[str, ...] = ()
    """The peers to compare with ours, instead of the usual ones."""
    players: tuple[str, ...] = ()
    """The user's own players, as folders or names, in addition to ours."""
    boards: tuple[str, ...] = ()
    """The boards of games, instead of the usual ones."""
    times: tuple[float, ...] = ()
    """The times per turn of games, in seconds, instead of the usual ones."""
    only: tuple[str, ...] = ()
    """The solvers, peers or players to measure; if this is empty, the usual ones."""


@dataclass(frozen=True)
class Section:
    """A table, with a few sentences before it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset({0})
    """The numbers of the columns that hold words."""
    note: str = ""


@dataclass(frozen=True)
class TrackedFigure:
    """A figure for comparison with later runs, with one value for each repeat."""

    name: str
    unit: str
    values: Sequence[float]
    of: str
    """A text that identifies the puzzles and the limits; only figures with the same text are compared."""
    is_higher_better: bool = False


@dataclass(frozen=True)
class Report:
    """The report of a benchmark."""

    sections: Sequence[Section]
    entries: Sequence[TrackedFigure] = ()
    draw: Callable[[], Figure] | None = None
    caption: str = ""
    """A sentence that describes the picture."""
    wrong: Sequence[str] = ()
    """Answers that were refuted."""
    troubles: Sequence[str] = ()
    """Measurements that did not finish, with the reasons."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Additional data for JSON."""


@dataclass(frozen=True)
class Plan:
    """The measurements to make, and their number of repeats."""

    tasks: Sequence[Task]
    repeats: int = 1
    told: str = ""
    """The description of the measurements at the head of the results."""
    is_sparing: bool = False
    """Whether the budget of a task covers all its repeats together, as it does unless the user sets the repeats."""


class Benchmark(ABC):
    """A benchmark. `plan` depends only on the settings, and `report` only on the results."""

    name: ClassVar[str]
    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    """Packages whose versions are reported, in addition to the usual ones."""

    @abstractmethod
    def plan(self, asked: BenchmarkOptions) -> Plan:
        """Return the measurements to make."""

    @abstractmethod
    def report(self, asked: BenchmarkOptions, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:
        """Return the report; `found` has the results of each task, by its key."""

    def total(self, plan: Plan) -> int:
        """Return the number of measurements."""
        return len(plan.tasks) * plan.repeats

    def keys(self, plan: Plan) -> list[str]:
        """Return the texts that distinguish a plan from all other plans."""
        return [str(plan.repeats), *(task.key for task in plan.tasks)]

    def outlook(self, plan: Plan, runs: Runs, version: str, jobs: int) -> tuple[int, float]:
        """Return the number of remaining measurements, and approximately their maximum time, in seconds.

        `runs` are the raw runs so far, `version` is the fingerprint of the code and the machine, and `jobs` the number
        of measurements at a time.
        """
        return _work(plan, version).outlook(runs, jobs)

    def execute(
        self, asked: BenchmarkOptions, plan: Plan, pool: MeasurementPool, store: RunStore, version: str, on_run: OnRun
    ) -> Report:
        """Perform the measurements that are not in the store, and return the report.

        `pool` is the pool that measures, `version` the fingerprint of the code and the machine, and `on_run` is called
        after each measurement.
        """
        run(_work(plan, version), pool, store, asked.seed, on_run)
        found = {task.key: results(task, plan.repeats, store, version) for task in plan.tasks}
        troubles = [
            f"{', '.join(f'{name} {value}' for name, value in task.case.items())}: {result['trouble']}"
            for task in plan.tasks
            for result in found[task.key]
            if result["trouble"]
        ]
        return replace(self.report(asked, plan, found), troubles=list(dict.fromkeys(troubles)))


def _work(plan: Plan, version: str) -> Workload:
    return Workload(plan.tasks, plan.repeats, version, plan.is_sparing)
