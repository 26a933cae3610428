"""Matches and tournaments of many games: when the first one is played, and what it takes to go on with all finished."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.battery import BOARD, environment
from tests.attack.verdict import CLOCK, Problem, Verdict
from tests.attack.watch import Seen, observe

BEGUN, GAMES = 60_000, 100_000
"""The number of games of a match that begins, and of one of which all games are finished."""
SHORT = 20
"""The number of games of a match with whose memory that of the large one is compared."""
MEGABYTES, ALLOWANCE = 100.0, 16.0
"""Bounds of the memory: to go on with finished games, and beyond that of the short match."""
TOKEN = "csp-attack-0000000"
FIRST = 10.0
"""Seconds between the making of the store and its first game, on a busy machine."""
LIMIT = 600.0
PLAYERS = {"match": ("greedy", "random"), "tournament": ("greedy", "naive", "champion", "random")}
KEYS = """
import sys
from csp_sudoku.arena.match import Match
from csp_sudoku.arena.schedule import NamedBoard
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.board import load_many
boards = [NamedBoard("board", next(iter(load_many("board.txt"))))]
players, games = sys.argv[2:], int(sys.argv[1])
if len(players) == 2:
    found = Match(*players, boards, games=games, seconds=0.2, seed=1)
else:
    found = Tournament(players, players, boards, [0.2], games, seed=1)
for game in found.scheduled_games:
    print(game.key, game.game_seed, game.first, game.second)
"""
"""The keys of games are the product's own; the store is filled by other means."""


def verdict(_: int) -> Verdict:
    """Begin a match of many games, and go on with a match and a tournament of which all games are finished."""
    problems, told = [], []
    with TemporaryDirectory(prefix="csp-attack-") as folder:
        place = Path(folder)
        (place / "board.txt").write_text(BOARD)
        short = observe(
            _command(place, "match", SHORT, place / "sample.db"),
            environment(place, TOKEN),
            place,
            token=TOKEN,
            limit=LIMIT,
        )
        if not _count(place / "sample.db"):
            text = f"no game of a short match within {short.seconds:.0f} s: {short.err[-200:]!r}"
            return Verdict("many", 0, "little memory, at once", "no game", (Problem(CLOCK, text),))
        found, seconds, seen = _begun(place)
        told.append(f"first game after {seconds:.1f} s, {seen.megabytes - short.megabytes:+.0f} MB")
        problems += found
        if seen.megabytes > short.megabytes + ALLOWANCE:
            problems.append(
                Problem("memory", f"{BEGUN} games: {seen.megabytes:.0f} MB, {SHORT}: {short.megabytes:.0f} MB")
            )
        for command in PLAYERS:
            problems += _resumed(place, command, told)
    return Verdict("many", BEGUN + 2 * GAMES, "little memory, at once", "; ".join(told), tuple(problems))


def _command(place: Path, command: str, games: int, store: Path) -> list[str]:
    """A command line, whose games are those of KEYS."""
    line = [sys.executable, "-m", "csp_sudoku", command, *PLAYERS[command], "--boards", str(place / "board.txt")]
    return [*line, "--games", str(games), "--time", "0.2", "--seed", "1", "--json", "--store", str(store)]


def _begun(place: Path) -> tuple[list[Problem], float, Seen]:
    """Begin a match; what is wrong, and the seconds between the making of the store and the first game."""
    store, moments = place / "begun.db", []

    def look() -> None:
        if not moments and store.exists():
            moments.append(time.monotonic())
        if len(moments) == 1 and _count(store):
            moments.append(time.monotonic())

    command = _command(place, "match", BEGUN, store)
    seen = observe(command, environment(place, TOKEN), place, token=TOKEN, limit=LIMIT, kill_after=20, on_look=look)
    seconds = moments[-1] - moments[0] if moments else 0.0
    if len(moments) < 2 or seconds > FIRST:
        return [Problem(CLOCK, f"{seconds:.1f} s until the first of {BEGUN} games, or more")], seconds, seen
    return [], seconds, seen


def _resumed(place: Path, command: str, told: list[str]) -> list[Problem]:
    """Go on with a match or a tournament of which all games are finished; what is wrong."""
    store, players = place / f"{command}.db", PLAYERS[command]
    pairings = len(players) * (len(players) - 1) // 2
    each = GAMES // pairings
    environ = environment(place, TOKEN)
    keys = subprocess.run(
        [sys.executable, "-c", KEYS, str(each), *players], cwd=place, env=environ, capture_output=True, check=True
    ).stdout.decode()
    fill(store, place / "sample.db", [line.split() for line in keys.splitlines()])
    seen = observe(_command(place, command, each, store), environ, place, token=TOKEN, limit=LIMIT)
    told.append(f"{command} of {each * pairings:,} finished games: {seen.megabytes:.0f} MB, {seen.seconds:.0f} s")
    found = []
    if seen.megabytes > MEGABYTES:
        found.append(Problem("memory", f"a finished {command}: {seen.megabytes:.0f} MB"))
    try:
        games = json.loads(seen.out)["games"]
    except (ValueError, KeyError, TypeError) as error:
        return [*found, Problem("report", f"{command}: no report: {error!r}: {seen.err[-200:]!r}")]
    if games != each * pairings:
        found.append(Problem("report", f"{command}: a report on {games} games, not {each * pairings}"))
    return found


def fill(store: Path, sample: Path, games: list[list[str]]) -> None:
    """Make a store of games, each with its key, seed and players, that all go like the first one of a sample."""
    with closing(sqlite3.connect(sample)) as connection:
        connection.execute("VACUUM INTO ?", (str(store),))
    with closing(sqlite3.connect(store)) as connection, connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        row = dict(zip(names, connection.execute("SELECT * FROM games LIMIT 1").fetchone(), strict=True))
        connection.execute("DELETE FROM games")
        record = json.loads(row["record"])

        def rows():
            for number, (key, game_seed, first, second) in enumerate(games, 1):
                told = json.dumps(record | {"seed": int(game_seed)})
                yield tuple(
                    {**row, "number": number, "key": key, "first": first, "second": second, "record": told}.values()
                )

        connection.executemany(f"INSERT INTO games VALUES ({', '.join('?' * len(names))})", rows())


def _count(store: Path) -> int:
    """The number of games in a store; 0 if it cannot be read yet."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    return 0
