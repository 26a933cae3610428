"""A run of the learning search: its memory, its limits, and the clauses that block the solutions found so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.solvers.backtracking.kernels.state import EXHAUSTED, FOUND, tables
from csp_sudoku.solvers.backtracking.run import STATUS
from csp_sudoku.solvers.base import Limits, Status, require_no_constraints
from csp_sudoku.solvers.learning.kernels.memory import found_values, new_memory
from csp_sudoku.solvers.learning.kernels.search import begin, block, search
from csp_sudoku.solvers.learning.proof import Checker, checker_of, drain
from csp_sudoku.solvers.scratch import Borrowed
from csp_sudoku.solvers.sliced import Run, RunCounters

if TYPE_CHECKING:
    from csp_sudoku.candidates import Masks
    from csp_sudoku.solvers.learning.exchange import Mailbox

SLICE_WORK = 100_000
"""Number of propagated literals per call of the kernel; a call takes about 10 ms."""

SHARED_GLUE = 5
"""Maximum glue of the clauses that go to the other searches of the same board.

With 2 it is one clause in a hundred, with 8 one in four. Among 2, 3, 5 and 8, a few boards of 25×25 were decided
soonest with 5.
"""

_spare: list[np.ndarray] = []
"""Memories that no run uses at present."""


def borrowed_memory() -> Borrowed:
    """Borrow a memory for a learning search."""
    return Borrowed(_spare, new_memory)


class LearningRun(Run):
    """A run of the kernels in `kernels`.

    `solution_limit` is the number of solutions after which the run stops. `masks` are the candidates that an earlier
    propagation has left (default: all values). If the run `is_checked` (default False), a slow checker verifies that
    every learned clause follows from the clauses before it, and that a refutation follows from all of them;
    RuntimeError if not. Through a `mailbox` the run exchanges short clauses with other searches of the same board
    (default None: it does not); then its course depends on theirs.
    """

    def __init__(
        self,
        board: Board,
        limits: Limits,
        solution_limit: int,
        masks: Masks | None = None,
        *,
        is_checked: bool = False,
        mailbox: Mailbox | None = None,
    ) -> None:
        require_no_constraints(board.geometry, "learning")
        self._is_checked = is_checked
        self._mailbox = mailbox
        self._solution_limit = solution_limit
        self._tables = tables(board.geometry)
        self._cells = np.frombuffer(board.values, dtype=np.uint8)
        self._masks = np.full(len(self._cells), (1 << board.size) - 1, np.uint32) if masks is None else masks
        self._borrowed = borrowed_memory()
        self._memories = self._borrowed.record
        get_ready(begin, self._tables, self._memories, self._cells, self._masks)
        get_ready(search, self._tables, self._memories, SLICE_WORK)
        get_ready(block, self._tables, self._memories)
        super().__init__(board, limits)

    def _set_up(self, limits: Limits) -> None:
        self._memory = self._memories[0]
        self._memory["conflict_limit"] = -1 if limits.nodes is None else limits.nodes
        for counter in ("decisions", "conflicts", "propagations"):
            self._memory[counter] = 0  # a borrowed memory still has the counters of an earlier run
        self._found = 0
        self._begun = self._at_solution = False
        self._checker: Checker | None = None
        self._first: Board | None = None

    def _slice(self) -> Status | None:
        if not self._begun:
            self._begun = True
            if not begin(self._tables, self._memories, self._cells, self._masks):
                return Status.UNSOLVABLE
            if self._is_checked:
                self._checker = checker_of(self._board.geometry, self._memory)
            self._memory["shared_glue"] = 0 if self._mailbox is None else SHARED_GLUE
        if self._at_solution:
            self._at_solution = False
            if not block(self._tables, self._memories):
                return Status.UNKNOWN if self._memory["memory_full"] else Status.UNSOLVABLE
            if self._checker is not None:
                blocking = self._memory["learned"][: self._memory["learned_length"]]
                self._checker.add(self._checker.read(blocking))
        code = search(self._tables, self._memories, SLICE_WORK)
        if self._mailbox is not None:
            self._mailbox.swap(self._memory)
        if self._checker is not None:
            drain(self._memory, self._checker)
            if code == EXHAUSTED and not self._checker.refutes([]):
                raise RuntimeError("expected the clauses of the learning search to refute the board; they do not")
        if code != FOUND:
            return STATUS[code]
        self._found += 1
        self._first = self._first or self.solution()
        self._at_solution = True
        return Status.SOLVED if self._found >= self._solution_limit else None

    def _values(self) -> bytes:
        return found_values(self._memory, len(self._cells))

    def first_solution(self) -> Board | None:
        """The first solution that was found. It is kept, because finding it again may take long."""
        return self._first

    def limit_nodes(self, nodes: int) -> None:
        """Set a new limit on conflicts, counted from the beginning of the run."""
        self._memory["conflict_limit"] = nodes

    def allow_one_more(self) -> None:
        """Let `advance` continue to the next solution after SOLVED."""
        self._solution_limit += 1

    def counters(self) -> RunCounters:
        """The counters of the run so far: its nodes are decisions, and its backtracks are conflicts."""
        memory = self._memory
        return RunCounters(int(memory["decisions"]), int(memory["conflicts"]), int(memory["propagations"]), self._found)
