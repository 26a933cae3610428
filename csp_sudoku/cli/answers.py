"""Present a solver's result: an object for programs, or a drawing and one line of statistics for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csp_sudoku.cli.codes import DONE, NO, UNDECIDED
from csp_sudoku.cli.drawing import draw_solution
from csp_sudoku.cli.inputs import Puzzle
from csp_sudoku.cli.output import colours, duration, number

if TYPE_CHECKING:
    from csp_sudoku.solvers.base import Result

CODES = {"solved": DONE, "unsolvable": NO, "unknown": UNDECIDED}
"""The exit code of each status of a result."""


def as_object(result: Result, count: int | None = None) -> dict[str, Any]:
    """Return a result as the object that --json prints.

    `count` is the maximum number of solutions that the user asked to count; None means that one solution was asked for.
    """
    stats = result.stats
    return {
        "status": result.status.value,
        "solution": result.solution.rows if result.solution is not None else None,
        "solutions": result.solutions if count is not None else None,
        "solver": stats.solver,
        "options": dict(stats.options),
        "nodes": stats.nodes,
        "backtracks": stats.backtracks,
        "build_seconds": stats.build_seconds,
        "solve_seconds": stats.solve_seconds,
    }


def as_text(puzzle: Puzzle, result: Result, count: int | None = None) -> str:
    """Return a result as text for people: the solution, if there is one, above one line of statistics.

    `count` is the maximum number of solutions that the user asked to count; None means that one solution was asked for.
    """
    stats = result.stats
    who = f"{stats.solver} ({stats.stage})" if stats.stage else stats.solver
    evidence = (
        f"{puzzle}: {_verdict(result, count)} by {who}; "
        f"{number(stats.nodes, 'node')}, {number(stats.backtracks, 'backtrack')}; "
        f"built in {duration(stats.build_seconds)}, solved in {duration(stats.solve_seconds)}"
    )
    if result.solution is None:
        return evidence
    return f"{draw_solution(puzzle.board, result.solution, colour=colours())}\n{evidence}"


def _verdict(result: Result, count: int | None) -> str:
    """Return the answer in words."""
    status, found = result.status.value, result.solutions
    if count is None or found is None:
        return "undecided within the limits" if status == "unknown" else status
    if status == "unknown":
        return f"{number(found, 'solution')} found within the limits, maybe not all,"
    return f"{'at least ' if found >= count else ''}{number(found, 'solution') if found else 'no solution'} found"
