"""Print the steps of a search, one per line, as `csp-sudoku solve --trace` does."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from csp_sudoku.cli.answers import CODES, Totals, as_object, as_text
from csp_sudoku.cli.codes import worst
from csp_sudoku.cli.output import remark, say
from csp_sudoku.coordinates import move_name
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from csp_sudoku.cli.inputs import BoardSource
    from csp_sudoku.solvers.backtracking.run import TraceStep
    from csp_sudoku.solvers.base import Limits, Solver


def trace_boards(source: BoardSource, solver: Solver, limits: Limits, *, as_json: bool) -> int:
    """Print the steps for each board, then its result as without --trace, and return the exit code.

    Raise OptionError unless `solver` is backtracking or one of its presets.

    `limits` bound the search on each board. With `as_json`, each step and each result is a JSON object, in
    which rows and columns count from 0.
    """
    from csp_sudoku.solvers.backtracking.solver import Backtracking

    if not isinstance(solver, Backtracking):
        raise OptionError(f"expected backtracking or one of its presets with --trace; found {solver.name!r}")
    codes, totals = set(), Totals()
    for puzzle in source:
        for step in solver.trace(puzzle.board, limits):
            say(json.dumps(asdict(step)) if as_json else _text(step))
        result = solver.solve(puzzle.board, limits)
        codes.add(CODES[result.status.value])
        totals.add(puzzle, result)
        say(json.dumps(as_object(puzzle, result)) if as_json else as_text(puzzle, result))
    if total := totals.sentence():
        remark(total)
    return worst([*codes, source.code])


def _text(step: TraceStep) -> str:
    return f"{'  ' * step.depth}{step.kind} {move_name(step.row, step.column, step.value)}"
