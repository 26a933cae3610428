"""Why a board has no completion: givens that contradict each other, none of which can be spared.

Givens are left out, in runs, until the board is completable without any single one of the rest. Where that takes more
than a quick search, the learning search is asked with the givens as assumptions: it keeps what it has learned from one
question to the next, and names the givens that it used (a core), so that all others are left out at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.base import Deadline, Limits, Status
from csp_sudoku.solvers.cpsat_model import candidate_masks
from csp_sudoku.solvers.registry import get_solver

if TYPE_CHECKING:
    from csp_sudoku.solvers.incremental import Answer, Incremental

SMALL = 9
"""The size up to which it is as quick to leave out givens by themselves."""

QUICK_NODES = 300
"""How much a search may take before one that learns is asked: most questions take none at all."""

CONFLICTS = 3000
"""When that one gives up, too, and leaves the question to the default solver, which sees what it does not."""

TOLD_AT_MOST = 12
"""How many givens a sentence lists."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Givens of a board that admit no completion.

    >>> explanation = explain(Board.parse("12.. ..3. .... ...4"))
    >>> explanation.givens, explanation.minimal
    ((0, 1, 6), True)
    >>> print(explanation.sentence())
    3 of the 4 givens admit no completion: row 1 has no place for 3. None of them can be spared: 1 at (0, 0), \
2 at (0, 1), 3 at (1, 2).
    """

    board: Board
    """A board that holds nothing but these givens, and what was to be kept."""
    givens: tuple[int, ...]
    """Their cells, ascending."""
    among: int
    """How many givens the board that was asked about has, beside what was to be kept."""
    minimal: bool
    """Whether it is proven that without any one of them the others have a completion. False if time ran out."""
    checks: int
    """How many boards were solved to find them."""
    seconds: float
    """How long that took."""
    kept: tuple[int, ...] = ()
    """The cells that were to be kept, ascending: the contradiction is one of the givens with these."""
    minimum: bool | None = None
    """Whether it is proven that no fewer givens do; None if nobody looked for fewer."""

    def sentence(self) -> str:
        """The explanation in words; positions are (row, column), counted from 0."""
        kept = f"with {_listed(self.board, self.kept)}, " if self.kept else ""
        return f"{kept}{self.claim()}"

    def claim(self) -> str:
        """The sentence without what was to be kept."""
        reason = self.reason()
        count = len(self.givens)
        told = f": {_listed(self.board, self.givens)}" if count else ""
        return (
            f"{count} of the {self.among} givens {'admits' if count == 1 else 'admit'} no completion"
            f"{f': {reason}' if reason else ''}. {self._proof()}{told}."
        )

    def _proof(self) -> str:
        """How small the set of givens is, in words."""
        if self.minimum:
            return "No fewer do"
        if not self.minimal:
            return "Some of them may be spared"
        return "None of them can be spared" + ("" if self.minimum is None else ", though fewer others might do")

    def reason(self) -> str:
        """What is plainly impossible: a cell without a value, or a value without a place; else nothing."""
        geometry, masks = self.board.geometry, candidate_masks(self.board)
        for cell, mask in enumerate(masks):
            if not mask:
                return f"{geometry.row_column(cell)} can take no value"
        for number, region in enumerate(geometry.regions):
            possible = reduce(int.__or__, (masks[cell] for cell in region))
            for value in range(1, geometry.size + 1):
                if not possible >> value - 1 & 1:
                    return f"{geometry.region_name(number)} has no place for {value}"
        return ""


def _listed(board: Board, cells: Sequence[int]) -> str:
    """What a board holds in these cells, in words; a long list is cut."""
    told = [f"{board.values[cell]} at {board.geometry.row_column(cell)}" for cell in cells]
    if len(told) > TOLD_AT_MOST:
        told[TOLD_AT_MOST:] = [f"and {len(told) - TOLD_AT_MOST} more"]
    return ", ".join(told)


def explain(board: Board, *, keep: Iterable[int] = (), time_limit: float | None = None) -> Explanation | None:
    """A minimal set of givens that admits no completion; None if the board has one.

    The filled cells to `keep` are never spared: the set is minimal among those that admit none together with them.

    UndecidedError if the time ends before it is known whether the board has a completion. If it ends later, the
    explanation is right, but may not be minimal, and says so.

    >>> explain(Board.empty(2, 2)) is None
    True
    >>> print(explain(Board.parse("12.. .... ...4 ....").place(0, 2, 3), keep=[2]).sentence())
    with 3 at (0, 2), 3 of the 3 givens admit no completion: (0, 3) can take no value. None of them can be spared: \
1 at (0, 0), 2 at (0, 1), 4 at (2, 3).
    """
    started = time.perf_counter()
    thinning = Thinning(board, keep, time_limit)
    givens = thinning.givens
    answer = thinning.solve(givens)
    if answer.status is Status.UNKNOWN:
        raise UndecidedError(f"expected to know within {time_limit} s whether the board has a completion")
    if answer.status is Status.SOLVED:
        return None
    core, minimal = thinning.thin_out(thinning.fewer(answer.core))
    return Explanation(
        board=thinning.only(core),
        givens=tuple(sorted(core)),
        among=len(givens),
        minimal=minimal,
        checks=thinning.checks,
        seconds=time.perf_counter() - started,
        kept=thinning.kept,
    )


class Thinned(NamedTuple):
    """What is known of a board with fewer givens."""

    status: Status
    solution: Board | None
    core: list[int]
    """If it has no completion: the cells that suffice for that, in the order in which they were given."""


class Thinning:
    """The search for givens that can be spared, beside the cells that are to be kept."""

    def __init__(self, board: Board, keep: Iterable[int] = (), time_limit: float | None = None) -> None:
        self.board = board
        self.kept = tuple(sorted(set(keep)))
        for cell in self.kept:
            if not (0 <= cell < len(board.values) and board.values[cell]):
                raise SudokuError(f"expected filled cells to keep; found cell {cell}")
        self.givens = [cell for cell, value in enumerate(board.values) if value and cell not in self.kept]
        """The cells that may be spared."""
        self.deadline = Deadline(Limits(time_limit).seconds)
        self._quick, self._solver = get_solver("backtracking"), get_solver("auto")
        self.checks = 0

    def only(self, cells: Sequence[int]) -> Board:
        """The board with these givens and the kept cells alone."""
        values = bytearray(len(self.board.values))
        for cell in (*self.kept, *cells):
            values[cell] = self.board.values[cell]
        return Board.trusted(self.board.geometry, bytes(values))

    def solve(self, cells: Sequence[int]) -> Thinned:
        """Whether these givens and the kept cells alone have a completion; if not, which of them suffice for that."""
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
        """Those of these givens, which admit no completion, that the learning search uses to show that."""
        if self.board.size <= SMALL:
            return cells
        while (answer := self._ask(cells[::-1])).status is Status.UNSOLVABLE and len(answer.core) < len(cells):
            cells = [cell for cell, _ in answer.core]  # in another order, it uses others
        return cells

    def _ask(self, cells: Sequence[int]) -> Answer:
        """What the learning search says of these givens with the kept cells."""
        assumed = [(cell, self.board.values[cell]) for cell in cells]
        return self._learned.ask(assumed, Limits(self.deadline.left(), CONFLICTS))

    @cached_property
    def _learned(self) -> Incremental:
        """What the learning search knows of the kept cells, and remembers from one question to the next."""
        from csp_sudoku.solvers.incremental import Incremental

        return Incremental(self.only([]))

    def thin_out(self, cells: list[int]) -> tuple[list[int], bool]:
        """The cells without those that can be spared, and whether all of them were tried.

        Spares whole runs of cells at once: runs grow while that succeeds and shrink where it fails. What cannot be
        spared from a set cannot be spared from its subsets, so a cell that is needed once stays needed. A solution
        without a run shows a needed cell at once if it disagrees with that cell alone.
        """
        needed, run = 0, max(1, len(cells) // 2)
        while needed < len(cells):
            tried = cells[needed : needed + run]
            fewer = cells[:needed] + cells[needed + run :]
            result = self.solve(fewer)
            if result.status is Status.UNKNOWN:
                return cells, False
            if result.status is Status.UNSOLVABLE:
                cells, run = result.core, run * 2  # what is needed is in every core
                continue
            assert result.solution is not None
            solution = result.solution.values
            against = [cell for cell in tried if solution[cell] != self.board.values[cell]]
            if len(against) == 1:
                fewer[needed:needed] = against + [cell for cell in tried if cell not in against]
                cells, needed = fewer, needed + 1
            else:
                run = max(1, len(tried) // 2)
        return cells, True
