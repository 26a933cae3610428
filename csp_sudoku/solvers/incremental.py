"""Many questions about one board: each assumes some values, and reuses the clauses learned from earlier questions."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import NamedTuple

import numpy as np

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.errors import SudokuError
from csp_sudoku.solvers.backtracking.kernels.state import tables
from csp_sudoku.solvers.backtracking.run import STATUS
from csp_sudoku.solvers.base import NO_LIMITS, Deadline, Limits, Status, require_no_constraints
from csp_sudoku.solvers.learning.kernels.memory import found_values
from csp_sudoku.solvers.learning.kernels.search import REFUTED, ask, begin, search
from csp_sudoku.solvers.learning.proof import Checker, checker_of, drain
from csp_sudoku.solvers.learning.run import SLICE_WORK, borrowed_memory

Assumption = tuple[int, int]
"""A cell and its value."""


class Answer(NamedTuple):
    """The answer to a question about a board with some values assumed."""

    status: Status
    """Whether the board has a completion with these values."""
    solution: Board | None = None
    """A completion of the board with these values."""
    core: tuple[Assumption, ...] = ()
    """After UNSOLVABLE: assumptions that together admit no completion, in no particular order.

    The core is empty if the board has no completion even without assumptions.
    """
    conflicts: int = 0
    """The number of conflicts in the search."""


class Incremental:
    """A board, and the clauses that the learning search has learned about it.

    >>> asked = Incremental(Board.parse("12.. .... ...4 ...."))
    >>> asked.ask([(2, 4)]).status
    <Status.SOLVED: 'solved'>
    >>> answer = asked.ask([(12, 3), (15, 1), (2, 3)])
    >>> answer.status, answer.core
    (<Status.UNSOLVABLE: 'unsolvable'>, ((2, 3),))
    """

    def __init__(self, board: BoardLike, *, check: bool = False) -> None:
        """Prepare the search of `board`, a `Board` or what `Board.of` makes one of.

        With `check` (default False), a slow checker verifies every learned clause, and raises RuntimeError if one does
        not follow.
        """
        board = Board.of(board)
        require_no_constraints(board.geometry, "learning")
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
        """Set up the search with the givens of the board, and without learned clauses."""
        self._has_completion = bool(begin(self._tables, self._memories, *self._begun))
        """False once it is proven that the board has no completion; True until then."""
        self._checker: Checker | None = None
        if self._is_checked and self._has_completion:
            self._checker = checker_of(self.board.geometry, self._memory)

    def ask(self, assumptions: Iterable[Assumption], limits: Limits = NO_LIMITS) -> Answer:
        """Decide whether the board has a completion with all these values.

        `assumptions` are pairs of a cell and its value. `limits` bounds the search (default: no limits), where
        `Limits.nodes` bounds the conflicts of this question.
        """
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
        except BaseException:  # the caller may ask again after an interrupt, so the unfinished state is discarded
            self._begin()
            raise
        solution = None
        if status is Status.SOLVED:
            geometry = self.board.geometry
            solution = Board.trusted(geometry, found_values(self._memory, geometry.cell_count))
        return Answer(status, solution, tuple((literal >> 6, (literal >> 1 & 31) + 1) for literal in core), conflicts)

    def _search(self, deadline: Deadline) -> tuple[Status, list[int]]:
        """The status, and the core as literals of the kernel."""
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
        """The kernel's literal for a value in a cell; SudokuError if the cell or the value is out of range."""
        count, size = self.board.geometry.cell_count, self.board.size
        if not (0 <= cell < count and 1 <= value <= size):
            raise SudokuError(
                f"expected a cell from 0 to {count - 1} and a value from 1 to {size}; found {cell} and {value}"
            )
        return (cell * 32 + value - 1) * 2
