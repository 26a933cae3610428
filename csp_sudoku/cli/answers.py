"""Present a solver's result: an object for programs, or a drawing and one line of statistics for people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from csp_sudoku.cli.codes import DONE, NO, UNDECIDED
from csp_sudoku.cli.drawing import draw_solution
from csp_sudoku.cli.inputs import Puzzle
from csp_sudoku.cli.legend import legend
from csp_sudoku.cli.output import colours, duration, number

if TYPE_CHECKING:
    from csp_sudoku.solvers.base import Result

CODES = {"solved": DONE, "unsolvable": NO, "unknown": UNDECIDED}
"""The exit code of each status of a result."""


def as_object(puzzle: Puzzle, result: Result, count: int | None = None) -> dict[str, Any]:
    """Return the result of a puzzle as the object that --json prints; the notation `json` reads its solution.

    `count` is the maximum number of solutions that the user asked to count; None means that one solution was asked for.
    """
    stats = result.stats
    return {
        "status": result.status.value,
        "rows": puzzle.board.m,
        "columns": puzzle.board.n,
        "solution": result.solution.rows if result.solution is not None else None,
        "solutions": result.solutions if count is not None else None,
        "solver": stats.solver,
        "options": dict(stats.options),
        "nodes": stats.nodes,
        "backtracks": stats.backtracks,
        "build_seconds": stats.build_seconds,
        "solve_seconds": stats.solve_seconds,
    }


def as_text(puzzle: Puzzle, result: Result, count: int | None = None, *, is_interrupted: bool = False) -> str:
    """Return a result as text for people: the solution, if there is one, above one line of statistics.

    The statistics and the rules of the board are comments, so that every command can read the text as boards.

    `count` is the maximum number of solutions that the user asked to count; None means that one solution was asked for.
    With `is_interrupted`, Ctrl-C has ended an undecided count.
    """
    stats = result.stats
    who = f"{stats.solver} ({stats.stage})" if stats.stage else stats.solver
    evidence = (
        f"# {puzzle}: {_verdict(result, count, is_interrupted=is_interrupted)} by {who}; "
        f"{number(stats.nodes, 'node')}, {number(stats.backtracks, 'backtrack')}; "
        f"built in {duration(stats.build_seconds)}, solved in {duration(stats.solve_seconds)}"
    )
    if result.solution is None:
        return evidence
    drawing = draw_solution(puzzle.board, result.solution, colour=colours())
    return "\n".join([drawing, *(f"# {line}" for line in legend(puzzle.board)), evidence])


class Totals:
    """The numbers of puzzles and the times of many results, for one line at the end."""

    def __init__(self) -> None:
        self._statuses: Counter[str] = Counter()
        self._seconds = 0.0
        self._worst: tuple[float, str] | None = None

    def add(self, puzzle: Puzzle, result: Result) -> None:
        """Add the result of a puzzle."""
        seconds = result.stats.build_seconds + result.stats.solve_seconds
        self.add_run(result.status.value, 1, seconds, seconds, str(puzzle))

    def add_run(self, status: str, count: int, seconds: float, worst_seconds: float, worst: str) -> None:
        """Add puzzles with the same status.

        `count` is their number and `seconds` their total time. `worst_seconds` is the longest time of one puzzle, and
        `worst` is the name of that puzzle.
        """
        self._statuses[status] += count
        self._seconds += seconds
        if self._worst is None or worst_seconds > self._worst[0]:
            self._worst = worst_seconds, worst

    def sentence(self) -> str:
        """Return a sentence: the number of puzzles and of solved ones, the mean time, and the worst with its puzzle.

        The text is empty for fewer than two puzzles, where it would only repeat the answer. The times include building
        and searching.
        """
        total = self._statuses.total()
        if total < 2 or self._worst is None:
            return ""
        seconds, place = self._worst
        words = {"solved": "solved", "unsolvable": "unsolvable", "unknown": "undecided"}
        counts = [f"{self._statuses[status]:,} {word}" for status, word in words.items() if self._statuses[status]]
        if not self._statuses["solved"]:
            counts.insert(0, "none solved")
        times = f"mean {duration(self._seconds / total)}, worst {duration(seconds)} ({place})"
        return f"{number(total, 'puzzle')}: {', '.join(counts)}; {times}"


def verdict(result: Result) -> str:
    """Return the status of a result in words."""
    return "undecided within the limits" if result.status.value == "unknown" else result.status.value


def _verdict(result: Result, count: int | None, *, is_interrupted: bool) -> str:
    """Return the answer in words."""
    status, found = result.status.value, result.solutions
    if count is None or found is None:
        return verdict(result)
    if status == "unknown" and is_interrupted:
        return f"at least {number(found, 'solution')} found until the interrupt"
    if status == "unknown":
        return f"{number(found, 'solution')} found within the limits, maybe not all,"
    return f"{'at least ' if found >= count else ''}{number(found, 'solution') if found else 'no solution'} found"
