"""Runs measurements: each once per round, in random order, on threads of this program or on a Dask cluster.

Every measurement has a process of its own (`isolated`), so threads suffice to supervise them. A finished measurement is
in the store before it is reported. The store decides which measurements are still missing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any

from csp_sudoku.arena.workers import Workers

from .isolated import Budget, measure
from .store import Runs, RunStore

STARTING = 1.0
"""Approximate time in which a process gets ready if all kernels are compiled, in seconds."""

OnRun = Callable[[], object]


@dataclass(frozen=True)
class Task:
    """A measurement. Equal tasks are the same measurement, and have the same key."""

    work: str
    """The name of the work, `module:function` of this package; see `isolated`."""
    case: dict[str, Any]
    """The labels that distinguish the task from others in the tables; they are kept with each run."""
    common: dict[str, Any]
    """The argument of the work that is common to all items."""
    items: Sequence[Any]
    budget: Budget
    is_alone: bool = False
    """Whether the task must run alone, because it uses several processes or the wall clock."""
    is_once: bool = False
    """Whether a repeat would give nothing new."""

    @cached_property
    def key(self) -> str:
        """A text that no other measurement has."""
        what = [self.work, self.case, self.common, list(self.items), list(self.budget)]
        return sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:24]

    def most(self, times: int, spent: float | None = None) -> float:
        """Return approximately the maximum time of a number of repeats, in CPU seconds.

        With `spent`, the seconds of the repeats so far, the budget covers all repeats together; with None (the default)
        it covers each of them.
        """
        once = min(self.budget.total, len(self.items) * self.budget.item)
        whole = times * once if spent is None else min(times * once, self.budget.total - spent)
        late = min(len(self.items), int(once / self.budget.item))  # each late item ends its process
        return max(0.0, whole) + STARTING * max(times, late + 1)

    def measure(self) -> dict[str, Any]:
        """Perform the measurement in a process on this machine, and return its result."""
        return measure(self.work, self.common, self.items, self.budget)


@dataclass(frozen=True)
class MeasurementPool(Workers):
    """The pool that performs the measurements."""

    is_local: bool = True


@contextmanager
def local_pool(jobs: int) -> Iterator[MeasurementPool]:
    """Open a pool on this machine that performs `jobs` measurements at a time."""
    pool = ThreadPoolExecutor(jobs, "measurement")
    try:
        yield MeasurementPool(pool, jobs)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def pool_of(jobs: int | None, scheduler: str | None) -> Iterator[MeasurementPool]:
    """Open a pool that performs `jobs` measurements at a time, here (default 1) or on the workers of a Dask cluster.

    `scheduler` is the address of the cluster; None means this machine.
    """
    if scheduler is None:
        with local_pool(jobs or 1) as pool:
            yield pool
        return
    from csp_sudoku.arena.pool import cluster_pool

    with cluster_pool(scheduler, jobs) as cluster:
        yield MeasurementPool(cluster.executor, cluster.jobs, cluster.losses, is_local=False)


@dataclass(frozen=True)
class Workload:
    """Tasks, and the number of repeats of each."""

    tasks: Sequence[Task]
    repeats: int
    version: str
    is_sparing: bool = False
    """Whether a task's budget covers all its repeats together, instead of each of them."""

    def is_due(self, task: Task, repeat: int, store: Runs) -> bool:
        """Return whether to perform a measurement, given the earlier ones of the task.

        A task that exceeded a limit is not repeated: its result is known, and repeating it would take longest of all.
        """
        if run_key(task, repeat, self.version) in store:
            return False
        before = results(task, repeat, store, self.version)
        if (repeat and task.is_once) or any(map(is_late, before)):
            return False
        spent = [result["spent"] for result in before]
        return not (self.is_sparing and spent and sum(spent) + max(spent) > task.budget.total)

    def outlook(self, store: Runs, jobs: int) -> tuple[int, float]:
        """Return the number of remaining measurements, and approximately their maximum time, in seconds.

        `store` holds the runs so far, and `jobs` is the number of measurements at a time.
        """
        count, shared, longest, alone = 0, 0.0, 0.0, 0.0
        for task in self.tasks:
            times = sum(self.is_due(task, repeat, store) for repeat in range(self.repeats))
            if not times:
                continue
            spent = sum(result["spent"] for result in results(task, self.repeats, store, self.version))
            seconds = task.most(times, spent if self.is_sparing else None)
            count += times
            if task.is_alone:
                alone += seconds
            else:
                shared += seconds
                longest = max(longest, seconds)
        return count, (shared - longest) / jobs + longest + alone  # the longest one may run last, alone


def run(work: Workload, pool: MeasurementPool, store: RunStore, seed: int, on_run: OnRun) -> None:
    """Perform the measurements that are not in the store: each task once, then each again, in another order each time.

    Tasks that must run alone come last in a round, one after the other. `on_run` is called after each measurement.

    `seed` determines the order of the tasks in each round.
    """
    version = work.version
    for repeat in range(work.repeats):
        order = list(work.tasks)
        Random(f"{seed} {repeat}").shuffle(order)
        open_ones = [task for task in order if work.is_due(task, repeat, store)]
        for _ in range(len(order) - len(open_ones)):
            on_run()
        shared = [task for task in open_ones if not task.is_alone]
        alone = [task for task in open_ones if task.is_alone]
        for some, jobs in ((shared, pool.jobs), (alone, 1)):
            for task, result in pool.run(Task.measure, some, jobs):
                store.add(
                    {
                        "key": run_key(task, repeat, version),
                        "task": task.key,
                        "repeat": repeat,
                        "version": version,
                        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                        "work": task.work,
                        "case": task.case,
                        "result": result,
                    }
                )
                on_run()


def run_key(task: Task, repeat: int, version: str) -> str:
    """Return the key of a run."""
    return f"{task.key}-{version}-{repeat}"


def results(task: Task, repeats: int, store: Runs, version: str) -> list[dict[str, Any]]:
    """Return the results of a task so far, in the order of the repeats."""
    found = (store.get(run_key(task, repeat, version)) for repeat in range(repeats))
    return [run["result"] for run in found if run is not None]


def is_late(result: Mapping[str, Any]) -> bool:
    """Return whether a measurement exceeded a limit or failed."""
    return bool(result["trouble"]) or any("over" in part for part in result["parts"])
