"""What the commands are given: files of boards, the options that say how to read them, and limits."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from csp_sudoku.cli.codes import BAD, DONE
from csp_sudoku.cli.output import complain
from csp_sudoku.errors import OptionError, ShapeError, SudokuError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board, Shape

Answer = TypeVar("Answer")
Value = TypeVar("Value")
Command = TypeVar("Command", bound=Callable[..., Any])

STDIN = "<stdin>"
"""What errors and answers call standard input."""

LARGEST = 2**62
"""No count or limit needs more, and compiled loops hold no more."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board and where it came from."""

    board: Board
    source: str
    number: int

    def __str__(self) -> str:
        return f"{self.source}, puzzle {self.number}"


class Source:
    """The boards of the files, one after the other, never held all at once.

    A file that turns out to be bad ends there; the others are still read. Who solves may read ahead of what is
    answered, so complaints wait until the answers before them are out: what was solved is printed already.
    """

    def __init__(
        self, files: Iterable[str], format: str | None = None, shape: Shape | None = None, *, zero_based: bool = False
    ) -> None:
        self.files = tuple(files)
        self.format = format
        self.shape = shape
        self.zero_based = zero_based
        self.code = DONE
        """The exit code that the input alone deserves."""
        self.on_error: Callable[[str], object] | None = None
        """What else is to happen at a bad input, besides the complaint."""
        self._waiting: deque[Puzzle | str] = deque()

    def boards(self) -> Iterator[Board]:
        """The boards; each must get one answer, which `answered` puts beside it."""
        from csp_sudoku.board import load_many

        for file in self.files:
            try:
                boards = load_many(file, self.format, shape=self.shape, zero_based=self.zero_based)
                for number, board in enumerate(boards, 1):
                    self._waiting.append(Puzzle(board, STDIN if file == "-" else file, number))
                    yield board
            except SudokuError as error:
                self._refuse(str(error))
            except OSError as error:
                self._refuse(f"{file}: expected a file to read, found {str(error.strerror).lower()}")

    def answered(self, answers: Iterable[Answer]) -> Iterator[tuple[Puzzle, Answer]]:
        """Each answer with its puzzle, and the complaints about the input in between, where they belong."""
        for answer in answers:
            yield self._next_puzzle(), answer
        for item in self._waiting:
            self._tell(str(item))
        self._waiting.clear()

    def __iter__(self) -> Iterator[Puzzle]:
        """The puzzles, for a command that takes one after the other."""
        for puzzle, _ in self.answered(self.boards()):
            yield puzzle

    def _refuse(self, message: str) -> None:
        self.code = BAD
        self._waiting.append(message)

    def _next_puzzle(self) -> Puzzle:
        while True:
            item = self._waiting.popleft()
            if isinstance(item, Puzzle):
                return item
            self._tell(item)

    def _tell(self, message: str) -> None:
        complain(message)
        if self.on_error is not None:
            self.on_error(message)


def reads_boards(command: Command) -> Command:
    """Give a command the argument FILE… and the options that say how to read it, as one `source`."""

    @wraps(command)
    def with_source(
        files: tuple[str, ...], format: str | None, shape: Shape | None, zero_based: bool, **others: Any
    ) -> Any:
        source = Source(files or piped("a FILE, or boards on standard input"), format, shape, zero_based=zero_based)
        return command(source=source, **others)

    for option in (
        click.option("--zero-based", is_flag=True, help="The values in FILE count from 0; a dot is an empty cell."),
        click.option(
            "--shape",
            metavar="MxN",
            type=shape,
            help="Blocks of M rows and N columns, where FILE says no shape.",
        ),
        click.option("--format", metavar="NAME", type=format_name, help="The notation of FILE; by default recognised."),
        click.argument("files", nargs=-1, metavar="[FILE]..."),
    ):
        with_source = option(with_source)
    return with_source  # type: ignore[return-value]


def piped(expected: str) -> tuple[str, ...]:
    """Standard input in place of files, unless that is a terminal where nobody knows that they are to type."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError(f"expected {expected}")
    return ("-",)


def reader(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """The reader of an option's value, whose SudokuError becomes click's error, which names the option."""

    @wraps(read)
    def checked(text: str) -> Value:
        try:
            return read(text)
        except SudokuError as error:
            raise click.BadParameter(str(error)) from error

    return checked


@reader
def format_name(name: str) -> str:
    """The name of a notation."""
    from csp_sudoku.notation import FORMATS

    expect_name("format", name, FORMATS)
    return name


@reader
def solver_name(name: str) -> str:
    """The name of a solver or preset."""
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS

    expect_name("solver", name, [*SOLVERS, *PRESETS])
    return name


@reader
def setting(text: str) -> tuple[str, str]:
    """The name and the value of a solver's option.

    >>> setting("values=random")
    ('values', 'random')
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise OptionError(f"expected NAME=VALUE; found {text!r}")
    return name, value


@reader
def shape(text: str) -> Shape:
    """The rows and columns of a block.

    >>> shape("3x4")
    (3, 4)
    """
    from csp_sudoku.geometry import Geometry

    rows, _, columns = text.lower().replace("×", "x").partition("x")
    if not (rows.isdecimal() and columns.isdecimal()):
        raise ShapeError(f"expected MxN, such as 3x4; found {text!r}")
    geometry = Geometry.standard(int(rows), int(columns))
    return geometry.m, geometry.n


def whole(least: int, most: int = LARGEST) -> Callable[[str], int]:
    """A reader of whole numbers from `least` to `most`.

    >>> whole(1)("0")
    Traceback (most recent call last):
        ...
    click.exceptions.BadParameter: expected a whole number of at least 1; found '0'
    """

    @reader
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            bound = f"at least {least}" if number < least else f"at most {'2**62' if most == LARGEST else most}"
            raise OptionError(f"expected a whole number of {bound}; found {text!r}")
        return number

    return read


def number_between(least: float, most: float) -> Callable[[str], float]:
    """A reader of numbers in a range, which may be open to infinity.

    >>> number_between(0, 1)("0.5")
    0.5
    >>> number_between(0, inf)("-1")
    Traceback (most recent call last):
        ...
    click.exceptions.BadParameter: expected a number of at least 0; found '-1'
    """

    @reader
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = nan
        if not (least <= number <= most and isfinite(number)):
            bound = f"of at least {least}" if most == inf else f"from {least} to {most}"
            raise OptionError(f"expected a number {bound}; found {text!r}")
        return number

    return read


time_limit_option = click.option(
    "--time-limit",
    type=number_between(0, inf),
    metavar="SECONDS",
    help="Give up on a board after this time.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object per line, for programs.")
