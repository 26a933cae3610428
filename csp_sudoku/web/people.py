"""A player for a person whose moves come from a browser: `think` waits for them in the thread of the game."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

from csp_sudoku.arena.play import answered
from csp_sudoku.errors import SudokuError
from csp_sudoku.evaluation.advice import objection

if TYPE_CHECKING:
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.sandbox.client import Thought


class Abandoned(Exception):  # noqa: N818 - no error: the game is to end
    """The game has to end, because it was abandoned."""


class Person:
    """A person; people have no clock."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._state: GameState | None = None
        """The position in which the person is to move; None during the other player's turn."""
        self._answer: tuple[Move | None] | None = None
        self._is_gone = False

    @property
    def state(self) -> GameState | None:
        """The position in which the person is to move; None if it is not the person's turn."""
        with self._changed:
            return self._state

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:  # noqa: ARG002 - no clock
        """Wait for a move; raise Abandoned if the game has to end."""
        started = monotonic()
        with self._changed:
            self._state, self._answer = state, None
            self._changed.wait_for(lambda: self._answer is not None or self._is_gone)
            self._state = None
            if self._answer is None:
                raise Abandoned
            return answered(self._answer[0], monotonic() - started)

    def play(self, move: Move | None) -> str:
        """Play a move, or resign with None; if the move would lose at once, return the reason, and do not play it.

        SudokuError if it is not the person's turn.
        """
        with self._changed:
            if self._state is None or self._answer is not None:
                raise SudokuError("expected a move on your turn; found that it is not your turn")
            reason = "" if move is None else objection(self._state, move)
            if not reason:
                self._answer = (move,)
                self._changed.notify_all()
            return reason

    def leave(self) -> None:
        """Let `think` raise Abandoned."""
        with self._changed:
            self._is_gone = True
            self._changed.notify_all()
