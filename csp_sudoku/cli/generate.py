"""csp-sudoku generate: generate puzzles with one solution."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option, tell_new_name
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.inputs import format_name, number_between, reader, shape, whole
from csp_sudoku.cli.legend import named
from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import expect_name

if TYPE_CHECKING:
    from random import Random

    from csp_sudoku.board import Board, Shape
    from csp_sudoku.geometry import Geometry

WITHOUT_COMMENTS = ("csv", "json", "fpuzzles")
"""The notations that do not allow comments."""


@reader
def kinds_of_rules(text: str) -> tuple[str, ...]:
    """Return the names of the kinds of rules in a text, separated by commas; OptionError for an unknown one."""
    if not text:
        return ()
    from csp_sudoku.notation.variants.rules import name_of
    from csp_sudoku.puzzles.rule_makers import KINDS

    found = []
    for word in text.split(","):
        named = name_of(word.strip())
        name = word.strip() if named is None else named[0]
        expect_name("kind of rules", name, KINDS)
        found.append(name)
    return tuple(found)


@reader
def board_in(text: str) -> tuple[str, Geometry]:
    """Return an argument, and the geometry of the board that it stands for."""
    from csp_sudoku.cli.arguments import board_of

    return text, board_of(text).geometry


@click.command(
    "generate",
    short_help="Generate puzzles with one solution.",
    epilog="""\b
Examples:
  csp-sudoku generate --shape 3x3
  csp-sudoku generate --shape 4x4 --difficulty 0.9 --seed 1 --count 20 --to line > hard.txt
  csp-sudoku generate --shape 2x3 --seed 7 | csp-sudoku solve
  csp-sudoku generate --shape 3x3 --rules killer,thermometer
  csp-sudoku generate --like puzzle.txt --to fpuzzles-url

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.option(
    "--shape",
    "sides",
    metavar="MxN",
    type=shape,
    help="Shape of the puzzles, needed unless --like has it: blocks of M rows and N columns.",
)
@click.option(
    "--rules",
    "kinds",
    type=kinds_of_rules,
    default="",
    metavar="KIND[,…]",
    help="Kinds of rules of which random ones are put on the board; `csp-sudoku show --rules` lists all kinds.",
)
@click.option(
    "--like",
    type=board_in,
    metavar="FILE",
    shell_complete=completion.files,
    help="Puzzle whose shape, blocks and rules the new puzzles have.",
)
@click.option("--rows", type=whole(1), hidden=True, help="Old name: the M of --shape.")
@click.option("--columns", type=whole(1), hidden=True, help="Old name: the N of --shape.")
@click.option(
    "--difficulty",
    type=number_between(0, 1),
    metavar="D",
    help="Difficulty from 0 (easy) to 1 (hard), as `csp-sudoku check` grades it; not with rules.  [default: 0.5]",
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
    metavar="NOTATION",
    help="Notation of the output.  [default: grid, or variant with rules]",
)
def command(
    sides: Shape | None,
    rows: int | None,
    columns: int | None,
    kinds: tuple[str, ...],
    like: tuple[str, Geometry] | None,
    difficulty: float | None,
    seed: int | None,
    count: int,
    target: str | None,
) -> int:
    """Generate puzzles with blocks of M rows and N columns, each with exactly one solution.

    M and N are at least 2, and M·N is at most 25. With --rules or --like the puzzles have rules, and as few givens as
    the rules allow. If the notation allows comments, they show the command that makes the same puzzles again, and how
    hard each puzzle without rules is.
    """
    from random import Random, SystemRandom

    from csp_sudoku import notation
    from csp_sudoku.geometry import Geometry

    if like is None:
        m, n = _shape(sides, rows, columns)
        geometry, where = Geometry.standard(m, n), f"--shape {m}x{n}"
    elif (sides, rows, columns) == (None, None, None):
        geometry, where = like[1], f"--like {quote(like[0])}"
    else:
        raise click.UsageError("expected --shape or --like; found both")
    has_rules = bool(kinds) or not geometry.is_standard
    if has_rules and difficulty is not None:
        raise click.UsageError("expected --difficulty for puzzles without rules; found it with rules")
    asked = _Asked(geometry, kinds, 0.5 if difficulty is None else difficulty, has_rules)
    target = target or ("variant" if has_rules else "grid")
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    with Bar("generating", count) as bar:
        boards = _boards(asked, Random(seed), count, bar)
        if target in WITHOUT_COMMENTS:
            grids = (notation.Grid.on(board.geometry, board.values) for board in boards)
            for line in notation.write(grids, target):
                with bar.aside():
                    say(line)
        else:
            how = f"--rules {','.join(kinds)} " if kinds else ""
            how += "" if has_rules else f"--difficulty {asked.difficulty} "
            say(f"# csp-sudoku generate {where} {how}--seed {seed} --count {count} --to {target}")
            for board in boards:
                text = _commented(board, target)
                with bar.aside():
                    say(text)
    return DONE


def _shape(sides: Shape | None, rows: int | None, columns: int | None) -> tuple[int, int]:
    """Return the shape, from --shape or from the old options --rows and --columns."""
    if rows is None and columns is None:
        if sides is None:
            raise click.UsageError("expected --shape MxN, such as --shape 3x3, or --like FILE; found neither")
        return sides
    if sides is not None or rows is None or columns is None:
        given = {"--shape": sides, "--rows": rows, "--columns": columns}
        names = " and ".join(name for name, value in given.items() if value is not None)
        raise click.UsageError(f"expected --shape MxN alone, or --rows with --columns; found {names}")
    tell_new_name("--rows M --columns N", "--shape MxN")
    return shape(f"{rows}x{columns}")


class _Asked(NamedTuple):
    """The requested properties of the puzzles."""

    geometry: Geometry
    kinds: tuple[str, ...]
    difficulty: float
    has_rules: bool


def _boards(asked: _Asked, random: Random, count: int, bar: Bar) -> Iterator[Board]:
    from csp_sudoku.puzzles.generate import generate
    from csp_sudoku.puzzles.variants import generate_on

    for _ in range(count):
        if asked.has_rules:
            board = generate_on(asked.geometry, random, kinds=asked.kinds)
        else:
            board = generate(asked.geometry.m, asked.geometry.n, difficulty=asked.difficulty, rng=random)
        bar.step()
        yield board


def _commented(board: Board, target: str) -> str:
    """Return a puzzle as text, below a comment with its difficulty or its number of rules.

    A blank line precedes a text of several lines.
    """
    from csp_sudoku.puzzles.grade import measure

    givens = number(board.geometry.cell_count - board.empty_count, "given")
    text = board.format(target)
    apart = "\n" if "\n" in text else ""
    if not board.geometry.is_standard:
        return f"{apart}# {named(board)}, {givens}\n{text}"
    found = measure(board)
    return f"{apart}# {found.label} ({found.score:.2f}), needs {found.needs}, {givens}\n{text}"
