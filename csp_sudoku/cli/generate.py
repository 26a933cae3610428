"""csp-sudoku generate: make puzzles with one solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.inputs import format_name, number_between, whole
from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar

if TYPE_CHECKING:
    from random import Random

    from csp_sudoku.board import Board

WITHOUT_COMMENTS = ("csv", "json")
"""The notations that do not allow comments."""


@click.command(
    "generate",
    short_help="Generate puzzles with one solution.",
    epilog="""\b
Examples:
  csp-sudoku generate --rows 3 --columns 3
  csp-sudoku generate --rows 4 --columns 4 --difficulty 0.9 --seed 1 --count 20 --format line > hard.txt
  csp-sudoku generate --rows 2 --columns 3 --seed 7 | csp-sudoku solve

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.option("--rows", type=whole(1), required=True, metavar="M", help="Number of rows of a block.")
@click.option("--columns", type=whole(1), required=True, metavar="N", help="Number of columns of a block.")
@click.option(
    "--difficulty",
    type=number_between(0, 1),
    default=0.5,
    show_default=True,
    metavar="D",
    help="Difficulty from 0 (easy) to 1 (hard), as `csp-sudoku check` grades it.",
)
@click.option(
    "--seed", type=whole(0), metavar="S", help="Seed; the same seed gives the same puzzles.  [default: random]"
)
@click.option("--count", type=whole(1), default=1, show_default=True, metavar="K", help="Number of puzzles.")
@click.option(
    "--format", type=format_name, default="grid", show_default=True, metavar="NAME", help="Notation of the output."
)
def command(rows: int, columns: int, difficulty: float, seed: int | None, count: int, format: str) -> int:
    """Generate puzzles with blocks of M rows and N columns, each with exactly one solution.

    M and N are at least 2, and M·N is at most 25. If the notation allows comments, they show the command that makes the
    same puzzles again, and how hard each puzzle is.
    """
    from random import Random, SystemRandom

    from csp_sudoku import notation
    from csp_sudoku.geometry import Geometry

    Geometry.standard(rows, columns)  # A wrong shape raises its error here, before the first line is printed.
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    with Bar("generating", count) as bar:
        boards = _boards(rows, columns, difficulty, Random(seed), count, bar)
        if format in WITHOUT_COMMENTS:
            for line in notation.write((notation.Grid(rows, columns, board.values) for board in boards), format):
                with bar.aside():
                    say(line)
        else:
            shape = f"--rows {rows} --columns {columns}"
            how = f"--difficulty {difficulty} --seed {seed} --count {count} --format {format}"
            say(f"# csp-sudoku generate {shape} {how}")
            for board in boards:
                text = _commented(board, format)
                with bar.aside():
                    say(text)
    return DONE


def _boards(rows: int, columns: int, difficulty: float, random: Random, count: int, bar: Bar) -> Iterator[Board]:
    from csp_sudoku.puzzles.generate import generate

    for _ in range(count):
        board = generate(rows, columns, difficulty=difficulty, rng=random)
        bar.step()
        yield board


def _commented(board: Board, format: str) -> str:
    """Return a puzzle as text, under a comment that says how hard it is.

    A blank line precedes a text of several lines.
    """
    from csp_sudoku.puzzles.grade import grade

    found = grade(board)
    givens = number(board.geometry.cell_count - board.empty_count, "given")
    text = board.format(format)
    apart = "\n" if "\n" in text else ""
    return f"{apart}# {found.label} ({found.score:.2f}), needs {found.needs}, {givens}\n{text}"
