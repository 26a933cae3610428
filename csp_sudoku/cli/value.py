"""csp-sudoku value: report the value of a position of the game, and its best moves."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import BAD, DONE, NO, UNDECIDED, worst
from csp_sudoku.cli.drawing import draw_board
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import mode_name
from csp_sudoku.cli.inputs import BoardSource, Puzzle, json_option, number_between, reads_boards, whole
from csp_sudoku.cli.moves import move_text
from csp_sudoku.cli.output import colours, complain, duration, number, say
from csp_sudoku.cli.preparing import prepared
from csp_sudoku.cli.progress import Bar
from csp_sudoku.coordinates import move_names
from csp_sudoku.errors import MoveError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.evaluation.value import Evaluation
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move

LISTED = 12
"""Maximum number of best moves, and of moves of a line, to print; --json lists all of them."""


@click.command(
    "value",
    short_help="Report the value of a position and its best moves.",
    epilog="""\b
Examples:
  csp-sudoku value endgame.txt
  csp-sudoku value endgame.txt --taboo r1c5=7 --taboo r3c3=1
  csp-sudoku value boards/empty-2x2.txt --time-limit 60 --check 7
  csp-sudoku value opening.txt --mode rows --time-limit 10 --json

\b
Exit codes: 0 the value is exact, 1 a board has no completion, 2 bad input or
usage, 3 the value is an estimate, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--taboo",
    "taboo",
    metavar="CELL=VALUE",
    type=move_text,
    multiple=True,
    help="Bomb that has been played, such as r1c5=7; may be repeated.",
)
@click.option(
    "--mode",
    default="classic",
    metavar="MODE",
    type=mode_name,
    shell_complete=completion.modes,
    help="Play mode: classic, rows, border or random.  [default: classic]",
)
@click.option(
    "--seed", default=0, metavar="N", type=whole(0), help="Seed of the squares of the mode random.  [default: 0]"
)
@click.option(
    "--time-limit",
    default=10.0,
    show_default=True,
    type=number_between(0, inf),
    metavar="SECONDS",
    help="Time to search each position, in seconds.",
)
@click.option(
    "--check",
    metavar="N",
    type=whole(1),
    help="Check the value of each position of the line with at most N empty cells by plain recursion. "
    "More than 7 take long.",
)
@json_option
def command(
    source: BoardSource,
    taboo: tuple[tuple[int, int, int], ...],
    mode: str,
    seed: int,
    time_limit: float,
    check: int | None,
    as_json: bool,
) -> int:
    """Report the value of the positions of FILE for the side to move: player 1, at the start of a game on that board.

    The margin is the future points of that side minus the future points of the other, if both play their best moves,
    skips included. It is exact if the time suffices and the board has one completion or few empty cells; otherwise it
    is marked as an estimate. The best moves may include bombs. With --json, rows and columns count from 0.
    """
    from csp_sudoku.evaluation.confirmation import confirm
    from csp_sudoku.evaluation.value import evaluate

    codes = set()
    puzzles = prepared(source, "value")
    with Bar("searching") as bar:
        for puzzle in puzzles:
            state = None
            try:
                state = _state(puzzle, taboo, mode, seed)
                found = evaluate(state, time_limit=time_limit)
                confirmed = confirm(state, found, check) if check and found.exact else None
            except SudokuError as error:
                is_no = state is not None and not state.is_over and not state.must_pass
                codes.add(NO if is_no else BAD)
                complain(f"{puzzle}: {error}")
                continue
            codes.add(DONE if found.exact else UNDECIDED)
            bar.step()
            with bar.aside():
                say(json.dumps(_as_object(found, confirmed)) if as_json else _text(puzzle, found, confirmed))
    return worst([*codes, source.code])


def _state(puzzle: Puzzle, taboo: tuple[tuple[int, int, int], ...], mode: str, seed: int) -> GameState:
    """Return the position to evaluate."""
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move

    start = GameState.start(puzzle.board, mode, Random(seed))
    state = GameState.of(
        start.board,
        initial=start.board,
        player=1,
        taboo=frozenset(Move(*move) for move in taboo),
        mode=mode,
        allowed=start.allowed,
        occupied=start.occupied,
    )
    _require_bombs(puzzle.board, state.taboo)
    return state


def _require_bombs(board: Board, taboo: Iterable[Move]) -> None:
    """Raise MoveError at a taboo move that cannot have been a bomb: it is safe, or it is on the board.

    Other taboo moves that are no longer legal are accepted: they may have been bombs when they were played.
    """
    from csp_sudoku.game.referee import Referee

    referee = Referee()
    for move in sorted(taboo):
        row, column, value = move
        is_legal = not board[row, column] and value in board.candidates(row, column)
        if board[row, column] == value or (is_legal and referee.is_safe(board, move)):
            raise MoveError(f"expected a bomb as taboo; found {move}, which is no bomb")


def _as_object(found: Evaluation, confirmed: int | None) -> dict[str, Any]:
    """Return an evaluation as the object that --json prints."""
    checked = {} if confirmed is None else {"checked": confirmed}
    return checked | {
        "margin": plain(found.margin),
        "exact": found.exact,
        "best": [list(move) for move in found.best],
        "line": [list(move) for move in found.line],
        "depth": None if found.exact or _is_to_the_end(found) else found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "loading_seconds": found.loading_seconds,
    }


def _text(puzzle: Puzzle, found: Evaluation, confirmed: int | None) -> str:
    """Return an evaluation as text for people."""
    checked = "" if confirmed is None else f"\nchecked: {number(confirmed, 'position')} of the line by plain recursion"
    how = "exact" if found.exact else f"estimate, {_depth(found)}"
    return (
        f"{draw_board(puzzle.board, colour=colours())}\n"
        f"{puzzle}: {signed(found.margin)} for the side to move ({how})\n"
        f"{folded(f'best: {move_names(found.best, LISTED)}', indent=6)}\n"
        f"{folded(f'line: {move_names(found.line, LISTED)}', indent=6)}\n"
        f"{number(found.nodes, 'node')} in {duration(found.seconds)}{checked}"
    )


def _depth(found: Evaluation) -> str:
    """Describe how far an estimate has searched."""
    return "to the end of one completion" if _is_to_the_end(found) else f"{number(found.depth, 'move')} ahead"


def _is_to_the_end(found: Evaluation) -> bool:
    """Return whether the search reached the end of the game for one completion of the board."""
    from csp_sudoku.search.filling.kernels.filling import EXACT

    return found.depth >= EXACT


def plain(points: float) -> float:
    """Return points as an integer if they are whole.

    >>> plain(3.0), plain(-0.25), plain(-0.0)
    (3, -0.25, 0)
    """
    return int(points) if points == int(points) else points


def signed(points: float) -> str:
    """Return points as text, with their sign unless they are 0.

    >>> signed(3.0), signed(-0.25), signed(-0.0)
    ('+3', '-0.25', '0')
    """
    return f"{points:+g}" if points else "0"
