"""What every benchmark is: what is asked of it, what it plans to measure, and what it tells of the results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from .runner import Crew, OnRun, Task, Work, results, run
from .store import Runs, RunStore

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Asked:
    """What the command line asks of a benchmark; None for its own choice."""

    quick: bool = False
    seed: int = 0
    repeats: int | None = None
    limit: float | None = None
    """CPU seconds for a puzzle."""
    puzzles: tuple[str, ...] = ()
    """Files, in place of the sets that are generated."""
    isomorphs: int = 0
    """How many isomorphs of each puzzle are added."""
    solvers: tuple[str, ...] = ()
    """Of the reader's own, as module:function; beside ours."""
    players: tuple[str, ...] = ()
    """Of the reader's own, as folders or names; beside ours."""
    boards: tuple[str, ...] = ()
    """Of games, in place of the usual ones."""
    times: tuple[float, ...] = ()
    """Seconds per turn of games, in place of the usual ones."""
    only: tuple[str, ...] = ()
    """Rows that are measured: solvers or players of ours; all, if none are named."""


@dataclass(frozen=True)
class Section:
    """A table, with a few words before it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset({0})
    """The columns that hold words."""
    note: str = ""


@dataclass(frozen=True)
class Entry:
    """A figure that later runs are compared with: one value for each repeat."""

    name: str
    unit: str
    values: Sequence[float]
    of: str
    """What was measured, and within which limits: figures are compared if this is the same."""
    is_higher_better: bool = False


@dataclass(frozen=True)
class Report:
    """What a benchmark tells."""

    sections: Sequence[Section]
    entries: Sequence[Entry] = ()
    draw: Callable[[], Figure] | None = None
    caption: str = ""
    """What the picture shows, in a sentence."""
    wrong: Sequence[str] = ()
    """Answers that were refuted."""
    troubles: Sequence[str] = ()
    """Measurements that came to no end, and why."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """More for JSON."""


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and how often."""

    tasks: Sequence[Task]
    repeats: int = 1
    told: str = ""
    """How it is measured, for the head of the results."""
    is_sparing: bool = False
    """Whether the budget of a task is for all its repeats together; so it is, unless repeats are asked for."""


class Benchmark(ABC):
    """A benchmark. `plan` depends on nothing but what is asked, `report` on nothing but the results."""

    name: ClassVar[str]
    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    """Whose versions are told, beside the usual ones."""

    @abstractmethod
    def plan(self, asked: Asked) -> Plan:
        """What is to be measured."""

    @abstractmethod
    def report(self, asked: Asked, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:
        """What there is to tell; `found` has the results of each task, by its key."""

    def total(self, plan: Plan) -> int:
        """How many measurements there are."""
        return len(plan.tasks) * plan.repeats

    def keys(self, plan: Plan) -> list[str]:
        """What tells a plan from all others."""
        return [str(plan.repeats), *(task.key for task in plan.tasks)]

    def outlook(self, plan: Plan, runs: Runs, version: str, jobs: int) -> tuple[int, float]:
        """How many measurements are still to be made, and the seconds that they take at most, about."""
        return _work(plan, version).outlook(runs, jobs)

    def execute(self, asked: Asked, plan: Plan, crew: Crew, store: RunStore, version: str, on_run: OnRun) -> Report:
        """Measure what the store lacks, and tell."""
        run(_work(plan, version), crew, store, asked.seed, on_run)
        found = {task.key: results(task, plan.repeats, store, version) for task in plan.tasks}
        troubles = [
            f"{', '.join(f'{name} {value}' for name, value in task.case.items())}: {result['trouble']}"
            for task in plan.tasks
            for result in found[task.key]
            if result["trouble"]
        ]
        return replace(self.report(asked, plan, found), troubles=list(dict.fromkeys(troubles)))


def _work(plan: Plan, version: str) -> Work:
    return Work(plan.tasks, plan.repeats, version, plan.is_sparing)
