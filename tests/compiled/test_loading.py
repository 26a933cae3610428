"""Compiling and loading are part of no limit and no figure."""

import subprocess
import sys
import threading

import pytest

from csp_sudoku import Board, classify_moves
from csp_sudoku.compiled import loading
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.moves.engines import search as searching
from csp_sudoku.solvers import base
from csp_sudoku.solvers.base import Deadline


@pytest.fixture
def now(monkeypatch):
    """A clock that a test sets: its only item is the time in seconds."""
    time = [0.0]
    for module in (base, loading):
        monkeypatch.setattr(module.time, "perf_counter", lambda: time[0])
    return time


def test_a_deadline_stands_still_while_something_is_loaded(now):
    """A deadline of 5 s is not over after 60 s of compiling, 10 of which were within another block, and 4 s of work."""
    deadline, stopwatch = Deadline(5), Stopwatch()
    with loading.loading():
        now[0] += 50
        with loading.loading():
            now[0] += 10
    now[0] += 4
    assert deadline.left() == 1
    assert not deadline.passed()
    assert stopwatch.seconds() == 4
    now[0] += 1
    assert deadline.passed()


def test_what_another_thread_loads_does_not_count(now):
    """A thread that does not wait for the loading has its full time, and no more."""
    deadline = Deadline(5)

    def other():
        with loading.loading():
            now[0] += 6

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert deadline.passed()


def test_an_error_while_loading_counts_too(now):
    """The time is part of loading, however the block ends."""
    deadline = Deadline(5)

    def fails():
        with loading.loading():
            now[0] += 6
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert not deadline.passed()


def test_a_map_with_a_deadline_is_complete_however_long_its_kernels_take(now, monkeypatch):
    """A minute of compiling before the map leaves its deadline of 1 s, and its figure, alone."""

    def slow(*_):
        with loading.loading():
            now[0] += 60

    monkeypatch.setattr(searching, "get_ready", slow)
    searching.search_for(Board.empty(2, 2))
    found = classify_moves(Board.parse("12.. .... ...3 .4.."), time_limit=1)
    assert found.is_complete
    assert found.effort.seconds == 0


CPSAT = """
import sys
from csp_sudoku import classify_moves
found = classify_moves("12.. .... ...3 .4..", "cpsat", time_limit=60)
print("ortools" in sys.modules, found.effort.loading_seconds > 0, found.is_complete)
"""


def test_loading_cpsat_is_loading():
    """The engine of CP-SAT loads OR-Tools, which takes longer than a small map, outside of its time."""
    done = subprocess.run([sys.executable, "-c", CPSAT], capture_output=True, text=True, check=True)
    assert done.stdout == "True True True\n"
