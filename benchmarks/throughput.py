"""`throughput`: it measures the speed that users feel, through the public API and the command, beside peers.

The rows are bulk solving, the command, two threads, the start, move maps, and hard large boards. Each row is measured
in turn with its peer, in one process: an external program (`--solver-cmd`), a package of others if it is installed, or
ourselves with another setting. So a ratio holds on a busy machine, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log
from statistics import fmean
from typing import Any, NamedTuple

from . import external, subjects
from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .bomb_boards import NO_GAME, board_of
from .isolated import Budget
from .models import PeerPuzzle
from .peers import PEERS
from .runner import Task
from .sets import PuzzleSet, from_files, generated, puzzle_of, with_isomorphs
from .tables import median, number
from .throughput_work import MAP, MAP_BY, ROWS, is_alone
from .timing import puzzle_items

Found = Mapping[str, list[dict[str, Any]]]

LINES = 10_000
"""The number of puzzles that a row on 9×9 solves at a time; a smaller set is repeated."""
FILE = 100_000
"""The number of puzzles in the file that the command solves."""
ROUNDS = 3
"""The number of rounds in which ours and the peer's are measured in turn."""
SAT_MAPS = ("python-sat Minisat22", "python-sat Glucose4")
"""The makers of maps beside which ours is measured."""


class MapKind(NamedTuple):
    """Random boards of one shape, so many at each percentage of filled cells."""

    m: int
    n: int
    fills: range
    per_fill: int


MAPS = (MapKind(3, 3, range(25, 61, 5), 10), MapKind(4, 4, range(40, 41), 10), MapKind(5, 5, range(43, 47), 3))


@dataclass(frozen=True)
class RowTask:
    """A row of the tables, and its measurement."""

    name: str
    boards: str
    peer: str
    """The label of the peer; empty if there is none."""
    task: Task
    is_wall: bool = False
    """Whether the times are by the wall clock."""


@dataclass(frozen=True)
class RowsPlan(Plan):
    """The plan, with the row of each task: on lines of 9×9 puzzles, and on boards one by one."""

    lines: tuple[RowTask, ...] = ()
    boards: tuple[RowTask, ...] = ()


class Throughput(Benchmark):
    """The time of each row per board, and its ratio to the peer's."""

    name = "throughput"
    title = "The speed that users feel"
    packages = ("python-sat",)

    def plan(self, asked: BenchmarkOptions) -> RowsPlan:
        sets = _sets(asked)
        nine = [each for each in sets if each.shape == (3, 3)]
        lines = tuple(row for puzzles in nine for row in _on_lines(asked, puzzles))
        hard = tuple(row for puzzles in sets if puzzles.shape != (3, 3) for row in _on_boards(asked, puzzles))
        maps = tuple(row for kind in MAPS for row in _maps(asked, kind))
        told = (
            "CPU seconds of a process with all its threads; rows with two jobs by the wall clock. Ours and the peer are"
            " measured in turn."
        )
        tasks = [row.task for row in (*lines, *maps, *hard)]
        return RowsPlan(tasks, asked.repeats or (1 if asked.quick else 3), told, False, lines, (*maps, *hard))

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Found) -> Report:  # noqa: ARG002 - the plan suffices
        assert isinstance(plan, RowsPlan)
        by_set: dict[str, list[RowTask]] = {}
        for row in plan.lines:
            by_set.setdefault(row.boards, []).append(row)
        sections = [_lines_section(boards, rows, found) for boards, rows in by_set.items()]
        if plan.boards:
            sections.append(_boards_section(plan.boards, found))
        rows = (*plan.lines, *plan.boards)
        wrong = [
            f"{row.name}, {row.boards}: {count}"
            for row in rows
            if (count := sum(part.get("wrong", 0) for part in _parts(row, found)))
        ]
        return Report(sections, list(_entries(rows, found)), wrong=wrong)


def _sets(asked: BenchmarkOptions) -> list[PuzzleSet]:
    """Return the sets of the user, or generated ones; larger boards with the isomorphs that are asked for."""
    if asked.puzzles:
        sets = from_files(asked.puzzles, 100 if asked.quick else None)
    else:
        count = 20 if asked.quick else 200
        sets = [generated(3, 3, kind, count, asked.seed) for kind in ("easy", "hard")]
        sets.append(generated(5, 5, "hard", 1 if asked.quick else 8, asked.seed))
    return [
        each if each.shape == (3, 3) or not asked.isomorphs else with_isomorphs(each, asked.isomorphs, asked.seed)
        for each in sets
    ]


def _on_lines(asked: BenchmarkOptions, puzzles: PuzzleSet) -> Iterator[RowTask]:
    """Yield the rows on a set of 9×9 puzzles, each beside each external program."""
    lines = external.lines_of(puzzles.puzzles, ".").split()
    for name in ROWS:
        if asked.only and name not in asked.only:
            continue
        is_command = name.startswith("csp-sudoku")
        most = (FILE if is_command else LINES) // (50 if asked.quick else 1)
        has_own_peer = is_alone(name) or name.endswith("one board")
        for command in (asked.commands or ("",)) if not has_own_peer else ("",):
            common: dict[str, Any] = {
                "lines": lines,
                "times": max(1, most // len(lines)),
                "command": external.words(command) if command else [],
                "empty": asked.empty,
                "rounds": 1 if asked.quick else ROUNDS,
            }
            peer = external.label(command) if command else ""
            if command:
                common["source"] = subjects.source(f"command:{command}")
            elif has_own_peer:
                peer = "import numba" if name.endswith("one board") else "one job"
            case = {"row": name, "set": puzzles.name, "peer": peer}
            budget = Budget(1200, 1200)
            task = Task("throughput_work:contests", case, common, [name], budget, is_alone=is_alone(name))
            yield RowTask(name, puzzles.title, peer, task, is_alone(name))


def _on_boards(asked: BenchmarkOptions, puzzles: PuzzleSet) -> Iterator[RowTask]:
    """Yield the rows on a set of larger puzzles: ours against itself with other settings, and against CaDiCaL."""
    pairs = [("auto", "learning", False), ("auto?jobs=2", "auto", True)]
    if PEERS["cadical153"].is_installed():
        pairs.append(("auto", "peer:cadical153", False))
    for ours, theirs, is_wall in pairs:
        yield from _pair(asked, (ours, theirs), puzzles.title, puzzles.puzzles, is_wall=is_wall)


def _maps(asked: BenchmarkOptions, kind: MapKind) -> Iterator[RowTask]:
    """Yield the rows of the move map on random boards of one kind."""
    m, n, fills, count = kind
    if asked.quick:
        fills, count = range(fills.start, fills.start + 1), 1
    make = partial(board_of, (m, n), NO_GAME)
    boards = [puzzle_of(make(number_, fill, {})) for fill in fills for number_ in range(count)]
    size = m * n
    title = f"{len(boards)} of {size}×{size}, {fills[0]}–{fills[-1]} % filled"
    peers = [MAP_BY + label for label in SAT_MAPS if PEERS["minisat22"].is_installed()]
    for theirs in peers or [""]:
        yield from _pair(asked, (MAP, theirs), title, boards, is_wall=False)


def _pair(
    asked: BenchmarkOptions, pair: tuple[str, str], title: str, boards: Sequence[PeerPuzzle], *, is_wall: bool
) -> Iterator[RowTask]:
    """Yield the row of two subjects on boards, unless `--only` leaves it out."""
    ours, theirs = pair
    if asked.only and ours not in asked.only:
        return
    common = {"ours": ours, "theirs": theirs, "is_wall": is_wall}
    limit = asked.limit or (10.0 if asked.quick else 120.0)
    budget = Budget(limit, limit * len(boards))
    case = {"row": ours, "set": title, "peer": theirs}
    task = Task("throughput_work:pairs", case, common, puzzle_items(boards), budget, is_alone=is_wall)
    name = "move map" if ours == MAP else subjects.label(ours)
    peer = theirs.removeprefix(MAP_BY) if theirs.startswith(MAP_BY) else subjects.label(theirs) if theirs else ""
    yield RowTask(name, title, peer, task, is_wall)


def _parts(row: RowTask, found: Found) -> list[dict[str, Any]]:
    """Return the parts of all repeats that were measured."""
    return [part for result in found.get(row.task.key, []) for part in result["parts"] if "ours" in part]


def _ratios(parts: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return the ratio of each round, ours to the peer's."""
    return [ours / theirs for part in parts for ours, theirs in zip(part["ours"], part["theirs"], strict=False)]


def _lines_section(boards: str, rows: Sequence[RowTask], found: Found) -> Section:
    """Return the table of the rows on one set of 9×9 puzzles."""
    lines = []
    for row in rows:
        parts = _parts(row, found)
        if not parts:
            continue
        ours = median([each for part in parts for each in part["ours"]])
        theirs = [each for part in parts for each in part["theirs"]]
        ratios = _ratios(parts)
        lines.append(
            [
                row.name,
                number(1e6 * ours),
                row.peer,
                number(1e6 * median(theirs)) if theirs else "",
                number(median(ratios)) if ratios else "",
            ]
        )
    columns = ["row", "ours, µs a board", "peer", "theirs, µs", "ours / theirs"]
    note = "Medians of all rounds. A ratio below 1 means that ours is faster; it is the median of those of the rounds."
    return Section(boards, columns, lines, frozenset({0, 2}), note)


def _boards_section(rows: Sequence[RowTask], found: Found) -> Section:
    """Return the table of the rows that are measured board by board."""
    lines = []
    for row in rows:
        parts = _parts(row, found)
        if not parts:
            continue
        ours, theirs = ([each for part in parts for each in part[side]] for side in ("ours", "theirs"))
        ratios = _ratios(parts)
        known = [""] * 4
        if theirs:
            known = [number(fmean(theirs) * 1e3), number(fmean(ours) / fmean(theirs)), *_of_ratios(ratios)]
        lines.append([row.name, row.boards, number(fmean(ours) * 1e3), row.peer, *known])
    columns = ["row", "boards", "ours, mean ms", "peer", "theirs, mean ms", "of means", "geometric mean", "worst"]
    note = "The last three columns are ratios, ours / theirs: of the means, and of each board."
    return Section("Board by board", columns, lines, frozenset({0, 1, 3}), note)


def _of_ratios(ratios: Sequence[float]) -> list[str]:
    if not ratios:
        return ["", ""]
    return [number(exp(fmean(map(log, ratios)))), number(max(ratios))]


def _entries(rows: Sequence[RowTask], found: Found) -> Iterator[TrackedFigure]:
    """Yield the mean time of each row in each repeat, and the ratio."""
    for row in rows:
        results = [
            parts
            for result in found.get(row.task.key, [])
            if (parts := [part for part in result["parts"] if "ours" in part])
        ]
        name = " | ".join(filter(None, ("throughput", row.name, row.boards, row.peer)))
        seconds = [fmean([each for part in parts for each in part["ours"]]) for parts in results]
        if seconds:
            yield TrackedFigure(name, "s per board", seconds, row.task.key)
        ratios = [exp(fmean(map(log, each))) for parts in results if (each := _ratios(parts))]
        if ratios:
            yield TrackedFigure(f"{name}, ratio", "× theirs", ratios, row.task.key)
