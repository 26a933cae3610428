"""`workers`: one hard question by CP-SAT with one worker and with two, by the wall clock.

The questions are: the proof that a board with rules has no second solution, and the solution with the greatest weight,
for random weights. The first is asked of the open model (`csp_sudoku.CpModel`), the second one of
`csp_sudoku.puzzles.heaviest`; both leave CP-SAT most of its own parameters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import geometric_mean
from typing import Any

from csp_sudoku import Board, CpModel, notation
from csp_sudoku.puzzles.heaviest import heaviest

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .isolated import Budget
from .runner import Task
from .tables import median, number
from .variants import FOLDER, board_of

KINDS = (
    "little-killer",
    "sandwich",
    "latin",
    "double-arrow",
    "no-difference",
    "non-consecutive",
    "skyscraper",
    "mixed",
)
"""The kinds of the boards for proofs: those of `boards/variants` on which CP-SAT has the most conflicts."""
WORKERS = (1, 2)
LARGEST_WEIGHT = 99
PROOF, OPTIMUM = "no second solution", "greatest weight"

Found = Mapping[str, list[dict[str, Any]]]


class Workers(Benchmark):
    """Each question by one worker and by two, alone on the machine."""

    name = "workers"
    title = "CP-SAT with several workers"

    def plan(self, asked: BenchmarkOptions) -> Plan:
        count, usual = (1, 1) if asked.quick else (3, 3)
        budget = Budget(asked.limit or (20 if asked.quick else 120), 120 if asked.quick else 1200)
        kinds, shape = (KINDS[:3], (2, 3)) if asked.quick else (KINDS, (3, 3))
        items = [*_proofs(count, kinds), *_optima(1 if asked.quick else 4, shape, asked.seed)]
        tasks = [Task("workers:measure", {"workers": w}, {"workers": w}, items, budget, is_alone=True) for w in WORKERS]
        told = f"{len(items)} questions, by the wall clock, nothing else at the same time; limit {budget.item:g} s."
        return Plan(tasks, asked.repeats or usual, told, is_sparing=not asked.repeats)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Found) -> Report:  # noqa: ARG002 - the results tell
        items = plan.tasks[0].items
        times = [[_seconds(found[task.key], at) for at in range(len(items))] for task in plan.tasks]
        lines, ratios = [], {PROOF: list[float](), OPTIMUM: list[float]()}
        for at, (name, question, *_rest) in enumerate(items):
            known = [of_workers[at] for of_workers in times]
            shown = ["" if seconds is None else number(seconds) for seconds in known]
            ratio = ""
            if None not in known:
                first, second = (seconds or 0.0 for seconds in known)
                ratios[question].append(first / second)
                ratio = number(first / second)
            lines.append([name, question, *shown, ratio])
        means = [[name, str(len(some)), number(geometric_mean(some))] for name, some in ratios.items() if some]
        columns = ["board", "question", *(f"{w} worker{'s' * (w > 1)}, s" for w in WORKERS), "× as fast"]
        sections = [
            Section("Two workers beside one", ["question", "boards", "× as fast, geometric mean"], means),
            Section("Question by question", columns, lines, frozenset({0, 1}), "Medians by the wall clock."),
        ]
        entries = [
            TrackedFigure(f"{self.name} | {task.case['workers']}", "s per question", known, str(len(items)))
            for task, of_workers in zip(plan.tasks, times, strict=True)
            if (known := [seconds for seconds in of_workers if seconds is not None])
        ]
        wrong = [
            f"{items[at][0]}, {items[at][1]}: {answers}"
            for at in range(len(items))
            if len(answers := {a for task in plan.tasks for a in _answers(found[task.key], at)}) > 1
        ]
        return Report(sections, entries, wrong=wrong)


def _proofs(count: int, kinds: Sequence[str]) -> Iterator[list[str]]:
    """Yield the questions for a second solution: a name, the question, the board, and its solution."""
    for kind in kinds:
        with (FOLDER / f"{kind}.txt").open("rb") as stream:
            for at, grid in enumerate(notation.read(stream, "variant")):
                if at < count and grid.details.solution is not None:
                    text = notation.format_grid(grid, "variant")
                    yield [f"{kind} {at + 1}", PROOF, text, grid.details.solution.hex()]


def _optima(count: int, shape: tuple[int, int], seed: int) -> Iterator[list[str]]:
    """Yield the questions for the greatest weight: a name, the question, the board, and the seed of the weights."""
    board = Board.empty(*shape)
    for at in range(count):
        yield [f"empty {board.size}×{board.size}, weights {at + 1}", OPTIMUM, board.format("variant"), f"{seed} {at}"]


def measure(common: dict[str, Any], items: Sequence[Sequence[str]]) -> Iterator[tuple[str, Any]]:
    """In the measuring process: the seconds of each question by the wall clock, and the answer."""
    workers = common["workers"]
    started = time.process_time()
    CpModel(Board.empty(2, 2)).solve(workers=workers)
    yield "ready", time.process_time() - started
    for _name, question, text, detail in items:
        ask = _proof(board_of(text), detail) if question == PROOF else _optimum(board_of(text), detail)
        started = time.perf_counter()
        answer = ask(workers)
        yield "part", {"seconds": time.perf_counter() - started, "answer": answer}


Ask = Callable[[int], str]
"""A question to so many workers; it returns the answer as text."""


def _proof(board: Board, detail: str) -> Ask:
    """The question for another solution than the one in `detail`."""
    model, solution = CpModel(board), bytes.fromhex(detail)
    places = enumerate(solution)
    held = [model.literal(*board.geometry.row_column(cell), value) for cell, value in places]
    model.model.add_bool_or([~literal for literal in held])
    return lambda workers: model.solve(workers=workers).status.value


def _optimum(board: Board, detail: str) -> Ask:
    """The question for the greatest weight."""
    random, size = Random(detail), range(board.size)
    weights = [[[random.randint(0, LARGEST_WEIGHT) for _ in size] for _ in size] for _ in size]

    def ask(workers: int) -> str:
        best = heaviest(board, weights, workers=workers)
        return "none" if best is None else f"{best.value} {best.is_proven}"

    return ask


def _parts(results: Sequence[Mapping[str, Any]], at: int) -> list[Mapping[str, Any]]:
    """The answers to a question, for each repeat."""
    found = [result["parts"][at] for result in results if at < len(result["parts"])]
    return [part for part in found if "seconds" in part]


def _seconds(results: Sequence[Mapping[str, Any]], at: int) -> float | None:
    """The median time of a question; None if it was not answered."""
    times = [part["seconds"] for part in _parts(results, at)]
    return median(times) if times else None


def _answers(results: Sequence[Mapping[str, Any]], at: int) -> list[str]:
    return [part["answer"] for part in _parts(results, at)]
