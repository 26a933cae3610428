"""csp-sudoku show: draw boards."""

from __future__ import annotations

from pathlib import Path

import click

from csp_sudoku.cli.drawing import draw_board, draw_candidates
from csp_sudoku.cli.inputs import BoardSource, reads_boards
from csp_sudoku.cli.legend import legend, named
from csp_sudoku.cli.output import colours, say
from csp_sudoku.cli.pictures import svg_option, with_pictures, write_svg


def _print_names(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001 - click's
    if wanted and not ctx.resilient_parsing:  # the shell completes a line
        from csp_sudoku.cli.arguments import shipped_names

        say("\n".join(shipped_names()))
        ctx.exit()


def _print_rules(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001 - click's
    if wanted and not ctx.resilient_parsing:
        from csp_sudoku.notation.variants.rules import GUIDE, described

        say("\n".join([GUIDE, "", *described()]))
        ctx.exit()


@click.command(
    "show",
    short_help="Draw boards and their candidates.",
    epilog="""\b
Examples:
  csp-sudoku show puzzles.txt
  csp-sudoku show hard-3x3
  csp-sudoku show --candidates hard.txt
  csp-sudoku show --svg board.svg hard-3x3
  csp-sudoku show --rules
  csp-sudoku show puzzles.txt | csp-sudoku solve

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--names",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_names,
    help="List the boards that ship with the program, and draw nothing.",
)
@click.option(
    "--rules",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_rules,
    help="Explain the notation variant, list its rules, and draw nothing.",
)
@click.option(
    "--candidates", is_flag=True, help="Draw the candidates of each empty cell: the values that no peer holds."
)
@svg_option("the board")
def command(source: BoardSource, candidates: bool, svg: Path | None) -> int:
    """Draw the boards of FILE.

    FILE may hold many boards in any notation; "-", or no FILE, is standard input. Every command can read the drawings
    again, also those with candidates of boards without rules. Below a board with rules are its title and author, its
    rules in words, and a line for each rule that the program enforces, with its meaning after "#".
    """
    for puzzle, path in with_pictures(source, svg):
        board = puzzle.board
        say(f"# {puzzle}: {named(board)}, {board.empty_count} cells empty")
        if not board.geometry.is_standard:
            from csp_sudoku.notation.variants.text_form import header

            say(header(board.geometry))
        say(draw_candidates(board) if candidates else draw_board(board, colour=colours()))
        for line in legend(board, puzzle.details, colour=colours()):
            say(line)
        if path is not None:
            write_svg(path, board, candidates=candidates)
    return source.code
