"""What the compiled searches share: runs that work slice by slice, and the protocol's questions asked of a run.

Each call of a kernel does about a hundredth of a second of work, so that Ctrl-C and deadlines are seen in time.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.errors import UndecidedError
from csp_sudoku.solvers.base import (
    LARGEST,
    NO_LIMITS,
    Deadline,
    Limits,
    Result,
    Solver,
    Stats,
    Status,
    require_countable,
)

UNLIMITED = LARGEST
"""A limit that is never reached."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What a run has done so far."""

    nodes: int
    backtracks: int
    propagations: int
    solutions: int


class Run(ABC):
    """A search under way."""

    def __init__(self, board: Board, limits: Limits) -> None:
        started = time.perf_counter()
        self._board = board
        self._deadline = Deadline(limits.seconds)
        self._set_up(limits)
        self._build_seconds = time.perf_counter() - started
        self._solve_seconds = 0.0

    @abstractmethod
    def _set_up(self, limits: Limits) -> None:
        """Make what the kernel needs."""

    @abstractmethod
    def _slice(self) -> Status | None:
        """Call the kernel once; None if it is to be called again."""

    @abstractmethod
    def _values(self) -> bytes:
        """The cells of the solution that the kernel stopped at."""

    @abstractmethod
    def counters(self) -> Counters:
        """What the run has done so far."""

    @abstractmethod
    def limit_nodes(self, nodes: int) -> None:
        """Set a new node limit, counted from the beginning of the run."""

    @abstractmethod
    def allow_one_more(self) -> None:
        """After SOLVED: let `advance` go on to the next solution."""

    def advance(self) -> Status:
        """Go on to the next solution (or the last that is asked for), the end, or a limit."""
        started = time.perf_counter()
        try:
            while not self._deadline.passed():
                status = self._slice()
                if status is not None:
                    return status
            return Status.UNKNOWN
        finally:
            self._solve_seconds += time.perf_counter() - started

    def solution(self) -> Board:
        """The solution that `advance` stopped at with SOLVED."""
        return Board.trusted(self._board.geometry, self._values())

    @abstractmethod
    def first_solution(self) -> Board | None:
        """The first solution that was found, if one was."""

    def stats(self, solver: Solver) -> Stats:
        """The evidence so far."""
        counters = self.counters()
        return Stats(
            solver.name,
            solver.options,
            counters.nodes,
            counters.backtracks,
            counters.propagations,
            self._build_seconds,
            self._solve_seconds,
        )


class SlicedSolver(ABC):
    """A solver whose work is a `Run`."""

    name: str
    options: Mapping[str, Any]

    @abstractmethod
    def run(self, board: Board, limits: Limits = NO_LIMITS, *, solution_limit: int = 1) -> Run:
        """A search under way that stops at the solution of this number."""

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """A solution, or the proof that there is none, or UNKNOWN."""
        run = self.run(board, limits)
        status = run.advance()
        return Result(status, run.solution() if status is Status.SOLVED else None, run.stats(self))

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """The number of solutions; the work stops once `up_to` are found."""
        require_countable(up_to)
        return self.counted(self.run(board, limits, solution_limit=UNLIMITED if up_to is None else up_to))

    def counted(self, run: Run) -> Result:
        """What comes of a run that counts solutions."""
        status = run.advance()
        found = run.counters().solutions
        solution = run.solution() if status is Status.SOLVED else None
        if status is Status.UNSOLVABLE and found:  # all were counted
            status, solution = Status.SOLVED, run.first_solution()
        return Result(status, solution, run.stats(self), found)

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """The solutions, each once; UndecidedError at a limit."""
        run = self.run(board, limits)
        while (status := run.advance()) is Status.SOLVED:
            yield run.solution()
            run.allow_one_more()
        if status is Status.UNKNOWN:
            raise UndecidedError("expected all solutions within the limits; more may exist")
