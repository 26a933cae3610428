"""csp-sudoku convert: write the boards of any notation in another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.inputs import BoardSource, format_name, reads_boards
from csp_sudoku.cli.output import say
from csp_sudoku.cli.progress import Bar

if TYPE_CHECKING:
    from csp_sudoku.notation import Grid


@click.command(
    "convert",
    short_help="Convert boards to another notation.",
    epilog="""\b
Examples:
  csp-sudoku convert puzzles.csv --to line
  csp-sudoku convert empty-3x4.txt --to tue
  csp-sudoku convert --zero-based from-zero.txt --to values --zero-based-out

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--to",
    "target",
    required=True,
    metavar="NOTATION",
    type=format_name,
    shell_complete=completion.notations,
    help="Notation of the output, such as line or tue.",
)
@click.option("--zero-based-out", is_flag=True, help="Values in the output count from 0.")
def command(source: BoardSource, target: str, zero_based_out: bool) -> int:
    """Write the boards of FILE in another notation.

    The command reads and writes board by board, and never holds the whole of FILE in memory.
    The notations are tue, properties, line, values, grid, csv and json.
    """
    from csp_sudoku import notation

    with Bar("converting") as bar:
        for line in notation.write(_grids(source, bar), target, zero_based=zero_based_out):
            with bar.aside():
                say(line)
    return source.code


def _grids(source: BoardSource, bar: Bar) -> Iterator[Grid]:
    from csp_sudoku.notation import Grid

    for puzzle in source:
        bar.step()
        yield Grid(puzzle.board.m, puzzle.board.n, puzzle.board.values)
