"""Referee: whether a move leaves the board a completion, always exactly.

A completion that is known is a **witness** for every board that it agrees with: a move that it makes too is safe, and
nothing needs to be searched. A bomb stays a bomb on every board that grows out of the one it was found on.
"""

from __future__ import annotations

from typing import Protocol

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.moves.move import Move

_FILLED = bytes([0] + [255] * 255)


class Judge(Protocol):
    """What decides about moves when a game is played."""

    def is_safe(self, board: Board, move: Move) -> bool:
        """Whether the board has a completion with a move that is legal on it."""
        ...


class Referee:
    """The judge of one game. It may be asked about any board, but remembers only what holds for the last one.

    >>> referee = Referee()
    >>> board = Board.parse("12.. .... .... ....")
    >>> referee.is_safe(board, Move(1, 2, 1)), referee.is_safe(board.place(1, 2, 3), Move(2, 3, 3))
    (True, False)
    """

    def __init__(self, *, solver: str = "auto", time_limit: float | None = None) -> None:
        self.solver = solver
        self.time_limit = time_limit
        """Seconds for one search; then UndecidedError, and never a guess."""
        self.searches = 0
        """How often a solver was asked."""
        self._board: Board | None = None
        self._witnesses: dict[bytes, int] = {}  # the values of each, and the same as one number
        self._bombs: set[Move] = set()

    def copy(self) -> Referee:
        """Another referee that knows the same, and goes on by itself."""
        twin = Referee(solver=self.solver, time_limit=self.time_limit)
        twin._board, twin._witnesses, twin._bombs = self._board, self._witnesses.copy(), self._bombs.copy()
        return twin

    @staticmethod
    def warm_up() -> None:
        """Load or compile what searches take, once for all referees of this process and of those it forks.

        That of boards which withstand the first stage, too: who compiles it in a turn may never come to an end with it.
        """
        from csp_sudoku.solvers.registry import get_solver

        for m, n in ((2, 2), (3, 3)):
            Referee().require_solvable(Board.empty(m, n))
        get_solver(bound=1).solve(Board.empty(2, 2))

    def is_safe(self, board: Board, move: Move) -> bool:
        """Whether the board has a completion with the move; MoveError if it is not legal.

        On a board without any completion no move is safe.
        """
        self._turn_to(board)
        row, col, value = move
        after = board.place(row, col, value)
        cell = board.geometry.cell(row, col)
        if any(witness[cell] == value for witness in self._witnesses):
            return True
        if move in self._bombs:
            return False
        if self._has_completion(after, f"{value} at ({row}, {col})"):
            return True
        self._bombs.add(move)
        return False

    def require_solvable(self, board: Board) -> None:
        """Raise SudokuError if a game cannot be played on a board, since it has no completion.

        >>> Referee().require_solvable(Board.parse("12.. ..3. .... ...."))
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.SudokuError: expected a board with a completion to play on; found one without
        """
        self._turn_to(board)
        if not self._witnesses and not self._has_completion(board, "the board to play on"):
            raise SudokuError("expected a board with a completion to play on; found one without")

    def _has_completion(self, board: Board, question: str) -> bool:
        """Whether there is a completion, by search; it becomes a witness."""
        from csp_sudoku.solvers.base import Status
        from csp_sudoku.solvers.questions import solve

        self.searches += 1
        result = solve(board, self.solver, time_limit=self.time_limit)
        if result.status is Status.UNKNOWN:
            raise UndecidedError(f"expected a verdict on {question} within {self.time_limit} s; found none")
        if result.solution is None:
            return False
        values = result.solution.values
        self._witnesses[values] = int.from_bytes(values)
        return True

    def _turn_to(self, board: Board) -> None:
        """Forget what does not hold for a board."""
        known = self._board
        if known is board or known == board:
            return
        self._board = board
        if known is not None and known.geometry != board.geometry:
            self._witnesses, self._bombs = {}, set()
            return
        given = int.from_bytes(board.values)
        filled = int.from_bytes(board.values.translate(_FILLED))
        self._witnesses = {values: number for values, number in self._witnesses.items() if number & filled == given}
        if known is not None and self._bombs and not _extends(given, known):
            self._bombs = set()


def _extends(number: int, board: Board) -> bool:
    """Whether a board, as one number, has every value of another."""
    return number & int.from_bytes(board.values.translate(_FILLED)) == int.from_bytes(board.values)
