"""Every exception of the toolkit.

The tree::

    SudokuError (ValueError)        something in the input is wrong
    ├── ShapeError                  no such board shape: 7×7, blocks of one row, more than 25 values
    ├── NotationError               a text that cannot be read; has file, line and column
    ├── ClashError                  two equal values in one region
    ├── UnsolvableError             a board without a solution, where one is needed
    ├── ConstraintError             a constraint that is invalid, at all or on this board
    ├── MoveError                   a value that cannot be placed in its cell
    ├── OptionError                 no solver, player, preset, option, format or setting of that name
    │   └── KeywordError            a function has no parameter of that name (TypeError, too)
    ├── SupervisorError             the system cannot start a player's process (in sandbox.fork_server)
    └── AgentError                  a player that cannot be loaded (in framework.loading, with its subclasses)
        ├── NoAgentError            no folder of a player, or one without sudokuai.py
        ├── NoAgentClassError       a sudokuai.py without the class SudokuAI
        └── AgentCrashError         modules whose import fails
            └── AgentImportError    a syntax error, or an import of a missing module or name
    UndecidedError (RuntimeError)   the limits ended a question before its answer was proven

A message is one line in lower case: "expected …; found …". It names cells and moves as `coordinates` does: r1c1 is the
first cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from types import CodeType

P = ParamSpec("P")
R = TypeVar("R")


class SudokuError(ValueError):
    """Something in the input is wrong; the message is one line that names the error and its place."""


class ShapeError(SudokuError):
    """The board shape does not exist."""


class ClashError(SudokuError):
    """A region of a board holds a value twice."""


class ConstraintError(SudokuError):
    """A constraint is invalid, at all or on this board, or a solver does not support it."""


class UnsolvableError(SudokuError):
    """A board has no solution.

    `reason` is an obvious contradiction, such as "row 1 has no place for 3", or an empty text (the default).

    >>> print(UnsolvableError("row 1 has no place for 3"))
    expected a board with a solution; found one without: row 1 has no place for 3
    """

    def __init__(self, reason: str = "") -> None:
        self.reason = reason
        super().__init__(reason)

    def __str__(self) -> str:
        return "expected a board with a solution; found one without" + (f": {self.reason}" if self.reason else "")


class MoveError(SudokuError):
    """A value cannot be placed in its cell, or a cell or a value is out of range."""


class OptionError(SudokuError):
    """The name of a solver, an option or a format is unknown, or a setting is out of range."""


class KeywordError(OptionError, TypeError):
    """A keyword argument names neither a parameter of a function of the public API nor an option of its solver."""


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
    near = _nearest(name, names)
    hint = f" (did you mean {near!r}?)" if near else ""
    raise OptionError(f"expected {article(kind)} {kind} among {', '.join(names)}; found {name!r}{hint}")


def article(noun: str) -> str:
    """The indefinite article of a noun.

    >>> article("solver"), article("auto option")
    ('a', 'an')
    """
    return "an" if noun[:1].lower() in tuple("aeiou") else "a"


def keyword_error(function: str, name: str, known: Iterable[str], solver: str = "") -> KeywordError:
    """The error for an unknown keyword argument `name` of a function, with the nearest known name as a hint.

    `known` holds the keyword arguments of the function `function`, among them the options of the solver `solver`
    (default "": the function passes no options on).

    >>> print(keyword_error("solve", "timeout", ["time_limit", "seed"], "auto"))
    expected a parameter of solve or an option of auto among time_limit, seed; found 'timeout': did you mean time_limit?
    """
    names = list(known)
    near = _nearest(name, names) or _synonym(name, names)
    kind = f"a parameter of {function}" + (f" or an option of {solver}" if solver else "")
    hint = f": did you mean {near}?" if near else ""
    return KeywordError(f"expected {kind} among {', '.join(names)}; found {name!r}{hint}")


def hints_keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: an unknown keyword argument is a `KeywordError`, which is a TypeError with a hint."""
    code: CodeType = function.__code__  # importing inspect takes 8 ms
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def checked(*args: P.args, **keywords: P.kwargs) -> R:
        for name in keywords:
            if name not in known:
                raise keyword_error(function.__name__, name, known)
        return function(*args, **keywords)

    return checked


def renamed_keyword(old: str, new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: the keyword argument `old` of a function is now called `new`; `old` is accepted for one version.

    >>> @renamed_keyword("deadline", "time_limit")
    ... def wait(time_limit): return time_limit
    >>> import warnings
    >>> with warnings.catch_warnings(record=True, action="always") as told:
    ...     wait(deadline=2), str(told[0].message)
    (2, 'deadline of wait is called time_limit now')
    """

    def decorator(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def renamed(*args: P.args, **keywords: P.kwargs) -> R:
            if old in keywords:
                from warnings import warn

                told = f"{old} of {function.__qualname__.rpartition('.')[2]} is called {new} now"
                warn(told, DeprecationWarning, stacklevel=2)
                keywords[new] = keywords.pop(old)
            return function(*args, **keywords)

        return renamed

    return decorator


_SYNONYMS = (
    ("time_limit", "deadline", "seconds", "timeout", "time", "max_time", "timelimit", "patience"),
    ("node_limit", "nodes", "max_nodes", "conflicts"),
    ("limit", "up_to", "count", "most", "maximum", "max_solutions", "max_count"),
    ("solver", "engine", "method", "algorithm", "backend", "strategy"),
    ("jobs", "workers", "n_jobs", "processes", "threads", "max_workers"),
    ("rng", "seed", "random", "random_state"),
    ("shape", "size", "box", "block", "blocks"),
    ("format", "notation"),
    ("difficulty", "level", "hardness"),
    ("col", "column", "c", "y"),
    ("board", "puzzle", "grid", "sudoku"),
    ("path", "file", "filename"),
)
"""Groups of names with the same meaning; a hint shows the name that the function has."""


def _synonym(name: str, names: Sequence[str]) -> str | None:
    """The known name with the same meaning as `name`, or None."""
    groups = [group for group in _SYNONYMS if name.lower() in group]
    return next((other for group in groups for other in group if other in names), None)


def _nearest(name: str, names: Sequence[str]) -> str | None:
    """The known name whose spelling is closest to `name`, or None."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, names, n=1)), None)
