"""Outcome: the result of a turn."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from csp_sudoku.moves.move import Move

RESIGNED = "resigned"
"""The detail of the loss of a player who resigns, as a person does; its reason is "no proposal"."""


class OutcomeKind(enum.StrEnum):
    """The kinds of results of a turn."""

    PLACED = "placed"
    """The value is on the board."""
    SKIPPED = "skipped"
    """The move was a bomb: it is taboo from now on, and the opponent is to move."""
    PASSED = "passed"
    """The player has no square to play on, and the opponent is to move."""
    LOST = "lost"
    """The game is lost at once."""


class Loss(enum.StrEnum):
    """The ways to lose the game at once, in the order in which a turn is judged."""

    CRASH = "crash"
    """The player ended with an error before it proposed anything."""
    NO_PROPOSAL = "no proposal"
    TABOO = "taboo"
    """The move is already known to be a bomb."""
    INVALID = "invalid"
    """The board has no such square, or no such value."""
    ILLEGAL = "illegal"
    """The square is filled, or not open to the player, or a peer holds the value."""

    @property
    def phrase(self) -> str:
        """Return the player's fault, worded as the end of a sentence."""
        return _PHRASES[self]


_PHRASES = {
    Loss.CRASH: "it crashed without a proposal",
    Loss.NO_PROPOSAL: "it proposed nothing",
    Loss.TABOO: "its move is taboo",
    Loss.INVALID: "its move is invalid",
    Loss.ILLEGAL: "its move is illegal",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a turn: the player, the move if there was one, its points, and the reason of a loss.

    >>> print(Outcome(OutcomeKind.PLACED, 1, Move(0, 3, 5), 3))
    player 1 places r1c4=5: 3 points
    >>> print(Outcome(OutcomeKind.LOST, 2, None, reason=Loss.NO_PROPOSAL))
    player 2 loses: it proposed nothing
    """

    kind: OutcomeKind
    player: int
    move: Move | None
    """The proposed move; None if the player proposed nothing, or something other than three integers."""
    reward: int = 0
    reason: Loss | None = None
    """The reason why the game is lost; None if it is not."""
    detail: str = ""
    """Details of the reason: the expected proposal and the one found."""

    def __str__(self) -> str:
        if self.kind is OutcomeKind.PASSED:
            return f"player {self.player} passes: it has no square to play on"
        if self.reason is not None:
            return f"player {self.player} loses: {self.reason.phrase}" + (f" ({self.detail})" if self.detail else "")
        assert self.move is not None
        if self.kind is OutcomeKind.SKIPPED:
            return f"player {self.player} skips with {self.move}: it would leave no completion"
        points = f": {self.reward} point{'s' * (self.reward > 1)}" if self.reward else ""
        return f"player {self.player} places {self.move}{points}"
