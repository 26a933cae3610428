"""The explanation of a move: the completion that proves it safe, or the fewest givens that make it a bomb."""

from __future__ import annotations

from dataclasses import dataclass, replace

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import UndecidedError, hints_keywords
from csp_sudoku.moves.move import Move, Verdict
from csp_sudoku.notebook import as_svg
from csp_sudoku.puzzles.explain import Explanation, Thinning, explain
from csp_sudoku.puzzles.smallest import smallest
from csp_sudoku.solvers.base import Deadline, Limits, Status
from csp_sudoku.solvers.registry import get_solver

PATIENCE = 10.0
"""Time for the search for the fewest givens if there is no time limit, in seconds. Some boards would take hours."""


@dataclass(frozen=True, slots=True)
class MoveExplanation:
    """The verdict on a move, and its proof.

    >>> explanation = explain_move(Board.parse("12.. .... ...4 ...."), 0, 2, 3)
    >>> explanation.verdict.value, explanation.clash.givens, explanation.clash.minimum
    ('bomb', (0, 1, 11), True)
    """

    board: Board
    """The board without the move."""
    move: Move
    """The move."""
    verdict: Verdict
    """Filled, illegal, safe, bomb, or unknown if time ran out."""
    solvable: bool | None
    """Whether the board has a completion; None if that is unknown, or if the move is not legal."""
    completion: Board | None = None
    """A completion of the board with the move, which proves that the move is safe."""
    peer: tuple[int, int] | None = None
    """The row and column, counted from 0, of a peer that holds the value, if the move is illegal."""
    clash: Explanation | None = None
    """The givens that admit no completion with the move, if it is a bomb of a board that has one."""

    @property
    def after(self) -> Board:
        """The board with the move; MoveError if the move is not legal."""
        return self.board.place(*self.move)

    def sentence(self) -> str:
        """The explanation in words; it names cells as r1c3, with rows and columns from 1."""
        row, column, value = self.move
        said = str(self.move)
        if self.verdict is Verdict.FILLED:
            return f"{said} is no move: the cell is filled with {self.board[row, column]}"
        if self.verdict is Verdict.ILLEGAL and self.peer is not None:
            return f"{said} is illegal: its peer {cell_name(*self.peer)} holds {value}"
        if self.verdict is Verdict.SAFE:
            return f"{said} is safe: this is a completion with it"
        if self.verdict is Verdict.UNKNOWN:
            return f"whether {said} is safe or a bomb is undecided within the time limit"
        if self.clash is None:
            return f"{said} is a bomb, as every move is: the board has no completion even without it"
        return f"{said} is a bomb: with it, {self.clash.claim()}"

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return as_svg(self)


@hints_keywords
def explain_move(
    board: BoardLike, row: int, col: int, value: int, *, time_limit: float | None = None, patience: float = PATIENCE
) -> MoveExplanation:
    """Explain why a move is safe, a bomb, or not legal; MoveError if the cell or the value is out of range.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `row` and `col` give the cell, counted from
    0, and `value` is from 1 to N. `time_limit` bounds the whole explanation in seconds. None, the default, sets no
    limit: then a bomb is always explained by a minimal set of givens, and `patience` bounds the search for the smallest
    such set, in seconds (default 10).
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    move = Move(row, col, value)
    move.require_on(board.size)
    cell = board.geometry.cell(row, col)
    if board.values[cell]:
        return MoveExplanation(board, move, Verdict.FILLED, None)
    for peer in board.geometry.peers[cell]:
        if board.values[peer] == value:
            return MoveExplanation(board, move, Verdict.ILLEGAL, None, peer=board.geometry.row_column(peer))
    deadline, after = Deadline(Limits(time_limit).seconds), board.place(row, col, value)
    solver = get_solver("auto")
    with_it = solver.solve(after, Limits(deadline.left()))
    if with_it.solution is not None:
        return MoveExplanation(board, move, Verdict.SAFE, True, completion=with_it.solution)
    without = _IS_SOLVABLE[solver.solve(board, Limits(deadline.left())).status]
    if with_it.status is Status.UNKNOWN:
        return MoveExplanation(board, move, Verdict.BOMB if without is False else Verdict.UNKNOWN, without)
    clash = None if without is False else _clash(after, cell, deadline, patience)
    return MoveExplanation(board, move, Verdict.BOMB, without, clash=clash)


def _clash(after: Board, cell: int, deadline: Deadline, patience: float) -> Explanation:
    """The fewest givens that admit no completion together with the move in `cell`.

    On a board with constraints, it is a minimal set of givens and constraints, not the smallest. If time runs out, the
    set may be larger than necessary, or contain all givens.
    """
    stopwatch = Stopwatch()
    try:
        found = explain(after, keep=[cell], time_limit=deadline.left())
    except UndecidedError:
        every = Thinning(after, [cell])
        rules = len(after.geometry.constraints)
        found = Explanation(
            after, tuple(every.givens), len(every.givens), False, 0, 0.0, every.kept, constraints_among=rules
        )
    assert found is not None
    if after.geometry.constraints:
        return found
    left = deadline.left()
    thinning = Thinning(after, [cell], patience if left is None else left)
    givens, minimum = smallest(thinning, found.givens) if found.minimal else (list(found.givens), False)
    return replace(
        found,
        board=thinning.only(givens),
        givens=tuple(sorted(givens)),
        minimum=minimum,
        checks=found.checks + thinning.checks,
        seconds=stopwatch.seconds(),
    )


_IS_SOLVABLE = {Status.SOLVED: True, Status.UNSOLVABLE: False, Status.UNKNOWN: None}
"""For each status of a result, whether the board has a completion; None if that is unknown."""
