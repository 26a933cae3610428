"""csp-sudoku hint: show the next step that a person can take, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE, NO, worst
from csp_sudoku.cli.drawing import draw_candidates
from csp_sudoku.cli.inputs import BoardSource, json_option, reads_boards
from csp_sudoku.cli.output import say
from csp_sudoku.errors import UnsolvableError

if TYPE_CHECKING:
    from csp_sudoku.puzzles.steps.step import Step


@click.command(
    "hint",
    short_help="Show the next step that a person can take.",
    epilog="""\b
Examples:
  csp-sudoku hint hard-3x3
  csp-sudoku hint --candidates puzzles.txt
  csp-sudoku hint --json puzzles.txt | jq .step.sentence

\b
Exit codes: 0 done, 1 a board has no solution, 2 bad input or usage,
130 interrupted.""",
)
@reads_boards
@click.option(
    "--candidates", is_flag=True, help="Draw the board above its step, with the candidates on which the step is based."
)
@json_option
def command(source: BoardSource, candidates: bool, as_json: bool) -> int:
    """Show the easiest step that a person can take next on each board of FILE, and why it is right.

    The techniques are, from the easiest one: naked and hidden singles, locked candidates, naked and hidden pairs, naked
    and hidden triples, X-wings, XY-wings and simple colouring. If none applies, the step is a trial: it names a cell
    whose values have to be tried. A step starts from the candidates that no peer holds; `check --steps` lists all steps
    up to the solution. With --json, rows, columns and regions count from 0.
    """
    from csp_sudoku.puzzles.hint import hint

    codes = set()
    for puzzle in source:
        step, error = None, None
        try:
            step = hint(puzzle.board)
        except UnsolvableError as found:
            error = found
        codes.add(DONE if error is None else NO)
        if as_json:
            say(json.dumps(_as_object(step, error)))
            continue
        if candidates:
            say(draw_candidates(puzzle.board))
        say(f"{puzzle}: {_text(step, error)}")
    return worst([*codes, source.code])


def _as_object(step: Step | None, error: UnsolvableError | None) -> dict[str, Any]:
    """Return the answer as the object that --json prints."""
    return {
        "unsolvable": error is not None,
        "reason": None if error is None else error.reason,
        "step": None if step is None else step.as_object(),
    }


def _text(step: Step | None, error: UnsolvableError | None) -> str:
    if error is not None:
        return "unsolvable" + (f": {error.reason}" if error.reason else "")
    return "the board is full" if step is None else str(step)
