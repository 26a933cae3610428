"""Measures a subject on puzzles, item by item; this is the work of a measuring process (`isolated`).

The clock runs while an answer is computed, and stops while it is verified and reported. For a function of the user it
also counts the processes that the function has started and waited for. Quick answers of `solve_many` are measured in
groups, because reading the clock for each answer would distort the times.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from .models import PeerPuzzle, is_completion
from .subjects import MANY, Subject, is_own, loaded, warm

QUICK = 0.0002
"""Time per puzzle below which several answers of `solve_many` share one reading of the clock, in seconds."""
GULP = 0.01
"""Approximate upper bound for the time of such a group, in seconds."""
PASSES, ROUND = 10, 0.3
"""Maximum number of passes over the puzzles, and the time after which no pass is added, in CPU seconds."""
FAILURES = 3
"""Number of consecutive exceptions after which a subject is not measured any further."""

Message = tuple[str, Any]


def puzzle_items(puzzles: Sequence[PeerPuzzle]) -> list[Any]:
    """Return puzzles as the items of a task."""
    return [[puzzle.m, puzzle.n, list(puzzle.cells)] for puzzle in puzzles]


def solve(common: dict[str, Any], items: list[Any]) -> Iterator[Message]:
    """Solve the puzzles with the subject that `common` names; a part is the seconds, the verdict and the figures."""
    name = common["subject"]
    puzzles = [PeerPuzzle(m, n, tuple(cells)) for m, n, cells in items]
    started = time.process_time()
    subject = loaded(name)
    for m, n in sorted({(puzzle.m, puzzle.n) for puzzle in puzzles}):
        warm(name, subject, m, n)
    tasks = [subject.prepare(puzzle) for puzzle in puzzles]
    yield "ready", time.process_time() - started
    times: list[float] = []
    if name.endswith(MANY):
        passes = _passes_of_many
    else:
        passes = partial(_pass, clock=_whole_time if is_own(name) else time.process_time)
    for part in passes(subject, tasks, puzzles):
        yield "parts", part
        times += [each["seconds"] for each in part]
    spent = sum(times)
    for _ in range(PASSES - 1):
        if spent > ROUND or len(times) < len(tasks):
            return
        again = [each["seconds"] for part in passes(subject, tasks, None) for each in part]
        spent += sum(again)
        yield "pass", [round(each, 9) for each in again]


def _whole_time() -> float:
    """Return the CPU seconds of this process, and of the processes that it has waited for."""
    if sys.platform == "win32":
        return time.process_time()
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _pass(
    subject: Subject, tasks: list[Any], puzzles: list[PeerPuzzle] | None, clock: Callable[[], float]
) -> Iterator[list[dict[str, Any]]]:
    """Run all tasks once; answers are verified if `puzzles` are given."""
    failures = 0
    for number, task in enumerate(tasks):
        before = clock()
        try:
            answer = next(subject.answers([task]))
        except Exception as error:
            seconds = clock() - before
            told = f"{type(error).__name__}: {error}".splitlines()[0][:100]
            yield [{"seconds": seconds, "verdict": "failed", "error": told}]
            failures += 1
            if failures == FAILURES:
                raise
            continue
        seconds = clock() - before
        failures = 0
        yield [_part(seconds, subject, answer, puzzles[number]) if puzzles else {"seconds": seconds}]


def _passes_of_many(
    subject: Subject, tasks: list[Any], puzzles: list[PeerPuzzle] | None
) -> Iterator[list[dict[str, Any]]]:
    """Do the same as `_pass` for answers in groups; a group has one answer, unless answers are very quick."""
    answers, gulp, done = subject.answers(tasks), 1, 0
    while True:
        before = time.process_time()
        got = list(islice(answers, gulp))
        seconds = time.process_time() - before
        if not got:
            return
        each = seconds / len(got)
        yield [
            _part(each, subject, answer, puzzles[done + number]) if puzzles else {"seconds": each}
            for number, answer in enumerate(got)
        ]
        done += len(got)
        gulp = min(2 * gulp, max(1, int(GULP / max(each, 1e-9)))) if each < QUICK else 1


def _part(seconds: float, subject: Subject, raw: Any, puzzle: PeerPuzzle) -> dict[str, Any]:
    """Verify an answer, and return the report on it."""
    try:
        answer = subject.read(raw)
    except (TypeError, ValueError) as error:
        return {"seconds": seconds, "verdict": "wrong", "error": f"expected a solution; found {raw!r} ({error})"[:200]}
    is_right = answer.cells is not None and is_completion(answer.cells, puzzle)
    verdict = "solved" if is_right else "unsolved" if answer.cells is None else "wrong"
    found: dict[str, Any] = {"seconds": round(seconds, 9), "verdict": verdict}
    if answer.build is not None:
        found["build"] = round(answer.build, 9)
    if answer.nodes is not None:
        found["nodes"] = answer.nodes
    return found


def many(common: dict[str, Any], items: list[Any]) -> Iterator[Message]:
    """Solve lists of puzzles by `solve_many` with warmed-up processes; times are wall-clock times.

    `common` names the subject and the number of processes; an item is a list of puzzles.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    import csp_sudoku as cs

    name, jobs = common["subject"], common["jobs"]
    started = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
        shapes = sorted({(m, n) for item in items for m, n, _ in item})
        list(executor.map(_warm_worker, [name] * jobs, [shapes] * jobs))
        _warm_worker(name, shapes)
        yield "ready", time.perf_counter() - started
        for item in items:
            puzzles = [PeerPuzzle(m, n, tuple(cells)) for m, n, cells in item]
            boards = [cs.Board((puzzle.m, puzzle.n), puzzle.cells) for puzzle in puzzles]
            started = time.perf_counter()
            found = list(cs.solve_many(boards, executor if jobs > 1 else None, solver=name))
            seconds = time.perf_counter() - started
            verdicts = [
                is_completion(result.solution.values, puzzle)
                for result, puzzle in zip(found, puzzles, strict=True)
                if result.solution is not None
            ]
            wrong = len(verdicts) - sum(verdicts)
            yield "part", {"seconds": seconds, "boards": len(boards), "solved": sum(verdicts), "wrong": wrong}


def _warm_worker(name: str, shapes: list[tuple[int, int]]) -> None:
    """Warm up a worker; during its pause, the other workers get the other calls."""
    subject = loaded(name)
    for m, n in shapes:
        warm(name, subject, m, n)
    time.sleep(0.5)
