"""Why a board has no completion: givens that contradict each other, none of which can be spared.

CP-SAT refutes the board with every given as an assumption, and names those that it used (a core). The core is
then thinned out with the quickest exact solver, until the board is completable without any single one of the rest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from csp_sudoku.board import Board
from csp_sudoku.errors import UndecidedError
from csp_sudoku.solvers.base import Deadline, Limits, Result, Status
from csp_sudoku.solvers.cpsat import ALWAYS, TUNED
from csp_sudoku.solvers.cpsat_model import Candidates, build, candidate_masks
from csp_sudoku.solvers.registry import get_solver

CORE_CONFLICTS = 20_000
"""When to give up on a core, and thin out all the givens instead."""

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
    """A board that holds nothing but these givens."""
    givens: tuple[int, ...]
    """Their cells, ascending."""
    among: int
    """How many givens the board that was asked about has."""
    minimal: bool
    """Whether it is proven that without any one of them the others have a completion. False if time ran out."""
    checks: int
    """How many boards were solved to find them."""
    seconds: float
    """How long that took."""

    def sentence(self) -> str:
        """The explanation in words; positions are (row, column), counted from 0."""
        reason = self.reason()
        told = [f"{self.board.values[cell]} at {self.board.geometry.row_column(cell)}" for cell in self.givens]
        if len(told) > TOLD_AT_MOST:
            told[TOLD_AT_MOST:] = [f"and {len(told) - TOLD_AT_MOST} more"]
        count = len(self.givens)
        return (
            f"{count} of the {self.among} givens {'admits' if count == 1 else 'admit'} no completion"
            f"{f': {reason}' if reason else ''}. {'None of them can' if self.minimal else 'Some of them may'} "
            f"be spared: {', '.join(told)}."
        )

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


def explain(board: Board, *, time_limit: float | None = None) -> Explanation | None:
    """A minimal set of givens that admits no completion; None if the board has one.

    UndecidedError if the time ends before it is known whether the board has a completion. If it ends later, the
    explanation is right, but may not be minimal, and says so.

    >>> explain(Board.empty(2, 2)) is None
    True
    """
    started = time.perf_counter()
    thinning = _Thinning(board, time_limit)
    givens = [cell for cell, value in enumerate(board.values) if value]
    status = thinning.solve(givens).status
    if status is Status.UNKNOWN:
        raise UndecidedError(f"expected to know within {time_limit} s whether the board has a completion")
    if status is Status.SOLVED:
        return None
    core = thinning.core()
    if thinning.solve(core).status is not Status.UNSOLVABLE:
        # No time left, or a core that does not suffice: 9.15 gave one for 1 of 67 random 25×25 boards.
        core = givens
    core, minimal = thinning.thin_out(core)
    return Explanation(
        board=thinning.only(core),
        givens=tuple(sorted(core)),
        among=len(givens),
        minimal=minimal,
        checks=thinning.checks,
        seconds=time.perf_counter() - started,
    )


class _Thinning:
    """The search for givens that can be spared."""

    def __init__(self, board: Board, time_limit: float | None) -> None:
        self._board = board
        self._deadline = Deadline(time_limit)
        self._solver = get_solver("auto")
        self.checks = 0

    def only(self, cells: Sequence[int]) -> Board:
        """The board with these givens alone."""
        values = bytearray(len(self._board.values))
        for cell in cells:
            values[cell] = self._board.values[cell]
        return Board.trusted(self._board.geometry, bytes(values))

    def solve(self, cells: Sequence[int]) -> Result:
        """Whether these givens alone have a completion."""
        self.checks += 1
        return self._solver.solve(self.only(cells), Limits(self._deadline.left()))

    def core(self) -> list[int]:
        """The givens that CP-SAT used to refute the board; all, if that takes it too long."""
        from csp_sudoku.solvers.cpsat_search import Search

        board = self._board
        model = build(Candidates.of(self.only([])), "boolean")
        assert model is not None
        assert model.values is not None
        literals = {pair: literal for literal, pair in enumerate(zip(model.cells, model.values, strict=True))}
        givens = [cell for cell, value in enumerate(board.values) if value]
        model.model.proto.assumptions.extend([literals[cell, board.values[cell]] for cell in givens])
        parameters = {**ALWAYS, **TUNED, "max_number_of_conflicts": CORE_CONFLICTS}
        left = self._deadline.left()
        if left is not None:
            parameters["max_time_in_seconds"] = left
        response = Search(model.model, parameters).finish()  # kept: its fields die with it
        used = response.sufficient_assumptions_for_infeasibility
        return [model.cells[literal] for literal in used] or givens

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
                cells, run = fewer, run * 2
                continue
            assert result.solution is not None
            solution = result.solution.values
            against = [cell for cell in tried if solution[cell] != self._board.values[cell]]
            if len(against) == 1:
                fewer[needed:needed] = against + [cell for cell in tried if cell not in against]
                cells, needed = fewer, needed + 1
            else:
                run = max(1, len(tried) // 2)
        return cells, True
