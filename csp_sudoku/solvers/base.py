"""What every solver takes and gives: the Solver protocol, Status, Limits, Stats, Result."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Protocol, runtime_checkable

from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError, SudokuError, expect_name


class Status(enum.StrEnum):
    """What is proven about a board. There is no truth value, so UNKNOWN cannot pass for "no".

    >>> print(Status.SOLVED)
    solved

    >>> if Status.UNKNOWN: pass
    Traceback (most recent call last):
        ...
    TypeError: a Status is SOLVED, UNSOLVABLE or UNKNOWN, never a bool: compare it with `is`
    """

    SOLVED = "solved"
    """A solution is known."""
    UNSOLVABLE = "unsolvable"
    """It is proven that no solution exists."""
    UNKNOWN = "unknown"
    """The limits ended the work before the question that was asked was decided."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a Status is SOLVED, UNSOLVABLE or UNKNOWN, never a bool: compare it with `is`")


LARGEST = 2**62
"""No count or limit needs more, and compiled loops hold no more."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up with UNKNOWN: after so many seconds or search nodes (conflicts, where clauses are
    learned); None is no limit.

    >>> Limits(seconds=-1)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.SudokuError: expected a time limit of at least 0 seconds; found -1
    """

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds >= 0:
            raise SudokuError(f"expected a time limit of at least 0 seconds; found {self.seconds}")
        if self.nodes is not None and not 0 <= self.nodes <= LARGEST:
            bound = "at least 0" if self.nodes < 0 else "at most 2**62"
            raise SudokuError(f"expected a node limit of {bound}; found {self.nodes}")


NO_LIMITS = Limits()


def require_countable(up_to: int | None) -> None:
    """Raise SudokuError unless solutions can be counted up to this number; None is without end."""
    if up_to is not None and not 1 <= up_to <= LARGEST:
        bound = "at least 1 solution" if up_to < 1 else "at most 2**62 solutions"
        raise SudokuError(f"expected to count up to {bound}; found {up_to}")


class Deadline:
    """A `Limits.seconds` that has started to run."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds

    def left(self) -> float | None:
        """The seconds that remain, at least 0; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.perf_counter())

    def passed(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and time.perf_counter() >= self._end


class Stats(NamedTuple):
    """The evidence: who answered, with which options, and what it took."""

    solver: str
    options: Mapping[str, Any] = MappingProxyType({})
    nodes: int = 0
    """Decisions: values tried in a cell, or a value's places tried in a region."""
    backtracks: int = 0
    """Decisions taken back, or conflicts."""
    propagations: int = 0
    """Candidates removed by propagation, or the solver's own nearest count."""
    build_seconds: float = 0.0
    """Time to set up the model or the search."""
    solve_seconds: float = 0.0
    """Time to search, without building and without compiling; for boards solved in one batch, an equal share."""
    stage: str = ""
    """For a solver made of several: which of them had the last word."""


class Result(NamedTuple):
    """An answer with its evidence.

    After `solve`: SOLVED with a solution, UNSOLVABLE, or UNKNOWN. After `count`: `solutions` is the number
    found; it is exact unless it reached the limit that was asked for (then there are at least so many) or the
    status is UNKNOWN (then the work was cut short).
    """

    status: Status
    solution: Board | None
    stats: Stats
    solutions: int | None = None


@runtime_checkable
class Solver(Protocol):
    """What answers questions about boards. Each answer is exact or UNKNOWN; a solver keeps nothing between calls."""

    name: str
    options: Mapping[str, Any]

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """A solution, or the proof that there is none."""
        ...

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """The number of solutions; the work may stop once `up_to` are found."""
        ...

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """The solutions, each once, in an order of the solver's own; UndecidedError at a limit."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a solver: its default, what it may be (names, or the type of a number), and what it does.

    With `several`, names may be joined: "forward+hidden"; "none" stands for no name at all.
    """

    default: Any
    allowed: tuple[str, ...] | type
    help: str
    several: bool = False

    def read(self, label: str, value: Any) -> Any:
        """The value, from Python or from text; OptionError if it is not allowed."""
        if isinstance(self.allowed, tuple):
            names = str(value).split("+") if self.several else [value]
            known = all(name in self.allowed for name in names) and len(set(names)) == len(names)
            if known and (names == ["none"] or "none" not in names):
                return value
            raise OptionError(f"expected {label}={self.describe()}; found {value!r}")
        try:
            if self.allowed is bool and isinstance(value, str):
                return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
            number = self.allowed(value)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise OptionError(f"expected {label} to be {self.describe()}; found {value!r}") from None
        if self.allowed is int and abs(number) > LARGEST:
            raise OptionError(f"expected {label} to be at most 2**62; found {value!r}")
        return number

    def describe(self) -> str:
        """What may be given: "a|b|c", "a+b+c", "int", "true|false"."""
        if isinstance(self.allowed, tuple):
            return "|".join(self.allowed) + (" (several joined by +)" if self.several else "")
        return "true|false" if self.allowed is bool else self.allowed.__name__


def options_from(kind: str, table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a solver: the defaults of its table, overridden by what is given, each checked.

    >>> table = {"order": Option("mrv", ("mrv", "static"), "which cell next"), "seed": Option(0, int, "…")}
    >>> options_from("demo", table, {"seed": "7"})
    {'order': 'mrv', 'seed': 7}
    >>> options_from("demo", table, {"order": "x"})
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected demo option order=mrv|static; found 'x'
    """
    settings = {name: option.default for name, option in table.items()}
    for name, value in given.items():
        expect_name(f"{kind} option", name, table)
        settings[name] = table[name].read(f"{kind} option {name}", value)
    return settings
