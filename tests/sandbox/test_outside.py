"""Harm to a player from outside: a loss that follows from it reports this, and reversible harm is undone."""

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from csp_sudoku.sandbox.outside import fingerprint
from csp_sudoku.sandbox.processes import entry
from tests.arena.support import clean, play
from tests.clock import wait_until

__all__ = ["clean"]

BOTH = pytest.mark.parametrize(
    "persistent", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["forked", "persistent"]
)


def processes_of(player):
    """The processes in the working folder of a player of this test, and that folder."""
    for folder in Path(os.environ["TMPDIR"]).glob(f"csp-sudoku-player{player}-*"):
        names = [path.name for path in Path("/proc").iterdir() if path.name.isdecimal()]
        return [int(name) for name in names if _cwd(name) == folder], folder
    raise LookupError(player)


def _cwd(pid):
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return None


def supervisor_of(player):
    """The parent of a player's processes."""
    pids, _ = processes_of(player)
    return next(entry(pid).parent for pid in pids if entry(pid).parent not in pids)


class AfterFirstTurn:
    """Does something once, when the first turn is over and player 2 has not begun its first turn."""

    def __init__(self, act):
        self.act = act
        self.is_done = False

    def __call__(self, *_):
        if not self.is_done:
            self.is_done = True
            self.act()


def lost_by(record):
    """The reason why player 2 has lost in the second turn."""
    assert record.reason == "player 2 lost: crash"
    assert len(record.turns) == 2
    return record.turns[-1].reason


@BOTH
def test_a_player_that_is_killed_at_rest(persistent):
    """Between its turns nothing of a player runs, so it cannot have killed itself."""

    def kill():
        pids, _ = processes_of(2)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(one is None or one.ended for one in map(entry, pids)))

    record = play("mover", "mover", on_turn=AfterFirstTurn(kill), persistent=persistent)
    assert lost_by(record) == "crash: its process was killed from outside"


@BOTH
def test_a_supervisor_that_is_killed_between_turns(persistent):
    """The player cannot have killed its supervisor while it was at rest."""

    def kill():
        pid = supervisor_of(2)
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: (one := entry(pid)) is None or one.ended)

    record = play("mover", "mover", on_turn=AfterFirstTurn(kill), persistent=persistent)
    assert lost_by(record) == "crash: its supervisor was killed from outside"


@BOTH
def test_a_supervisor_that_is_stopped_between_turns_goes_on(persistent):
    """A stop can be undone, so no player loses by it."""

    def stop():
        pid = supervisor_of(2)
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: entry(pid).state == "T")

    assert play("mover", "mover", on_turn=AfterFirstTurn(stop), persistent=persistent).reason == "board full"


@BOTH
def test_files_that_change_between_turns(persistent):
    """If a player crashes after its files have changed while it was at rest, the reason says so; else nothing does."""

    def plant(name):
        _, folder = processes_of(2)
        (folder / name).touch()

    crash = "crash: FileExistsError: trap"
    record = play("mover", "crashes_at_a_trap", on_turn=AfterFirstTurn(partial(plant, "trap")), persistent=persistent)
    assert lost_by(record) == f"{crash} (its files were changed from outside before the turn)"
    record = play("mover", "crashes_at_a_trap", on_turn=AfterFirstTurn(partial(plant, "other")), persistent=persistent)
    assert record.reason == "board full"


@pytest.mark.slow
def test_what_a_player_does_to_itself_is_not_from_outside():
    """If a player kills its own process in its turn, or raises an error, the harm is its own."""
    assert play("exits").turns[-1].reason == "crash: its process has ended with the exit code 3"
    record = play("ends_its_player_process")
    assert "outside" not in record.turns[-1].reason
    assert "outside" not in play("ends_its_supervisor").turns[-1].reason


def test_a_fingerprint_sees_each_change(tmp_path):
    """A new file, another size, and a file of the same size that was written again; times cannot be set back."""
    seen = {fingerprint(tmp_path)}
    path = tmp_path / "file"
    for text in ("one", "four", "five"):
        path.write_text(text)
        os.utime(path, ns=(0, 0))
        seen.add(fingerprint(tmp_path))
    assert len(seen) == 4
    assert fingerprint(tmp_path / "none") == fingerprint(tmp_path / "neither")
