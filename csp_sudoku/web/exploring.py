"""The questions about a puzzle: read it, solve it, count its solutions, explain why it has none, the next step of a
person, and a new puzzle.

Each function takes the fields of a request, the boards that have names, and the job, and returns a JSON object.
"""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING, Any

from csp_sudoku.errors import UnsolvableError
from csp_sudoku.puzzles.explain import explain as explanation_of
from csp_sudoku.puzzles.generate import generate as generated
from csp_sudoku.puzzles.grade import grade
from csp_sudoku.puzzles.hint import steps as steps_of
from csp_sudoku.puzzles.steps.trial import TRIAL
from csp_sudoku.solvers.base import Limits, Status
from csp_sudoku.solvers.questions import solve as solved
from csp_sudoku.solvers.registry import get_solver
from csp_sudoku.web.puzzles import board_in, board_object, shape_in

if TYPE_CHECKING:
    from csp_sudoku.puzzles.steps.step import Step
    from csp_sudoku.web.fields import Fields
    from csp_sudoku.web.puzzles import Boards
    from csp_sudoku.web.workers import Job

MAX_COUNT = 10**9
"""Upper bound for the limit of a count."""
MAX_STEPS = 40
"""Maximum number of steps of one answer."""
MAX_SEED = 2**32 - 1
"""Upper bound for a seed."""


def read(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - all questions have a job
    """Return the board of a request."""
    return board_object(board_in(fields, boards))


def solve(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:
    """Return a solution, or a sentence that there is none."""
    board = board_in(fields, boards)
    result = solved(board, time_limit=job.left())
    told = {
        Status.SOLVED: "This is a solution.",
        Status.UNSOLVABLE: "There is no solution. “Explain” names the givens that clash.",
        Status.UNKNOWN: f"Undecided: no answer within {job.seconds:g} s.",
    }[result.status]
    stats = result.stats
    effort = f"By {stats.solver}{f' ({stats.stage})' if stats.stage else ''}: {stats.nodes:,} nodes"
    return {
        "status": result.status.value,
        "values": None if result.solution is None else list(result.solution.values),
        "told": told,
        "effort": f"{effort}, {1000 * (stats.build_seconds + stats.solve_seconds):.3g} ms.",
    }


def count(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:
    """Return the number of solutions, up to a limit; each tenfold number is reported as progress."""
    board, limit = board_in(fields, boards), fields.whole("limit", 1, MAX_COUNT, 1_000_000)
    solver, bound = get_solver(), min(2, limit)
    while True:
        result = solver.count(board, bound, Limits(job.left()))
        found = result.solutions or 0
        if result.status is Status.UNKNOWN:
            told = f"At least {found:,} solutions: the count was not finished within {job.seconds:g} s."
            return {"solutions": found, "exact": False, "told": told}
        if found < bound:
            told = {0: "There is no solution.", 1: "There is exactly one solution."}.get(found, "")
            return {"solutions": found, "exact": True, "told": told or f"There are exactly {found:,} solutions."}
        if bound == limit:
            told = f"There are at least {found:,} solution{'s' * (found > 1)}, which was the limit of the count."
            return {"solutions": found, "exact": False, "told": told}
        job.report({"told": f"At least {found:,} solutions …", "solutions": found})
        bound = min(limit, bound * 10)


def explain(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:
    """Return a minimal set of givens that admits no completion, or a sentence that there is a completion."""
    found = explanation_of(board_in(fields, boards), time_limit=job.left())
    if found is None:
        return {"solvable": True, "part": [], "told": "The board has a solution, so there is no clash to explain."}
    sentence = found.sentence()
    return {"solvable": False, "part": list(found.givens), "told": sentence[:1].upper() + sentence[1:]}


def hint(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:
    """Return the next steps that a person can take, up to the first one that places a value."""
    board = board_in(fields, boards)
    found = []
    try:
        for step in steps_of(board):
            found.append(_step_object(step, board.size))
            if step.placements or step.technique == TRIAL or len(found) == MAX_STEPS or not job.left():
                break
    except UnsolvableError as error:
        return {"steps": [], "told": f"There is no solution{f': {error.reason}' if error.reason else ''}."}
    return {"steps": found, "told": "" if found else "The board is full: it is solved."}


def _step_object(step: Step, size: int) -> dict[str, Any]:
    return {
        "technique": step.technique,
        "told": f"{step.technique[:1].upper()}{step.technique[1:]}: {step.sentence}",
        "cells": [row * size + column for row, column in step.cells],
        "regions": list(step.regions),
        "placements": [[row * size + column, value] for row, column, value in step.placements],
        "eliminations": [[row * size + column, value] for row, column, value in step.eliminations],
    }


def generate(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no board
    """Return a new puzzle with one solution, and its difficulty."""
    m, n = shape_in(fields)
    seed = fields.whole("seed", 0, MAX_SEED, SystemRandom().randrange(MAX_SEED))
    board = generated(m, n, difficulty=fields.number("difficulty", 0, 1, 0.5), rng=seed)
    found = grade(board)
    told = f"A puzzle with {board.geometry.cell_count - board.empty_count} givens and one solution: {found.label}"
    return board_object(board) | {
        "seed": seed,
        "told": f"{told} ({found.score:.2f}); it needs {found.needs}. Hardest step: {found.hardest}. Seed {seed}.",
    }
