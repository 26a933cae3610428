"""The tally: the sums over the games of one player."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from csp_sudoku.arena.failures import FailureTally
from csp_sudoku.arena.scheduled_game import GameSummary


@dataclass
class Tally:
    """The sums over all games of a player."""

    player: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: int = 0
    points_against: int = 0
    skips: int = 0
    failures: FailureTally = field(default_factory=FailureTally)

    def add(self, summary: GameSummary, number: int) -> None:
        """Add a game, as seen from this player's side; its `number` counts from 1."""
        self.games += 1
        self.wins += summary.score == 1
        self.draws += summary.score == 0.5
        self.losses += summary.score == 0
        self.points += summary.points[0]
        self.points_against += summary.points[1]
        self.skips += summary.skips[0]
        self.failures.add(summary.failures[0], number)

    @property
    def score(self) -> float:
        """The score per game: 1 for a win, 0.5 for a draw; 0.5 without any game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def as_object(self) -> dict[str, Any]:
        """Return the sums as a JSON object."""
        return {**vars(self), "failures": self.failures.as_object()}
