"""Asks a person at the terminal for a puzzle or a difficulty if a command has no FILE."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli.arguments import is_puzzle
from csp_sudoku.errors import NotationError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.board import Board, Shape

DIFFICULTIES = {"easy": 0.2, "medium": 0.5, "hard": 0.8}
"""For each word, the difficulty of the puzzle to generate."""

QUESTION = "a puzzle, a file, the name of a board, or a difficulty (easy, medium, hard, or from 0 to 1): "
SHAPE = (3, 3)
"""The shape of a generated puzzle, unless --shape names another."""
BORDERS = "┌┏╔+-─━═"
"""The characters with which the border above a drawn puzzle begins."""
LONGEST_ROW = 60
"""Maximum number of characters of one row, without spaces: 25 numbers and the borders of the blocks."""


def can_ask() -> bool:
    """Return whether there is a person to ask: standard input and standard error are terminals."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask_for_board(shape: Shape | None) -> str:
    """Return the answer of a person at the terminal as an argument; for a difficulty, the argument is a new puzzle.

    `shape` is the shape of a new puzzle (None: 3×3). NotationError if there is no answer.
    """
    click.echo(QUESTION, nl=False, err=True)
    answer = _answer()
    if not answer:
        raise NotationError("a puzzle or a difficulty", "no answer", source="<terminal>")
    difficulty = _difficulty(answer)
    return answer if difficulty is None else _generated(difficulty, shape or SHAPE)


def _answer() -> str:
    """Return the answer: one line, or if it is the first row of a puzzle, all lines up to an empty one."""
    first = sys.stdin.readline().strip()
    if not first or _difficulty(first) is not None or not _is_row(first):
        return first
    click.echo("(an empty line ends the puzzle)", err=True)
    lines = [first]
    while line := sys.stdin.readline().strip():
        lines.append(line)
    return "\n".join(lines)


def _is_row(line: str) -> bool:
    """Return whether a line looks like one row of a puzzle, or the border above it, rather than a whole puzzle.

    >>> _is_row("53. .7. ..."), _is_row("┌───┬───┐"), _is_row("1... ..2. .3.. ...4"), _is_row("hard-3x3")
    (True, True, False, False)
    """
    from csp_sudoku.board import Board

    if line[0] in BORDERS:
        return True
    if not is_puzzle(line) or len("".join(line.split())) > LONGEST_ROW:
        return False
    try:
        Board.parse(line)
    except SudokuError:
        return True
    return False


def _difficulty(answer: str) -> float | None:
    """Return the difficulty that an answer names; None if it names none.

    >>> _difficulty("hard"), _difficulty(".6"), _difficulty("1..."), _difficulty("1.5")
    (0.8, 0.6, None, None)
    """
    if answer.lower() in DIFFICULTIES:
        return DIFFICULTIES[answer.lower()]
    try:
        number = float(answer)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def _generated(difficulty: float, shape: Shape) -> str:
    """Return a new puzzle of a difficulty as an argument, and report how hard it is."""
    from csp_sudoku.puzzles.generate import generate
    from csp_sudoku.puzzles.grade import grade

    puzzle: Board = generate(*shape, difficulty=difficulty)
    found = grade(puzzle)
    report = f"a puzzle that is {found.label} ({found.score:.2f}), hardest step {found.hardest}:"
    click.echo(f"{report} {puzzle.format('line')}", err=True)
    return puzzle.format("line")
