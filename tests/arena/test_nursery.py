"""The fork server, and players that harm it or hide below it."""

import os
import signal

import pytest

from csp_sudoku.arena import nursery as nursery_module
from csp_sudoku.arena.nursery import Nursery, readable
from csp_sudoku.arena.processes import Entry, entry
from tests.arena.support import clean, play
from tests.clock import wait_until

__all__ = ["clean"]


@pytest.fixture
def waits(monkeypatch):
    """How long the arena was ready to wait for each nursery, in seconds, by its process id."""
    found = {}

    def wait(descriptor, seconds):
        if descriptor == nursery._socket.fileno():
            found.setdefault(nursery._process.pid, []).append(seconds)
        return readable(descriptor, seconds)

    monkeypatch.setattr(nursery_module, "readable", wait)
    with Nursery() as nursery:
        yield nursery, found


def stop(nursery):
    """Stop the process of a nursery, and return its id."""
    pid = nursery._process.pid
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: entry(pid).state == "T")
    return pid


def test_a_nursery_that_is_stopped_between_games_is_replaced(waits):
    """The next game waits for it once, at most 5 s, and is played."""
    nursery, found = waits
    assert play("mover", nursery=nursery).reason == "board full"
    stopped = stop(nursery)
    found.clear()
    assert play("mover", nursery=nursery).reason == "board full"
    assert 0 < sum(found[stopped]) <= 5
    assert nursery._process.pid != stopped
    assert entry(stopped) is None


def test_a_nursery_that_is_stopped_in_a_game_is_replaced(waits):
    """Both players of the game together wait for it once, and so does nobody in the next game."""
    nursery, found = waits
    stopped = []

    def stop_it(*_):
        if not stopped:
            stopped.append(stop(nursery))
            found.clear()

    for _ in range(2):
        assert play("mover", nursery=nursery, on_turn=stop_it).reason == "board full"
    assert 0 < sum(found[stopped[0]]) <= 5
    assert nursery._process.pid != stopped[0]
    assert entry(stopped[0]) is None


@pytest.mark.parametrize(
    ("state", "ticks", "works"),
    [
        ("T", 9, False),
        ("t", 9, False),
        ("Z", 9, False),
        ("S", 5, False),
        ("S", 6, True),
        ("R", 5, True),
        ("D", 5, True),
    ],
)
def test_which_nursery_is_replaced(state, ticks, works):
    """One that is stopped, has ended, or sleeps all the time; on a busy machine one may work and get nothing done."""
    before = Entry(pid=7, state="R", parent=1, started=0, status=0, ticks=5)
    assert nursery_module._works(before, before._replace(state=state, ticks=ticks)) is works
    assert not nursery_module._works(before, None)
