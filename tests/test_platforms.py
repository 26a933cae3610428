"""Everything but the arena runs without Linux: commands run in a process without the features that only Linux has."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from csp_sudoku.arena.store import Store
from csp_sudoku.game.record import write_records
from tests.arena.test_store import record, scheduled_game
from tests.cli.support import NONE, ONE, environment
from tests.game.support import random_record

SCRIPT = """
import contextlib, io, json, os, select, signal, sys
import click, matplotlib.figure, multiprocessing, networkx, numba, numpy, rich.console, rich.live, sqlite3
import concurrent.futures, shutil, socket, subprocess, tempfile
from matplotlib.backends import backend_agg
from ortools.sat.python import cp_model

MISSING = {"fcntl", "grp", "pwd", "resource", "termios"}


class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


for name in MISSING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refusing())
windows = sys.argv[1] == "win32"
for module, always, windows_only in (
    (os, "pidfd_open memfd_create O_PATH", "fork getuid waitid P_PID WNOHANG setsid setpgid O_CLOEXEC O_NONBLOCK"),
    (signal, "pidfd_send_signal", "SIGKILL SIGSTOP SIGCONT SIGCHLD SIGHUP SIGPIPE"),
    (select, "epoll", "poll POLLIN POLLOUT"),
):
    for name in (always + " " + windows_only * windows).split():
        delattr(module, name)
sys.platform = sys.argv[1]

from csp_sudoku.cli.main import execute

told = []
for arguments in json.loads(sys.argv[2]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = execute(arguments)
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


def executed(platform: str, folder: Path, commands: list[list[str]]) -> list[list[Any]]:
    """Exit code, output and errors of commands that are executed one after the other as if on another system."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, platform, json.dumps(commands)],
        capture_output=True, check=False, cwd=folder, text=True,
        env=environment(PYTHONPATH=str(Path(__file__).parents[1])),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_commands_without_linux(platform: str, tmp_path: Path) -> None:
    """The arena's commands end with one line before anything is started or created; all the others work."""
    write_records([random_record(seed=1)], tmp_path / "game.json")
    with Store(tmp_path / "games.db") as store:
        store.add(scheduled_game(first="greedy", second="random"), record())
    arena = [
        ["play", "random", "greedy", "--log", "made"],
        ["match", "random", "greedy", "--store", "made"],
        ["tournament", "random", "greedy", "naive", "--out", "made", "--time", "0.5,1", "--system", "swiss"],
    ]
    others = [
        ["solve", ONE],
        ["solve", "--count", "3", "empty-2x2"],
        ["check", ONE],
        ["hint", ONE],
        ["explain", NONE],
        ["generate", "--shape", "2x2", "--seed", "1"],
        ["show", "hard-3x3"],
        ["solvers"],
        ["moves", ONE],
        ["value", "1243 3421 43.. 21.."],
        ["results", "games.db"],
        ["replay", "--verify", "game.json"],
        ["analyse", "game.json"],
    ]
    told = executed(platform, tmp_path, arena + others)
    assert told[: len(arena)] == [[2, "", "csp-sudoku: the arena needs Linux; WSL and containers do\n"]] * len(arena)
    assert not (tmp_path / "made").exists()
    for arguments, (code, out, err) in zip(others, told[len(arena) :], strict=True):
        assert (code, bool(out)) == (0, True), (arguments, err)
