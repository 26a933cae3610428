"""The boards that an argument of the command line stands for.

An argument is, in this order:

    hard.txt           a file (or a folder, which is an error): what exists wins
    boards.npy         a file of an array of numpy, a row of N·N values for each board
    -                  standard input
    hard-3x3           the name of a board that ships with the package, with or without ".txt"
    empty-2x6          an empty board of any shape
    53..7....6..195…   the puzzle itself, in any notation; rows may be separated by spaces or line breaks
    https://…?load=N4… a link to f-puzzles, which holds the puzzle

Anything else is an error, which names the nearest known name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import csp_sudoku.boards
from csp_sudoku.errors import NotationError

if TYPE_CHECKING:
    from csp_sudoku.board import Board, Shape
    from csp_sudoku.notation import Grid

FOLDER = Path(csp_sudoku.boards.__path__[0])
"""The folder of the boards that ship with the package: `boards/` in the repository or in the wheel."""

STDIN = "<stdin>"
"""The name of standard input in errors and answers."""

ARGUMENT = "<argument>"
"""The name, in errors and answers, of a puzzle that is itself the argument."""

_SUFFIX = ".txt"
_EMPTY = re.compile("empty-([0-9]{1,3})x([0-9]{1,3})")
_SHAPE_PREFIX = re.compile(r"\s*[0-9]{1,3}\s*[xX×]\s*[0-9]{1,3}\s*:")
_FILE_NAME = re.compile(r".*\.(txt|csv|tsv|json|jsonl|sdk|sdm|sud|sudoku|puzzles?|dat|log|gz|npy)", re.IGNORECASE)
_SURE = frozenset("0123456789._*,| ")
_PERHAPS = _SURE | frozenset("ABCDEFGHIJKLMNOPabcdefghijklmnop")
_FEWEST_CELLS = 16


def shipped_names() -> list[str]:
    """Return the names of the boards that ship with the package, in alphabetical order."""
    return sorted(path.stem for path in FOLDER.glob(f"*{_SUFFIX}"))


@dataclass(frozen=True, slots=True)
class BoardArgument:
    """An argument of the command line, resolved to the boards that it stands for."""

    source: str
    """The name of the boards' source in errors and answers."""
    path: str | None = None
    """The file to read, or "-" for standard input; None if there is no file."""
    text: str | None = None
    """The puzzle, if the argument is one."""
    empty: Shape | None = None
    """The shape of the empty board that the argument names."""
    name: str | None = None
    """The name of the board, if the argument is one; None for files, standard input and puzzles."""

    def boards(
        self, format: str | None = None, shape: Shape | None = None, *, zero_based: bool = False
    ) -> Iterator[Board]:
        """Yield the boards one after the other; NotationError at the first mistake.

        The parameters are as for `grids`.
        """
        from csp_sudoku.board import Board

        for grid in self.grids(format, shape, zero_based=zero_based):
            yield Board.trusted(grid.geometry, grid.values)

    def grids(
        self, format: str | None = None, shape: Shape | None = None, *, zero_based: bool = False
    ) -> Iterator[Grid]:
        """Yield the boards one after the other, with the details in their texts.

        `format` names the notation (default None: recognise it), `shape` is the shape (m, n) of the boards (default
        None: the text decides), and with `zero_based` (default False) values count from 0. For a board that ships with
        the package, `format` and `zero_based` have no effect; only its shape is compared with `shape`. NotationError at
        the first mistake.
        """
        from csp_sudoku import notation
        from csp_sudoku.board import Board

        if self.empty is not None:
            board = Board.empty(*self.empty)
            if shape is not None and tuple(shape) != self.empty:
                asked, found = ("×".join(map(str, pair)) for pair in (shape, self.empty))
                raise NotationError(f"the shape {asked} that was asked for", found, source=self.source)
            yield notation.Grid(board.m, board.n, board.values)
        elif self.text is not None:
            text = BytesIO(self.text.encode("utf-8", "surrogatepass"))
            yield from notation.read(text, format, shape=shape, zero_based=zero_based, source=self.source)
        elif self.name is not None and self.path is not None:
            with notation.opened(self.path) as stream:
                yield from notation.read(stream, "tue", shape=shape)
        elif self.is_array and self.path is not None:
            from csp_sudoku.notation.arrays import read_grids

            self.require_array_options(format, zero_based=zero_based)
            yield from read_grids(self.path, shape)
        elif self.path is not None:
            with notation.opened(self.path) as stream:
                yield from notation.read(stream, format, shape=shape, zero_based=zero_based)

    @property
    def is_array(self) -> bool:
        """Whether the argument is a file of an array of numpy, by its name."""
        return self.path is not None and self.path.lower().endswith(".npy")

    def require_array_options(self, format: str | None, *, zero_based: bool) -> None:
        """Raise NotationError for options that say how to read a text, since an array is none."""
        if format is not None or zero_based:
            given = f"--format {format}" if format is not None else "--zero-based"
            raise NotationError("an array without options for texts", given, source=self.source)


def resolve(text: str, number: int | None = None) -> BoardArgument:
    """Return the boards that an argument stands for; NotationError if it is no file, no known name and no puzzle.

    `number` is the position of the argument, from 1, for the name of a puzzle. It is None, the default, if there is
    only one argument.

    >>> resolve("hard-3x3").name, resolve("hard-3x3.txt").name, resolve("empty-2x6").empty
    ('hard-3x3', 'hard-3x3', (2, 6))
    >>> [board.empty_count for board in resolve("1... ..2. .3.. ...4").boards()]
    [12]
    >>> resolve("hard-33")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: hard-33: expected a file, the name of a board or a puzzle, \
found no such file and no such name (did you mean 'hard-3x3' or 'hard-4x3'?)
    """
    if text == "-":
        return BoardArgument(STDIN, path=text)
    if os.path.exists(text):  # noqa: PTH110 - Path.exists raises at an impossible name
        return BoardArgument(text, path=text)
    name = text.removesuffix(_SUFFIX)
    if shape := _EMPTY.fullmatch(name):
        return BoardArgument(text, name=name, empty=(int(shape[1]), int(shape[2])))
    if name in shipped_names():
        return BoardArgument(text, path=str(FOLDER / f"{name}{_SUFFIX}"), name=name)
    if is_puzzle(text):
        return BoardArgument(
            ARGUMENT if number is None else f"{ARGUMENT[:-1]} {number}>", text=text.replace("\\n", "\n")
        )
    raise _unknown(text)


def board_of(text: str) -> Board:
    """Return the only board that an argument stands for; NotationError if there are several.

    >>> board_of("empty-2x3").empty_count
    36
    """
    found = resolve(text)
    boards = found.boards()
    board = next(boards)
    if next(boards, None) is not None:
        raise NotationError("one board", "another", source=found.source)
    return board


def is_puzzle(text: str) -> bool:
    """Return whether a text that is no file and no name is meant as a puzzle, valid or not.

    >>> is_puzzle("53..7....6..195.."), is_puzzle("[[5, 3], [1, 2]]"), is_puzzle("1... ..2. .x.. ...4")
    (True, True, True)
    >>> is_puzzle("puzzles.txt"), is_puzzle("2026.11.20/1.2.3"), is_puzzle("abba")
    (False, False, False)
    """
    from csp_sudoku.notation.variants.recognition import is_packed

    lines = text.replace("\\n", "\n").strip()
    if "\n" in lines or lines[:1] in ("[", "{") or is_packed(lines):
        return True
    if "/" in lines or os.sep in lines or _FILE_NAME.fullmatch(lines):
        return False
    prefix = _SHAPE_PREFIX.match(lines)
    cells = lines[prefix.end() :] if prefix else lines
    if prefix or (cells and set(cells) <= _SURE):
        return True
    sure = sum(map(_SURE.__contains__, cells))
    return len(cells) >= _FEWEST_CELLS and (set(cells) <= _PERHAPS or 2 * sure > len(cells))


def _unknown(text: str) -> NotationError:
    """Return the error for an argument that stands for nothing."""
    from difflib import get_close_matches

    is_path = os.sep in text
    near = get_close_matches(Path(text.removesuffix(_SUFFIX)).name.lower(), shipped_names(), n=2)
    hint = f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
    if not (hint or is_path):
        hint = " (`csp-sudoku show --names` lists the names)"
    expected = "a file to read" if is_path else "a file, the name of a board or a puzzle"
    found = "no such file" if is_path else "no such file and no such name"
    return NotationError(expected, found + hint, source=text if text.isprintable() else repr(text))
