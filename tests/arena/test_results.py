"""Results: data that is stored in a few bytes comes back unchanged."""

import sys
from random import Random

import pytest

from csp_sudoku.arena.failures import NO_FAILURES, Failure, GameFailures
from csp_sudoku.arena.results import Results
from csp_sudoku.arena.scheduled_game import GameSummary

FAILED = GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 3, "ValueError"))


def test_results_are_like_a_dictionary():
    """In any order, with gaps, replaced, with failures and without."""
    random, results, expected = Random(1), Results(), {}
    for _ in range(500):
        place = random.randrange(300)
        points = random.randrange(100), random.choice([0, 2**40])
        failures = random.choice([(NO_FAILURES, NO_FAILURES), (FAILED, NO_FAILURES), (NO_FAILURES, FAILED)])
        summary = GameSummary(random.choice([0.0, 0.5, 1.0]), points, (random.randrange(9), 0), failures)
        results[place] = expected[place] = summary
    assert list(results) == sorted(expected)
    assert len(results) == len(expected)
    assert results.end == max(expected) + 1
    for place in range(-2, 310):
        assert (place in results) is (place in expected)
        if place in expected:
            assert results[place] == expected[place]
            assert results.score(place) == expected[place].score
    with pytest.raises(KeyError):
        results[-1]


def test_results_are_small():
    """A game without a failure takes 33 bytes, and a spare part for growth."""
    results = Results()
    for place in range(10_000):
        results[place] = GameSummary(1.0, (7, 3), (0, 0))
    assert sum(map(sys.getsizeof, vars(results).values())) < 40 * 10_000


def test_equal_failures_are_one_object():
    """A player that fails in each of a million games in the same way takes no memory for its reasons."""
    results = Results()
    for place in range(3):
        failed = GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 3, f"Value{'Error'}"))
        results[place] = GameSummary(0.0, (0, 0), (0, 0), (failed, NO_FAILURES))
    assert len({id(failures) for _, failures in results.failed()}) == 1


def test_totals_and_failures_are_those_of_the_games():
    """The sums that need no summary of each game."""
    random, results = Random(2), Results()
    for place in range(50):
        failures = (FAILED, NO_FAILURES) if place % 7 == 0 else (NO_FAILURES, NO_FAILURES)
        points, skips = (random.randrange(9), random.randrange(9)), (random.randrange(3), random.randrange(3))
        if place % 5:
            results[place] = GameSummary(1.0, points, skips, failures)
    for end in (0, 1, 20, 50):
        games = [results[place] for place in results if place < end]
        expected = [sum(values) for values in zip(*((*game.points, *game.skips) for game in games), strict=True)]
        assert list(results.totals(end)) == (expected or [0] * 4)
    assert [place for place, _ in results.failed()] == [place for place in range(50) if place % 7 == 0 and place % 5]
