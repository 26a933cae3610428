"""csp-sudoku value: what a position of the game is worth, and its best moves."""

from __future__ import annotations

import json
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE, NO, UNDECIDED, worst
from csp_sudoku.cli.drawing import draw_board
from csp_sudoku.cli.inputs import Puzzle, Source, json_option, number_between, reads_boards, whole
from csp_sudoku.cli.moves import move_text
from csp_sudoku.cli.output import complain, duration, number, say
from csp_sudoku.cli.play import mode_name
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import SudokuError

if TYPE_CHECKING:
    from csp_sudoku.game.state import GameState
    from csp_sudoku.search.evaluation import Evaluation

LISTED = 12
"""Best moves that are named, and moves of a line, unless all are asked for with --json."""


@click.command(
    "value",
    short_help="What a position of the game is worth, and its best moves.",
    epilog="""\b
Examples:
  csp-sudoku value endgame.txt
  csp-sudoku value endgame.txt --taboo 0,4,7 --taboo 2,2,1
  csp-sudoku value opening.txt --mode rows --time-limit 10 --json

\b
Exit codes: 0 the value is exact, 1 a board has no completion, 2 bad input or usage,
3 the value is an estimate, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--taboo", "taboo", metavar="ROW,COL,VALUE", type=move_text, multiple=True, help="A bomb that has been played."
)
@click.option("--mode", default="classic", metavar="MODE", type=mode_name, help="classic, rows, border or random.")
@click.option("--seed", default=0, metavar="N", type=whole(0), help="Draws the squares of the mode random.")
@click.option(
    "--time-limit",
    default=10.0,
    show_default=True,
    type=number_between(0, inf),
    metavar="SECONDS",
    help="Look deeper for so long.",
)
@json_option
def command(
    source: Source, taboo: tuple[tuple[int, int, int], ...], mode: str, seed: int, time_limit: float, as_json: bool
) -> int:
    """Tell what the positions of FILE are worth to the side to move: player 1, at the start of a game on that board.

    The margin is the points to come for that side less those of the other, when both play their best, skips included.
    It is exact if the board has one completion and time suffices; else it is an estimate and says so. Among the best
    moves are bombs. Rows and columns count from 0.
    """
    from csp_sudoku.search.evaluation import evaluate

    codes = set()
    with Bar("searching") as bar:
        for puzzle in source:
            try:
                state = _state(puzzle, taboo, mode, seed)
                found = evaluate(state, time_limit=time_limit)
            except SudokuError as error:
                codes.add(NO)
                complain(f"{puzzle}: {error}")
                continue
            codes.add(DONE if found.exact else UNDECIDED)
            bar.step()
            with bar.aside():
                say(json.dumps(_as_object(found)) if as_json else _text(puzzle, found))
    return worst([*codes, source.code])


def _state(puzzle: Puzzle, taboo: tuple[tuple[int, int, int], ...], mode: str, seed: int) -> GameState:
    """The position that is asked about."""
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move

    start = GameState.start(puzzle.board, mode, Random(seed))
    return GameState.of(
        start.board,
        initial=start.board,
        player=1,
        taboo=frozenset(Move(*move) for move in taboo),
        mode=mode,
        allowed=start.allowed,
        occupied=start.occupied,
    )


def _as_object(found: Evaluation) -> dict[str, Any]:
    """An evaluation, as JSON shows it."""
    margin = int(found.margin) if found.margin == int(found.margin) else found.margin
    return {
        "margin": margin,
        "exact": found.exact,
        "best": [list(move) for move in found.best],
        "line": [list(move) for move in found.line],
        "depth": None if found.exact else found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _text(puzzle: Puzzle, found: Evaluation) -> str:
    """An evaluation as a person reads it."""
    best = [f"{value} at ({row}, {column})" for row, column, value in found.best]
    line = [f"{value} at ({row}, {column})" for row, column, value in found.line]
    how = "exact" if found.exact else f"estimate, {number(found.depth, 'move')} ahead"
    return (
        f"{draw_board(puzzle.board)}\n"
        f"{puzzle}: {found.margin:+g} for the side to move ({how})\n"
        f"best: {_shortened(best)}\n"
        f"line: {_shortened(line)}\n"
        f"{number(found.nodes, 'node')} in {duration(found.seconds)}"
    )


def _shortened(told: list[str]) -> str:
    return ", ".join(told[:LISTED]) + (f", and {len(told) - LISTED} more" if len(told) > LISTED else "")
