"""csp-sudoku optimize: questions whose answer is the best of many boards, each with a proof or a bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import DONE, INTERRUPTED, NO, UNDECIDED
from csp_sudoku.cli.inputs import json_option, number_between, reader, shape, whole
from csp_sudoku.cli.interrupt import begin_line, on_interrupt
from csp_sudoku.cli.output import say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import NotationError, OptionError, UndecidedError

if TYPE_CHECKING:
    from csp_sudoku.board import Board, Shape
    from csp_sudoku.puzzles.optimum import Best, OnProgress

    Ask = Callable[[OnProgress], Best | None]

SYMMETRIES = ("none", "half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal", "antidiagonal")
"""The names of `csp_sudoku.puzzles.fewest_clues.SYMMETRIES`, which the help must not import."""


@reader
def _cells(text: str) -> list[tuple[int, int]]:
    """Read cells such as "r1c1 r2c2"; they count from 0 in the result."""
    from csp_sudoku.coordinates import parse_cell

    return [parse_cell(word) for word in text.replace(",", " ").split()]


COMMON = (
    click.option(
        "--time-limit",
        type=number_between(0, inf),
        metavar="SECONDS",
        help="Stop after this many seconds, with the best board and the bound so far.  [default: no limit]",
    ),
    click.option(
        "--jobs", "workers", type=whole(1, 64), default="1", show_default=True, metavar="J", help="Threads of CP-SAT."
    ),
    json_option,
)
"""The options that every question has."""
SEED = click.option("--seed", type=whole(0), default="0", show_default=True, metavar="S", help="Seed of the search.")
EXIT_CODES = """\b
Exit codes: 0 proven to be the best, 1 there is no such board, 2 bad input or
usage, 3 not proven within the time limit, 130 interrupted: the best so far is
printed."""


@click.group(
    "optimize",
    short_help="Find the best board of a kind, with a proof or a bound.",
    epilog=f"""\b
Examples:
  csp-sudoku optimize weights --cells "r1c1 r5c5 r9c9" hard-3x3
  csp-sudoku optimize fewest-clues --shape 2x3 --symmetry half-turn
  csp-sudoku optimize most-bombs --shape 2x2 --givens 4 --json

{EXIT_CODES}""",
)
def command() -> None:
    """Find the best of all boards of a kind by CP-SAT, and prove that none is better, or give a bound.

    A progress line shows the best value and the bound so far. Ctrl-C ends the search and prints the best board.
    """


def _question(name: str, short_help: str, examples: Iterable[str], *options: Any) -> Callable[[Any], click.Command]:
    """Decorator: make a function a question with its options and the common ones."""

    def decorated(function: Any) -> click.Command:
        for option in reversed((*options, *COMMON)):
            function = option(function)
        lines = "\n".join(f"  csp-sudoku optimize {name} {example}" for example in examples)
        epilog = f"\b\nExamples:\n{lines}\n\n{EXIT_CODES}"
        made: click.Command = command.command(name, short_help=short_help, epilog=epilog)(function)
        return made

    return decorated


@_question(
    "weights",
    "Find the solution with the greatest weight.",
    ['--cells "r1c1 r5c5 r9c9" hard-3x3', "--weights weights.json --lightest puzzle.txt"],
    click.argument("board", metavar="FILE", shell_complete=completion.boards),
    click.option(
        "--weights",
        "path",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="JSON: N rows of N entries, each a factor for the value of the cell, or N weights for the values 1 to N.",
    ),
    click.option("--cells", type=_cells, metavar="CELLS", help='Cells whose values are added up, such as "r1c1 r2c3".'),
    click.option("--lightest", is_flag=True, help="Find the solution with the least weight instead."),
)
def weights(
    board: str,
    path: Path | None,
    cells: list[tuple[int, int]] | None,
    lightest: bool,
    time_limit: float | None,
    workers: int,
    as_json: bool,
) -> int:
    """Find the solution of a board that maximises the sum of weights, one for each candidate."""
    from csp_sudoku.cli.arguments import board_of
    from csp_sudoku.puzzles.heaviest import heaviest

    puzzle = board_of(board)
    table = _table(puzzle, path, cells)

    def ask(on_progress: OnProgress) -> Best | None:
        return heaviest(
            puzzle, table, lightest=lightest, time_limit=time_limit, workers=workers, on_progress=on_progress
        )

    return _answered(ask, "weight", as_json)


def _table(board: Board, path: Path | None, cells: list[tuple[int, int]] | None) -> list[Any]:
    """Return the weights in a file, or the weight 1 for each of some cells."""
    if (path is None) == (cells is None):
        raise click.UsageError("expected either --weights or --cells")
    if path is not None:
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise NotationError("weights as JSON", str(error), source=str(path)) from None
        if not isinstance(found, list) or not all(isinstance(row, list) for row in found):
            raise OptionError(f"expected weights as rows of numbers; found {str(found)[:40]!r}")
        return found
    table = [[0] * board.size for _ in range(board.size)]
    for row, column in cells or ():
        if row >= board.size or column >= board.size:
            raise OptionError(f"expected cells of a board with {board.size} rows; found r{row + 1}c{column + 1}")
        table[row][column] += 1
    return table


@_question(
    "fewest-clues",
    "Find the puzzle with the fewest clues for a full board.",
    ["--shape 2x3 --symmetry half-turn", '--cells "r1c1 r1c2 r2c3 r3c4 r4c1 r4c3" 1234341221434321'],
    click.argument("board", metavar="[FILE]", required=False, shell_complete=completion.boards),
    click.option("--shape", "sides", metavar="MxN", type=shape, help="Shape of a random full board, without FILE."),
    click.option("--cells", type=_cells, metavar="CELLS", help="Cells in which clues may stand.  [default: all]"),
    click.option(
        "--symmetry",
        type=click.Choice(SYMMETRIES),
        default="none",
        show_default=True,
        help="Symmetry of the cells with clues.",
    ),
    SEED,
)
def fewest_clues(
    board: str | None,
    sides: Shape | None,
    cells: list[tuple[int, int]] | None,
    symmetry: str,
    seed: int,
    time_limit: float | None,
    workers: int,
    as_json: bool,
) -> int:
    """Find the fewest clues, within a pattern, whose only solution is that of FILE or a random full board."""
    from csp_sudoku.puzzles.fewest_clues import fewest_clues

    solution = _full_board(board, sides, seed)

    def ask(on_progress: OnProgress) -> Best:
        return fewest_clues(
            solution, cells, symmetry=symmetry, seed=seed, time_limit=time_limit, workers=workers,
            on_progress=on_progress,
        )  # fmt: skip

    return _answered(ask, "clues", as_json)


def _full_board(board: str | None, sides: Shape | None, seed: int) -> Board:
    """Return the solution of a board, or a random full board of a shape."""
    from random import Random

    from csp_sudoku.cli.arguments import board_of
    from csp_sudoku.puzzles.generate import random_solution
    from csp_sudoku.solvers.questions import solve

    if (board is None) == (sides is None):
        raise click.UsageError("expected either a FILE or --shape")
    if sides is not None:
        return random_solution(*sides, Random(seed))
    assert board is not None
    found = solve(board_of(board)).solution
    if found is None:
        raise OptionError("expected a board that has a solution; found none")
    return found


BOMB_OPTIONS = (
    click.option(
        "--shape", "sides", metavar="MxN", type=shape, required=True, help="Shape: blocks of M rows and N columns."
    ),
    click.option("--givens", type=whole(0), required=True, metavar="K", help="Number of givens."),
    SEED,
)


@_question(
    "most-bombs",
    "Find the solvable board with the most bombs.",
    ["--shape 2x2 --givens 4", "--shape 3x3 --givens 25 --time-limit 60"],
    *BOMB_OPTIONS,
)
def most_bombs(**asked: Any) -> int:
    """Find a solvable board with K givens on which as many legal moves as possible are bombs."""
    from csp_sudoku.moves.bomb_extremes import most_bombs

    return _bombs(most_bombs, **asked)


@_question(
    "fewest-bombs",
    "Find the solvable board with the fewest bombs.",
    ["--shape 2x2 --givens 9", "--shape 3x3 --givens 40 --time-limit 60"],
    *BOMB_OPTIONS,
)
def fewest_bombs(**asked: Any) -> int:
    """Find a solvable board with K givens on which as few legal moves as possible are bombs."""
    from csp_sudoku.moves.bomb_extremes import fewest_bombs

    return _bombs(fewest_bombs, **asked)


def _bombs(find: Callable[..., Best], sides: Shape, givens: int, as_json: bool, **settings: Any) -> int:
    from csp_sudoku.geometry import Geometry

    geometry = Geometry.standard(*sides)
    return _answered(lambda on_progress: find(geometry, givens, on_progress=on_progress, **settings), "bombs", as_json)


def _answered(ask: Ask, what: str, as_json: bool) -> int:
    """Ask the question with a progress line, print the answer, and return the exit code; Ctrl-C keeps the best."""
    from csp_sudoku.solvers.base import Deadline

    is_interrupted = False

    def stop() -> None:
        nonlocal is_interrupted
        is_interrupted = Deadline.are_over = True
        with suppress(OSError):  # the terminal may be gone
            begin_line()

    best: Best | None = None
    is_undecided = False
    with Bar("optimizing", None) as bar:

        def note(value: int | None, bound: int) -> None:
            bar.note = f"best {'none' if value is None else value}, bound {bound}"
            bar.step()

        try:
            with on_interrupt(stop):
                best = ask(note)
        except UndecidedError:
            is_undecided = True
        finally:
            Deadline.are_over = False
    say(json.dumps(_as_object(best, is_undecided)) if as_json else _text(best, what, is_undecided))
    if is_interrupted:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    if is_undecided or (best is not None and not best.is_proven):
        return UNDECIDED
    return NO if best is None else DONE


def _as_object(best: Best | None, is_undecided: bool) -> dict[str, Any]:
    """Return the answer as the object that --json prints."""
    if best is None:
        found = None if is_undecided else False
        return {"found": found, "value": None, "bound": None, "proven": not is_undecided, "cells": None}
    return {
        "found": True,
        "value": best.value,
        "bound": best.bound,
        "proven": best.is_proven,
        "cells": best.board.rows,
    }


def _text(best: Best | None, what: str, is_undecided: bool) -> str:
    from csp_sudoku.cli.drawing import draw_board

    if best is None:
        return "undecided: no board was found within the time limit" if is_undecided else "there is no such board"
    proof = "which is proven to be the best" if best.is_proven else f"and no board is better than {best.bound}"
    return f"{draw_board(best.board)}\n{what} {best.value}, {proof}"
