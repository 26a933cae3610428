"""csp-sudoku convert: convert boards from any notation to another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import BAD, DONE, worst
from csp_sudoku.cli.inputs import BoardSource, format_name, reads_boards
from csp_sudoku.cli.output import complain, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import SudokuError

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
  csp-sudoku convert killer.txt --to fpuzzles-url
  csp-sudoku convert 'https://f-puzzles.com/?load=N4Ig…' --to variant

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
    Boards with rules are written as variant (a board, then a rule on each line), fpuzzles (JSON), fpuzzles-packed (the
    text in its links) or fpuzzles-url. A board with a rule that the notation lacks is skipped with an error.
    """
    from csp_sudoku import notation

    code = DONE

    def grids(bar: Bar) -> Iterator[Grid]:
        nonlocal code
        for puzzle in source:
            bar.step()
            grid = notation.Grid.on(puzzle.board.geometry, puzzle.board.values, puzzle.details)
            if grid.variant is None or (fault := _fault(grid, target)) is None:
                yield grid
                continue
            code = BAD
            with bar.aside():
                complain(f"{puzzle}: {fault}")

    with Bar("converting") as bar:
        for line in notation.write(grids(bar), target, zero_based=zero_based_out):
            with bar.aside():
                say(line)
    return worst([code, source.code])


def _fault(grid: Grid, target: str) -> str | None:
    """Return the reason why a notation cannot hold a board, or None if it can."""
    from csp_sudoku import notation

    try:
        notation.format_grid(grid, target)
    except SudokuError as error:
        return str(error)
    return None
