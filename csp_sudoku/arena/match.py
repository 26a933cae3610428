"""Match: many pairs of games between two players, and the estimate of the difference in strength."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count, islice
from typing import Any, NamedTuple

from csp_sudoku.arena.failures import FailureTally
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame, Terms, pair
from csp_sudoku.arena.statistics import Sprt, elo_interval, elo_of, pentanomial, score_of
from csp_sudoku.arena.tally import Tally
from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError


class NamedBoard(NamedTuple):
    """A board and its name in tables."""

    name: str
    board: Board


def require_different(boards: Sequence[NamedBoard]) -> None:
    """Raise OptionError if two boards are equal, because the games on both would be the same.

    >>> require_different([NamedBoard("a", Board.empty(2, 2)), NamedBoard("b", Board.empty(2, 2))])
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected different boards; found 'b', which is the same as 'a'
    """
    names: dict[Board, str] = {}
    for name, board in boards:
        if board in names:
            raise OptionError(f"expected different boards; found {name!r}, which is the same as {names[board]!r}")
        names[board] = name


class Decision(NamedTuple):
    """The decision of a sequential test."""

    accepted: str
    """The accepted hypothesis: elo0 or elo1."""
    pairs: int
    """The number of pairs after which the test was decided."""
    ratio: float


class MatchSchedule(Collection[ScheduledGame]):
    """The games of a match, which are made when they are looked at: a match may have any number of them.

    The pairs take the boards in turn. `games` is the number of games.

    >>> schedule = MatchSchedule("a", "b", [NamedBoard("empty-2x2", Board.empty(2, 2))], 10**12, 0.5, Terms())
    >>> len(schedule), [schedule.place(game) for game in islice(schedule, 3)]
    (1000000000000, [0, 1, 2])
    """

    def __init__(
        self, one: str, other: str, boards: Sequence[NamedBoard], games: int, seconds: float, terms: Terms
    ) -> None:
        self._players = one, other
        self._boards = boards
        self._games = games
        self._seconds = seconds
        self._terms = terms
        self._board_places = {board: place for place, (_, board) in enumerate(boards)}

    def __len__(self) -> int:
        return self._games

    def __iter__(self) -> Iterator[ScheduledGame]:
        return islice(self._all(), self._games)

    def __contains__(self, game: object) -> bool:
        return isinstance(game, ScheduledGame) and any(game == each for each in self)

    def _all(self) -> Iterator[ScheduledGame]:
        """Yield the games of pair after pair, without end."""
        for number in count():
            for name, board in self._boards:
                yield from pair(*self._players, board, self._seconds, number, self._terms, name)

    def place(self, game: ScheduledGame) -> int:
        """Return the place of a game in the schedule, counted from 0."""
        pairs = game.number * len(self._boards) + self._board_places[game.board]
        return 2 * pairs + (game.again or game.first != self._players[0])


class Match:
    """A match of `games` games between two players; the pairs take the boards in turn.

    `scheduled_games` lists the games to be played; `take` receives the results in any order. The sequential test takes
    the pairs in the order of the scheduled games, so that the speed of the games does not bias it. Pairs after its
    decision do not count.

    >>> match = Match("greedy", "random", [NamedBoard("empty-2x2", Board.empty(2, 2))], games=4, seconds=0.5)
    >>> for game in match.scheduled_games:
    ...     match.take(game, GameSummary(1.0 if game.first == "greedy" else 0.5, (9, 2), (0, 1)))
    >>> match.wins, match.draws, match.losses, match.score
    (2, 2, 0, 0.75)
    """

    def __init__(
        self,
        one: str,
        other: str,
        boards: Sequence[NamedBoard],
        *,
        games: int,
        seconds: float,
        terms: Terms | None = None,
        sprt: Sprt | None = None,
    ) -> None:
        require_different(boards)
        self.one = one
        self.other = other
        self.sprt = sprt
        self.decision: Decision | None = None
        self.scheduled_games = MatchSchedule(one, other, boards, games, seconds, terms or Terms())
        self._results: dict[int, GameSummary] = {}
        self.live = Tally(one)
        """The sums of the first player over all games so far, in any order, also those that do not count in the end."""
        self._checked = 0

    def take(self, scheduled_game: ScheduledGame, summary: GameSummary) -> None:
        """Add the result of a game."""
        place = self.scheduled_games.place(scheduled_game)
        self._results[place] = seen = summary.seen_by(first=place % 2 == 0)
        self.live.add(seen, place + 1)
        while self.decision is None and {2 * self._checked, 2 * self._checked + 1} <= self._results.keys():
            self._checked += 1
            self._check()

    def _check(self) -> None:
        """Set the decision if the sequential test has reached one."""
        if self.sprt is None:
            return
        ratio = self.sprt.ratio(pentanomial(self._pairs(self._checked)))
        accepted = self.sprt.verdict(ratio)
        if accepted is not None:
            self.decision = Decision(accepted, self._checked, ratio)

    @property
    def is_over(self) -> bool:
        """Whether the sequential test has reached a decision."""
        return self.decision is not None

    @property
    def results(self) -> list[GameSummary]:
        """The results of the games that count, from the side of the first player, in the order of the schedule."""
        return [summary for _, summary in self._counted]

    @property
    def _counted(self) -> list[tuple[int, GameSummary]]:
        """The games that count, with their places in the schedule."""
        end = len(self.scheduled_games) if self.decision is None else 2 * self.decision.pairs
        return [(place, self._results[place]) for place in sorted(self._results) if place < end]

    @property
    def pairs(self) -> list[tuple[float, ...]]:
        """The scores of the pairs that count, from the side of the first player."""
        return self._pairs((len(self.scheduled_games) + 1) // 2 if self.decision is None else self.decision.pairs)

    def _pairs(self, before: int) -> list[tuple[float, ...]]:
        """The scores of the pairs before this number of pairs, as far as they were played."""
        end = min(before, max(self._results, default=-1) // 2 + 1)
        places = [[place for place in (2 * at, 2 * at + 1) if place in self._results] for at in range(end)]
        return [tuple(self._results[place].score for place in both) for both in places if both]

    @property
    def wins(self) -> int:
        return self._scored(1)

    @property
    def draws(self) -> int:
        return self._scored(0.5)

    @property
    def losses(self) -> int:
        return self._scored(0)

    def _scored(self, score: float) -> int:
        return sum(result.score == score for result in self.results)

    @property
    def score(self) -> float:
        """The score of the first player per game: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return score_of(self.pairs)

    @property
    def failures(self) -> tuple[FailureTally, FailureTally]:
        """The failures of both players in the games that count; the games are numbered in the order of the schedule."""
        found = FailureTally(), FailureTally()
        for place, summary in self._counted:
            for tally, failures in zip(found, summary.failures, strict=True):
                tally.add(failures, place + 1)
        return found

    def as_object(self) -> dict[str, Any]:
        """Return the whole result of the match, from the side of the first player, as a JSON object."""
        results, pairs = self.results, self.pairs
        ours, theirs = (sum(result.points[side] for result in results) for side in (0, 1))
        skips, skipped = (sum(result.skips[side] for result in results) for side in (0, 1))
        games = max(1, len(results))
        return {
            "games": len(results),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": ours,
            "skips": skips,
            "score": score_of(pairs),
            "elo": elo_of(score_of(pairs)),
            "elo_interval": list(elo_interval(pairs)),
            "first": self.one,
            "second": self.other,
            "points_against": theirs,
            "skips_against": skipped,
            "points_per_game": [ours / games, theirs / games],
            "skips_per_game": [skips / games, skipped / games],
            "failures": self.failures[0].as_object(),
            "failures_against": self.failures[1].as_object(),
            "pairs": list(pentanomial(pairs)),
            "sprt": None if self.sprt is None else self._test(),
        }

    def _test(self) -> dict[str, Any]:
        """Return the sequential test as a JSON object."""
        assert self.sprt is not None
        test, checked = self.sprt, self._checked
        ratio = self.decision.ratio if self.decision else test.ratio(pentanomial(self._pairs(checked)))
        return {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "bounds": list(test.bounds),
            "ratio": ratio,
            "pairs": checked,
            "accepted": self.decision.accepted if self.decision else None,
        }
