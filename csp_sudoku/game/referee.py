"""Referee: it decides exactly whether the board still has a completion after a move.

A known completion is a **witness** for every board that agrees with it: a move that places one of its values is safe,
without any search. A bomb remains a bomb on every board that extends the one on which it was found.
"""

from __future__ import annotations

from typing import Protocol

from csp_sudoku.board import Board
from csp_sudoku.candidates import Given
from csp_sudoku.coordinates import move_name
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.moves.move import Move


class Judge(Protocol):
    """The interface of the judge of moves during a game."""

    def is_safe(self, board: Board, move: Move) -> bool:
        """Return whether the board has a completion with the move, which is legal on it."""
        ...


class Referee:
    """The judge of one game; it accepts any board, but remembers only facts that hold for the last one.

    `solver` names the solver of the searches (default "auto"), and `time_limit` is in seconds per search (default None:
    no limit).

    >>> referee = Referee()
    >>> board = Board.parse("12.. .... .... ....")
    >>> referee.is_safe(board, Move(1, 2, 1)), referee.is_safe(board.place(1, 2, 3), Move(2, 3, 3))
    (True, False)
    """

    def __init__(self, *, solver: str = "auto", time_limit: float | None = None) -> None:
        self.solver = solver
        self.time_limit = time_limit
        """The time limit of one search, in seconds; a search beyond it raises UndecidedError."""
        self.searches = 0
        """The number of searches so far."""
        self._board: Board | None = None
        self._witnesses: dict[bytes, None] = {}  # the values of each witness, in the order in which they were found
        self._bombs: set[Move] = set()

    def copy(self) -> Referee:
        """Return another referee with the same knowledge, which is independent from now on."""
        twin = Referee(solver=self.solver, time_limit=self.time_limit)
        twin._board, twin._witnesses, twin._bombs = self._board, self._witnesses.copy(), self._bombs.copy()
        return twin

    @staticmethod
    def warm_up() -> None:
        """Load or compile the kernels of all searches, once for all referees of this process and of its forks.

        This includes the kernels for hard boards, which only the second stage of the solver needs: a process that
        compiles them during a turn may be killed before the compilation ends.
        """
        from csp_sudoku.solvers.registry import get_solver

        for m, n in ((2, 2), (3, 3)):
            Referee().require_solvable(Board.empty(m, n))
        get_solver(bound=1).solve(Board.empty(2, 2))

    def is_safe(self, board: Board, move: Move) -> bool:
        """Return whether the board has a completion with the move; raise MoveError if the move is not legal.

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
        if self._has_completion(after, move_name(row, col, value)):
            return True
        self._bombs.add(move)
        return False

    def require_solvable(self, board: Board) -> None:
        """Raise SudokuError if a board has no completion, so that no game can be played on it.

        >>> Referee().require_solvable(Board.parse("12.. ..3. .... ...."))
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.SudokuError: expected a board with a completion to play on; found one without
        """
        self._turn_to(board)
        if not self._witnesses and not self._has_completion(board, "the board to play on"):
            raise SudokuError("expected a board with a completion to play on; found one without")

    def _has_completion(self, board: Board, question: str) -> bool:
        """Search for a completion, keep it as a witness, and return whether there is one.

        `question` describes the question in the UndecidedError that the time limit may cause.
        """
        from csp_sudoku.solvers.base import Status
        from csp_sudoku.solvers.questions import solve

        self.searches += 1
        result = solve(board, self.solver, time_limit=self.time_limit)
        if result.status is Status.UNKNOWN:
            raise UndecidedError(f"expected a verdict on {question} within {self.time_limit} s; found none")
        if result.solution is None:
            return False
        values = result.solution.values
        self._witnesses[values] = None
        return True

    def _turn_to(self, board: Board) -> None:
        """Forget all facts that do not hold for a board."""
        known = self._board
        if known is board or known == board:
            return
        self._board = board
        if known is not None and known.geometry != board.geometry:
            self._witnesses, self._bombs = {}, set()
            return
        self._witnesses = dict.fromkeys(filter(Given(board.values).fits, self._witnesses))
        if known is not None and self._bombs and not board.extends(known):
            self._bombs = set()
