"""Ratings: the strengths of many players from their results, by the Bradley-Terry model, on the Elo scale.

The strengths are the maximum likelihood estimate, where a draw counts as half a win and half a loss. For every two
players that have met, one draw is added to their results: without it, a player who has won all its games would be
infinitely strong. The logarithm of the likelihood is concave, so Newton's method finds its maximum in a few steps. It
needs no library: those that offer the estimate import scipy, which takes 65 MB of memory and half a second.

The intervals come from the pairs of games, as in a match (`statistics`): the covariance of the strengths is
H⁻¹ V H⁻¹. H is the information in independent games without draws. V is the observed variance of the pairs, plus one
pair with equal results for every two players (H. White, Maximum likelihood estimation of misspecified models, 1982).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import log
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.arena.statistics import LIMIT, Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCALE = 400 / log(10)
"""Elo per unit of strength."""

LINK = 1e-3
"""Wins that are added between any two players, so that all are on one scale even if some have never met."""

PRECISION = 1e-10
"""The step of Newton's method, in units of strength, at which it ends."""
MAX_STEP = 3.0
"""Upper bound of a step, in units of strength: far from the maximum the likelihood is almost flat."""
MAX_STEPS = 200
"""Upper bound on the number of steps; a few suffice."""

Results = Mapping[tuple[int, int], Sequence[Pair]]
"""The pairs of games of two players, from the side of the first one, which has the smaller number."""


class Rating(NamedTuple):
    """The strength of a player in Elo, with its interval; the mean of all players is 0."""

    elo: float
    low: float
    high: float


def ratings(count: int, results: Results, *, confidence: float = 0.95, prior: float = 1.0) -> list[Rating]:
    """Return the rating of each of `count` players.

    `confidence` is the level of the intervals (default 0.95), and `prior` the number of draws that are added for every
    two players that have met (default 1).

    `results` holds the pairs of games for every two players that have met.

    >>> [round(rating.elo) for rating in ratings(2, {(0, 1): [(1, 0.5)] * 500})]
    [95, -95]
    """
    import numpy as np

    wins = _wins(count, results, prior)
    strengths = strengths_of(wins)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    reaches = z * np.sqrt(np.diagonal(_covariance(strengths, wins, results)))
    found = []
    for strength, reach in zip(SCALE * strengths, SCALE * reaches, strict=True):
        elo, most = float(strength), min(float(reach), LIMIT)
        found.append(Rating(elo, elo - most, elo + most))
    return found


def strengths_of(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strengths that make it most likely that player i has won `wins[i, j]` games against player j.

    Their mean is 0. Every two players need a win against each other, directly or through others.

    >>> import numpy as np
    >>> [round(float(strength), 4) for strength in strengths_of(np.array([[0.0, 3.0], [1.0, 0.0]]))]
    [0.5493, -0.5493]
    """
    import numpy as np

    games = wins + wins.T
    strengths = np.zeros(len(wins))
    best = _likelihood(strengths, wins)
    for _ in range(MAX_STEPS):
        expected = (games * _shares(strengths)).sum(axis=1)
        # the information has a null space, equal strengths, in which the gradient has no part: the ones fill it
        step = np.linalg.solve(information(strengths, games) + 1, wins.sum(axis=1) - expected)
        step *= MAX_STEP / max(MAX_STEP, float(np.abs(step).max(initial=0)))
        while (reached := _likelihood(strengths + step, wins)) < best and np.abs(step).max(initial=0) > PRECISION:
            step /= 2
        strengths, best = strengths + step, reached
        if np.abs(step).max(initial=0) <= PRECISION:
            break
    found: NDArray[np.float64] = strengths - strengths.mean() if len(strengths) else strengths
    return found


def _shares(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expected share of the points of each player against each other."""
    import numpy as np

    found: NDArray[np.float64] = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return found


def _likelihood(strengths: NDArray[np.float64], wins: NDArray[np.float64]) -> float:
    """Return the logarithm of the likelihood of the results."""
    import numpy as np

    return -float((wins * np.logaddexp(0, strengths[None, :] - strengths[:, None])).sum())


def information(strengths: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Fisher's information about the strengths, if players i and j have played `games[i, j]` games."""
    import numpy as np

    likely = _shares(strengths)
    weights = games * likely * (1 - likely)
    result: NDArray[np.float64] = np.diag(weights.sum(axis=1)) - weights
    return result


def _wins(count: int, results: Results, prior: float) -> NDArray[np.float64]:
    """Return the number of wins of each player against each other, with the prior and the link."""
    import numpy as np

    wins = np.full((count, count), LINK)
    np.fill_diagonal(wins, 0)
    for (one, other), pairs in results.items():
        if not pairs or one == other:
            continue
        games, score = sum(map(len, pairs)), sum(map(sum, pairs))
        wins[one, other] += score + prior / 2
        wins[other, one] += games - score + prior / 2
    return wins


def _covariance(strengths: NDArray[np.float64], wins: NDArray[np.float64], results: Results) -> NDArray[np.float64]:
    """Return the covariance of the strengths."""
    import numpy as np

    inverse = np.linalg.pinv(information(strengths, wins + wins.T))
    varied = np.zeros_like(wins)
    for one, other in combinations(range(len(wins)), 2):
        pairs = results.get((one, other)) or ()
        likely = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        amount = sum((sum(pair) - len(pair) * likely) ** 2 for pair in pairs)
        amount += (4 if pairs else 2 * LINK) * likely * (1 - likely)
        varied[one, one] += amount
        varied[other, other] += amount
        varied[one, other] -= amount
        varied[other, one] -= amount
    result: NDArray[np.float64] = inverse @ varied @ inverse
    return result
