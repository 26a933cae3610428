"""csp-sudoku check: report whether a board is valid, solvable and unique, and how hard it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE, NO, UNDECIDED, worst
from csp_sudoku.cli.inputs import BoardSource, json_option, reads_boards, time_limit_option
from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ConstraintError, UndecidedError

if TYPE_CHECKING:
    from csp_sudoku.board import Board


@click.command(
    "check",
    short_help="Check whether boards are valid, solvable and unique.",
    epilog="""\b
Examples:
  csp-sudoku check puzzles.txt
  csp-sudoku generate --shape 3x3 | csp-sudoku check
  csp-sudoku check --steps hard-3x3
  csp-sudoku check --json puzzles.txt | jq -r 'select(.unique | not)'

\b
Exit codes: 0 all are solvable, 1 a board has no solution, 2 bad input or
usage (or a value twice in a region), 3 a board is undecided within the
limits, 130 interrupted.""",
)
@reads_boards
@time_limit_option
@click.option(
    "--steps",
    "with_steps",
    is_flag=True,
    help="List the steps by which a person solves the board; each one is the easiest possible.",
)
@json_option
def command(source: BoardSource, time_limit: float | None, with_steps: bool, as_json: bool) -> int:
    """Report whether each board of FILE is valid and solvable, whether its solution is unique, and how hard it is.

    The difficulty of a board with one solution is a score from 0 to 1. It follows from the inferences that solving the
    board needs, or from the size of the search. The hardest step is the hardest one for a person, who knows more
    techniques: locked candidates, pairs, triples, X-wings, XY-wings and simple colouring. If none applies, values have
    to be tried: such a step is a trial. On a board with several solutions the steps end there. If FILE contains a
    solution, as f-puzzles may, the command reports whether it is right.
    """
    if as_json:
        source.on_error = lambda message: say(json.dumps({"valid": False, "error": message}))
    codes = set()
    with Bar("checking") as bar:
        for puzzle in source:
            answer = examine(puzzle.board, time_limit, puzzle.details.solution, with_steps=with_steps)
            codes.add(_code(answer))
            bar.step()
            with bar.aside():
                say(json.dumps(answer) if as_json else f"{puzzle}: {_text(answer)}")
    return worst([*codes, source.code])


def examine(
    board: Board, time_limit: float | None, solution: bytes | None = None, *, with_steps: bool = False
) -> dict[str, Any]:
    """Examine a board, and return the findings as the object that --json prints.

    A finding is None if `time_limit`, in seconds, did not suffice to decide it, or if it does not apply. A `time_limit`
    of None means no limit. `solution` is the solution in the text of the board (default: none).
    `with_steps` adds the steps of a person (default False).
    """
    from csp_sudoku.puzzles.hint import steps
    from csp_sudoku.solvers.base import Limits, Status
    from csp_sudoku.solvers.registry import get_solver

    result = get_solver().count(board, 2, Limits(time_limit))
    found = result.solutions or 0
    decided = result.status is not Status.UNKNOWN
    is_unique = decided and found == 1
    findings: dict[str, Any] = {
        "valid": True,
        "solvable": True if found else False if decided else None,
        "unique": found == 1 if decided or found > 1 else None,
        "grade": _grade(board, time_limit) if is_unique else None,
        **({} if solution is None else {"fault_of_solution": fault(board, solution)}),
    }
    if with_steps:
        way = steps(board, result.solution if is_unique else None) if found else None
        findings["steps"] = None if way is None else [step.as_object() for step in way]
    return findings


def fault(board: Board, solution: bytes) -> str | None:
    """Return a description of the fault in a solution of a board, or None if it is right.

    `solution` are N·N values, each from 1 to N.
    """
    geometry = board.geometry
    for cell, (given, value) in enumerate(zip(board.values, solution, strict=True)):
        if given not in (0, value):
            return f"it has {value} at {cell_name(*geometry.row_column(cell))}, where {given} is given"
    if (clash := geometry.clash(solution)) is not None:
        region, first, second = clash
        places = [cell_name(*geometry.row_column(cell)) for cell in (first, second)]
        return f"it has {solution[first]} twice in {geometry.region_name(region)}, at {' and '.join(places)}"
    broken = geometry.violated(solution)
    return None if broken is None else f"it breaks the rule that {broken.describe(geometry)}"


def _grade(board: Board, time_limit: float | None) -> dict[str, Any] | None:
    from csp_sudoku.puzzles.grade import grade

    try:
        found = grade(board, time_limit=time_limit)
    except UndecidedError:
        return None
    except ConstraintError:  # the grader does not support a rule of the board
        return {"score": None, "label": None, "needs": None, "nodes": None, "hardest": None}
    return {
        "score": found.score,
        "label": found.label,
        "needs": found.needs,
        "nodes": found.nodes,
        "hardest": found.hardest,
    }


def _code(answer: dict[str, Any]) -> int:
    if answer["solvable"] is None or answer["unique"] is None or (answer["unique"] and answer["grade"] is None):
        return UNDECIDED
    return DONE if answer["solvable"] else NO


def _text(answer: dict[str, Any]) -> str:
    """Return the findings in words, and below them the steps, if there are any."""
    steps = [
        f"{number:4}. {step['technique']}: {step['sentence']}"
        for number, step in enumerate(answer.get("steps") or (), 1)
    ]
    return "\n".join([_findings(answer), *steps])


def _findings(answer: dict[str, Any]) -> str:
    """Return the findings in words, without the steps."""
    if "fault_of_solution" not in answer:
        return _verdict(answer)
    wrong = answer["fault_of_solution"]
    return f"{_verdict(answer)}; the solution in the text is {'right' if wrong is None else f'wrong: {wrong}'}"


def _verdict(answer: dict[str, Any]) -> str:
    """Return the findings about the board itself in words."""
    if answer["solvable"] is None:
        return "valid; whether solvable is undecided within the time limit"
    if not answer["solvable"]:
        return "valid, unsolvable"
    if answer["unique"] is None:
        return "valid, solvable; whether unique is undecided within the time limit"
    if not answer["unique"]:
        return "valid, solvable, not unique"
    grade = answer["grade"]
    if grade is None:
        return "valid, solvable, unique; how hard is undecided within the time limit"
    if grade["label"] is None:
        return "valid, solvable, unique; boards with such rules have no grade"
    effort = f", {number(grade['nodes'], 'node')}" if grade["nodes"] else ""
    hardest = f", hardest step {grade['hardest']}" if grade["hardest"] else ""
    return f"valid, solvable, unique, {grade['label']} ({grade['score']:.2f}), needs {grade['needs']}{effort}{hardest}"
