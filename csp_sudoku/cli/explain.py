"""csp-sudoku explain: show why a board has no solution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE, UNDECIDED, worst
from csp_sudoku.cli.drawing import draw_part
from csp_sudoku.cli.inputs import BoardSource, Puzzle, json_option, reads_boards, time_limit_option
from csp_sudoku.cli.legend import rule_lines
from csp_sudoku.cli.output import colours, say
from csp_sudoku.cli.pictures import svg_option, with_pictures, write_svg
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import UndecidedError

if TYPE_CHECKING:
    from csp_sudoku.puzzles.explain import Explanation

_SOLVABLE = "solvable, so there is nothing to explain"
_UNDECIDED = "whether solvable is undecided within the time limit"


@click.command(
    "explain",
    short_help="Explain why boards have no solution.",
    epilog="""\b
Examples:
  csp-sudoku explain broken.txt
  csp-sudoku explain --json broken.txt | jq .givens
  csp-sudoku explain --svg clash.svg broken.txt

\b
Exit codes: 0 explained, or nothing to explain, 2 bad input or usage,
3 undecided, or not proven minimal, within the time limit, 130 interrupted.""",
)
@reads_boards
@time_limit_option
@json_option
@svg_option("the board and the givens that contradict each other")
def command(source: BoardSource, time_limit: float | None, as_json: bool, svg: Path | None) -> int:
    """Explain why a board of FILE has no solution, by givens that contradict each other.

    Every one of these givens is necessary: without it, the others have a solution. On a board with rules, the command
    also names the rules that contribute. If a board has a solution, the command reports that. With --json, rows and
    columns count from 0.
    """
    from csp_sudoku.puzzles.explain import explain

    codes = set()
    with Bar("explaining") as bar:
        for puzzle, path in with_pictures(source, svg):
            found: Explanation | None = None
            try:
                found = explain(puzzle.board, time_limit=time_limit)
                solvable = found is None
            except UndecidedError:
                solvable = None
            codes.add(UNDECIDED if solvable is None or (found and not found.minimal) else DONE)
            if path is not None:
                _draw(path, puzzle, solvable, found)
            bar.step()
            with bar.aside():
                if as_json:
                    say(json.dumps(_as_object(solvable, found) | ({} if path is None else {"svg": str(path)})))
                else:
                    said = "" if path is None else f"\n{puzzle}: drawing in {path}"
                    say(_text(puzzle, solvable, found) + said)
    return worst([*codes, source.code])


def _draw(path: Path, puzzle: Puzzle, solvable: bool | None, found: Explanation | None) -> None:
    """Draw the explanation of a puzzle; if there is none, draw the puzzle and the reason why."""
    if found is None:
        write_svg(path, puzzle.board, caption=_UNDECIDED if solvable is None else _SOLVABLE)
    else:
        write_svg(path, found, puzzle=puzzle.board)


def _as_object(solvable: bool | None, found: Explanation | None) -> dict[str, Any]:
    """Return the findings as the object that --json prints.

    A finding is None if the time limit did not suffice to decide it, or if it does not apply. The rules of a board, if
    it has any, are lines of the notation `variant`.
    """
    if found is None:
        return {"solvable": solvable, "givens": None, "minimal": None}
    board = found.board
    givens = [[*board.geometry.row_column(cell), board.values[cell]] for cell in found.givens]
    rules = {"rules": rule_lines(board)} if found.constraints_among else {}
    return {"solvable": solvable, "givens": givens, "minimal": found.minimal, **rules}


def _text(puzzle: Puzzle, solvable: bool | None, found: Explanation | None) -> str:
    if solvable is None:
        return f"{puzzle}: {_UNDECIDED}"
    if found is None:
        return f"{puzzle}: {_SOLVABLE}"
    part = {puzzle.board.geometry.row_column(cell) for cell in found.givens}
    return f"{draw_part(found.drawn_on(puzzle.board), part, colour=colours())}\n{puzzle}: {found.sentence()}"
