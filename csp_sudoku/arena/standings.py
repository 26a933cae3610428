"""Standings: what follows from the games between many players, be they of a tournament or of a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from csp_sudoku.arena.head_to_head import KeptGame
from csp_sudoku.arena.ratings import Rating, ratings
from csp_sudoku.arena.schedule import Pairing, Place
from csp_sudoku.arena.scheduled_game import GameSummary
from csp_sudoku.arena.statistics import Pair, PairScores, elo_interval, elo_of, score_of
from csp_sudoku.arena.tally import Tally

Row = TypeVar("Row")
"""The entry of a player in a table, such as a tally or a rating."""


class PlayedGames(ABC):
    """Games between many players, from which standings, ratings and the crosstable are computed."""

    form: str
    """The kind of the games in titles, for example the format of a tournament."""
    players: Sequence[str]
    """The players, as the texts of their specs."""
    names: Sequence[str]
    """The names of the players in tables."""
    times: Sequence[float]
    """The times per turn, in seconds."""

    @property
    @abstractmethod
    def board_names(self) -> Sequence[str]:
        """The names of the boards."""

    @abstractmethod
    def _played(self, board: str | None, seconds: float | None) -> Iterator[tuple[int, Place, GameSummary]]:
        """Yield the games that were played, on all boards and times or on one, from the side of the first player.

        With each game comes its number, counted from 1.
        """

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of games that were played. What is computed from them is computed again when it changes."""

    def results(self, board: str | None = None, seconds: float | None = None) -> dict[Pairing, list[Pair]]:
        """Return the pairs of each pairing, from the side of its first player, on all boards and times or on one."""
        found: dict[Pairing, PairScores] = defaultdict(PairScores)
        for _, place, summary in self._played(board, seconds):
            found[place.pairing].add((place.board, place.seconds, place.number), summary.score)
        return {pairing: [*scores.pairs] for pairing, scores in sorted(found.items())}

    def standings(self, board: str | None = None, seconds: float | None = None) -> list[Tally]:
        """Return the standing of each player, in the order of the players."""
        return self._remembered("standings", self._standings, board, seconds)

    def ratings(self, board: str | None = None, seconds: float | None = None) -> list[Rating]:
        """Return the rating of each player, in the order of the players."""
        return self._remembered("ratings", self._ratings, board, seconds)

    def _remembered(
        self,
        what: str,
        compute: Callable[[str | None, float | None], list[Row]],
        board: str | None,
        seconds: float | None,
    ) -> list[Row]:
        """Return what is computed for a board and a time; it is computed once for the same number of games."""
        of = None if [*self.board_names] == [board] else board, None if [*self.times] == [seconds] else seconds
        count, found = self._memory.get((what, *of), (-1, []))
        if count != self.count:
            found = compute(*of)
            self._memory[what, *of] = self.count, found
        return found

    @cached_property
    def _memory(self) -> dict[tuple[Any, ...], tuple[int, list[Any]]]:
        """The tables computed so far, each with the number of games at that time; more games make it out of date."""
        return {}

    def _ratings(self, board: str | None, seconds: float | None) -> list[Rating]:
        return ratings(len(self.players), self.results(board, seconds))

    def _standings(self, board: str | None, seconds: float | None) -> list[Tally]:
        found = [Tally(name) for name in self.names]
        for number, place, summary in self._played(board, seconds):
            for player, first in zip(place.pairing, (True, False), strict=True):
                found[player].add(summary.seen_by(first=first), number)
        return found

    def crosstable(self, board: str | None = None, seconds: float | None = None) -> list[list[float | None]]:
        """Return the score of each player against each other one; None if they have not met."""
        found: list[list[float | None]] = [[None] * len(self.players) for _ in self.players]
        for (one, other), pairs in self.results(board, seconds).items():
            found[one][other] = score_of(pairs)
            found[other][one] = 1 - score_of(pairs)
        return found

    @property
    def order(self) -> list[int]:
        """The indices of the players, the strongest player first."""
        rated = self.ratings()
        return sorted(range(len(self.players)), key=lambda player: (-rated[player].elo, player))

    def tables(self) -> dict[str, Any]:
        """Return the standings and the crosstable, and the standings by board and by time, as a JSON object."""
        return {
            "standings": self._table(),
            "crosstable": self.crosstable(),
            "by_board": {name: self._table(board=name) for name in self.board_names},
            "by_time": {f"{seconds:g}": self._table(seconds=seconds) for seconds in self.times},
        }

    def _table(self, board: str | None = None, seconds: float | None = None) -> list[dict[str, Any]]:
        """Return the standings with the ratings, sorted by the rating over all games."""
        standings, rated = self.standings(board, seconds), self.ratings(board, seconds)
        return [
            {
                **standings[player].as_object(),
                "score": standings[player].score,
                "elo": rated[player].elo,
                "elo_interval": [rated[player].low, rated[player].high],
            }
            for player in self.order
        ]

    def _pairings(self) -> Iterable[dict[str, Any]]:
        """Yield the result of each pairing, from the side of its first player."""
        results = self.results()
        together = {pairing: (Tally(""), Tally("")) for pairing in results}
        for number, place, summary in self._played(None, None):
            for tally, first in zip(together[place.pairing], (True, False), strict=True):
                tally.add(summary.seen_by(first=first), number)
        for pairing, pairs in results.items():
            (one, other), both = together[pairing], pairing
            yield {
                "first": self.names[both[0]],
                "second": self.names[both[1]],
                **{key: value for key, value in one.as_object().items() if key != "player"},
                "failures_against": other.failures.as_object(),
                "score": one.score,
                "elo": elo_of(score_of(pairs)),
                "elo_interval": list(elo_interval(pairs)),
            }


class StoredGames(PlayedGames):
    """The games of a store, or those between some of its players. Games of a player against itself are left out.

    `games` are all games of the store, in order, and `names` maps the players that count to their names in tables.

    >>> one = KeptGame("b", "a", "empty-2x2", 0.5, "classic", 1, GameSummary(1.0, (9, 2), (0, 1)))
    >>> other = KeptGame("a", "c", "empty-2x2", 0.5, "classic", 1, GameSummary(0.5, (5, 5), (0, 0)))
    >>> StoredGames([one, other], {"a": "a", "b": "b", "c": "c"}).crosstable()
    [[None, 0.0, 0.5], [1.0, None, None], [0.5, None, None]]
    """

    def __init__(self, games: Iterable[KeptGame], names: Mapping[str, str], form: str = "store") -> None:
        self.form = form
        self._games = [
            (number, game)
            for number, game in enumerate(games, 1)
            if game.first != game.second and game.first in names and game.second in names
        ]
        self.players = sorted({player for _, game in self._games for player in (game.first, game.second)})
        self.names = [names[player] for player in self.players]
        self.times = sorted({game.time for _, game in self._games})

    @property
    def count(self) -> int:
        """The number of games."""
        return len(self._games)

    @property
    def board_names(self) -> list[str]:
        """The names of the boards, in the order of the alphabet."""
        return sorted({game.board for _, game in self._games})

    def _played(self, board: str | None, seconds: float | None) -> Iterator[tuple[int, Place, GameSummary]]:
        indices = {player: index for index, player in enumerate(self.players)}
        pairs: dict[tuple[str, int], int] = {}
        """The numbers of the pairs, by mode and seed."""
        for number, game in self._games:
            if board not in (None, game.board) or seconds not in (None, game.time):
                continue
            first, second = indices[game.first], indices[game.second]
            is_home = first < second
            pair = pairs.setdefault((game.mode, game.seed), len(pairs))
            place = Place((first, second) if is_home else (second, first), game.board, game.time, pair, is_home)
            yield number, place, game.summary.seen_by(first=is_home)
