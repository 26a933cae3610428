"""Processes that run away: each starts the next one and ends, so that a look at the system may miss them all."""

import os
import signal
import subprocess
import sys
import time
from secrets import token_hex

import pytest

from csp_sudoku.sandbox import processes
from csp_sudoku.sandbox.processes import marked, send
from tests.arena.agents.actions import LONG
from tests.arena.support import remaining
from tests.clock import wait_until
from tests.support import most_slow

RUNNER = f"""
import os, time
if os.fork():
    os._exit(0)
os.setsid()
for _ in range(200):
    if os.fork():
        os._exit(0)
    time.sleep({{pause}})
time.sleep({LONG})
"""
ENDER = f"""
import os
from csp_sudoku.sandbox import processes
from csp_sudoku.sandbox.processes import adopt_orphans, end_descendants
processes.PATIENCE = 300  # the machine may be busy
adopt_orphans()
if not os.fork():
    exec({RUNNER!r})
end_descendants()
"""


@pytest.fixture
def mark():
    """The mark in the environment of the processes of a test; none of them is left after it."""
    text = f"CSP_SUDOKU_TEST={token_hex(16)}"
    yield text
    wait_until(lambda: not killed(text))


def killed(mark):
    """Kill the processes with this mark that can be seen now, and return how many that were."""
    found = marked(mark)
    for one in found:
        send(one, signal.SIGKILL)
    return len(found)


def start(program, mark):
    """Run a Python program, marked, to its end."""
    name, _, value = mark.partition("=")
    subprocess.run([sys.executable, "-c", program], env={**os.environ, name: value}, check=True)


@pytest.mark.parametrize("pause", most_slow([0, 0.0001, 0.001], [0], is_one_argument=True))
def test_who_runs_away_is_found_by_its_mark(mark, pause):
    """As long as one of them runs, one is found."""
    for _ in range(3):
        start(RUNNER.format(pause=pause), mark)
        while killed(mark):  # the last one of them does not start another
            pass
        time.sleep(0.3)
        assert remaining(mark) == []


@pytest.mark.parametrize("pause", most_slow([0, 0.0001, 0.001], [0], is_one_argument=True))
def test_who_runs_away_is_ended_with_the_other_descendants(mark, pause):
    """Whoever adopts orphans has none left."""
    for _ in range(3):
        start(ENDER.format(pause=pause), mark)
        assert remaining(mark) == []


def test_who_is_gone_when_it_is_looked_at_may_have_started_another(monkeypatch):
    """As long as processes begin while they are counted, there may be young ones."""
    first = processes.latest_pid()
    monkeypatch.setattr(processes, "latest_pid", lambda: first)
    assert not processes.has_young(first, [os.getpid()])
    numbers = iter([first, first + 1])
    monkeypatch.setattr(processes, "latest_pid", lambda: next(numbers))
    assert processes.has_young(first, [os.getpid()])
