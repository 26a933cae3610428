"""Many questions about one board: each assumes some values, and what one teaches the next need not learn again."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import NamedTuple

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError
from csp_sudoku.solvers.base import NO_LIMITS, Deadline, Limits, Status
from csp_sudoku.solvers.kernels.compiled import get_ready
from csp_sudoku.solvers.kernels.learning.memory import found_values
from csp_sudoku.solvers.kernels.learning.search import REFUTED, ask, begin, search
from csp_sudoku.solvers.kernels.state import tables
from csp_sudoku.solvers.learning_run import SLICE_WORK, borrowed_memory
from csp_sudoku.solvers.proof import Checker, checker_of, drain
from csp_sudoku.solvers.search_run import STATUS

Assumption = tuple[int, int]
"""A cell and its value."""


class Answer(NamedTuple):
    """What is known of a board with some values assumed."""

    status: Status
    solution: Board | None = None
    """A completion of the board with these values."""
    core: tuple[Assumption, ...] = ()
    """After UNSOLVABLE: assumptions that admit no completion together, in no order; none if the board has none."""
    conflicts: int = 0
    """How many dead ends it took."""


class Incremental:
    """A board, and what the learning search has learned of it.

    >>> asked = Incremental(Board.parse("12.. .... ...4 ...."))
    >>> asked.ask([(2, 4)]).status
    <Status.SOLVED: 'solved'>
    >>> answer = asked.ask([(12, 3), (15, 1), (2, 3)])
    >>> answer.status, answer.core
    (<Status.UNSOLVABLE: 'unsolvable'>, ((2, 3),))
    """

    def __init__(self, board: Board, *, check: bool = False) -> None:
        """With `check`, a slow checker proves all that is learned; RuntimeError if it cannot."""
        self.board = board
        self._tables = tables(board.geometry)
        self._borrowed = borrowed_memory()
        self._memories = self._borrowed.record
        self._memory = self._memories[0]
        cells = np.frombuffer(board.values, np.uint8)
        masks = np.full(len(cells), (1 << board.size) - 1, np.uint32)
        get_ready(begin, self._tables, self._memories, cells, masks)
        get_ready(ask, self._tables, self._memories, np.zeros(0, np.int64))
        get_ready(search, self._tables, self._memories, SLICE_WORK)
        self._begun = cells, masks
        self._is_checked = check
        self._begin()

    def _begin(self) -> None:
        """Begin with what the board says, and nothing learned."""
        self._has_completion = bool(begin(self._tables, self._memories, *self._begun))
        """False once it is known that the board has none."""
        self._checker: Checker | None = None
        if self._is_checked and self._has_completion:
            self._checker = checker_of(self.board.geometry, self._memory)

    def ask(self, assumptions: Iterable[Assumption], limits: Limits = NO_LIMITS) -> Answer:
        """Whether the board has a completion with all these values. `Limits.nodes` counts dead ends."""
        values: dict[int, int] = {}
        literals = []
        for cell, value in dict.fromkeys((index(cell), index(value)) for cell, value in assumptions):
            literals.append(self._literal(cell, value))
            if values.setdefault(cell, value) != value:
                return Answer(Status.UNSOLVABLE, core=((cell, values[cell]), (cell, value)))
        if not self._has_completion:
            return Answer(Status.UNSOLVABLE)
        try:
            ask(self._tables, self._memories, np.array(literals, np.int64))
            before = int(self._memory["conflicts"])
            self._memory["conflict_limit"] = -1 if limits.nodes is None else before + limits.nodes
            status, core = self._search(Deadline(limits.seconds))
            conflicts = int(self._memory["conflicts"]) - before
            if status is Status.UNSOLVABLE and not core:
                self._has_completion = False
        except BaseException:  # whoever interrupts it may ask again, and what was under way is not known
            self._begin()
            raise
        solution = None
        if status is Status.SOLVED:
            geometry = self.board.geometry
            solution = Board.trusted(geometry, found_values(self._memory, geometry.cell_count))
        return Answer(status, solution, tuple((literal >> 6, (literal >> 1 & 31) + 1) for literal in core), conflicts)

    def _search(self, deadline: Deadline) -> tuple[Status, list[int]]:
        """The verdict, and the core as the kernel writes it."""
        while not deadline.passed():
            code = search(self._tables, self._memories, SLICE_WORK)
            core = self._memory["core"][: self._memory["core_length"]].tolist()
            status = Status.UNSOLVABLE if code == REFUTED else STATUS[code]
            if self._checker is not None:
                self._check(self._checker, status, core)
            if status is not None:
                return status, core
        return Status.UNKNOWN, []

    def _check(self, checker: Checker, status: Status | None, core: list[int]) -> None:
        drain(self._memory, checker)
        if status is Status.UNSOLVABLE and not checker.refutes(checker.read(core)):
            raise RuntimeError(f"expected a core that propagation refutes; found {checker.read(core)}")

    def _literal(self, cell: int, value: int) -> int:
        """The literal that the kernel calls it; SudokuError if it is not on the board."""
        count, size = self.board.geometry.cell_count, self.board.size
        if not (0 <= cell < count and 1 <= value <= size):
            raise SudokuError(
                f"expected a cell from 0 to {count - 1} and a value from 1 to {size}; found {cell} and {value}"
            )
        return (cell * 32 + value - 1) * 2
