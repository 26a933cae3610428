"""Assertions about the clock: a busy machine may miss them, so they alone are retried, and each retry is reported.

A test whose subject is time takes the fixture `clock`. The work of such a test runs inside a function; an assertion
that fails there fails the test at once. Only the comparison with the clock is made again, and the summary of the run
counts how often that was necessary.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

RETRY = "clock retry"
"""The name of the property that a report carries for each retry of its test."""

Result = TypeVar("Result")


class Clock:
    """The assertion about the clock; `record` is called with the reason for each retry."""

    def __init__(self, record: Callable[[str], None]) -> None:
        self._record = record

    def holds(
        self,
        measure: Callable[[], float],
        *,
        below: float = float("inf"),
        at_least: float = float("-inf"),
        tries: int = 15,
    ) -> float:
        """Return what `measure` returns, which must be at least one bound and below the other in one of the tries.

        Whatever `measure` raises is raised at once.
        """
        missed: list[float] = []
        while True:
            found = measure()
            if at_least <= found < below:
                return found
            missed.append(found)
            told = f"at least {at_least:g} and below {below:g}; found {', '.join(f'{one:g}' for one in missed)}"
            if len(missed) == tries:
                raise AssertionError(f"expected the clock to hold in one of {tries} tries: {told}")
            self._record(told)

    def gives_enough(
        self,
        attempt: Callable[[float], Result],
        is_in_time: Callable[[Result], bool],
        *,
        times: Sequence[float] = (0.2, 1.0, 5.0, 25.0),
    ) -> tuple[Result, float]:
        """Return what `attempt` returns, and the time that was enough for it: the first one after which it is in time.

        This is for players that think until their deadline: the test must wait for the deadline, so the time is short
        at first. The last result is returned whether it is in time or not, and the test's own assertions judge it.
        Whatever `attempt` raises is raised at once.
        """
        for seconds in times[:-1]:
            found = attempt(seconds)
            if is_in_time(found):
                return found, seconds
            self._record(f"{seconds:g} s were not enough")
        return attempt(times[-1]), times[-1]


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> Clock:
    """Assertions about the clock, whose retries are reported."""
    return Clock(lambda reason: request.node.user_properties.append((RETRY, reason)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the retries; with pytest-xdist the reports of the workers carry them to the controller."""
    retries: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                retries[report.nodeid.rpartition("::")[2]] += sum(name == RETRY for name, _ in report.user_properties)
    retries += Counter()  # without those that had none
    if retries:
        told = ", ".join(f"{name} {count}" for name, count in sorted(retries.items()))
        terminalreporter.write_line(f"clock assertions retried: {retries.total()} ({told})")


def wait_until(condition: Callable[[], object], seconds: float = 300.0) -> None:
    """Wait until a condition holds. A long limit costs nothing: the condition is met soon, or something is broken."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"expected a condition to hold within {seconds:g} s")
        time.sleep(0.01)
