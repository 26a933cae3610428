"""The protocol of solvers, and the types that it uses: Solver, Limits, Status, Stats, Result and Option."""

from __future__ import annotations

import enum
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Protocol, runtime_checkable

from csp_sudoku.board import Board
from csp_sudoku.compiled.loading import loading_seconds
from csp_sudoku.errors import ConstraintError, OptionError, SudokuError, expect_name
from csp_sudoku.geometry import Geometry
from csp_sudoku.notebook import as_svg


class Status(enum.StrEnum):
    """The outcome of a question about a board. A status has no truth value, so UNKNOWN cannot pass for "no".

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
    """A limit ended the search before the question was decided."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a Status is SOLVED, UNSOLVABLE or UNKNOWN, never a bool: compare it with `is`")


LARGEST = 2**62
"""Maximum of a count or limit. It fits into the 64-bit integers of the kernels with room to spare."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits after which a search gives up with UNKNOWN.

    `seconds` bounds the time, without compiling and loading of kernels. `nodes` bounds the number of search nodes; for
    solvers that learn clauses it bounds the conflicts. None, the default of both, sets no limit.

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
"""Limits that never end a search."""


def require_countable(up_to: int | None) -> None:
    """Raise SudokuError unless `up_to` is a valid limit for counting: 1 to 2**62, or None for no limit."""
    if up_to is not None and not 1 <= up_to <= LARGEST:
        bound = "at least 1 solution" if up_to < 1 else "at most 2**62 solutions"
        raise SudokuError(f"expected to count up to {bound}; found {up_to}")


def require_no_constraints(geometry: Geometry, search: str) -> None:
    """Raise ConstraintError if a geometry has constraints; `search` names a search that handles regions only.

    >>> from csp_sudoku.constraints.chess import AntiKnight
    >>> require_no_constraints(Geometry.standard(3, 3).with_constraints(AntiKnight()), "learning")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ConstraintError: expected a board without constraints for learning; found one with 1, which \
auto and cpsat solve
    """
    if geometry.constraints:
        raise ConstraintError(
            f"expected a board without constraints for {search}; found one with {len(geometry.constraints)}, "
            "which auto and cpsat solve"
        )


class StopSwitch:
    """Ends the work of some threads: once the switch is off, all deadlines of the threads that obey it are over."""

    is_off = False

    def obey(self) -> None:
        """From now on, let the calling thread obey this switch and no other."""
        _obeyed.switch = self


class _Obeyed(threading.local):
    switch = StopSwitch()
    """The switch that a thread obeys; this one is never off."""


_obeyed = _Obeyed()


class Deadline:
    """A time limit in seconds that starts when the object is made; None sets no limit.

    The clock of a deadline stops while this thread compiles or loads kernels.
    """

    __slots__ = ("_end", "_loaded", "_switch")

    are_over = False
    """Whether all deadlines of this process are over, with or without a limit; Ctrl-C uses this to end a count."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._loaded = loading_seconds()
        self._switch = _obeyed.switch

    def left(self) -> float | None:
        """Return the seconds that remain, at least 0; None without a limit."""
        if self._is_stopped():
            return 0.0
        if self._end is None:
            return None
        return max(0.0, self._end + loading_seconds() - self._loaded - time.perf_counter())

    def passed(self) -> bool:
        """Return whether the time is over."""
        if self._end is None:
            return self._is_stopped()
        return self._is_stopped() or time.perf_counter() >= self._end + loading_seconds() - self._loaded

    def _is_stopped(self) -> bool:
        return Deadline.are_over or self._switch.is_off


class Stats(NamedTuple):
    """The evidence of an answer: the solver, its options, and the work that the answer took."""

    solver: str
    options: Mapping[str, Any] = MappingProxyType({})
    nodes: int = 0
    backtracks: int = 0
    propagations: int = 0
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
    stage: str = ""


class Result(NamedTuple):
    """An answer with its evidence.

    After `solve`, the status is SOLVED with a solution, UNSOLVABLE, or UNKNOWN. After `count`, `solutions` is the
    number of solutions found. This number is exact, with two exceptions: if it reached the requested limit, there may
    be more solutions, and if the status is UNKNOWN, a limit ended the count.

    A result has no truth value, so UNKNOWN cannot pass for "no".

    >>> if Result(Status.UNKNOWN, None, Stats("auto")): pass
    Traceback (most recent call last):
        ...
    TypeError: a Result is never a bool: compare `result.status is Status.SOLVED`, or look at `result.solution`
    >>> Result(Status.SOLVED, None, Stats("auto", nodes=4, solve_seconds=0.00123, stage="search"), 2)
    <Result solved by auto (search), 2 solutions, 4 nodes, 1.23 ms>
    """

    status: Status
    solution: Board | None
    stats: Stats
    solutions: int | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Result is never a bool: compare `result.status is Status.SOLVED`, or look at `result.solution`"
        )

    def _repr_svg_(self) -> str | None:
        """Return the drawing of the solution for a notebook; None without a solution, so that it shows the text."""
        return None if self.solution is None else as_svg(self)

    def __repr__(self) -> str:
        stats = self.stats
        solver = f"{stats.solver} ({stats.stage})" if stats.stage else stats.solver
        counted = [] if self.solutions is None else [_counted(self.solutions, "solution")]
        seconds = stats.build_seconds + stats.solve_seconds
        took = f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
        return f"<Result {', '.join([f'{self.status} by {solver}', *counted, _counted(stats.nodes, 'node'), took])}>"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _document(kind: type, **fields: str) -> None:
    """Set the docstrings of a NamedTuple's fields; without them, `help` shows "Alias for field number 0"."""
    for name, text in fields.items():
        getattr(kind, name).__doc__ = text


_document(
    Stats,
    solver="The name of the solver.",
    options="The settings of the solver, by the names of its options.",
    nodes="The number of decisions: values tried in a cell, or places tried for a value in a region.",
    backtracks="The number of decisions that were undone, or of conflicts.",
    propagations="The number of candidates removed by propagation, or the nearest count that the solver keeps.",
    build_seconds="The time to set up the model or the search, in seconds.",
    solve_seconds="The time of the search, in seconds, without building and compiling. For a batch, it is an equal "
    "share for each board.",
    stage="The stage that gave the answer, if the solver consists of several stages.",
)
_document(
    Result,
    status="The outcome.",
    solution="A solution, if one is known.",
    stats="The evidence.",
    solutions="The number of solutions found; None unless solutions were counted.",
)


@runtime_checkable
class Solver(Protocol):
    """An object that answers questions about boards.

    Each answer is exact or UNKNOWN. A solver keeps no state between calls. In all methods, `board` is the board in
    question, and `limits` bounds the time and the search nodes (default: no limits).
    """

    name: str
    """The name of the solver."""
    options: Mapping[str, Any]
    """The settings of the solver, by the names of its options."""

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first."""
        ...

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """Count the solutions; the count may stop at `up_to` (default None: count all of them)."""
        ...

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """Yield each solution once, in an order that the solver chooses; UndecidedError at a limit."""
        ...


@runtime_checkable
class BatchSolver(Solver, Protocol):
    """A solver that answers a question about many boards of one geometry faster together than one by one."""

    def solve_batch(self, boards: Sequence[Board], count_to: int | None = None) -> Iterator[Result]:
        """Answer without limits, and yield the same results as `solve` or `count` would, in the order of the boards.

        With `count_to`, the solutions of each board are counted up to that number; by default (None), each board is
        only solved.
        """
        ...


@runtime_checkable
class NineSolver(Solver, Protocol):
    """A solver that answers about plain 3×3 boards by the search on bit boards, as far as a bound of nodes."""

    @property
    def nine_node_limit(self) -> int:
        """The bound of nodes of that search."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a solver or a player: its default, its allowed values, and its help text."""

    default: Any
    """The value of the setting if none is given."""
    allowed: tuple[str, ...] | type
    """The allowed names, or the type of a number or a truth value."""
    help: str
    """The help text of the setting on the command line."""
    several: bool = False
    """Whether several names may be joined, as in "forward+hidden"; then "none" stands for no name."""

    def read(self, label: str, value: Any) -> Any:
        """Convert a value, an object or a text; raise OptionError, which names `label`, if it is not allowed."""
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
        """The allowed values as text: "a|b|c", "int", "float" or "true|false"."""
        if isinstance(self.allowed, tuple):
            return "|".join(self.allowed) + (" (several joined by +)" if self.several else "")
        return "true|false" if self.allowed is bool else self.allowed.__name__


def options_from(kind: str, table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a solver or player: the defaults of its table, overridden by the given values, which are checked.

    `kind` is the name that errors use for the solver or player. `table` holds the options by name, and `given` the
    values by name. Raise OptionError for an unknown option, or a value that is not allowed.

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
