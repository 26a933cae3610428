"""The work of `throughput` in a measuring process: ours and a peer alternate, so that a busy machine disturbs both.

A *contest* is two ways to do the same work: our way, and the way of a peer, which is an external program, a package, or
this package with another setting. It is measured in rounds, ours first in each, and a ratio is taken of each round. The
result of ours is verified once, by code that shares nothing with the solvers.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import csp_sudoku as cs
from csp_sudoku.solvers.base import Deadline

from .external import LEAST, SYMBOLS, ProgramRun, lines_of, parts_of, run_program
from .isolated import WARM_UP_SECONDS
from .models import PeerPuzzle, is_completion, warm_up
from .subjects import loaded, warm
from .tables import median

Message = tuple[str, Any]
Seconds = Callable[[], float]
"""A function that does the work once, and returns its time per board in seconds."""

CLI = (sys.executable, "-m", "csp_sudoku")
LONGEST_RUN = 600.0
"""Limit for one run of a program, in CPU seconds."""
WRITTEN = 2000
"""Number of bytes that the command may write about a puzzle; an object of --json has 600."""
START_UPS = 5
"""Number of runs whose median is the start-up time of a peer."""
SHORT, ENOUGH = 0.001, 0.005
"""A time below SHORT is measured again, over repetitions that take ENOUGH together, in seconds."""
MAP, MAP_BY = "map", "map:"
"""The subjects that make a move map: `classify_moves`, and a column of `bomb_maps`."""


class Contest(NamedTuple):
    """Our way and a peer's, ready to be measured."""

    ours: Seconds
    theirs: Seconds | None
    wrong: int
    """The number of wrong answers of both."""


class Work(NamedTuple):
    """The puzzles of a row, and the peer to compare with."""

    lines: list[str]
    command: Sequence[str]
    """The words of the peer's command line; empty if there is none."""
    empty: str
    """The character for an empty cell that the peer reads."""
    file: Path
    """A file for the puzzles, which the rows of the command write."""

    def puzzles(self) -> list[PeerPuzzle]:
        """Return the puzzles of the lines, all 9×9."""
        return [PeerPuzzle(3, 3, tuple(SYMBOLS.find(character) + 1 for character in line)) for line in self.lines]

    def boards(self) -> list[cs.Board]:
        """Return the same puzzles as boards."""
        return [cs.Board((3, 3), puzzle.cells) for puzzle in self.puzzles()]

    def given(self) -> str:
        """Return the puzzles as the input of the peer."""
        return "".join(line.replace(".", self.empty) + "\n" for line in self.lines)


def contests(common: dict[str, Any], items: list[str]) -> Iterator[Message]:
    """Measure rows on lines of 9×9 puzzles; a part has the times per board of each round, and the wrong answers.

    `items` names the rows in `ROWS`; `common` has the lines, how often they are repeated, the rounds, and the command
    of a peer.
    """
    started = time.process_time()
    with tempfile.TemporaryDirectory(prefix="throughput-") as folder:
        work = Work(common["lines"] * common["times"], common["command"], common["empty"], Path(folder, "puzzles.txt"))
        ready = [ROWS[row](work) for row in items]
        yield "ready", time.process_time() - started
        for contest in ready:
            ours, theirs = [], []
            for _ in range(common["rounds"]):
                ours.append(contest.ours())
                if contest.theirs is not None:
                    theirs.append(contest.theirs())
            yield "part", {"ours": ours, "theirs": theirs, "wrong": contest.wrong}


def _library(
    prepare: Callable[[Work], Any],
    run: Callable[[Any], Any],
    solutions: Callable[[Any], Sequence[Sequence[int] | None]],
) -> Callable[[Work], Contest]:
    """Return the contest of a function of ours: CPU time per board, against the peer without its start-up.

    `solutions` reads what `run` returns: a solution for each puzzle, or None where the answer is known to be wrong.
    """

    def made(work: Work) -> Contest:
        prepared = prepare(work)
        answers = solutions(run(prepared))
        puzzles = work.puzzles()
        wrong = len(puzzles) - sum(
            answer is not None and is_completion(answer, puzzle)
            for answer, puzzle in zip(answers, puzzles, strict=True)
        )

        def ours() -> float:
            started = time.process_time()
            run(prepared)
            return (time.process_time() - started) / len(puzzles)

        if not work.command:
            return Contest(ours, None, wrong)
        start_up = median([_program(work, _easy(work.empty)).seconds for _ in range(START_UPS)])
        wrong += _wrong_of(work, puzzles)
        return Contest(ours, lambda: max(LEAST, _program(work, work.given()).seconds - start_up) / len(puzzles), wrong)

    return made


def _easy(empty: str) -> str:
    return lines_of([warm_up(3, 3)], empty)


def _program(work: Work, given: str) -> ProgramRun:
    """Run the peer; RuntimeError if it fails."""
    run = run_program(work.command, given, WARM_UP_SECONDS + LONGEST_RUN)
    if run.trouble:
        raise RuntimeError(f"the peer failed: {run.trouble}")
    return run


def _wrong_of(work: Work, puzzles: Sequence[PeerPuzzle]) -> int:
    """Return the number of puzzles that the peer does not solve."""
    lines = _program(work, work.given()).output.split()
    return sum(part["verdict"] != "solved" for part in parts_of(lines, 0.0, puzzles))


def _rows_of(found: Any) -> list[Sequence[int] | None]:
    """Return the solutions of an `ArrayResult`."""
    return [row.tolist() for row in found.solutions]


def _of_results(found: Sequence[cs.Result]) -> list[Sequence[int] | None]:
    return [None if result.solution is None else result.solution.values for result in found]


def _counted(work: Work) -> tuple[list[cs.Board], list[int], list[Any]]:
    """Return the boards, and their numbers of solutions by another solver, with its solutions."""
    boards = work.boards()
    known = {board: cs.get_solver("exact-cover").count(board, 2) for board in dict.fromkeys(boards)}
    results = [known[board] for board in boards]
    return boards, [result.solutions or 0 for result in results], _of_results(results)


def _run_counts(prepared: tuple[list[cs.Board], list[int], list[Any]]) -> list[Any]:
    """Count with `count_solutions`; return the known solution of each board with a correct count."""
    boards, right, solutions = prepared
    count = cs.count_solutions
    found = [count(board, 2) for board in boards]
    return [each if number == known else None for each, number, known in zip(solutions, found, right, strict=True)]


def _table(work: Work) -> Any:
    import numpy as np

    return np.array([puzzle.cells for puzzle in work.puzzles()], np.uint8)


def _command(*options: str, solved: Callable[[str], Sequence[int] | None]) -> Callable[[Work], Contest]:
    """Return the contest of `csp-sudoku solve FILE` with options: CPU seconds of the whole process, start included."""

    def made(work: Work) -> Contest:
        puzzles = work.puzzles()
        work.file.write_text("\n".join(work.lines) + "\n", "ascii")
        command = [*CLI, "solve", str(work.file), *options]
        most = WRITTEN * len(work.lines)
        output = _ended(run_program(command, "", LONGEST_RUN, most)).output
        answers = [solved(line) for line in output.splitlines()]
        answers += [None] * (len(puzzles) - len(answers))
        wrong = sum(
            answer is None or not is_completion(answer, puzzle) for answer, puzzle in zip(answers, puzzles, strict=True)
        )

        def ours() -> float:
            return _ended(run_program(command, "", LONGEST_RUN, most)).seconds / len(puzzles)

        if not work.command:
            return Contest(ours, None, wrong)
        wrong += _wrong_of(work, puzzles)
        return Contest(ours, lambda: _program(work, work.given()).seconds / len(puzzles), wrong)

    return made


def _ended(run: ProgramRun) -> ProgramRun:
    if run.trouble:
        raise RuntimeError(run.trouble)
    return run


def _of_line(line: str) -> list[int]:
    return [SYMBOLS.find(character) + 1 for character in line]


def _of_json(line: str) -> list[int] | None:
    import json

    rows = json.loads(line)["solution"]
    return None if rows is None else [value for row in rows for value in row]


def _two_threads(work: Work) -> Contest:
    """Return the contest of `solve_array` with two jobs against one, by the wall clock."""
    table = _table(work)

    def with_jobs(jobs: int) -> float:
        started = time.perf_counter()
        cs.solve_array(table, jobs=jobs)
        return (time.perf_counter() - started) / len(table)

    answers = _rows_of(cs.solve_array(table, jobs=2))
    wrong = sum(not is_completion(answer or (), puzzle) for answer, puzzle in zip(answers, work.puzzles(), strict=True))
    return Contest(lambda: with_jobs(2), lambda: with_jobs(1), wrong)


def _one_board(work: Work) -> Contest:
    """Return the contest of the command on one board against the import of numba, in CPU seconds."""
    solve = [*CLI, "solve", work.lines[0]]
    load = [sys.executable, "-c", "import numba"]
    _ended(run_program(solve, "", LONGEST_RUN))

    def seconds(command: list[str]) -> float:
        return _ended(run_program(command, "", LONGEST_RUN)).seconds

    return Contest(lambda: seconds(solve), lambda: seconds(load), 0)


ROWS: Mapping[str, Callable[[Work], Contest]] = {
    "solve_array": _library(_table, cs.solve_array, _rows_of),
    "solve_array(count=2)": _library(_table, lambda table: cs.solve_array(table, count=2), _rows_of),
    "solve_many": _library(Work.boards, lambda boards: list(cs.solve_many(boards)), _of_results),
    "solve": _library(Work.boards, lambda boards: [cs.solve(board) for board in boards], _of_results),
    "count_solutions(limit=2)": _library(_counted, _run_counts, list),
    "solve_many(count=2)": _library(Work.boards, lambda boards: list(cs.solve_many(boards, count=2)), _of_results),
    "csp-sudoku solve --to line": _command("--to", "line", solved=_of_line),
    "csp-sudoku solve --json": _command("--json", solved=_of_json),
    "solve_array(jobs=2)": _two_threads,
    "csp-sudoku solve, one board": _one_board,
}
"""The rows on 9×9 puzzles."""


def pairs(common: dict[str, Any], items: list[Any]) -> Iterator[Message]:
    """Measure two subjects on each board, one after the other; a part has their seconds, and the wrong answers.

    `common` has the subjects `ours` and `theirs` (which may be missing), and `is_wall` for times by the wall clock. An
    item is a board: m, n and its cells.
    """
    started = time.process_time()
    clock = time.perf_counter if common["is_wall"] else time.process_time
    names = [common[side] for side in ("ours", "theirs") if common.get(side)]
    puzzles = [PeerPuzzle(m, n, tuple(cells)) for m, n, cells in items]
    shapes = sorted({(puzzle.m, puzzle.n) for puzzle in puzzles})
    sides = [_asked(name, shapes) for name in names]
    yield "ready", time.process_time() - started
    for puzzle in puzzles:
        found: dict[str, Any] = {"ours": [], "theirs": [], "wrong": 0}
        answers = []
        for side, ask in zip(("ours", "theirs"), sides, strict=False):
            seconds, answer = _timed(ask(puzzle), clock)
            found[side].append(seconds)
            answers.append(answer)
        found["wrong"] = sum(answer != answers[0] if isinstance(answer, tuple) else not answer for answer in answers)
        yield "part", found


def _asked(name: str, shapes: list[tuple[int, int]]) -> Callable[[PeerPuzzle], Callable[[], Any]]:
    """Return a function that asks a subject about a puzzle, warmed up on these shapes.

    The answer is True if it is right, False if not, or the bombs of a map.
    """
    if name == MAP or name.startswith(MAP_BY):
        return _mapped(name, shapes)
    subject = loaded(name)
    for m, n in shapes:
        warm(name, subject, m, n)

    def asked(puzzle: PeerPuzzle) -> Callable[[], Any]:
        task = subject.prepare(puzzle)

        def run() -> Callable[[], bool]:
            raw = next(subject.answers([task]))
            return lambda: (cells := subject.read(raw).cells) is not None and is_completion(cells, puzzle)

        return run

    return asked


def _mapped(name: str, shapes: list[tuple[int, int]]) -> Callable[[PeerPuzzle], Callable[[], Any]]:
    """Return a function that asks a maker of maps; its answer is the bombs of each cell."""
    from .bomb_boards import warm_board
    from .bomb_maps import askable

    column = next((each for each in askable() if MAP_BY + each.label == name), None)

    def asked(puzzle: PeerPuzzle) -> Callable[[], Any]:
        board = cs.Board((puzzle.m, puzzle.n), puzzle.cells)
        if column is None:
            return lambda: (found := cs.classify_moves(board)) and (lambda: tuple(found.bomb_masks.tolist()))

        def run() -> Callable[[], Any]:
            found = column.ask(board, Deadline(None))
            return lambda: tuple(column.read(board, found).bombs.tolist())

        return run

    for shape in shapes:
        board = warm_board(shape)
        asked(PeerPuzzle(*shape, tuple(board.cells)))()
    return asked


def _timed(run: Callable[[], Callable[[], Any]], clock: Callable[[], float]) -> tuple[float, Any]:
    """Return the seconds of a run, and its answer; a short one is repeated."""
    started = clock()
    read = run()
    seconds = clock() - started
    if seconds < SHORT:
        times = max(2, int(ENOUGH / max(seconds, 1e-7)))
        started = clock()
        for _ in range(times):
            run()
        seconds = (clock() - started) / times
    return seconds, read()


def is_alone(row: str) -> bool:
    """Return whether a row has to run alone, because it uses the wall clock."""
    return row.endswith("(jobs=2)") and (os.cpu_count() or 1) > 1
