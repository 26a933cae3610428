"""Every exception of the toolkit.

The tree::

    SudokuError (ValueError)        something in the input is wrong
    ├── ShapeError                  no such board shape: 7×7, blocks of one row, more than 25 values
    ├── NotationError               a text that no reader understands; knows file, line and column
    ├── ClashError                  two equal values in one region
    ├── MoveError                   a value that cannot be placed in its cell
    ├── OptionError                 no solver, player, preset, option, format or setting of that name
    ├── HostError                   the system lets no player's process start (in arena.fork server)
    └── AgentError                  a player that cannot be loaded (in framework.loading, as are these)
        ├── NoAgentError            no folder of a player, or one without sudokuai.py
        ├── NoAgentClassError       a sudokuai.py without the class SudokuAI
        └── AgentCrashError         modules that cannot be imported
    UndecidedError (RuntimeError)   the limits ended a question before its answer was proven

A message is one line in lower case. It first names what was expected, and then what was found. It names cells and moves
as `coordinates` does: r1c1 is the first cell.
"""

from __future__ import annotations

from collections.abc import Iterable


class SudokuError(ValueError):
    """Something in the input is wrong; the message is one line that names the error and its place."""


class ShapeError(SudokuError):
    """The board shape does not exist."""


class ClashError(SudokuError):
    """A region of a board holds a value twice."""


class MoveError(SudokuError):
    """A value cannot be placed in its cell, or a cell or a value is out of range."""


class OptionError(SudokuError):
    """The name of a solver, an option or a format is unknown, or a setting is out of range."""


class UndecidedError(RuntimeError):
    """The limits ended a question before its answer was proven."""


class NotationError(SudokuError):
    """A text cannot be read as a board.

    `expected` and `found` are the two parts of the message. `line` and `column` count from 1, as in editors; each is
    None, the default, where it does not apply. `source` is the name of the file, if there is one.

    >>> print(NotationError("81 cells", "80", line=3, column=81, source="puzzles.txt"))
    puzzles.txt, line 3, column 81: expected 81 cells, found 80
    """

    def __init__(
        self,
        expected: str,
        found: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        self.expected = expected
        self.found = found
        self.line = line
        self.column = column
        self.source = source
        super().__init__(expected, found)

    def __str__(self) -> str:
        place = [self.source] if self.source else []
        place += [f"line {self.line}"] if self.line is not None else []
        place += [f"column {self.column}"] if self.column is not None else []
        prefix = ", ".join(place) + ": " if place else ""
        return f"{prefix}expected {self.expected}, found {self.found}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_notation_error, (self.expected, self.found, self.line, self.column, self.source)


def _rebuild_notation_error(
    expected: str, found: str, line: int | None, column: int | None, source: str | None
) -> NotationError:
    return NotationError(expected, found, line=line, column=column, source=source)


def expect_name(kind: str, name: str, known: Iterable[str]) -> None:
    """Raise OptionError, with the nearest known name as a hint, unless `name` is among `known`.

    `kind` is the noun for such names in the message, for example "solver".

    >>> expect_name("solver", "cpsta", ["auto", "cpsat"])
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a solver among auto, cpsat; found 'cpsta' (did you mean 'cpsat'?)
    """
    names = sorted(known)
    if name in names:
        return
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise OptionError(f"expected a {kind} among {', '.join(names)}; found {name!r}{hint}")
