"""Players in namespaces of their own, as far as the kernel allows; and without, where it refuses them."""

import ctypes
import encodings.ascii  # noqa: F401 - another user may not read the files of Python
import json
import os
import pickle
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest

from csp_sudoku import OptionError
from csp_sudoku.arena.scheduled_game import ScheduledGame
from csp_sudoku.game.state import GameState
from csp_sudoku.sandbox import namespaces
from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.main import supervise
from csp_sudoku.sandbox.messages import ORDER
from csp_sudoku.sandbox.namespaces import ATTEMPTS, NAMESPACES, PROTECTING, Isolation, described
from csp_sudoku.sandbox.proposal_buffer import End
from csp_sudoku.sandbox.terms import GameTerms
from tests.arena.agents import makers, mocks  # noqa: F401 - as above
from tests.arena.support import MOCKS, SHORT, TURN, clean, here, play
from tests.sandbox.test_leftovers import as_an_ordinary_user

__all__ = ["clean"]

IS_COMPLETE = sys.platform == "linux" and set(PROTECTING) <= set(namespaces.available())
needs_namespaces = pytest.mark.skipif(not IS_COMPLETE, reason="the kernel refuses namespaces here")
PR_SET_DUMPABLE = 4
PID_NAMESPACE = Path("/proc/self/ns/pid")
isolated = partial(play, isolation=Isolation.AVAILABLE)
BOTH = pytest.mark.parametrize(
    "persistent", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["forked", "persistent"]
)


@pytest.fixture
def refused(monkeypatch):
    """A kernel that refuses all namespaces."""
    monkeypatch.setattr(namespaces, "available", lambda: ())


@pytest.fixture
def partly_refused(monkeypatch):
    """A kernel that refuses a /proc to a pid namespace."""
    monkeypatch.setattr(namespaces, "available", lambda: ("user", "mount", "ipc"))


def test_what_is_available_is_a_combination():
    """The kernel is asked in a process of its own, which changes nothing here."""
    before = PID_NAMESPACE.readlink()
    assert namespaces.available() in {*ATTEMPTS, ()}
    assert PID_NAMESPACE.readlink() == before


def test_a_probe_that_fails_is_a_refusal(monkeypatch):
    """If the probe cannot be started, or breaks down, nothing is available."""
    for error in (OSError(), subprocess.CalledProcessError(1, "python")):

        def fails(*_, error=error, **__):
            raise error

        monkeypatch.setattr(namespaces.subprocess, "run", fails)
        namespaces.available.cache_clear()
        assert namespaces.available() == ()
    namespaces.available.cache_clear()


def test_the_next_combination_is_tried(monkeypatch, capsys):
    """The output is the first possible combination."""
    monkeypatch.setattr(namespaces, "is_possible", lambda names: "pid" not in names)
    namespaces.main()
    assert capsys.readouterr().out == "user mount ipc\n"
    monkeypatch.setattr(namespaces, "is_possible", lambda names: False)
    namespaces.main()
    assert capsys.readouterr().out == "\n"


def test_what_is_said():
    """One line lists the namespaces that exist and those that do not."""
    assert described(NAMESPACES) == "players are isolated by user, pid, mount and ipc namespaces"
    assert described(("mount", "ipc")).endswith("; the kernel refuses pid")
    assert described(()) == "players are not isolated: the kernel refuses namespaces"


def test_isolation_is_no_part_of_a_game():
    """A stored game counts whether it was played in namespaces or not."""
    plain, apart = (
        ScheduledGame("a", "b", SHORT, 0.5, 0, terms=GameTerms(isolation=kind))
        for kind in (Isolation.NONE, Isolation.REQUIRED)
    )
    assert plain.key == apart.key


@needs_namespaces
def test_an_ordinary_user_gets_namespaces(tmp_path):
    """An ordinary user needs a user namespace, and gets all four, or the kernel keeps them for the superuser."""

    def act():
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as after the start of a program
        return [names for names in (NAMESPACES, PROTECTING) if namespaces.is_possible(names)] in ([NAMESPACES], [])

    as_an_ordinary_user(tmp_path, act)


@needs_namespaces
@BOTH
def test_a_player_of_an_ordinary_user(persistent, tmp_path):
    """It finds only itself, too; the supervisor is started as the fork server does, and asked as the arena does."""
    folder = Path(tempfile.mkdtemp(prefix="csp-sudoku-", dir="/tmp"))  # the test's own folder is closed to others
    folder.chmod(0o777)

    def act():
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        names = NAMESPACES if namespaces.is_possible(NAMESPACES) else ()
        answer = one_turn("finds_only_itself" if names else "mover", folder / "game", names, persistent)
        return answer["end"] == End.DONE and len(answer["proposals"]) == 1 and not (folder / "game").exists()

    try:
        as_an_ordinary_user(tmp_path, act)
    finally:
        folder.rmdir()


def one_turn(player, folder, names, persistent):
    """Start a supervisor in a process of its own, order a turn, and return the answer once the supervisor has ended."""
    to_read, orders = os.pipe()
    answers, to_write = os.pipe()
    assignment = Assignment(
        player, 1, str(folder), os.getpid(), GameTerms(loader=MOCKS, persistent=persistent), namespaces=names
    )
    supervisor = os.fork()
    if not supervisor:
        os.close(orders)
        os.close(answers)
        supervise(assignment, to_read, to_write)
    for descriptor in (to_read, to_write):
        os.close(descriptor)
    with os.fdopen(answers) as lines, os.fdopen(orders, "wb") as order:
        assert json.loads(lines.readline())["end"] == End.DONE
        state = pickle.dumps(GameState.start(SHORT))
        order.write(ORDER.pack(TURN, False, False, len(state)) + state)
        order.flush()
        answer = json.loads(lines.readline())
    assert os.waitpid(supervisor, 0)[1] == 0
    return answer


@needs_namespaces
@BOTH
def test_an_isolated_player_finds_only_itself(persistent):
    """No other process, no file in /dev/shm, no capability, and nothing in its opponent's folder."""
    record = isolated("finds_only_itself", "writes_in_its_folder", persistent=persistent)
    assert record.reason == "board full", record.turns[-1].reason


@needs_namespaces
@BOTH
def test_who_kills_everybody_kills_only_itself(persistent, monkeypatch):
    """The opponent plays on; the player's supervisor, the first process, receives no signal of the player."""
    monkeypatch.setenv("CSP_SUDOKU_PID_NAMESPACE", str(PID_NAMESPACE.readlink()))
    record = isolated("kills_everybody", persistent=persistent)
    assert [turn.player for turn in record.turns if turn.outcome.value == "lost"] in ([], [1])
    assert record.turns[0].outcome.value == "placed", record.turns[0].reason


@needs_namespaces
@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("ends_its_supervisor_unseen", "board full"),
        ("daemons", "board full"),
        ("shares", "board full"),
        ("raises", "player 1 lost: crash"),
        ("exits", "player 1 lost: crash"),
    ],
)
def test_hostile_players_in_namespaces(player, reason):
    """The games end as without namespaces, or better: a player that kills its supervisor only loses its time."""
    options = {"seconds": 0.5} if player == "ends_its_supervisor_unseen" else {}
    assert isolated(player, **options).reason == reason


def test_a_kernel_that_refuses_is_no_obstacle(refused, capsys):
    """With --isolate the game is played, one line says so, and the JSON object has no namespaces."""
    command = here("play", capsys)
    code, out, err = command(
        "random", "random", "--boards", "1234341221434321"[:15] + ".", "--isolate", "--json", "--seed", 1
    )
    assert (code, err) == (0, "players are not isolated: the kernel refuses namespaces\n")
    assert '"isolation": []' in out


@pytest.mark.parametrize("kernel", ["refused", "partly_refused"])
def test_isolation_can_be_required(kernel, request, capsys):
    """With --require-isolation no game is played unless everything is hidden."""
    request.getfixturevalue(kernel)
    with pytest.raises(OptionError, match="expected pid, mount and ipc namespaces for players; found "):
        Isolation.REQUIRED.namespaces()
    for name in ("play", "match"):
        code, out, err = here(name, capsys)("random", "random", "--require-isolation")
        assert (code, out) == (2, "")
        assert err.startswith("csp-sudoku: expected pid, mount and ipc namespaces for players; found ")
        assert err.count("\n") == 1
