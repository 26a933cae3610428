"""The inputs of the commands: boards, the options for reading them, and limits."""

from __future__ import annotations

import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import BAD, DONE
from csp_sudoku.cli.output import complain
from csp_sudoku.errors import OptionError, ShapeError, SudokuError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board, Shape
    from csp_sudoku.cli.arguments import BoardArgument
    from csp_sudoku.notation import Details, Grid

Answer = TypeVar("Answer")
Value = TypeVar("Value")
Command = TypeVar("Command", bound=Callable[..., Any])

LARGEST = 2**62
"""Upper bound for every count and limit; larger ones would overflow the integers of the compiled loops."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board, the name of its source, its number there, from 1, and the details in the source."""

    board: Board
    source: str
    number: int
    details: Details
    """The title, the author and the solution, if the text gives them."""
    place: int = field(default=0, compare=False)
    """The number of puzzles that the command has read before this one."""

    def __str__(self) -> str:
        return f"{self.source}, puzzle {self.number}"


class BoardSource:
    """The boards of the arguments, one after the other; they are never all in memory.

    An error in a file ends the reading of that file; the next files are still read. A solver may read puzzles ahead of
    the printed answers, so a complaint about the input waits until the answers before it are printed.

    `files` are the arguments, which `cli.arguments.resolve` understands: files, "-" for standard input, names of boards
    that ship with the package, and puzzles. `format` names the notation (None, the default: recognise it), `shape`
    is the shape (m, n) of the boards (None: the text decides), and with `zero_based` (default False) values count from
    0.
    """

    def __init__(
        self, files: Iterable[str], format: str | None = None, shape: Shape | None = None, *, zero_based: bool = False
    ) -> None:
        self.files = tuple(files)
        self.format = format
        self.shape = shape
        self.zero_based = zero_based
        self.code = DONE
        """The exit code of the input alone: BAD after the first error, else DONE."""
        self.on_error: Callable[[str], object] | None = None
        """A function that gets the message of each bad input, after the complaint is printed; None by default.
        """
        self._count = 0
        """The number of puzzles that were read."""
        self._complaints: deque[tuple[int, str]] = deque()
        """The complaints that are not yet printed, each with the number of puzzles that were read before it."""

    @property
    def are_lines(self) -> bool:
        """Whether the options allow plain 3×3 puzzles in the notation `line`."""
        return self.format in (None, "line") and self.shape in (None, (3, 3)) and not self.zero_based

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield the puzzles as they are read; `in_turn` prints the complaints between their answers."""
        for found in self.arguments():
            grids = found.grids(self.format, self.shape, zero_based=self.zero_based)
            yield from self.numbered(grids, found.source)

    def arguments(self) -> Iterator[BoardArgument]:
        """Yield the resolved arguments, and note a complaint about each argument that cannot be resolved."""
        from csp_sudoku.cli.arguments import resolve

        for place, file in enumerate(self.files, 1):
            with self.noting(file):
                yield resolve(file, place if len(self.files) > 1 else None)

    def numbered(self, grids: Iterator[Grid], source: str, first: int = 1) -> Iterator[Puzzle]:
        """Yield the boards of one source as puzzles with the numbers from `first` (default 1) on."""
        from csp_sudoku.board import Board

        with self.noting(source):
            for number, grid in enumerate(grids, first):
                board = Board.trusted(grid.geometry, grid.values)
                self._count += 1
                yield Puzzle(board, source, number, grid.details, self._count - 1)

    @contextmanager
    def noting(self, file: str) -> Iterator[None]:
        """Note the complaint about an error in a file, and end the block."""
        try:
            yield
        except SudokuError as error:
            self._refuse(str(error))
        except OSError as error:
            self._refuse(f"{file}: expected a file to read, found {str(error.strerror).lower()}")

    def in_turn(self, answers: Iterable[tuple[Puzzle, Answer]]) -> Iterator[tuple[Puzzle, Answer]]:
        """Yield each puzzle with its answer, and print the complaints about the input in between, where they belong."""
        for puzzle, answer in answers:
            self._complain_before(puzzle.place)
            yield puzzle, answer
        self._complain_before(self._count)

    def __iter__(self) -> Iterator[Puzzle]:
        """Iterate over the puzzles, for a command that handles them one by one."""
        for puzzle, _ in self.in_turn((puzzle, None) for puzzle in self.puzzles()):
            yield puzzle

    def _refuse(self, message: str) -> None:
        self.code = BAD
        self._complaints.append((self._count, message))

    def _complain_before(self, place: int) -> None:
        """Print the complaints that precede the puzzle at this place."""
        while self._complaints and self._complaints[0][0] <= place:
            self._tell(self._complaints.popleft()[1])

    def _tell(self, message: str) -> None:
        complain(message)
        if self.on_error is not None:
            self.on_error(message)


FILE_HELP = """FILE is a file of boards in any notation, or an array of numpy (.npy); "-" or no FILE, which is standard
input; the name of a board that ships with the program, such as hard-3x3 (`csp-sudoku show --names` lists them); or the
puzzle itself, such as 1.....2..3.....4."""
"""The paragraph that the help of every command which reads boards ends with."""


def reads_boards(command: Command) -> Command:
    """Decorator: give a command the argument FILE… and the options for reading it, as one value, `source`.

    The help of the command ends with `FILE_HELP`.
    """
    return _with_boards(command, lambda shape: piped(BOARDS_EXPECTED))  # noqa: ARG005 - only a question needs it


def reads_or_asks_for_boards(command: Command) -> Command:
    """Decorator like `reads_boards`; on a terminal without a FILE, the command asks for a puzzle or a difficulty."""
    from csp_sudoku.cli.asking import ask_for_board, can_ask

    return _with_boards(command, lambda shape: (ask_for_board(shape),) if can_ask() else piped(BOARDS_EXPECTED))


BOARDS_EXPECTED = "a FILE, a name such as hard-3x3, a puzzle, or boards on standard input"
"""The expected input of a command that reads boards, for errors."""


def _with_boards(command: Command, otherwise: Callable[[Shape | None], tuple[str, ...]]) -> Command:
    """Give a command its boards; `otherwise` returns the files if the user names none, from the value of --shape."""

    @wraps(command)
    def with_source(
        files: tuple[str, ...], format: str | None, shape: Shape | None, zero_based: bool, **others: Any
    ) -> Any:
        source = BoardSource(files or otherwise(shape), format, shape, zero_based=zero_based)
        return command(source=source, **others)

    with_source.__doc__ = f"{inspect.cleandoc(command.__doc__ or '')}\n\n{FILE_HELP}"
    for option in (
        click.option("--zero-based", is_flag=True, help="Values in FILE count from 0; an empty cell is . or _ or *."),
        click.option(
            "--shape",
            metavar="MxN",
            type=shape,
            help="Shape of the boards, if FILE does not specify it: blocks of M rows and N columns.",
        ),
        click.option(
            "--format",
            metavar="NOTATION",
            type=format_name,
            shell_complete=completion.notations,
            help="Notation of FILE.  [default: recognised]",
        ),
        click.argument("files", nargs=-1, metavar="[FILE]...", shell_complete=completion.boards),
    ):
        with_source = option(with_source)
    return with_source  # type: ignore[return-value]


def piped(expected: str) -> tuple[str, ...]:
    """Return "-", which stands for standard input instead of files.

    Raise click.UsageError if standard input is a terminal, because the program would wait there without telling the
    user that it expects input. `expected` describes this input in the error.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError(f"expected {expected}")
    return ("-",)


def reader(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Decorator for the reader of an option's value: a SudokuError becomes click's error, which names the option."""

    @wraps(read)
    def checked(text: str) -> Value:
        try:
            return read(text)
        except SudokuError as error:
            raise click.BadParameter(str(error)) from error

    return checked


@reader
def format_name(name: str) -> str:
    """Check the name of a notation, and return it."""
    from csp_sudoku.notation import format_names

    expect_name("notation", name, format_names())
    return name


@reader
def solver_name(name: str) -> str:
    """Check the name of a solver or a preset, and return it."""
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS

    expect_name("solver", name, [*SOLVERS, *PRESETS])
    return name


@reader
def setting(text: str) -> tuple[str, str]:
    """Split a solver's option into its name and its value.

    >>> setting("values=random")
    ('values', 'random')
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise OptionError(f"expected NAME=VALUE; found {text!r}")
    return name, value


@reader
def shape(text: str) -> Shape:
    """Read the number of rows and of columns of a block.

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
    """Make a reader of whole numbers from `least` to `most` (by default LARGEST).

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
    """Make a reader of numbers from `least` to `most`; with `most` infinite, there is no upper bound.

    >>> number_between(0, 1)("0.5"), number_between(0, 1)("-0")
    (0.5, 0.0)
    >>> number_between(0, inf)("-1")
    Traceback (most recent call last):
        ...
    click.exceptions.BadParameter: expected a number of at least 0; found '-1'
    """

    @reader
    def read(text: str) -> float:
        try:
            number = float(text) + 0.0  # -0 becomes 0.
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
    help="Leave a board undecided after this many seconds.  [default: no limit]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, one object per line.")
