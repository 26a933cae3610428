"""The common base of the compiled searches: runs that work slice by slice, and solvers that answer with a run.

Each call of a kernel works for about 10 ms, so that Ctrl-C and deadlines take effect in time.
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
class RunCounters:
    """The counters of a run so far, with the meaning that they have in `Stats`."""

    nodes: int
    """The number of decisions."""
    backtracks: int
    """The number of decisions that were undone, or of conflicts."""
    propagations: int
    """The number of candidates removed by propagation, or the nearest count that the search keeps."""
    solutions: int
    """The number of solutions found."""


class Run(ABC):
    """A search of `board` within `limits` that can be continued from solution to solution."""

    def __init__(self, board: Board, limits: Limits) -> None:
        started = time.perf_counter()
        self._board = board
        self._deadline = Deadline(limits.seconds)
        self._set_up(limits)
        self._build_seconds = time.perf_counter() - started
        self._solve_seconds = 0.0

    @abstractmethod
    def _set_up(self, limits: Limits) -> None:
        """Set up the state of the kernel; the base class counts the time of this call as build time."""

    @abstractmethod
    def _slice(self) -> Status | None:
        """Call the kernel once; None if another call is needed."""

    @abstractmethod
    def _values(self) -> bytes:
        """The values of all cells in the solution at which the kernel stopped."""

    @abstractmethod
    def counters(self) -> RunCounters:
        """The counters of the run so far."""

    @abstractmethod
    def limit_nodes(self, nodes: int) -> None:
        """Set a new node limit, counted from the beginning of the run."""

    @abstractmethod
    def allow_one_more(self) -> None:
        """Let `advance` continue to the next solution after SOLVED."""

    def advance(self) -> Status:
        """Continue the search.

        SOLVED once the requested number of solutions is found, UNSOLVABLE at the end of the search, and UNKNOWN at a
        limit. UNSOLVABLE after some solutions means that there are no more.
        """
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
        """The solution at which `advance` stopped with SOLVED."""
        return Board.trusted(self._board.geometry, self._values())

    @abstractmethod
    def first_solution(self) -> Board | None:
        """The first solution that was found; None if there is none so far."""

    def stats(self, solver: Solver) -> Stats:
        """The evidence so far, under the name and the options of `solver`."""
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
    """A solver that answers every question with a `Run`."""

    name: str
    """The name of the solver."""
    options: Mapping[str, Any]
    """The settings of the solver, by the names of its options."""

    @abstractmethod
    def run(self, board: Board, limits: Limits = NO_LIMITS, *, solution_limit: int = 1) -> Run:
        """Start a search that stops after `solution_limit` solutions (default 1)."""

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first."""
        run = self.run(board, limits)
        status = run.advance()
        return Result(status, run.solution() if status is Status.SOLVED else None, run.stats(self))

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """Count the solutions; the count stops at `up_to` (default None: count all of them)."""
        require_countable(up_to)
        return self.counted(self.run(board, limits, solution_limit=UNLIMITED if up_to is None else up_to))

    def counted(self, run: Run) -> Result:
        """Finish a run that counts solutions, and return its result."""
        status = run.advance()
        found = run.counters().solutions
        solution = run.solution() if status is Status.SOLVED else None
        if status is Status.UNSOLVABLE and found:  # the search is complete, and all solutions are counted
            status, solution = Status.SOLVED, run.first_solution()
        return Result(status, solution, run.stats(self), found)

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """Yield each solution once; UndecidedError at a limit."""
        run = self.run(board, limits)
        while (status := run.advance()) is Status.SOLVED:
            yield run.solution()
            run.allow_one_more()
        if status is Status.UNKNOWN:
            raise UndecidedError("expected all solutions within the limits; more may exist")
