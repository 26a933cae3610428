"""Statistics of the games of two players: the Elo difference with its interval, and when to stop a match.

The two games of a pair share board and seed, so their results depend on each other: a board that the first mover always
wins gives a win and a loss each time, and says nothing about the players. So these functions count pairs, not games:
all take a sequence of pairs. A pair holds the scores (1, 0.5, 0) of one side in its two games, or in one game if the
other is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from statistics import NormalDist

from csp_sudoku.errors import OptionError, expect_name

Pair = Sequence[float]

LIMIT = 1200.0
"""The largest Elo difference that is reported; a side that loses less than one game in a thousand cannot be measured.
"""

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair, per game."""

TINY = 1e-3
"""The count of a score that no pair has had, since a count of 0 would give the likelihood 0."""


class PairScores:
    """The scores of pairs of games, each known by a key while its games are added in any order.

    Equal pairs are one object: there are only a few kinds, and a match may have a million pairs.

    >>> scores = PairScores()
    >>> for key, score in (("one", 1.0), ("two", 0.5), ("one", 0.0)):
    ...     scores.add(key, score)
    >>> list(scores.pairs)
    [(1.0, 0.0), (0.5,)]
    """

    def __init__(self) -> None:
        self._pairs: dict[Hashable, tuple[float, ...]] = {}
        self._kinds: dict[tuple[float, ...], tuple[float, ...]] = {}

    def add(self, key: Hashable, score: float) -> None:
        """Add the score of a game to a pair, whose `key` is equal for all its games."""
        pair = (*self._pairs.get(key, ()), score)
        self._pairs[key] = self._kinds.setdefault(pair, pair)

    @property
    def pairs(self) -> Collection[Pair]:
        """The pairs, in the order of their first games."""
        return self._pairs.values()


def score_of(pairs: Sequence[Pair]) -> float:
    """Return the share of the possible points that one side has scored; 0.5 without any game.

    >>> score_of([(1, 0.5), (0, 1)])
    0.625
    """
    games = sum(map(len, pairs))
    return sum(map(sum, pairs)) / games if games else 0.5


def expected_score(elo: float) -> float:
    """Return the expected score at an Elo difference.

    >>> round(expected_score(400), 4)
    0.9091
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the Elo difference whose expected score is `score`, limited to ±LIMIT.

    >>> round(elo_of(0.75), 2), elo_of(0.5), elo_of(0)
    (190.85, 0.0, -1200.0)
    """
    if not 0 < score < 1:
        return LIMIT if score >= 1 else -LIMIT
    return max(-LIMIT, min(LIMIT, -400 * log10(1 / score - 1) + 0.0))


def elo_text(elo: float) -> str:
    """Return an Elo rating or difference as a whole number with its sign; 0 has none.

    >>> elo_text(12.5), elo_text(-0.5), elo_text(-0.51)
    ('+12', '0', '-1')
    """
    return f"{round(elo):+}" if round(elo) else "0"


def score_interval(pairs: Sequence[Pair], confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of the score at this confidence (default 0.95).

    This is the Wilson score interval with an effective sample size, which is estimated from the variance between pairs.
    If the scores vary as much as those of independent games without draws, each game counts as one. Draws, and pairs
    whose games even out, count for more; a pair whose two games always end alike counts as one game. One such pair is
    added to the observed ones, so that a few equal results prove nothing.

    >>> [round(bound, 3) for bound in score_interval([(1, 1)] * 10)]
    [0.722, 1.0]
    >>> [round(bound, 3) for bound in score_interval([(1, 0)] * 10)]
    [0.408, 0.592]
    """
    games = sum(map(len, pairs))
    if not games:
        return 0.0, 1.0
    score = score_of(pairs)
    spread = score * (1 - score)
    effect = 2.0
    if spread > 1e-12:
        found = sum((sum(pair) - len(pair) * score) ** 2 for pair in pairs)
        effect = (found / spread + 4) / (games + 2)
    worth = games / effect
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (score + z * z / (2 * worth)) / (1 + z * z / worth)
    reach = z * sqrt(spread / worth + (z / (2 * worth)) ** 2) / (1 + z * z / worth)
    return max(0.0, min(score, middle - reach)), min(1.0, max(score, middle + reach))


def elo_interval(pairs: Sequence[Pair], confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of the Elo difference at this confidence (default 0.95), limited to ±LIMIT."""
    low, high = score_interval(pairs, confidence)
    return elo_of(low), elo_of(high)


def pentanomial(pairs: Sequence[Pair]) -> tuple[int, ...]:
    """Return the number of complete pairs with each of the five scores, from two losses to two wins.

    >>> pentanomial([(1, 1), (1, 0), (0.5, 0.5), (0.5, 1), (0,)])
    (0, 0, 2, 1, 1)
    """
    totals = [round(2 * sum(pair)) for pair in pairs if len(pair) == 2]
    return tuple(totals.count(total) for total in range(5))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of two hypotheses: that the Elo difference is elo0, or that it is elo1.

    It is the generalised sequential probability ratio test on the five scores of a pair: the likelihood ratio of the
    two most likely distributions that have the expected scores of elo0 and of elo1 (M. Van den Bergh, The generalized
    maximum likelihood ratio for the expectation value of a distribution, 2020). The test takes a difference of elo0 for
    elo1 with a probability of about `alpha`, and one of elo1 for elo0 with a probability of about `beta` (both 0.05 by
    default).

    >>> Sprt.parse("elo0=0,elo1=20")
    Sprt(elo0=0.0, elo1=20.0, alpha=0.05, beta=0.05)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -LIMIT <= self.elo0 < self.elo1 <= LIMIT:
            found = f"{self.elo0:g} and {self.elo1:g}"
            raise OptionError(f"expected elo0 < elo1, both from {-LIMIT:g} to {LIMIT:g}; found {found}")
        if not (min(self.alpha, self.beta) > 0 and self.alpha + self.beta < 1):
            found = f"{self.alpha:g} and {self.beta:g}"
            raise OptionError(f"expected alpha and beta of more than 0, and less than 1 together; found {found}")

    @staticmethod
    def parse(text: str) -> Sprt:
        """Parse the text of a test, such as "elo0=0,elo1=20"; raise OptionError if it is wrong."""
        given: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            expect_name("setting of a sequential test", name, ("elo0", "elo1", "alpha", "beta"))
            try:
                given[name] = float(value)
            except ValueError:
                raise OptionError(f"expected a number as {name}; found {value!r}") from None
        if not {"elo0", "elo1"} <= set(given):
            raise OptionError(f"expected elo0 and elo1, such as elo0=0,elo1=20; found {text!r}")
        return Sprt(**given)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted.

        >>> [round(bound, 2) for bound in Sprt(0, 5).bounds]
        [-2.94, 2.94]
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio; `counts` are the numbers of pairs with each of the five scores."""
        total = sum(counts)
        if not total:
            return 0.0
        kept = [max(float(count), TINY) for count in counts]
        shares = [count / sum(kept) for count in kept]
        less, more = (_most_likely(shares, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return total * sum(share * log(b / a) for share, a, b in zip(shares, less, more, strict=True))

    def verdict(self, ratio: float) -> str | None:
        """Return the hypothesis that a log-likelihood ratio accepts, "elo0" or "elo1"; None if neither is accepted."""
        low, high = self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None


def _most_likely(shares: Sequence[float], score: float) -> list[float]:
    """Return the distribution over the five scores, with this mean, that makes these shares most likely."""
    low, high = -1 / (QUARTERS[-1] - score), 1 / (score - QUARTERS[0])
    x = _root(lambda x: sum(p * (a - score) / (1 + x * (a - score)) for p, a in zip(shares, QUARTERS, strict=True)),
              low, high)  # fmt: skip
    return [p / (1 + x * (a - score)) for p, a in zip(shares, QUARTERS, strict=True)]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a falling function, between two numbers at which it is infinite."""
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
