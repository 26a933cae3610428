"""The clock assertions: they retry only assertions about the clock, and the summary counts the retries."""

from itertools import count
from pathlib import Path

import pytest

from tests.clock import Clock, wait_until

pytest_plugins = ["pytester"]

CONFTEST = "from tests.clock import clock, pytest_terminal_summary"
TESTS = """
    def misses(number):
        answers = iter([9.0] * number + [0.1])
        return lambda: next(answers)

    def test_one(clock):
        clock.holds(misses(1), below=1)

    def test_two(clock):
        clock.holds(misses(2), below=1)

    def test_none(clock):
        clock.holds(misses(0), below=1)

    def test_never(clock):
        clock.holds(misses(9), below=1, tries=3)
"""


@pytest.fixture
def inner(pytester, monkeypatch):
    """A run of pytest of its own, which has the fixture and the summary."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize("options", [[], pytest.param(["-n", "2"], marks=pytest.mark.slow)], ids=str)
def test_the_summary_counts_the_retries(inner, options):
    """Each test that was retried is named with the number of its retries, also where workers ran it."""
    if options:
        pytest.importorskip("xdist")
    done = inner.runpytest_subprocess(*options)
    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["clock assertions retried: 5 (test_never 2, test_one 1, test_two 2)"])


@pytest.mark.slow
def test_the_summary_is_silent_without_retries(inner):
    """There is no line where nothing was retried."""
    done = inner.runpytest_subprocess("-k", "test_none")
    done.assert_outcomes(passed=1, deselected=3)
    done.stdout.no_fnmatch_line("*clock assertions*")


def test_a_clock_that_never_holds_fails():
    """After the last try the assertion fails with the measured times."""
    reasons, seconds = [], count(2)
    with pytest.raises(AssertionError, match="in one of 3 tries: at least -inf and below 1; found 2, 3, 4"):
        Clock(reasons.append).holds(lambda: next(seconds), below=1, tries=3)
    assert len(reasons) == 2


def test_both_bounds():
    """The lower bound is inclusive, the upper one is not."""
    reasons, seconds = [], iter([3.0, 0.5, 1.0, 9.0])
    assert Clock(reasons.append).holds(lambda: next(seconds), at_least=1, below=3) == 1.0
    assert len(reasons) == 2


def test_a_failed_assertion_is_not_retried():
    """An assertion of the work itself fails at once, in `holds` and in `gives_enough`."""
    reasons, calls = [], []

    def work(*_):
        calls.append(1)
        raise AssertionError("a wrong answer")

    clock = Clock(reasons.append)
    with pytest.raises(AssertionError, match="a wrong answer"):
        clock.holds(work, below=1)
    with pytest.raises(AssertionError, match="a wrong answer"):
        clock.gives_enough(work, lambda _: False)
    assert (len(calls), reasons) == (2, [])


def test_an_attempt_gets_more_time_until_it_is_in_time():
    """The result and its time are returned; each attempt that was too slow is a retry."""
    reasons = []
    found = Clock(reasons.append).gives_enough(lambda seconds: seconds * 2, lambda twice: twice > 3, times=(1, 2, 3))
    assert found == (4, 2)
    assert reasons == ["1 s were not enough"]
    assert Clock(reasons.append).gives_enough(lambda seconds: seconds, lambda _: False, times=(1, 2)) == (2, 2)


def test_waiting():
    """A condition that holds ends the waiting, and one that never does is an error."""
    answers = iter([False, False, True])
    wait_until(lambda: next(answers))
    with pytest.raises(AssertionError, match="expected a condition to hold within 0 s"):
        wait_until(lambda: False, seconds=0)
