"""Head to head: the results between every two players of a store, over all games or grouped by board, time or mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from csp_sudoku.arena.failures import FailureTally
from csp_sudoku.arena.scheduled_game import GameSummary
from csp_sudoku.arena.statistics import PairScores, elo_of, score_interval, score_of
from csp_sudoku.arena.tally import Tally
from csp_sudoku.errors import expect_name

PARTS = ("board", "time", "mode")
"""Columns by which the games of a pairing can be grouped."""


class KeptGame(NamedTuple):
    """A game of a store, without its turns."""

    first: str
    second: str
    board: str
    time: float
    mode: str
    seed: int
    """The seed of the game, which both games of a pair have."""
    summary: GameSummary


class PairingResult(NamedTuple):
    """The games between two players, from the side of the first one."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    points: int
    points_against: int
    skips: int
    skips_against: int
    score: float
    score_interval: tuple[float, float]
    """The confidence interval of the score, at 95 %."""
    part: dict[str, Any]
    """The values of the columns by which the games are grouped; empty if they are not grouped."""
    failures: FailureTally
    failures_against: FailureTally

    def as_object(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        told = self._asdict()
        failures = {name: told.pop(name).as_object() for name in ("failures", "failures_against")}
        elo = {"elo": elo_of(self.score), "elo_interval": [elo_of(bound) for bound in self.score_interval]}
        return {**told.pop("part"), **told, **elo, **failures}


def pairing_results(
    games: Iterable[KeptGame], by: Sequence[str] = (), players: Collection[str] | None = None
) -> list[PairingResult]:
    """Return the results of all pairings, grouped by the columns `by`, which are some of PARTS.

    `games` are all games of a store. With `players`, only those between these players count.

    The player that comes first in the alphabet is the first one of a pairing, whichever player moved first.

    >>> one = KeptGame("b", "a", "empty-2x2", 0.5, "classic", 1, GameSummary(1.0, (9, 2), (0, 1)))
    >>> other = KeptGame("a", "b", "empty-3x3", 0.5, "classic", 2, GameSummary(0.5, (5, 5), (0, 0)))
    >>> for found in pairing_results([one, other], by=["board"]):
    ...     print(found.part, found.first, found.second, found.games, found.score)
    {'board': 'empty-2x2'} a b 1 0.0
    {'board': 'empty-3x3'} a b 1 0.5
    """
    for name in by:
        expect_name("part of the games", name, PARTS)
    found: dict[tuple[Any, ...], _Results] = defaultdict(_Results)
    for number, game in enumerate(games, 1):
        if players is not None and not (game.first in players and game.second in players):
            continue
        first, second = sorted((game.first, game.second))
        found[first, second, *(getattr(game, name) for name in by)].add(number, game, is_home=game.first == first)
    return [results.told(key[0], key[1], dict(zip(by, key[2:], strict=True))) for key, results in sorted(found.items())]


class _Results:
    """The sums over the games of a pairing, and the scores of its pairs."""

    def __init__(self) -> None:
        self._ours, self._theirs = Tally(""), Tally("")
        self._scores = PairScores()

    def add(self, number: int, game: KeptGame, *, is_home: bool) -> None:
        """Add a game, whose `number` counts from 1, and in which the first player of the pairing moves first or not."""
        summary = game.summary.seen_by(first=is_home)
        self._ours.add(summary, number)
        self._theirs.add(summary.seen_by(first=False), number)
        self._scores.add((game.board, game.time, game.mode, game.seed), summary.score)

    def told(self, first: str, second: str, part: dict[str, Any]) -> PairingResult:
        """Return the result of the pairing."""
        ours, theirs, pairs = self._ours, self._theirs, [*self._scores.pairs]
        return PairingResult(
            *(first, second, ours.games, ours.wins, ours.draws, ours.losses),
            *(ours.points, theirs.points, ours.skips, theirs.skips),
            score=score_of(pairs),
            score_interval=score_interval(pairs),
            part=part,
            failures=ours.failures,
            failures_against=theirs.failures,
        )
