"""The explanation of a board without completion: a minimal set of givens and constraints that contradict each other.

The search removes runs of givens until every further removal would make the board completable. If a quick search cannot
decide whether a board is completable, the learning search decides it, with the givens as assumptions. It keeps learned
clauses from one question to the next, and returns the givens that it used (a core), so that all others can be removed
at once. On a board with constraints, the search removes constraints in the same way, and the default solver answers the
questions.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.coordinates import cell_name, move_names
from csp_sudoku.errors import SudokuError, UndecidedError, hints_keywords
from csp_sudoku.notebook import as_svg
from csp_sudoku.puzzles.steps.marks import PencilMarks
from csp_sudoku.solvers.base import Deadline, Limits, Status
from csp_sudoku.solvers.registry import get_solver

if TYPE_CHECKING:
    from csp_sudoku.geometry import Rule
    from csp_sudoku.solvers.incremental import Answer, Incremental

SMALL = 9
"""Maximum size of boards for which cores are not minimised first, because removing givens is as fast."""

QUICK_NODES = 300
"""Node limit of the quick search, after which the learning search takes over. Most questions take no node at all."""

CONFLICTS = 3000
"""Conflict limit of the learning search, after which the default solver takes over, which has further methods."""

TOLD_AT_MOST = 12
"""Maximum number of givens that a sentence lists."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A set of givens and constraints of a board that admits no completion.

    >>> explanation = explain(Board.parse("12.. ..3. .... ...4"))
    >>> explanation.givens, explanation.minimal
    ((0, 1, 6), True)
    >>> print(explanation.sentence())
    3 of the 4 givens admit no completion: row 1 has no place for 3. None of them can be spared: r1c1=1, r1c2=2, r2c3=3.
    """

    board: Board
    """A board that holds only these givens and the kept cells."""
    givens: tuple[int, ...]
    """The cells of the givens, in ascending order."""
    among: int
    """The number of givens of the original board, without the kept cells."""
    minimal: bool
    """Whether it is proven that each of these givens is needed: without it, the others have a completion.

    False if time ran out.
    """
    checks: int
    """The number of boards that were solved to find the givens."""
    seconds: float
    """The time that the search took, in seconds."""
    kept: tuple[int, ...] = ()
    """The kept cells, in ascending order. The givens contradict each other together with these cells."""
    minimum: bool | None = None
    """Whether it is proven that no smaller set of givens admits no completion; None if no smaller set was sought."""
    constraints_among: int = 0
    """The number of constraints of the original board; the necessary ones are in the geometry of `board`."""

    def drawn_on(self, board: Board) -> Board:
        """The given board with only those constraints that take part in the contradiction: the board to draw."""
        return Board.trusted(self.board.geometry, board.values) if self.constraints_among else board

    @property
    def constraints(self) -> tuple[Rule, ...]:
        """The constraints that contribute to the contradiction."""
        return self.board.geometry.constraints

    def sentence(self) -> str:
        """The explanation as a sentence; it names cells as r1c3, with rows and columns from 1."""
        kept = f"with {_listed(self.board, self.kept)}, " if self.kept else ""
        return f"{kept}{self.claim()}"

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return as_svg(self)

    def claim(self) -> str:
        """The sentence without the kept cells."""
        reason = self.reason()
        count, rules = len(self.givens), len(self.constraints)
        parts = [_listed(self.board, self.givens)] if count else []
        parts += [constraint.describe(self.board.geometry) for constraint in self.constraints]
        subject = f"{count} of the {self.among} givens"
        if self.constraints_among:
            total = self.constraints_among
            subject += f" and {rules} of the {total} constraints" if total > 1 else f" and {rules} of 1 constraint"
        told = f": {'; '.join(parts)}" if parts else ""
        return (
            f"{subject} {'admits' if count + rules == 1 else 'admit'} no completion"
            f"{f': {reason}' if reason else ''}. {self._proof()}{told}."
        )

    def _proof(self) -> str:
        """The part of the sentence that states whether the set of givens is minimal or smallest."""
        if self.minimum:
            return "No fewer do"
        if not self.minimal:
            return "Some of them may be spared"
        return "None of them can be spared" + ("" if self.minimum is None else ", though fewer others might do")

    def reason(self) -> str:
        """An obvious contradiction: a cell without a candidate, or a value without a place in a region.

        The text is empty if there is no obvious contradiction.
        """
        return PencilMarks(self.board).contradiction()


def _listed(board: Board, cells: Sequence[int]) -> str:
    """The values of a board in these cells as text; a list of more than `TOLD_AT_MOST` cells is cut."""
    return move_names([(*board.geometry.row_column(cell), board.values[cell]) for cell in cells], TOLD_AT_MOST)


@hints_keywords
def explain(board: BoardLike, *, keep: Iterable[int] = (), time_limit: float | None = None) -> Explanation | None:
    """A minimal set of givens that admits no completion; None if the board has a completion.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `keep` are cells, counted from 0 row by
    row, which must be filled and are never removed (default: none): the set is minimal among the sets that admit no
    completion together with them. `time_limit` bounds the search in seconds; None, the default, sets no limit.

    UndecidedError if time runs out before it is known whether the board has a completion. If time runs out later, the
    explanation is correct but may not be minimal, and its field `minimal` is False.

    >>> explain(Board.empty(2, 2)) is None
    True
    >>> print(explain(Board.parse("12.. .... ...4 ....").place(0, 2, 3), keep=[2]).sentence())
    with r1c3=3, 3 of the 3 givens admit no completion: r1c4 can take no value. None of them can be spared: \
r1c1=1, r1c2=2, r3c4=4.
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    started = time.perf_counter()
    kind = ConstrainedThinning if board.geometry.constraints else Thinning
    return explained(kind(board, keep, time_limit), time_limit, started)


def explained(thinning: Thinning, time_limit: float | None, started: float) -> Explanation | None:
    """The explanation that a search for removable givens leads to; None if there is a completion.

    `time_limit` is the limit of the search in seconds, for the message of the UndecidedError, and `started` is the time
    at which the search began.
    """
    items = thinning.items
    answer = thinning.solve(items)
    if answer.status is Status.UNKNOWN:
        raise UndecidedError(f"expected to know within {time_limit} s whether the board has a completion")
    if answer.status is Status.SOLVED:
        return None
    core, minimal = thinning.thin_out(thinning.fewer(answer.core))
    return Explanation(
        board=thinning.only(core),
        givens=tuple(sorted(set(core) & set(thinning.givens))),
        among=len(thinning.givens),
        minimal=minimal,
        checks=thinning.checks,
        seconds=time.perf_counter() - started,
        kept=thinning.kept,
        constraints_among=len(items) - len(thinning.givens),
    )


class Thinned(NamedTuple):
    """The outcome of solving a board with fewer givens."""

    status: Status
    """Whether the board has a completion."""
    solution: Board | None
    """A completion, if there is one."""
    core: list[int]
    """If the board has no completion: cells that suffice to exclude one, in the order in which they were given."""


class Thinning:
    """The search for givens that can be removed from a board while it still has no completion.

    `board` has no completion. The cells in `keep`, which must be filled, are never removed (default: none).
    `time_limit` bounds the search in seconds; None, the default, sets no limit.
    """

    def __init__(self, board: Board, keep: Iterable[int] = (), time_limit: float | None = None) -> None:
        self.board = board
        self.kept = tuple(sorted(set(keep)))
        for cell in self.kept:
            if not 0 <= cell < len(board.values):
                raise SudokuError(f"expected cells from 0 to {len(board.values) - 1} to keep; found {cell}")
            if not board.values[cell]:
                name = cell_name(*board.geometry.row_column(cell))
                raise SudokuError(f"expected filled cells to keep; found {name}, which is empty")
        self.givens = [cell for cell, value in enumerate(board.values) if value and cell not in self.kept]
        """The cells that may be removed."""
        self.items = self.givens
        """The numbers of all items that may be removed."""
        self.deadline = Deadline(Limits(time_limit).seconds)
        self._quick, self._solver = get_solver("backtracking"), get_solver("auto")
        self.checks = 0

    def only(self, cells: Sequence[int]) -> Board:
        """The board with only these givens and the kept cells."""
        values = bytearray(len(self.board.values))
        for cell in (*self.kept, *cells):
            values[cell] = self.board.values[cell]
        return Board.trusted(self.board.geometry, bytes(values))

    def solve(self, cells: Sequence[int]) -> Thinned:
        """Solve the board with only these givens and the kept cells."""
        self.checks += 1
        board = self.only(cells)
        result = self._quick.solve(board, Limits(self.deadline.left(), QUICK_NODES))
        if result.status is Status.UNKNOWN:
            answer = self._ask(cells)
            if answer.status is not Status.UNKNOWN:
                used = {cell for cell, _ in answer.core}
                return Thinned(answer.status, answer.solution, [cell for cell in cells if cell in used])
            result = self._solver.solve(board, Limits(self.deadline.left()))
        return Thinned(result.status, result.solution, list(cells))

    def fewer(self, cells: list[int]) -> list[int]:
        """Reduce givens that admit no completion to those that the learning search uses to prove this."""
        if self.board.size <= SMALL:
            return cells
        while (answer := self._ask(cells[::-1])).status is Status.UNSOLVABLE and len(answer.core) < len(cells):
            cells = [cell for cell, _ in answer.core]  # each round reverses the order, which leads to other cores
        return cells

    def disagrees(self, item: int, solution: bytes) -> bool:
        """Whether the solution of another board disagrees with a given."""
        return solution[item] != self.board.values[item]

    def _ask(self, cells: Sequence[int]) -> Answer:
        """The answer of the learning search for these givens with the kept cells."""
        assumed = [(cell, self.board.values[cell]) for cell in cells]
        return self._learned.ask(assumed, Limits(self.deadline.left(), CONFLICTS))

    @cached_property
    def _learned(self) -> Incremental:
        """The learning search on the kept cells, which keeps its learned clauses from one question to the next."""
        from csp_sudoku.solvers.incremental import Incremental

        return Incremental(self.only([]))

    def thin_out(self, cells: list[int]) -> tuple[list[int], bool]:
        """Remove the cells that are not needed; return the rest, and whether all cells were tried.

        The search removes whole runs of cells at once. Runs grow as long as removals succeed, and shrink when one
        fails. A cell that is needed in a set is needed in its subsets as well, so a needed cell stays needed. If a
        solution without a run disagrees with only one cell of the run, that cell is needed.
        """
        needed, run = 0, max(1, len(cells) // 2)
        while needed < len(cells):
            tried = cells[needed : needed + run]
            fewer = cells[:needed] + cells[needed + run :]
            result = self.solve(fewer)
            if result.status is Status.UNKNOWN:
                return cells, False
            if result.status is Status.UNSOLVABLE:
                cells, run = result.core, run * 2  # every core contains all needed cells
                continue
            assert result.solution is not None
            solution = result.solution.values
            against = [item for item in tried if self.disagrees(item, solution)]
            if len(against) == 1:
                fewer[needed:needed] = against + [cell for cell in tried if cell not in against]
                cells, needed = fewer, needed + 1
            else:
                run = max(1, len(tried) // 2)
        return cells, True


class ConstrainedThinning(Thinning):
    """The same search on a board with constraints, which may be removed as well.

    The items after the cells of the board stand for its constraints, in their order.
    """

    def __init__(self, board: Board, keep: Iterable[int] = (), time_limit: float | None = None) -> None:
        super().__init__(board, keep, time_limit)
        self._first = board.geometry.cell_count
        self.items = [*range(self._first, self._first + len(board.geometry.constraints)), *self.givens]

    def only(self, cells: Sequence[int]) -> Board:
        """The board with only these givens and constraints, and the kept cells."""
        constraints = self.board.geometry.constraints
        kept = [constraints[item - self._first] for item in sorted(cells) if item >= self._first]
        board = super().only([item for item in cells if item < self._first])
        return Board.trusted(board.geometry.plain.with_constraints(*kept), board.values)

    def solve(self, cells: Sequence[int]) -> Thinned:
        """Solve the board with only these givens and constraints, and the kept cells."""
        self.checks += 1
        result = self._solver.solve(self.only(cells), Limits(self.deadline.left()))
        return Thinned(result.status, result.solution, list(cells))

    def fewer(self, cells: list[int]) -> list[int]:
        """Return all items, because there is no quick way to find fewer."""
        return cells

    def disagrees(self, item: int, solution: bytes) -> bool:
        """Whether the solution of another board disagrees with a given or violates a constraint."""
        if item < self._first:
            return super().disagrees(item, solution)
        return not self.board.geometry.constraints[item - self._first].check(self.board.geometry, solution)
