"""A subject on puzzles, item by item: what a measuring process does (`isolated`).

The clock runs while an answer is asked for, and stands still while it is verified and reported. For a function of the
reader's own it counts the processes too that it has started, and waited for. Answers of `solve_many`
come by the gulp where they come very quickly, because reading the clock would disturb it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from .models import Puzzle, is_completion
from .subjects import MANY, Subject, is_own, loaded, warm

QUICK = 0.0002
"""Seconds per puzzle below which several of `solve_many` are measured by one reading of the clock."""
GULP = 0.01
"""Seconds that such a gulp takes at most, about."""
PASSES, ROUND = 10, 0.3
"""Passes over the puzzles at most, and CPU seconds after which there are enough of them."""
FAILURES = 3
"""Exceptions in a row after which a subject is left alone."""

Message = tuple[str, Any]


def puzzle_items(puzzles: Sequence[Puzzle]) -> list[Any]:
    """Puzzles as the items of a task."""
    return [[puzzle.m, puzzle.n, list(puzzle.cells)] for puzzle in puzzles]


def solve(common: dict[str, Any], items: list[Any]) -> Iterator[Message]:
    """The work: `common` names the subject; a part is the seconds, the verdict, and what it took."""
    name = common["subject"]
    puzzles = [Puzzle(m, n, tuple(cells)) for m, n, cells in items]
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
    """The CPU seconds of this process, and of those that it has waited for."""
    if sys.platform == "win32":
        return time.process_time()
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _pass(
    subject: Subject, tasks: list[Any], puzzles: list[Puzzle] | None, clock: Callable[[], float]
) -> Iterator[list[dict[str, Any]]]:
    """Once through the tasks; answers are verified if there are puzzles to compare them with."""
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


def _passes_of_many(subject: Subject, tasks: list[Any], puzzles: list[Puzzle] | None) -> Iterator[list[dict[str, Any]]]:
    """The same for answers that come by the gulp: single ones, unless they come very quickly."""
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


def _part(seconds: float, subject: Subject, raw: Any, puzzle: Puzzle) -> dict[str, Any]:
    """What is told of an answer, which is verified."""
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
    """Lists of puzzles by `solve_many`, each shared among processes that have started: seconds by the wall."""
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
            puzzles = [Puzzle(m, n, tuple(cells)) for m, n, cells in item]
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
    """Get a worker ready; the pause lets the others take theirs."""
    subject = loaded(name)
    for m, n in shapes:
        warm(name, subject, m, n)
    time.sleep(0.5)
