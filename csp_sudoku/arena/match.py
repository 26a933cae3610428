"""Match: many pairs of games between two players, and the estimate of the difference in strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from csp_sudoku.arena.failures import FailureTally
from csp_sudoku.arena.results import Results
from csp_sudoku.arena.schedule import NamedBoard, Schedule
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame
from csp_sudoku.arena.statistics import Sprt, elo_interval, elo_of, pentanomial, score_of
from csp_sudoku.arena.tally import Tally
from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms


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
        seed: int = 0,
        terms: GameTerms = DEFAULT_TERMS,
        sprt: Sprt | None = None,
    ) -> None:
        require_different(boards)
        self.one = one
        self.other = other
        self.sprt = sprt
        self.decision: Decision | None = None
        each = 2 * -(-games // (2 * len(boards)))
        self.scheduled_games = Schedule(
            (one, other), [(0, 1)], boards, [seconds], terms, seed=seed, games=each, limit=games
        )
        self._results = Results()
        self.live = Tally(one)
        """The sums of the first player over all games so far, in any order, also those that do not count in the end."""
        self._checked = 0
        self._checked_pairs = [0] * 5
        """The number of checked pairs with each of the five scores."""

    def take(self, scheduled_game: ScheduledGame, summary: GameSummary) -> None:
        """Add the result of a game."""
        place = self.scheduled_games.place(scheduled_game)
        self._results[place] = seen = summary.seen_by(first=place % 2 == 0)
        self.live.add(seen, place + 1)
        while self.decision is None and 2 * self._checked in self._results and 2 * self._checked + 1 in self._results:
            both = [self._results.score(2 * self._checked + side) for side in (0, 1)]
            self._checked_pairs[round(2 * sum(both))] += 1
            self._checked += 1
            self._check()

    def _check(self) -> None:
        """Set the decision if the sequential test has reached one."""
        if self.sprt is None:
            return
        ratio = self.sprt.ratio(self._checked_pairs)
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
        return [self._results[place] for place in self._counted]

    @property
    def _end(self) -> int:
        """The place after the last game that counts."""
        return self._results.end if self.decision is None else 2 * self.decision.pairs

    @property
    def _counted(self) -> Iterator[int]:
        """The places of the games that count."""
        return takewhile(lambda place: place < self._end, self._results)

    @property
    def pairs(self) -> list[tuple[float, ...]]:
        """The scores of the pairs that count, from the side of the first player."""
        return self._pairs((len(self.scheduled_games) + 1) // 2 if self.decision is None else self.decision.pairs)

    def _pairs(self, before: int) -> list[tuple[float, ...]]:
        """The scores of the pairs before this number of pairs, as far as they were played."""
        end = min(before, (self._results.end + 1) // 2)
        places = ([place for place in (2 * at, 2 * at + 1) if place in self._results] for at in range(end))
        return [tuple(self._results.score(place) for place in both) for both in places if both]

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
        return sum(self._results.score(place) == score for place in self._counted)

    @property
    def score(self) -> float:
        """The score of the first player per game: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return score_of(self.pairs)

    @property
    def failures(self) -> tuple[FailureTally, FailureTally]:
        """The failures of both players in the games that count; the games are numbered in the order of the schedule."""
        found = FailureTally(), FailureTally()
        for place, both in self._results.failed():
            if place < self._end:
                for tally, failures in zip(found, both, strict=True):
                    tally.add(failures, place + 1)
        for tally in found:
            tally.played = self._played
        return found

    @property
    def _played(self) -> int:
        """The number of games that count."""
        return len(self._results) if self.decision is None else self._end

    def as_object(self) -> dict[str, Any]:
        """Return the whole result of the match, from the side of the first player, as a JSON object."""
        pairs, played = self.pairs, self._played
        ours, theirs, skips, skipped = self._results.totals(self._end)
        games = max(1, played)
        return {
            "games": played,
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
        test = self.sprt
        ratio = self.decision.ratio if self.decision else test.ratio(self._checked_pairs)
        return {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "bounds": list(test.bounds),
            "ratio": ratio,
            "pairs": self._checked,
            "accepted": self.decision.accepted if self.decision else None,
        }
