"""A run of the hand-written search: its state, its settings and its trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.solvers.backtracking.kernels import state as layout
from csp_sudoku.solvers.backtracking.kernels.search import begin, search
from csp_sudoku.solvers.base import Limits, Status, require_no_constraints
from csp_sudoku.solvers.scratch import Borrowed
from csp_sudoku.solvers.sliced import Run, RunCounters

if TYPE_CHECKING:
    from csp_sudoku.candidates import Masks

SLICE_WORK = 300_000
"""Number of removed candidates per call of the kernel; a call takes about 10 ms."""

STEP_KINDS = ("assign", "prune", "fail", "backtrack")
"""The kinds of steps, in the order in which the kernel numbers them."""

STATUS = {
    layout.FOUND: Status.SOLVED,
    layout.EXHAUSTED: Status.UNSOLVABLE,
    layout.OUT_OF_NODES: Status.UNKNOWN,
    layout.SLICE_OVER: None,
}
"""The status for each code that a kernel returns; None if the caller has to call the kernel again."""

_spare: list[np.ndarray] = []
"""States that no run uses at present."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a search: a value is assigned or pruned, or a decision fails or is undone."""

    kind: str
    """The kind of the step, one of `STEP_KINDS`."""
    row: int
    """The row of the cell, counted from 0."""
    column: int
    """The column of the cell, counted from 0."""
    value: int
    """The value that is assigned, pruned or undone."""
    depth: int
    """The number of decisions above the step."""


class SearchRun(Run):
    """A run of the kernels in `kernels.search`. `settings` are values for the fields of the kernel's state."""

    def __init__(self, board: Board, limits: Limits, settings: Mapping[str, Any]) -> None:
        require_no_constraints(board.geometry, "backtracking")
        self._settings = settings
        self._tables = layout.tables(board.geometry)
        self._cells = np.frombuffer(board.values, dtype=np.uint8)
        self._borrowed = Borrowed(_spare, layout.new_state)
        self._states = self._borrowed.record
        get_ready(begin, self._tables, self._states, self._cells)
        get_ready(search, self._tables, self._states, SLICE_WORK)
        super().__init__(board, limits)

    def _set_up(self, limits: Limits) -> None:
        self._state = self._states[0]
        for name, value in self._settings.items():
            self._state[name] = value
        self._state["node_limit"] = -1 if limits.nodes is None else limits.nodes
        for counter in ("nodes", "backtracks", "propagations", "solutions", "event_count"):
            self._state[counter] = 0  # a borrowed state has old counters until the kernel sets it up at its first call
        self._begun = False

    def _slice(self) -> Status | None:
        if not self._begun:
            self._begun = True
            if not begin(self._tables, self._states, self._cells):
                return Status.UNSOLVABLE
        return STATUS[search(self._tables, self._states, SLICE_WORK)]

    def _values(self) -> bytes:
        return self._of("value")

    def _of(self, name: str) -> bytes:
        """The values of the cells in a field of the state, in which the kernel counts values from 0."""
        values: np.ndarray = self._state[name][: len(self._cells)] + 1
        return values.tobytes()

    def first_solution(self) -> Board | None:
        """The first solution that was found; None if there is none so far."""
        return Board.trusted(self._board.geometry, self._of("first")) if self.counters().solutions else None

    def reached(self) -> Board:
        """The board with all values that the run has assigned so far on the current branch."""
        return Board.trusted(self._board.geometry, self._values())

    def candidate_masks(self) -> Masks:
        """For each cell, the mask of the candidates at the current position of the run."""
        return self._state["candidates"][: len(self._cells)].astype(np.uint32)  # type: ignore[no-any-return]

    def limit_nodes(self, nodes: int) -> None:
        """Set a new node limit, counted from the beginning of the run."""
        self._state["node_limit"] = nodes

    def allow_one_more(self) -> None:
        """Let `advance` continue to the next solution after SOLVED."""
        self._state["solution_limit"] += 1

    def counters(self) -> RunCounters:
        """The counters of the run so far."""
        state = self._state
        return RunCounters(
            int(state["nodes"]), int(state["backtracks"]), int(state["propagations"]), int(state["solutions"])
        )

    def steps(self) -> Iterator[TraceStep]:
        """Yield the steps of a traced run up to its first solution, its end, or a limit."""
        status = None
        while status is None and not self._deadline.passed():
            status = self._slice()
            for kind, cell, value, depth in self._state["events"][: self._state["event_count"]].tolist():
                row, column = divmod(cell, self._board.size)
                yield TraceStep(STEP_KINDS[kind], row, column, value + 1, depth)
            self._state["event_count"] = 0
