"""Tournament: many players, boards and time controls; each pairing plays `games` games on each board at each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csp_sudoku.arena.match import require_different
from csp_sudoku.arena.pool import GamePool, OnGame
from csp_sudoku.arena.results import Results
from csp_sudoku.arena.schedule import (
    NamedBoard,
    Pairing,
    Place,
    Schedule,
    gauntlet,
    round_robin,
    swiss_round,
    swiss_rounds,
)
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame
from csp_sudoku.arena.standings import PlayedGames
from csp_sudoku.arena.store import Store
from csp_sudoku.errors import OptionError, expect_name
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms

FORMATS = ("round-robin", "gauntlet", "swiss")


@dataclass
class Tournament(PlayedGames):
    """A tournament. `play` plays it, and the results so far can be read at any time.

    The games are the same with an empty store; games that the store contains are not played again. So a tournament can
    be extended by more players, boards, times or games.
    """

    players: Sequence[str]
    """The players, as the texts of their specs."""
    names: Sequence[str]
    """The names of the players in tables."""
    boards: Sequence[NamedBoard]
    times: Sequence[float]
    games: int
    """The number of games of each pairing on each board at each time."""
    form: str = "round-robin"
    rounds: int | None = None
    """The number of rounds of the Swiss system; None selects `swiss_rounds` for the number of players."""
    seed: int = 0
    """The seed from which the seeds of all games are derived."""
    terms: GameTerms = DEFAULT_TERMS

    def __post_init__(self) -> None:
        expect_name("tournament format", self.form, FORMATS)
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise OptionError(f"expected two players or more, all different; found {', '.join(self.names)}")
        require_different(self.boards)
        self._parts: list[tuple[Schedule, Results]] = []
        """The schedules that have begun, one for each round of the Swiss system, with the results of their games."""
        self._live = [[0.0, 0] for _ in self.players]

    def leaders(self, most: int = 3) -> list[tuple[str, float, int]]:
        """Return the players with the best scores so far: the name, the wins plus half the draws, and the games.

        `most` is the number of players (default 3). A tournament of any length answers at once, so it can be asked
        after each game.
        """
        played = [player for player, (_, games) in enumerate(self._live) if games]
        best = sorted(played, key=lambda player: (-self._live[player][0] / self._live[player][1], player))
        return [(self.names[player], self._live[player][0], int(self._live[player][1])) for player in best[:most]]

    @property
    def total(self) -> int:
        """The number of games of the whole tournament."""
        count = len(self.players)
        pairings = {"round-robin": count * (count - 1) // 2, "gauntlet": count - 1, "swiss": count // 2 * self._rounds}
        return pairings[self.form] * len(self.boards) * len(self.times) * self.games

    @property
    def _rounds(self) -> int:
        return self.rounds or swiss_rounds(len(self.players))

    @property
    def scheduled_games(self) -> Schedule:
        """All games of a round-robin or a gauntlet; the Swiss system pairs the players only as it goes on."""
        return self._schedule({"round-robin": round_robin, "gauntlet": gauntlet}[self.form](len(self.players)))

    def _schedule(self, pairings: Sequence[Pairing], met: Mapping[Pairing, int] | None = None) -> Schedule:
        """Return the games of some pairings, which may have met in earlier rounds."""
        return Schedule(
            self.players,
            pairings,
            self.boards,
            self.times,
            self.terms,
            seed=self.seed,
            games=self.games,
            met=met,
        )

    def play(self, pool: GamePool, store: Store, on_game: OnGame | None = None) -> None:
        """Play the games that the store does not contain."""
        self._parts.clear()
        self._live = [[0.0, 0] for _ in self.players]
        if self.form != "swiss":
            self._play(self.scheduled_games, pool, store, on_game)
            return
        met: Counter[Pairing] = Counter()
        rested: set[int] = set()
        scores = [0.0] * len(self.players)
        for _ in range(self._rounds):
            pairings = swiss_round(scores, met, rested)
            results = self._play(self._schedule(pairings, met), pool, store, on_game)
            met.update(pairings)
            shares: dict[Pairing, list[float]] = {pairing: [] for pairing in pairings}
            for place, summary in results:
                shares[place.pairing].append(summary.score)
            for (one, other), share in shares.items():
                scores[one] += sum(share) / len(share)
                scores[other] += 1 - sum(share) / len(share)
            for player in set(range(len(self.players))) - {player for pairing in pairings for player in pairing}:
                rested.add(player)
                scores[player] += 1

    def _play(
        self, schedule: Schedule, pool: GamePool, store: Store, on_game: OnGame | None
    ) -> Iterator[tuple[Place, GameSummary]]:
        """Play the games of a schedule; return them from the side of the first player of each pairing."""
        results = Results()
        self._parts.append((schedule, results))

        def take(scheduled_game: ScheduledGame, summary: GameSummary) -> None:
            place = schedule.place(scheduled_game)
            pairing, is_home = schedule.at(place).pairing, schedule.at(place).is_home
            results[place] = seen = summary.seen_by(first=is_home)
            for player, points in zip(pairing, (seen.score, 1 - seen.score), strict=True):
                self._live[player][0] += points
                self._live[player][1] += 1
            if on_game is not None:
                on_game(scheduled_game, summary)

        pool.play(schedule, store, take)
        return ((schedule.at(place), results[place]) for place in results)

    @property
    def count(self) -> int:
        """The number of games that were played."""
        return sum(len(results) for _, results in self._parts)

    @property
    def board_names(self) -> list[str]:
        """The names of the boards."""
        return [name for name, _ in self.boards]

    def _played(self, board: str | None, seconds: float | None) -> Iterator[tuple[int, Place, GameSummary]]:
        """Yield the games that were played, from the side of the first player, in the order of the schedule.

        With each game comes its number in the schedule, counted from 1.
        """
        before = 0
        for schedule, results in self._parts:
            for at in results:
                place = schedule.at(at)
                if board in (None, place.board) and seconds in (None, place.seconds):
                    yield before + at + 1, place, results[at]
            before += len(schedule)

    def as_object(self) -> dict[str, Any]:
        """Return the whole result of the tournament as a JSON object."""
        return {
            "format": self.form,
            "mode": self.terms.mode.value,
            "seed": self.seed,
            "games": self.count,
            "games_per_pairing": self.games,
            "players": [{"name": n, "spec": s} for n, s in zip(self.names, self.players, strict=True)],
            "boards": [name for name, _ in self.boards],
            "times": list(self.times),
            **self.tables(),
            "pairings": list(self._pairings()),
        }
