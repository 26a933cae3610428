"""Elo, its intervals, the sequential test and ratings, on published and on simulated results."""

import random
from math import log

import choix
import numpy as np
import pytest

from csp_sudoku import OptionError
from csp_sudoku.arena.ratings import LINK, SCALE, information, ratings, strengths_of
from csp_sudoku.arena.statistics import (
    LIMIT,
    PairScores,
    Sprt,
    elo_interval,
    elo_of,
    expected_score,
    pentanomial,
    score_interval,
    score_of,
)

BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
"""The American League of 1987, of which A. Agresti's Categorical Data Analysis fits the Bradley-Terry model."""


def pairs_of(ll, ld, wl, dd, wd, ww):
    """Pairs of games, by the results of both games."""
    kinds = ((0, 0), (0, 0.5), (1, 0), (0.5, 0.5), (1, 0.5), (1, 1))
    return [kind for kind, count in zip(kinds, (ll, ld, wl, dd, wd, ww), strict=True) for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        ((34, 54, 31, 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457, 41, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_the_figures_of_fastchess(counts, elo, error):
    """Elo and its error from pairs, as the tests of fastchess have them."""
    pairs = pairs_of(*counts)
    low, high = elo_interval(pairs)
    assert elo_of(score_of(pairs)) == pytest.approx(elo, abs=0.005)
    assert (high - low) / 2 == pytest.approx(error, rel=0.005)


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "ratio"),
    [
        (0.5, 2.5, (223, 9863, 20279, 1000, 10037, 246), -3.07),
        (0, 2, (871, 26175, 55003, 980, 26678, 821), -4.98),
    ],
)
def test_the_ratios_of_fastchess(elo0, elo1, counts, ratio):
    """The likelihood ratio of pairs, as the tests of fastchess have it for logistic Elo."""
    assert Sprt(elo0, elo1).ratio(pentanomial(pairs_of(*counts))) == pytest.approx(ratio, abs=0.005)


def test_elo_by_hand():
    """Three wins out of four are 400·log10(3); ten times as likely to win is 400."""
    assert elo_of(0.75) == pytest.approx(190.8485)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert [expected_score(elo_of(score)) for score in (0.01, 0.3, 0.999)] == pytest.approx([0.01, 0.3, 0.999])


def test_elo_ends_at_its_limit():
    """No score promises a difference beyond LIMIT, not even one that rounding has put beyond 0 or 1."""
    assert [elo_of(score) for score in (0, 1e-4, -1e-12)] == [-LIMIT] * 3
    assert [elo_of(score) for score in (1, 1 - 1e-4, 1 + 1e-12)] == [LIMIT] * 3
    assert -LIMIT < elo_of(0.0011) < -1180
    assert 1180 < elo_of(0.9989) < LIMIT


def test_without_games_nothing_is_known():
    """The score of no games is in the middle, and its interval has every score and every difference."""
    for none in ([], [()]):
        assert score_of(none) == 0.5
        assert score_interval(none) == (0.0, 1.0)
        assert elo_interval(none) == (-LIMIT, LIMIT)
        assert pentanomial(none) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("pairs", [[], [(1,)], [(1, 1)], [(0, 0)] * 9, [(1, 0)] * 1000, [(0.5,)], [(1, 0.5), (0,)]])
def test_an_interval_is_around_its_score(pairs):
    """However few or one-sided the games are, the interval is there, finite, and not empty."""
    low, high = elo_interval(pairs)
    assert -LIMIT <= low <= elo_of(score_of(pairs)) <= high <= LIMIT
    assert low < high


def test_wilson_by_hand():
    """Ten games, each a pair of its own, without draws: near the textbook's interval for 8 of 10, 0.490 to 0.943."""
    low, high = score_interval([(1,)] * 8 + [(0,)] * 2)
    assert low == pytest.approx(0.490, abs=0.04)
    assert high == pytest.approx(0.943, abs=0.02)


def test_an_interval_by_hand():
    """Six games of three pairs with 4 points: the pairs vary 5.25 times as much as one game, which leaves 5.19 games.

    The points of the pairs are 2/3, 1/6 and -5/6 from 4/3, and one game varies by 2/9: (7/6) / (2/9) = 5.25. With the
    pair that is added, whose games end alike, a game is worth 8 / 9.25 of one; the rest is Wilson's interval for 2/3.
    """
    pairs = [(1, 1), (1, 0.5), (0, 0.5)]
    assert score_interval(pairs) == pytest.approx((0.28025, 0.91129), abs=1e-5)
    assert score_interval(pairs, confidence=0.9) == pytest.approx((0.32774, 0.89136), abs=1e-5)


def test_pairs_that_even_out_say_more_and_pairs_alike_say_less():
    """The same score from as many games is as sure as its pairs are alike."""
    widths = []
    for pairs in ([(1, 0)] * 50, [(1, 0), (1, 0), (1, 1), (0, 0)] * 12, [(1, 1), (0, 0)] * 25):
        low, high = score_interval(pairs)
        widths.append(high - low)
    assert widths == sorted(widths)
    assert widths == pytest.approx([0.039, 0.198, 0.267], abs=0.001)


@pytest.mark.parametrize(
    ("elo", "alike", "drawn", "count"), [(0, 0, 0, 8), (100, 0.5, 0.3, 20), (200, 0.8, 0, 15), (400, 0, 0.2, 25)]
)
def test_intervals_hold_what_they_promise(elo, alike, drawn, count):
    """About 95 % of the 95 % intervals of simulated matches contain the true score, with draws and without."""
    rng, strength, hits = random.Random(5), expected_score(elo), 0
    for _ in range(1000):
        pairs = []
        for _ in range(count):
            first = rng.random() < strength
            second = first if rng.random() < alike else rng.random() < strength
            pairs.append([0.5 if rng.random() < drawn else float(won) for won in (first, second)])
        low, high = score_interval(pairs)
        hits += low <= strength * (1 - drawn) + drawn / 2 <= high
    assert 930 <= hits <= 995


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "accepted"), [(0, "elo0"), (60, "elo1")])
def test_a_sequential_test_errs_as_rarely_as_it_says(elo, accepted):
    """If one of the hypotheses is true, the test ends, and accepts the other one in about 5 % of the cases."""
    test, rng, wrong = Sprt(0, 60), random.Random(3), 0
    for _ in range(150):
        counts, verdict = [0] * 5, None
        while verdict is None:
            counts[2 * sum(rng.random() < expected_score(elo) for _ in range(2))] += 1
            verdict = test.verdict(test.ratio(counts))
        wrong += verdict != accepted
    assert wrong <= 15


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-10, 100), (-100, -30)])
def test_the_ratio_of_results_of_one_kind(elo0, elo1):
    """If all pairs were alike, the likeliest distributions with a given score have that result and an extreme one.

    With a score of s, pairs that lost both games have a share of 1 - s at most, pairs that won both one of s, and pairs
    that evened out twice the smaller of both.
    """
    s0, s1 = expected_score(elo0), expected_score(elo1)
    test = Sprt(elo0, elo1)
    assert test.ratio([100, 0, 0, 0, 0]) == pytest.approx(100 * log((1 - s1) / (1 - s0)), abs=0.02)
    assert test.ratio([0, 0, 0, 0, 100]) == pytest.approx(100 * log(s1 / s0), abs=0.02)
    assert test.ratio([0, 0, 100, 0, 0]) == pytest.approx(100 * log(min(s1, 1 - s1) / min(s0, 1 - s0)), abs=0.02)


def test_a_sequential_test_is_a_value():
    """Equal settings are equal and hash alike, cannot be changed, and have 5 % for both errors unless told."""
    test = Sprt.parse("elo0=-1200,elo1=1200")
    assert test == Sprt(-LIMIT, LIMIT, alpha=0.05, beta=0.05)
    assert {test: 1}[Sprt(-LIMIT, LIMIT)] == 1
    assert Sprt.parse("elo0=0,elo1=5,alpha=0.1,beta=0.2") == Sprt(0, 5, 0.1, 0.2)
    with pytest.raises(AttributeError):
        test.elo0 = 0


def test_the_bounds_of_a_sequential_test():
    """They are log((1 − β) / α) and log(β / (1 − α)); a ratio on a bound decides."""
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert test.bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)
    assert [test.verdict(ratio) for ratio in (test.bounds[0], 0, test.bounds[1])] == ["elo0", None, "elo1"]
    assert test.ratio([0] * 5) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=0", "expected elo0 and elo1"),
        ("elo0=0,elo1=x", "expected a number as elo1; found 'x'"),
        ("elo0=5,elo1=0", "expected elo0 < elo1"),
        ("elo0=5,elo1=5", "expected elo0 < elo1"),
        ("elo0=-1201,elo1=0", "both from -1200 to 1200; found -1201 and 0"),
        ("elo0=0,elo1=1201", "both from -1200 to 1200; found 0 and 1201"),
        ("elo0=0,elo1=nan", "expected elo0 < elo1"),
        ("elo0=0,elo2=0", "did you mean"),
        ("elo0=0,elo1=5,alpha=0.6,beta=0.6", "less than 1 together"),
        ("elo0=0,elo1=5,alpha=0.5,beta=0.5", "less than 1 together"),
        ("elo0=0,elo1=5,alpha=0", "of more than 0"),
        ("elo0=0,elo1=5,beta=0", "of more than 0"),
        ("elo0=0,elo1=5,alpha=-0.1", "of more than 0"),
        ("elo0=0,elo1=5,beta=-0.1", "of more than 0"),
    ],
)
def test_a_sequential_test_that_is_none(text, message):
    """A case that cannot be tested is an error with the reason."""
    with pytest.raises(OptionError, match=message):
        Sprt.parse(text)


def test_the_ratings_of_baseball():
    """Strengths and standard errors are the published ones, relative to Baltimore (Agresti; R's BradleyTerry2)."""
    wins = np.array(BASEBALL, float)
    strengths = strengths_of(wins)
    assert strengths - strengths[-1] == pytest.approx([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], abs=1e-4)
    inverse = np.linalg.pinv(information(strengths, wins + wins.T))
    errors = [np.sqrt(inverse[at, at] + inverse[-1, -1] - 2 * inverse[at, -1]) for at in range(6)]
    assert errors == pytest.approx([0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319], abs=1e-4)


def test_equal_pairs_are_one_object():
    """A match of a million pairs keeps a dozen kinds of them."""
    scores = PairScores()
    for key in range(20):
        for score in (float(key % 2), 0.5):
            scores.add(key, score)
    assert {*scores.pairs} == {(0.0, 0.5), (1.0, 0.5)}
    assert len({id(pair) for pair in scores.pairs}) == 2


def test_ratings_are_those_of_another_program():
    """The strengths agree with choix, for tables of all sizes, also where a player has won almost everything."""
    random = np.random.default_rng(1)
    for _ in range(30):
        count = int(random.integers(2, 12))
        wins = random.integers(0, random.choice([2, 10, 1000]), (count, count)) + 0.5
        wins *= random.integers(0, 2, (count, count))
        wins += LINK
        np.fill_diagonal(wins, 0)
        expected = choix.ilsr_pairwise_dense(wins, max_iter=10_000)
        assert strengths_of(wins) == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_two_ratings_are_the_difference_of_a_match():
    """Between two players both ways to the Elo difference agree, and so do their intervals."""
    pairs = pairs_of(34, 54, 31, 32, 64, 75)
    ours, theirs = ratings(2, {(0, 1): pairs}, prior=0)
    low, high = elo_interval(pairs)
    assert ours.elo - theirs.elo == pytest.approx(elo_of(score_of(pairs)), abs=0.1)
    assert 2 * (ours.high - ours.low) == pytest.approx(high - low, rel=0.02)


def test_ratings_are_finite_whatever_the_results():
    """A player that has won all its games, has played none, or is alone has a rating and an interval."""
    rated = ratings(4, {(0, 1): [(1, 1)] * 5, (0, 2): [(1, 1)], (1, 2): []})
    assert all(np.isfinite(one).all() and one.low < one.elo < one.high for one in rated)
    assert rated[0].elo == max(one.elo for one in rated)
    assert sum(one.elo for one in rated) == pytest.approx(0, abs=1e-6)
    assert len(ratings(1, {})) == 1
    assert rated[3].high - rated[3].low > 1000
    assert LINK < 0.01


def test_the_intervals_of_ratings_hold_what_they_promise():
    """About 95 % of the intervals of simulated tournaments contain the true strength."""
    rng, true, hits, count = random.Random(2), [120, 20, -40, -100], 0, 200
    for _ in range(count):
        results = {}
        for one in range(4):
            for other in range(one + 1, 4):
                likely = expected_score(true[one] - true[other])
                results[one, other] = [[float(rng.random() < likely) for _ in range(2)] for _ in range(12)]
        hits += sum(one.low <= strength <= one.high for one, strength in zip(ratings(4, results), true, strict=True))
    assert 0.92 <= hits / (4 * count) <= 0.99
    assert pytest.approx(173.72, abs=0.01) == SCALE
