"""`variants`: boards with rules, by this package, by a straightforward CP-SAT model, and by CPMpy.

The boards are those in `boards/variants`, of every kind of rules. The questions are: a solution, whether it is the only
one, and the true candidates, which are the values that a cell has in a solution. For the last one a board is opened:
every third rule is taken away, or half of the givens if it has fewer than three rules, so that there are solutions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import csp_sudoku.boards
from csp_sudoku import Board, classify_moves, get_solver, load_many, notation

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .isolated import Budget
from .runner import Task
from .straightforward import CpmpyModel, CpSatModel, StraightforwardModel
from .tables import median, ms, number

FOLDER = Path(csp_sudoku.boards.__path__[0]) / "variants"
OURS, PLAIN, CPMPY = "csp_sudoku", "straightforward CP-SAT", "CPMpy"
MODELS: Mapping[str, type[StraightforwardModel]] = {PLAIN: CpSatModel, CPMPY: CpmpyModel}
QUESTIONS = {"solve": "a solution", "count": "solutions up to 2", "candidates": "true candidates"}
EASY = (
    "board 2x2\n.... .... .... ....\nkiller 5 r1c1 r1c2\nthermo r2c1 r2c2\n",
    "board 3x3\n" + 9 * "........." + "\ndiagonal+\ndiagonal-\n",
)
"""The boards with which a process warms up: one with a rule, and one whose rules are regions."""

Found = Mapping[str, list[dict[str, Any]]]


class Item(NamedTuple):
    """A board to ask about."""

    kind: str
    """What its rows in the tables are called."""
    text: str
    """The board in the notation `variant`."""


class Row(NamedTuple):
    """The answers of a solver to a question, board by board."""

    solver: str
    question: str
    items: Sequence[Item]
    limit: float
    parts: Sequence[Mapping[str, Any]]
    """The result of each board; fewer, if the time of all was used up."""
    repeats: Sequence[Sequence[float]]
    """The seconds of each board, for each repeat."""

    def seconds(self, at: int) -> float:
        """The time of a board: the median of its repeats, or the limit if it was not answered."""
        times = [each[at] for each in self.repeats if at < len(each)]
        return median(times) if self.is_answered(at) else self.limit

    def is_answered(self, at: int) -> bool:
        """Whether the answer came within the limit."""
        return at < len(self.parts) and "seconds" in self.parts[at]


class Variants(Benchmark):
    """Every solver on every board, question by question, each in a process of its own."""

    name = "variants"
    title = "Boards with rules"
    packages = ("cpmpy",)

    def plan(self, asked: BenchmarkOptions) -> Plan:
        boards = list(_items(asked))
        budget = Budget(asked.limit or (5 if asked.quick else 30), 60 if asked.quick else 900)
        tasks = []
        for question in QUESTIONS:
            for solver in _solvers(asked):
                chosen = boards if question != "candidates" or solver == OURS else list(_first_of_kinds(boards))
                if question == "candidates":
                    chosen = [Item(item.kind, _opened(item.text)) for item in chosen]
                asking = {"solver": solver, "question": question}
                tasks.append(Task("variants:measure", asking, asking, [list(item) for item in chosen], budget))
        told = f"{len(boards)} boards with rules; limit {budget.item:g} s of CPU time for each. One worker."
        return Plan(tasks, asked.repeats or (1 if asked.quick else 3), told, is_sparing=not asked.repeats)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Found) -> Report:  # noqa: ARG002 - the results tell
        rows = [_row(task, found[task.key]) for task in plan.tasks]
        by_question = {name: [row for row in rows if row.question == name] for name in QUESTIONS}
        sections = [_overview(by_question), *(_kinds(some) for some in by_question.values() if some)]
        entries = [
            TrackedFigure(
                f"{self.name} | {row.solver} | {row.question}",
                "s per board",
                [fmean(each) for each in row.repeats if len(each) == len(row.items)],
                f"{len(row.items)} {sha256(repr(row.items).encode()).hexdigest()[:8]} {row.limit:g} s",
            )
            for row in rows
            if any(len(each) == len(row.items) for each in row.repeats)
        ]
        return Report(sections, entries, wrong=list(_wrong(rows)))


def _solvers(asked: BenchmarkOptions) -> list[str]:
    """The solvers to measure; CPMpy only if it is installed."""
    known = [OURS, PLAIN, *([CPMPY] if find_spec("cpmpy") else [])]
    return [name for name in known if not asked.only or name in asked.only] or known


def _items(asked: BenchmarkOptions) -> Iterator[Item]:
    """The boards: ours of every kind, or those of the files that the reader names."""
    for name in asked.puzzles:
        for at, board in enumerate(load_many(name)):
            if not asked.quick or at < 10:
                yield Item(Path(name).stem, board.format("variant"))
    if asked.puzzles:
        return
    for path in sorted(FOLDER.glob("*.txt")):
        with path.open("rb") as stream:
            for at, grid in enumerate(notation.read(stream, "variant")):
                if not asked.quick or at == 0:
                    yield Item(path.stem, notation.format_grid(grid, "variant"))


def _first_of_kinds(items: Sequence[Item]) -> Iterator[Item]:
    seen = set()
    for item in items:
        if item.kind not in seen:
            seen.add(item.kind)
            yield item


def board_of(text: str) -> Board:
    """The board that is written in the notation `variant`."""
    grid = next(iter(notation.read(BytesIO(text.encode()), "variant")))
    return Board.trusted(grid.geometry, grid.values)


def _opened(text: str) -> str:
    """The board without every third rule, or without half of its givens if it has fewer than three rules."""
    board = board_of(text)
    rules = board.geometry.constraints
    if len(rules) < 3:
        givens = [cell for cell, value in enumerate(board.values) if value]
        return board.without(givens[::2]).format("variant")
    kept = [rule for at, rule in enumerate(rules) if at % 3 != 2]
    return Board(board.geometry.plain.with_constraints(*kept), board.values).format("variant")


def measure(common: dict[str, Any], items: Sequence[Sequence[str]]) -> Iterator[tuple[str, Any]]:
    """In the measuring process: the CPU seconds of each answer, and what was answered.

    `common` names the solver and the question.
    """
    solver, question = common["solver"], common["question"]
    boards = [board_of(text) for _kind, text in items]
    started = time.process_time()
    for text in EASY if solver == OURS else EASY[:1]:
        _answer(solver, question, board_of(text))
    yield "ready", time.process_time() - started
    for board in boards:
        started = time.process_time()
        answer, solution = _answer(solver, question, board)
        seconds = time.process_time() - started
        yield "part", {"seconds": seconds, "answer": answer, "wrong": _fault(board, solution)}


def _answer(solver: str, question: str, board: Board) -> tuple[str, Sequence[int] | None]:
    """The answer to a question as text, and a solution."""
    if solver in MODELS:
        model = MODELS[solver](board)
        model.build()
        if question == "solve":
            values = model.solve()
            return ("unsolvable" if values is None else "solved"), values
        if question == "count":
            count, values = model.count_to_two()
            return str(count), values
        return _digest(model.true_candidates()), None
    if question == "candidates":
        safe = classify_moves(board).safe_masks
        masks = [1 << given - 1 if given else int(mask) for given, mask in zip(board.values, safe, strict=True)]
        return _digest(masks), None
    own = get_solver("auto")
    result = own.solve(board) if question == "solve" else own.count(board, 2)
    answer = result.status.value if question == "solve" else str(result.solutions)
    return answer, None if result.solution is None else list(result.solution.values)


def _digest(masks: Sequence[int]) -> str:
    """The true candidates in short."""
    return f"{sum(mask.bit_count() for mask in masks)} {sha256(repr(list(masks)).encode()).hexdigest()[:12]}"


def _fault(board: Board, solution: Sequence[int] | None) -> str:
    """What is wrong with a solution; empty if nothing is."""
    if solution is None:
        return ""
    geometry, values = board.geometry, bytes(solution)
    is_right = geometry.clash(values) is None and geometry.violated(values) is None
    if is_right and all(given in (0, value) for given, value in zip(board.values, values, strict=True)):
        return ""
    return f"no solution: {list(values)}"


def _row(task: Task, results: Sequence[Mapping[str, Any]]) -> Row:
    items = [Item(*item) for item in task.items]
    parts = results[0]["parts"] if results else []
    limit = task.budget.item
    repeats = [[part.get("seconds", limit) for part in result["parts"]] for result in results]
    return Row(task.common["solver"], task.common["question"], items, limit, parts, repeats)


def _wrong(rows: Sequence[Row]) -> Iterator[str]:
    """Yield answers that are no solutions, and those that differ from ours."""
    ours = {(row.question, item): at for row in rows if row.solver == OURS for at, item in enumerate(row.items)}
    own = {row.question: row for row in rows if row.solver == OURS}
    for row in rows:
        for at, part in enumerate(row.parts):
            item = row.items[at]
            if part.get("wrong"):
                yield f"{row.solver}, {row.question}, {item.kind}: {part['wrong']}"
            place = ours.get((row.question, item))
            if place is None or not row.is_answered(at) or not own[row.question].is_answered(place):
                continue
            expected = own[row.question].parts[place]["answer"]
            if part["answer"] != expected:
                yield f"{row.solver}, {row.question}, {item.kind}: {part['answer']}, and by {OURS}: {expected}"


def _shared(row: Row, own: Row) -> list[tuple[float, float]]:
    """The seconds of a solver and ours on the boards that both were asked about."""
    places = {item: at for at, item in enumerate(own.items)}
    return [(row.seconds(at), own.seconds(places[row.items[at]])) for at in range(len(row.parts))]


def _ratio(row: Row, own: Row | None) -> str:
    """How many times as long as we a solver takes in the mean; a bound if a board was not answered."""
    pairs = [] if own is None else _shared(row, own)
    if not pairs or own is None:
        return ""
    theirs, ours = (fmean(some) for some in zip(*pairs, strict=True))
    late = any(not row.is_answered(at) for at in range(len(row.parts)))
    return ("> " if late else "") + number(theirs / ours)


def _overview(by_question: Mapping[str, Sequence[Row]]) -> Section:
    """The table of all boards together."""
    lines = []
    for question, rows in by_question.items():
        own = next((row for row in rows if row.solver == OURS), None)
        for row in rows:
            times = sorted(row.seconds(at) for at in range(len(row.parts)))
            if not times:
                continue
            answered = sum(row.is_answered(at) for at in range(len(row.items)))
            tenth = times[min(len(times) - 1, 9 * len(times) // 10)]
            lines.append(
                [
                    QUESTIONS[question], row.solver, f"{answered}/{len(row.items)}", ms(fmean(times)),
                    ms(median(times)), ms(tenth), ms(times[-1]), _ratio(row, own),
                ]
            )  # fmt: skip
    columns = ["question", "solver", "answered", "mean, ms", "median, ms", "90 %, ms", "worst, ms", "× ours"]
    note = (
        "CPU time from the board to the answer, with the model. What was not answered counts with the limit. × ours is"
        " the ratio of the means on the boards that the solver was asked about: true candidates on the first board of"
        " each kind only."
    )
    return Section("All boards", columns, lines, frozenset({0, 1}), note)


def _kinds(rows: Sequence[Row]) -> Section:
    """The table by kind, for one question."""
    own = next((row for row in rows if row.solver == OURS), rows[0])
    lines = []
    for kind in dict.fromkeys(item.kind for item in own.items):
        line = [kind]
        for row in rows:
            places = [at for at, item in enumerate(row.items) if item.kind == kind and at < len(row.parts)]
            late = any(not row.is_answered(at) for at in places)
            mean = ("> " if late else "") + ms(fmean(row.seconds(at) for at in places)) if places else ""
            line.append(mean)
        lines.append(line)
    columns = ["kind", *(f"{row.solver}, ms" for row in rows)]
    return Section(f"By kind: {QUESTIONS[rows[0].question]}", columns, lines, note="Means of CPU time.")
