"""Tournament: many players, boards and time controls; each pairing plays `games` games on each board at each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from csp_sudoku.arena.match import NamedBoard, require_different
from csp_sudoku.arena.pool import GamePool, OnGame
from csp_sudoku.arena.schedule import Pairing, gauntlet, round_robin, swiss_round, swiss_rounds
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame, Terms, pair
from csp_sudoku.arena.standings import Place, PlayedGames
from csp_sudoku.arena.store import Store
from csp_sudoku.errors import OptionError, expect_name

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
    terms: Terms = field(default_factory=Terms)

    def __post_init__(self) -> None:
        expect_name("tournament format", self.form, FORMATS)
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise OptionError(f"expected two players or more, all different; found {', '.join(self.names)}")
        require_different(self.boards)
        self._places: dict[str, Place] = {}
        self._results: dict[str, GameSummary] = {}
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
    def scheduled_games(self) -> list[ScheduledGame]:
        """All games of a round-robin or a gauntlet; the Swiss system pairs the players only as it goes on."""
        schedule = {"round-robin": round_robin, "gauntlet": gauntlet}[self.form]
        return list(self._scheduled_games(schedule(len(self.players))))

    def play(self, pool: GamePool, store: Store, on_game: OnGame | None = None) -> None:
        """Play the games that the store does not contain."""

        def take(scheduled_game: ScheduledGame, summary: GameSummary) -> None:
            self._results[scheduled_game.key] = summary
            score = self._seen(scheduled_game.key).score
            one, other = self._places[scheduled_game.key].pairing
            for player, points in ((one, score), (other, 1 - score)):
                self._live[player][0] += points
                self._live[player][1] += 1
            if on_game is not None:
                on_game(scheduled_game, summary)

        if self.form != "swiss":
            pool.play(self.scheduled_games, store, take)
            return
        met: Counter[Pairing] = Counter()
        rested: set[int] = set()
        scores = [0.0] * len(self.players)
        for _ in range(self._rounds):
            pairings = swiss_round(scores, met, rested)
            scheduled_games = list(self._scheduled_games(pairings, met))
            pool.play(scheduled_games, store, take)
            met.update(pairings)
            for one, other in pairings:
                games = [self._places[f.key].pairing == (one, other) and self._seen(f.key) for f in scheduled_games]
                share = [game.score for game in games if game]
                scores[one] += sum(share) / len(share)
                scores[other] += 1 - sum(share) / len(share)
            for player in set(range(len(self.players))) - {player for pairing in pairings for player in pairing}:
                rested.add(player)
                scores[player] += 1

    def _seen(self, key: str) -> GameSummary:
        """Return the result of a game, from the side of the first player of its pairing."""
        return self._results[key].seen_by(first=self._places[key].is_home)

    def _scheduled_games(
        self, pairings: Sequence[Pairing], met: Mapping[Pairing, int] | None = None
    ) -> Iterator[ScheduledGame]:
        """Yield the games of some pairings: the first pair of each, then the second, and so on.

        A pairing that has `met` in earlier rounds plays pairs with higher numbers, and so other games.
        """
        pairs = (self.games + 1) // 2
        for pair_number in range(pairs):
            for seconds in self.times:
                for name, board in self.boards:
                    for pairing in pairings:
                        number = pair_number + pairs * (met or {}).get(pairing, 0)
                        one, other = (self.players[player] for player in pairing)
                        both = pair(one, other, board, seconds, number, self.terms, name)
                        for is_home, scheduled_game in zip((True, False), both, strict=True):
                            if 2 * pair_number + (not is_home) < self.games:
                                self._places[scheduled_game.key] = Place(pairing, name, seconds, number, is_home)
                                yield scheduled_game

    @property
    def board_names(self) -> list[str]:
        """The names of the boards."""
        return [name for name, _ in self.boards]

    def _played(self, board: str | None, seconds: float | None) -> Iterator[tuple[int, Place, GameSummary]]:
        """Yield the games that were played, from the side of the first player, in the order of the schedule.

        With each game comes its number in the schedule, counted from 1.
        """
        keys = self._results.keys()
        for number, (key, place) in enumerate(self._places.items(), 1):
            if key in keys and board in (None, place.board) and seconds in (None, place.seconds):
                yield number, place, self._seen(key)

    def as_object(self) -> dict[str, Any]:
        """Return the whole result of the tournament as a JSON object."""
        return {
            "format": self.form,
            "mode": self.terms.mode.value,
            "seed": self.terms.seed,
            "games": len(self._results),
            "games_per_pairing": self.games,
            "players": [{"name": n, "spec": s} for n, s in zip(self.names, self.players, strict=True)],
            "boards": [name for name, _ in self.boards],
            "times": list(self.times),
            **self.tables(),
            "pairings": list(self._pairings()),
        }
