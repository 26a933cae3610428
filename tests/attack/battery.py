"""The battery: a match of each hostile agent against the honest one, through the command line, under observation."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.hostiles import FOLDER, NAMESPACE, TOKEN, Hostile
from tests.attack.registry import hostile
from tests.attack.verdict import CLOCK, Match, Verdict, games_of, problems_of, told
from tests.attack.watch import observe, remove_shared

HOME = Path(__file__).resolve().parents[2]
BOARD = "1234 34.. 21.. 43..\n"
"""Six squares are empty, with several completions."""
GAMES = 2
SHORT, AMPLE = 0.5, 10.0
"""Seconds of a turn that lasts until its deadline, and of one that does not."""
STARTING = 60.0
"""Seconds for the start and the end of the command, on a busy machine."""
TRIES, PATIENCE = 2, 4
"""How often a match is played if only the clock is to blame, and how many times as long the turns are then."""
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "forked": (),
    "persistent": ("--persistent",),
    "isolated": ("--isolate",),
    "isolated-persistent": ("--isolate", "--persistent"),
}
"""The ways in which the arena plays, and the options of the command for them."""

SOURCE = """from csp_sudoku.framework.adapter import framework_player
from tests.attack import hostiles, registry

SudokuAI = framework_player({agent})
"""


def agent_folder(place: Path, name: str) -> Path:
    """Write the folder of an agent: of the honest one, or of a hostile one."""
    folder = place / name
    folder.mkdir(parents=True, exist_ok=True)
    agent = "hostiles.Honest" if name == "honest" else f"registry.hostile({name!r})"
    (folder / "sudokuai.py").write_text(SOURCE.format(agent=agent))
    if name != "honest":
        hostile(name).prepare(folder)
    return folder


def environment(place: Path, token: str) -> dict[str, str]:
    """The environment of the command, whose temporary files are in `place`."""
    (place / "temporary").mkdir(exist_ok=True)
    path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
    ours = {FOLDER: str(place), TOKEN: token, NAMESPACE: str(Path("/proc/self/ns/pid").readlink())}
    return {**os.environ, **ours, "PYTHONPATH": path, "TMPDIR": str(place / "temporary")}


@cache
def walls() -> tuple[str, ...] | None:
    """The command that runs another one in a pid namespace with its own /proc; None if that is impossible."""
    program = shutil.which("unshare")
    if program is None:
        return None
    user = () if os.getuid() == 0 else ("--user", "--map-current-user")
    command = (program, *user, "--pid", "--fork", "--mount-proc", "--kill-child", "--")
    done = subprocess.run([*command, "true"], capture_output=True, check=False)
    return command if done.returncode == 0 else None


def names_available() -> tuple[str, ...]:
    """The namespaces that `--isolate` gets on this machine, as the product reports them."""
    command = [sys.executable, "-P", "-m", "csp_sudoku.sandbox.namespaces"]
    path = {**os.environ, "PYTHONPATH": str(HOME)}
    return tuple(subprocess.run(command, env=path, capture_output=True, text=True, check=False).stdout.split())


@cache
def is_isolation_complete() -> bool:
    """Whether `--isolate` hides everything here."""
    return {"pid", "mount", "ipc"} <= set(names_available())


def command_of(agent: type[Hostile], name: str, setting: str, place: Path, *, seconds: float, seed: int) -> list[str]:
    """The command line of a match."""
    agents = [str(agent_folder(place / "agents", one)) for one in (name, "honest")]
    (place / "board.txt").write_text(BOARD)
    match = ["match", *agents, "--boards", str(place / "board.txt"), "--games", str(GAMES), "--time", f"{seconds:g}"]
    kept = ["--seed", str(seed), "--json", "--store", str(place / "games.db")]
    around = (walls() or ()) if agent.needs_walls else ()
    return [*around, sys.executable, "-m", "csp_sudoku", *match, *kept, *SETTINGS[setting], *agent.options]


def play(name: str, setting: str, place: Path, *, seconds: float, seed: int) -> Match:
    """Play the match of a hostile agent in a folder, and look at it."""
    agent, token = hostile(name), f"csp-attack-{os.urandom(4).hex()[:7]}"
    command = command_of(agent, name, setting, place, seconds=seconds, seed=seed)
    limit = STARTING + 3 * GAMES * (seconds + 1 + agent.slack)
    found = Match(observe(command, environment(place, token), place, token=token, limit=limit))
    remove_shared(found.seen.shared)
    try:
        found.games = games_of(place / "games.db")
    except (sqlite3.Error, ValueError, OSError) as error:
        found.store = f"the store cannot be read: {error}"
    notes = place / "seen.jsonl"
    if notes.exists():
        found.notes = [json.loads(line) for line in notes.read_text().splitlines()]
    return found


class Battery:
    """The matches of a run, which are compared with that of the harmless agent."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @cached_property
    def twin(self) -> Match:
        """The match of the harmless agent."""
        with TemporaryDirectory(prefix="csp-attack-") as place:
            return play("harmless", "forked", Path(place), seconds=AMPLE, seed=self._seed)

    def verdict(self, name: str, setting: str) -> Verdict:
        """Play the match of a hostile agent, again if only the clock is to blame, and judge it."""
        agent = hostile(name)
        seconds = SHORT if agent.is_endless else AMPLE
        is_isolated = "--isolate" in SETTINGS[setting] and is_isolation_complete()
        tries = 0
        while tries < TRIES:
            tries += 1
            with TemporaryDirectory(prefix="csp-attack-", ignore_cleanup_errors=True) as place:
                match = play(name, setting, Path(place), seconds=seconds, seed=self._seed)
            problems = problems_of(match, agent, name, self.twin, games=GAMES, seconds=seconds, is_isolated=is_isolated)
            if any(problem.kind != CLOCK for problem in problems) or not problems:
                break
            seconds *= PATIENCE
        is_known = agent.harms and not (is_isolated and agent.harms != {"files"})
        expected = f"{agent.expected}, or known harm" if is_known else agent.expected
        return Verdict(f"{name}:{setting}", len(match.games), expected, told(match), tuple(problems), tries)
