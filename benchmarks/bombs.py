"""The benchmark `bombs` measures the exact move map, from scratch and by turns, and counts bombs as a board fills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .bomb_boards import FROM_GAME, NO_GAME, Shape
from .bomb_games import Counts, TrackedTurn, Tracking
from .bomb_maps import Time, median
from .bomb_tables import counted, from_scratch, picture, tracked
from .isolated import Budget
from .runner import Task

FILLS = (0, 10, 20, 30, 35, 40, 45, 50, 60, 80)
"""The filled shares of a board, in percent, at which maps are made from scratch."""
LIMIT = 2.0
"""The limit for a map or a turn, in seconds."""


class MapWork(NamedTuple):
    """The amount of work on a shape."""

    boards: int
    """The number of boards of each family and fill."""
    others: int
    """The number of these boards that all engines and peers map; the naive loop maps one."""
    tracked: int
    """The number of games in which the tracker is measured."""
    games: int
    """The number of games in which bombs are counted."""
    seconds: float
    """Upper bound for each measurement with all its repeats, in CPU seconds; further boards and games are omitted.
    """


WORK: Mapping[Shape, MapWork] = {
    (2, 2): MapWork(0, 0, 0, 500, 30),
    (2, 3): MapWork(0, 0, 0, 200, 30),
    (3, 3): MapWork(10, 5, 10, 100, 60),
    (3, 4): MapWork(0, 0, 0, 20, 60),
    (4, 4): MapWork(4, 2, 5, 10, 90),
    (5, 5): MapWork(3, 1, 1, 2, 180),
}
LITTLE: Mapping[Shape, MapWork] = {
    (2, 2): MapWork(0, 0, 0, 50, 10),
    (2, 3): MapWork(0, 0, 0, 20, 10),
    (3, 3): MapWork(3, 2, 2, 10, 20),
    (4, 4): MapWork(2, 1, 1, 1, 30),
}


class Bombs(Benchmark):
    """The times by engine, size and fill; the number of bombs; and the share of bombs that 000's rule finds."""

    name = "bombs"
    title = "The exact move map, and how many bombs there are"
    packages: ClassVar = ("python-sat",)

    def plan(self, asked: BenchmarkOptions) -> Plan:
        usual = 1.0 if asked.quick else LIMIT
        limit = asked.limit or usual
        tasks: list[Task] = []
        for shape, work in _work(asked).items():
            seconds = work.seconds * max(1.0, limit / usual)
            fills = FILLS[::4] if asked.quick else FILLS
            for family in (NO_GAME, FROM_GAME):
                items = [[number, fill] for number in range(work.boards) for fill in fills if fill or family == NO_GAME]
                common = {"shape": shape, "family": family, "limit": limit, "shared": work.others, "rounds": 1}
                tasks += _task("bomb_maps:scratch", common, items, seconds)
            common = {"shape": shape, "limit": limit}
            tasks += _task("bomb_games:turns", common, list(range(work.tracked)), seconds)
            tasks += _task("bomb_games:bombs", {"shape": shape}, list(range(work.games)), seconds, is_once=True)
        told = f"At most {limit:g} s for a map, and a quarter of that for the naive loop; > where that was not enough."
        return Plan(tasks, asked.repeats or (1 if asked.quick else 3), told, is_sparing=asked.repeats is None)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:  # noqa: ARG002
        by_shape: dict[Shape, Counts] = {}
        games: dict[Shape, int] = {}
        trackings: dict[Shape, Tracking] = {}
        sections: list[Section] = []
        entries: list[TrackedFigure] = []
        parts: list[dict[str, Any]] = []
        for task in plan.tasks:
            results, shape = [each for each in found[task.key] if each["parts"]], tuple(task.common["shape"])
            parts += [part for result in results for part in result["parts"]]
            if not results:
                continue
            if task.work.endswith(":scratch"):
                sections.append(from_scratch(shape, task.common["family"], _boards(task, results)))
                entries += _entries(self.name, task, results)
            elif task.work.endswith(":turns"):
                trackings[shape] = _tracking(results[0])
                name = f"{self.name} | {shape[0]}×{shape[1]} | tracker"
                entries.append(
                    TrackedFigure(name, "s per turn", [_mean(_tracking(result)) for result in results], task.key)
                )
            else:
                by_shape[shape] = _counts(results[0])
                games[shape] = len(results[0]["parts"])
        maps, confirmed = (sum(part[name] for part in parts) for name in ("maps", "confirmed"))
        if trackings:
            sections += tracked(trackings)
        return Report(
            sections=[*sections, *counted(by_shape, games)],
            entries=entries,
            draw=(lambda: picture(by_shape)) if by_shape else None,
            caption="How bombs come and go as a board fills in games of random safe moves, and which share of them"
            " 000's rule and its twin for columns find.",
            wrong=[each for part in parts for each in part["wrong"]],
            data={"maps compared": maps, "maps confirmed in full by another engine": confirmed, **_as_data(by_shape)},
        )


def _work(asked: BenchmarkOptions) -> Mapping[Shape, MapWork]:
    return LITTLE if asked.quick else WORK


def _task(
    work: str, common: dict[str, Any], items: list[Any], seconds: float, *, is_once: bool = False
) -> Iterator[Task]:
    """Yield the task, if it has any items; an item has no budget, because each map has a limit of its own."""
    if items:
        case = {name: value for name, value in common.items() if name in ("shape", "family")}
        yield Task(work, case, common, items, Budget(2 * seconds, seconds), is_once=is_once)


def _boards(task: Task, results: Sequence[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """Return the measurements on each board, by fill: the time of each engine is the median of the repeats."""
    by_fill: dict[int, list[dict[str, Any]]] = {}
    for place, (_, fill) in enumerate(task.items):
        known = [result["parts"][place] for result in results if place < len(result["parts"])]
        if known:
            times = {name: _middle([Time(*part["times"][name]) for part in known]) for name in known[0]["times"]}
            by_fill.setdefault(fill, []).append({"times": times, "bombs": known[0]["bombs"]})
    return by_fill


def _middle(times: Sequence[Time]) -> Time:
    """Return the median of the repeats, with all its fields."""
    return sorted(times)[(len(times) - 1) // 2]


def _entries(benchmark: str, task: Task, results: Sequence[dict[str, Any]]) -> Iterator[TrackedFigure]:
    """Yield the median over all boards for each engine."""
    (m, n), family = task.common["shape"], task.common["family"]
    for name in results[0]["parts"][0]["times"]:
        values = [
            median([Time(*part["times"][name]) for part in result["parts"] if name in part["times"]]).seconds
            for result in results
        ]
        measured = min(len(result["parts"]) for result in results)
        yield TrackedFigure(f"{benchmark} | {m}×{n}, {family} | {name}", "s per map", values, f"{task.key} {measured}")


def _tracking(result: dict[str, Any]) -> Tracking:
    """Return the games of a repeat as one object."""
    whole = Tracking()
    for part in result["parts"]:
        whole.games += 1
        whole.total += part["total"]
        whole.turns += [TrackedTurn(tenth, Time(*time)) for tenth, time in part["turns"]]
        for tenth, times in enumerate(part["scratch"]):
            whole.scratch[tenth] += [Time(*time) for time in times]
    return whole


def _mean(tracking: Tracking) -> float:
    return float(np.mean([turn.time.seconds for turn in tracking.turns]))


def _counts(result: dict[str, Any]) -> Counts:
    """Return the sums of all games together."""
    whole = Counts()
    for part in result["parts"]:
        whole.sums += np.array(part["sums"], np.int64)
        whole.undecided += part["undecided"]
    return whole


def _as_data(by_shape: Mapping[Shape, Counts]) -> dict[str, Any]:
    """Return the sums for JSON, so that users can draw them."""
    return {"counts": {f"{m}x{n}": counts.sums.tolist() for (m, n), counts in by_shape.items()}}
