"""A tournament that is killed repeatedly and continues, or whose store is deleted: each game is kept, exactly once."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.attack.battery import AMPLE, BOARD, agent_folder, environment
from tests.attack.verdict import Game, Problem, Verdict, games_of
from tests.attack.watch import Seen, observe

PLAYERS = ("harmless", "honest", "vanishes")
GAMES = 20
"""The number of games of each pairing."""
KILLS = 4
SOONEST, LATEST = 0.8, 4.0
"""Bounds of the seconds after which the command is killed."""
SOME = 3
"""The number of games after which a store is deleted."""
LIMIT = 300.0
"""Seconds in which the last run must end, on a busy machine."""


def verdict(seed: int) -> Verdict:
    """Play the tournament, kill it, let it continue, and check the store."""
    random, problems = Random(f"resuming {seed}"), []
    total = GAMES * len(PLAYERS) * (len(PLAYERS) - 1) // 2
    with TemporaryDirectory(prefix="csp-attack-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        command, progress = _tournament(place, seed), []
        for kill_after in [random.uniform(SOONEST, LATEST) for _ in range(KILLS)] + [None]:
            token = f"csp-attack-{random.getrandbits(28):07x}"
            seen = observe(command, environment(place, token), place, token=token, limit=LIMIT, kill_after=kill_after)
            problems += _left(seen)
            progress.append(_count(place / "games.db"))
        if sorted(progress) != progress:
            problems.append(Problem("store", f"the number of games has fallen: {progress}"))
        try:
            games = games_of(place / "games.db")
        except (sqlite3.Error, ValueError) as error:
            problems.append(Problem("store", f"the store cannot be read: {error}"))
            games = []
        problems += _wrong(games, total, seen)
    found = f"{KILLS} kills, {', '.join(map(str, progress))} games after each run"
    return Verdict("resuming", len(games), "each game once", found, tuple(problems))


def deleting(seed: int) -> Verdict:
    """Delete the store of a tournament while it plays: one line, exit code 2, and the games in another file."""
    problems: list[Problem] = []
    with TemporaryDirectory(prefix="csp-attack-", ignore_cleanup_errors=True) as folder:
        place, store = Path(folder), Path(folder) / "games.db"
        command = _tournament(place, seed)
        token = f"csp-attack-{Random(seed).getrandbits(28):07x}"
        deleted: list[int] = []

        def delete() -> None:
            if not deleted and (count := _count(store)) >= SOME:
                deleted.append(count)
                for path in place.glob("games.db*"):
                    path.unlink()

        seen = observe(command, environment(place, token), place, token=token, limit=LIMIT, on_look=delete)
        copies = list(place.glob("games-saved*"))
        saved = _count(copies[0]) if copies else 0
    line = seen.err.strip().splitlines()[-1:]
    if seen.code != 2 or not line or not line[0].startswith("csp-sudoku: "):
        problems.append(Problem("end", f"exit code {seen.code}: {line}"))
    if not deleted or saved < deleted[0]:
        problems.append(Problem("store", f"{saved} games were saved of {deleted}"))
    problems += _left(seen)
    return Verdict("deleting", saved, "one line, and a copy", f"{saved} games in a copy", tuple(problems))


def _tournament(place: Path, seed: int) -> list[str]:
    """The command line of a tournament with its agents and its store in a folder."""
    (place / "board.txt").write_text(BOARD)
    agents = [str(agent_folder(place / "agents", name)) for name in PLAYERS]
    command = [sys.executable, "-m", "csp_sudoku", "tournament", *agents, "--boards", str(place / "board.txt")]
    command += ["--games", str(GAMES), "--time", f"{AMPLE:g}", "--jobs", "2", "--seed", str(seed), "--json"]
    return [*command, "--store", str(place / "games.db")]


def _left(seen: Seen) -> list[Problem]:
    """The remains of a run."""
    found = [Problem("processes", f"after a kill, a process is left: {line}") for line in seen.processes[:1]]
    return found + [Problem("files", f"after a kill, a file is left: {name}") for name in seen.files[:1]]


def _count(store: Path) -> int:
    """The number of games in a store; 0 if there is no store yet."""
    try:
        return len(games_of(store))
    except sqlite3.Error:
        return 0


def _wrong(games: list[Game], total: int, last: Seen) -> list[Problem]:
    """The faults in the games of the whole tournament, and in the last run."""
    found = []
    if last.code:
        found.append(Problem("end", f"exit code {last.code}: {last.err.strip().splitlines()[-1:]}"))
    if len(games) != total or len({game.key for game in games}) != total:
        found.append(Problem("store", f"{len(games)} games in the store, not {total}"))
    sides = Counter((Path(game.first).name, Path(game.second).name) for game in games)
    if (games and set(sides.values()) != {GAMES // 2}) or set(sides) - set(permutations(PLAYERS, 2)):
        found.append(Problem("store", f"unequal numbers of games: {dict(sides)}"))
    if len({str(game.moves) for game in games}) > 1:
        found.append(Problem("store", "games of players that always play alike differ"))
    try:
        if json.loads(last.out)["games"] != total:
            found.append(Problem("report", f"a report on {json.loads(last.out)['games']} games, not {total}"))
    except (ValueError, KeyError, TypeError) as error:
        found.append(Problem("report", f"no report: {error!r}"))
    return found
