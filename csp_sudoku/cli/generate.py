"""csp-sudoku generate: generate puzzles with one solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option, tell_new_name
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.inputs import format_name, number_between, shape, whole
from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar

if TYPE_CHECKING:
    from random import Random

    from csp_sudoku.board import Board, Shape

WITHOUT_COMMENTS = ("csv", "json", "fpuzzles")
"""The notations that do not allow comments."""


@click.command(
    "generate",
    short_help="Generate puzzles with one solution.",
    epilog="""\b
Examples:
  csp-sudoku generate --shape 3x3
  csp-sudoku generate --shape 4x4 --difficulty 0.9 --seed 1 --count 20 --to line > hard.txt
  csp-sudoku generate --shape 2x3 --seed 7 | csp-sudoku solve

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.option(
    "--shape",
    "sides",
    metavar="MxN",
    type=shape,
    help="Shape of the puzzles (required): blocks of M rows and N columns.",
)
@click.option("--rows", type=whole(1), hidden=True, help="Old name: the M of --shape.")
@click.option("--columns", type=whole(1), hidden=True, help="Old name: the N of --shape.")
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
@renamed_option(
    "--to",
    "target",
    old="--format",
    type=format_name,
    shell_complete=completion.notations,
    default="grid",
    show_default=True,
    metavar="NOTATION",
    help="Notation of the output.",
)
def command(
    sides: Shape | None,
    rows: int | None,
    columns: int | None,
    difficulty: float,
    seed: int | None,
    count: int,
    target: str,
) -> int:
    """Generate puzzles with blocks of M rows and N columns, each with exactly one solution.

    M and N are at least 2, and M·N is at most 25. If the notation allows comments, they show the command that makes the
    same puzzles again, and how hard each puzzle is.
    """
    from random import Random, SystemRandom

    from csp_sudoku import notation

    m, n = _shape(sides, rows, columns)
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    with Bar("generating", count) as bar:
        boards = _boards(m, n, difficulty, Random(seed), count, bar)
        if target in WITHOUT_COMMENTS:
            for line in notation.write((notation.Grid(m, n, board.values) for board in boards), target):
                with bar.aside():
                    say(line)
        else:
            how = f"--difficulty {difficulty} --seed {seed} --count {count} --to {target}"
            say(f"# csp-sudoku generate --shape {m}x{n} {how}")
            for board in boards:
                text = _commented(board, target)
                with bar.aside():
                    say(text)
    return DONE


def _shape(sides: Shape | None, rows: int | None, columns: int | None) -> tuple[int, int]:
    """Return the shape, from --shape or from the old options --rows and --columns."""
    if rows is None and columns is None:
        if sides is None:
            raise click.UsageError("expected --shape MxN, such as --shape 3x3; found no shape")
        return sides
    if sides is not None or rows is None or columns is None:
        given = {"--shape": sides, "--rows": rows, "--columns": columns}
        names = " and ".join(name for name, value in given.items() if value is not None)
        raise click.UsageError(f"expected --shape MxN alone, or --rows with --columns; found {names}")
    tell_new_name("--rows M --columns N", "--shape MxN")
    return shape(f"{rows}x{columns}")


def _boards(m: int, n: int, difficulty: float, random: Random, count: int, bar: Bar) -> Iterator[Board]:
    from csp_sudoku.puzzles.generate import generate

    for _ in range(count):
        board = generate(m, n, difficulty=difficulty, rng=random)
        bar.step()
        yield board


def _commented(board: Board, target: str) -> str:
    """Return a puzzle as text, below a comment with its difficulty.

    A blank line precedes a text of several lines.
    """
    from csp_sudoku.puzzles.grade import measure

    found = measure(board)
    givens = number(board.geometry.cell_count - board.empty_count, "given")
    text = board.format(target)
    apart = "\n" if "\n" in text else ""
    return f"{apart}# {found.label} ({found.score:.2f}), needs {found.needs}, {givens}\n{text}"
