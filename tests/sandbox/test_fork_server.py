"""The fork server, and players that harm it or hide below it."""

import os
import signal
import subprocess
import sys

import pytest

from csp_sudoku.sandbox import fork_server as fork_server_module
from csp_sudoku.sandbox.fork_server import ForkServer, readable
from csp_sudoku.sandbox.processes import ProcessEntry, descendants, end_strays, entry, send
from tests.arena.support import clean, play
from tests.clock import wait_until

__all__ = ["clean"]


@pytest.fixture
def waits(monkeypatch):
    """How long the arena was ready to wait for each fork server, in seconds, by its process id."""
    found = {}

    def wait(descriptor, seconds):
        if descriptor == fork_server._socket.fileno():
            found.setdefault(fork_server.pid, []).append(seconds)
        return readable(descriptor, seconds)

    monkeypatch.setattr(fork_server_module, "readable", wait)
    with ForkServer() as fork_server:
        yield fork_server, found


def stop(fork_server):
    """Stop the process of a fork server, and return its id."""
    pid = fork_server.pid
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: entry(pid).state == "T")
    return pid


@pytest.mark.slow
def test_a_fork_server_that_is_stopped_between_games_is_replaced(waits):
    """The next game waits for it once, at most 5 s, and is played."""
    fork_server, found = waits
    assert play("mover", fork_server=fork_server).reason == "board full"
    stopped = stop(fork_server)
    found.clear()
    assert play("mover", fork_server=fork_server).reason == "board full"
    assert 0 < sum(found[stopped]) <= 5
    assert fork_server.pid != stopped
    assert entry(stopped) is None


@pytest.mark.slow
def test_a_fork_server_that_is_stopped_in_a_game_is_replaced(waits):
    """Both players of a game wait for it together, once; in the next game neither waits."""
    fork_server, found = waits
    stopped = []

    def stop_it(*_):
        if not stopped:
            stopped.append(stop(fork_server))
            found.clear()

    for _ in range(2):
        assert play("mover", fork_server=fork_server, on_turn=stop_it).reason == "board full"
    assert 0 < sum(found[stopped[0]]) <= 5
    assert fork_server.pid != stopped[0]
    assert entry(stopped[0]) is None


@pytest.mark.parametrize("player", ["ends_its_supervisor_unseen", "ends_its_supervisor_unadopted"])
@pytest.mark.parametrize(
    "persistent", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["forked", "persistent"]
)
def test_what_hides_from_everything_is_ended_with_its_supervisor(player, persistent, tmp_path):
    """A player may kill its supervisor, and stop the fork server: its processes are found though nothing marks them."""
    place = tmp_path / "temporary" / "daemon"
    record = play(player, persistent=persistent)
    assert record.turns[0].reason == "crash: its supervisor does not answer"
    stray = entry(int(place.read_text()))
    try:
        assert stray is None or stray.ended  # nobody may have reaped it yet
    finally:
        if stray is not None:
            send(stray, signal.SIGKILL)


def test_only_strays_are_ended():
    """A kept child survives with its descendants, even if it has ended and its exit code is not yet known."""
    family = "import subprocess; one = subprocess.Popen(['sleep', '600']); print(one.pid, flush=True); one.wait()"
    kept, stray = (
        subprocess.Popen([sys.executable, "-c", family], stdout=subprocess.PIPE, text=True) for _ in range(2)
    )
    ended = subprocess.Popen(["false"])
    ours, theirs = int(kept.stdout.readline()), int(stray.stdout.readline())
    others = {one.pid for one in descendants(os.getpid())} - {kept.pid, stray.pid}
    try:
        end_strays({*others, kept.pid} - {ours, theirs})
        assert not entry(kept.pid).ended
        assert not entry(ours).ended
        assert entry(stray.pid) is None
        assert ended.wait() == 1
    finally:
        for one in descendants(kept.pid):
            send(one, signal.SIGKILL)
        for one in (kept, stray):
            one.wait()
            one.stdout.close()


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
def test_which_fork_server_is_replaced(state, ticks, works):
    """One that is stopped, has ended, or sleeps all the time; on a busy machine one may work and get nothing done."""
    before = ProcessEntry(pid=7, state="R", parent=1, started=0, status=0, ticks=5)
    assert fork_server_module.works(before, before._replace(state=state, ticks=ticks)) is works
    assert not fork_server_module.works(before, None)
