"""The same games on a Dask cluster of real processes on this machine."""

import os
import signal
import subprocess
import sys
from collections import Counter

import pytest

from csp_sudoku import OptionError
from csp_sudoku.arena.pool import cluster_pool
from csp_sudoku.arena.store import Store
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.cli.contest import named_boards
from csp_sudoku.cli.main import execute
from tests.arena.support import TURN, clean
from tests.cli.support import environment, told

distributed = pytest.importorskip("distributed")

__all__ = ["clean"]

pytestmark = pytest.mark.slow


def started(arguments, text):
    """A process of the cluster, and the line with which it says that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(PYTHONPATH=os.pathsep.join(sys.path)),
        text=True,
    )
    for line in process.stderr:
        if text in line:
            return process, line
    raise AssertionError("it has ended")


@pytest.fixture
def cluster(clean, tmp_path):
    """The address of a scheduler, and its two workers: processes without a nanny that would start them again."""
    processes = []
    try:
        scheduler, line = started(
            ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"], "Scheduler at:"
        )
        processes.append(scheduler)
        address = line.split()[-1]
        options = ["--no-nanny", "--no-dashboard", "--nthreads", "2", "--host", "127.0.0.1"]
        for number in range(2):
            folder = ["--local-directory", str(tmp_path / f"worker{number}")]
            processes.append(started(["dask_worker", address, *options, *folder], "Registered to:")[0])
        yield address, processes[1:]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()
            process.stderr.close()


def tournament_of(games) -> Tournament:
    """A tournament of short games."""
    players = ("random", "greedy")
    return Tournament(players, players, named_boards(("empty-2x2", "easy-2x2")), (TURN,), games)


def test_a_worker_is_killed(cluster, tmp_path):
    """Its games are played again by the other one, and each game counts once."""
    address, workers = cluster
    tournament, told_of, killed = tournament_of(30), Counter(), []
    path = tmp_path / "games.db"

    def kill(scheduled_game, _):
        told_of[scheduled_game.key] += 1
        if len(told_of) == 15:
            killed.append(workers[0].pid)
            workers[0].send_signal(signal.SIGKILL)

    with Store(path) as store, cluster_pool(address) as pool:
        assert pool.jobs == 4
        tournament.play(pool, store, kill)
        assert killed
        assert store.count == tournament.total == 60
        assert set(told_of.values()) == {1}
    assert workers[1].poll() is None


def test_a_match_on_a_cluster(cluster, capsys, tmp_path):
    """--scheduler plays the same games as without it."""
    address, _ = cluster
    results = []
    for options in (["--scheduler", address], []):
        asked = ["random", "greedy", "--boards", "empty-2x2", "--games", "6", "--time", str(TURN), "--json", *options]
        assert execute(["match", *asked]) == 0
        out, err = capsys.readouterr()
        assert told(err) == ""
        results.append(out)
    assert results[0] == results[1]


def test_no_scheduler():
    """An address without a scheduler is an error in one line."""
    with pytest.raises(OptionError, match="expected a scheduler at tcp://127"), cluster_pool("tcp://127.0.0.1:9"):
        pass
