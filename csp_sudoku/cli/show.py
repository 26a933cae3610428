"""csp-sudoku show: draw boards."""

from __future__ import annotations

import click

from csp_sudoku.cli.drawing import draw_board, draw_candidates
from csp_sudoku.cli.inputs import BoardSource, reads_boards
from csp_sudoku.cli.output import say


@click.command(
    "show",
    short_help="Draw boards and their candidates.",
    epilog="""\b
Examples:
  csp-sudoku show puzzles.txt
  csp-sudoku show --candidates hard.txt
  csp-sudoku show puzzles.txt | csp-sudoku solve

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--candidates", is_flag=True, help="Draw the candidates of each empty cell: the values that no peer holds."
)
def command(source: BoardSource, candidates: bool) -> int:
    """Draw the boards of FILE.

    FILE may hold many boards in any notation; "-", or no FILE, is standard input. Every command can read a drawing
    without candidates again.
    """
    for puzzle in source:
        say(f"# {puzzle}: {puzzle.board.m}x{puzzle.board.n}, {puzzle.board.empty_count} cells empty")
        say(draw_candidates(puzzle.board) if candidates else draw_board(puzzle.board))
    return source.code
