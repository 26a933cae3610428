"""A run of Algorithm X: the links of the cover, and the stack of its options."""

from __future__ import annotations

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.solvers.backtracking.kernels.state import FOUND, tables
from csp_sudoku.solvers.backtracking.run import STATUS
from csp_sudoku.solvers.base import Limits, Status, require_no_constraints
from csp_sudoku.solvers.exact_cover.kernels import dancing_links as cover
from csp_sudoku.solvers.sliced import Run, RunCounters

SLICE_WORK = 1_000_000
"""Number of changed links per call of the kernel; a call takes about 10 ms."""


class CoverRun(Run):
    """A run of the kernels in `kernels.dancing_links`, which stops after `solution_limit` solutions."""

    def __init__(self, board: Board, limits: Limits, solution_limit: int) -> None:
        geometry = board.geometry
        require_no_constraints(geometry, "exact-cover")
        items = geometry.cell_count + len(geometry.regions) * geometry.size
        nodes = 1 + items + geometry.size * sum(1 + len(numbers) for numbers in geometry.regions_of)
        self._links = np.zeros((nodes, 5), np.int32)
        self._size = np.zeros(items + 1, np.int32)
        self._codes = np.zeros(nodes, np.int32)
        self._stack = np.zeros(geometry.cell_count + 1, np.int32)
        self._n = np.zeros(8, np.int64)
        self._tables = tables(geometry)
        self._cells = np.frombuffer(board.values, dtype=np.uint8)
        self._solution_limit = solution_limit
        get_ready(cover.build_cover, self._tables, self._cells, self._links, self._size, self._codes)
        get_ready(cover.search_cover, self._links, self._size, self._stack, self._n, SLICE_WORK)
        super().__init__(board, limits)

    def _set_up(self, limits: Limits) -> None:
        cover.build_cover(self._tables, self._cells, self._links, self._size, self._codes)
        self._n[cover.NODE_LIMIT] = -1 if limits.nodes is None else limits.nodes
        self._n[cover.SOLUTION_LIMIT] = 1
        self._first: Board | None = None

    def _slice(self) -> Status | None:
        code = cover.search_cover(self._links, self._size, self._stack, self._n, SLICE_WORK)
        if code == FOUND and self._first is None:
            self._first = self.solution()
            self._n[cover.SOLUTION_LIMIT] = self._solution_limit
            return Status.SOLVED if self._solution_limit == 1 else None
        return STATUS[code]

    def first_solution(self) -> Board | None:
        """The first solution that was found; None if there is none so far."""
        return self._first

    def _values(self) -> bytes:
        chosen = self._codes[self._stack[: self._n[cover.DEPTH]]]
        values = np.zeros(len(self._cells), np.uint8)
        values[chosen >> 5] = (chosen & 31) + 1
        return values.tobytes()

    def limit_nodes(self, nodes: int) -> None:
        """Set a new node limit, counted from the beginning of the run."""
        self._n[cover.NODE_LIMIT] = nodes

    def allow_one_more(self) -> None:
        """Let `advance` continue to the next solution after SOLVED."""
        self._solution_limit += 1
        self._n[cover.SOLUTION_LIMIT] = self._solution_limit

    def counters(self) -> RunCounters:
        """The counters of the run so far."""
        n = self._n
        return RunCounters(
            int(n[cover.NODES]), int(n[cover.BACKTRACKS]), int(n[cover.UPDATES]), int(n[cover.SOLUTIONS])
        )
