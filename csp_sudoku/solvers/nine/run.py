"""One plain 3×3 board as a `Run` of the bit-board search, slice by slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.solvers.base import Limits, Status
from csp_sudoku.solvers.nine.kernels import search as nine
from csp_sudoku.solvers.nine.kernels.digits import BACKTRACKS, CELLS, COMPLETE, COUNT, INFO, NODES, PROPAGATIONS
from csp_sudoku.solvers.sliced import Run, RunCounters

SLICE_WORK = 20_000
"""Number of branches and backtracks per call of the kernel; a call takes about 10 ms."""


class NineRun(Run):
    """A run of the kernel in `kernels.search` on one board, which stops after `solution_limit` solutions."""

    def __init__(self, board: Board, limits: Limits, solution_limit: int) -> None:
        self._limit = solution_limit
        self._node_limit = -1 if limits.nodes is None else limits.nodes
        self._states = nine.new_state()
        self._boards = np.frombuffer(bytearray(board.values), np.uint8).reshape(1, -1)
        self._solutions = np.zeros((1, CELLS), np.uint8)
        self._info = np.zeros((1, INFO), np.int64)
        get_ready(nine.solve_nines, *self._arguments())
        super().__init__(board, limits)

    def _arguments(self) -> tuple[Any, ...]:
        return self._states, self._boards, self._solutions, self._info, self._limit, self._node_limit, SLICE_WORK

    def _set_up(self, limits: Limits) -> None:
        pass

    def _slice(self) -> Status | None:
        if not nine.solve_nines(*self._arguments()):
            return None
        info = self._info[0]
        if info[COUNT] >= self._limit:
            return Status.SOLVED
        return Status.UNSOLVABLE if info[COMPLETE] else Status.UNKNOWN

    def _values(self) -> bytes:
        values: bytes = self._solutions[0].tobytes()
        return values

    def first_solution(self) -> Board | None:
        """The solution that the kernel has written: the first one, unless the run stopped at a later one.

        None if no solution was found.
        """
        return self.solution() if self._info[0, COUNT] else None

    def allow_one_more(self) -> None:
        """Let `advance` continue to the next solution after SOLVED."""
        self._limit += 1
        self._go_on(nine.CLIMBING)

    def limit_nodes(self, nodes: int) -> None:
        """Set a new node limit, counted from the beginning of the run."""
        self._node_limit = nodes
        self._go_on(nine.BRANCHING)

    def _go_on(self, active: int) -> None:
        if self._states["index"][0]:  # the kernel has marked the board as done
            self._states["index"] = 0
            self._states["active"] = active

    def counters(self) -> RunCounters:
        """The counters of the run so far."""
        info = self._info[0]
        return RunCounters(
            int(info[NODES]),
            int(info[BACKTRACKS]),
            int(info[PROPAGATIONS]),
            int(info[COUNT]),
        )
