"""Standing: the games of one side, added up."""

from __future__ import annotations

from dataclasses import dataclass

from csp_sudoku.arena.fixture import Summary


@dataclass
class Standing:
    """All games of a player together."""

    player: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: int = 0
    points_against: int = 0
    skips: int = 0

    def add(self, summary: Summary) -> None:
        """One more game, from this player's side."""
        self.games += 1
        self.wins += summary.score == 1
        self.draws += summary.score == 0.5
        self.losses += summary.score == 0
        self.points += summary.points[0]
        self.points_against += summary.points[1]
        self.skips += summary.skips[0]

    @property
    def score(self) -> float:
        """The share of the games that it has won."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5
