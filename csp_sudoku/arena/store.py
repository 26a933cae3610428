"""Store: the finished games, in an SQLite file that survives a crash of the program and of the machine.

A game is in the file permanently when `add` returns: each game is its own transaction, and its data are on the disk
(synchronous=FULL; without that, WAL might lose the last games in a power failure). A game has one key, so the store
contains it once, whichever process adds it and however often. Several processes may use a store at the same time.

A row is checked when it is read, and an error names the row, because other programs can write to an SQLite file too. A
file that is deleted or replaced while it is open is an error as well. SQLite still has its games then, and the store
writes them to another file.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from os import PathLike
from pathlib import Path
from typing import Any

from csp_sudoku.arena.failures import NO_FAILURES, game_failures
from csp_sudoku.arena.head_to_head import KeptGame, PairingResult, pairing_results
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import GameRecord
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.sandbox.closing import Closing

APPLICATION = 0x63737073
"""The `application_id` that marks an SQLite file as a store of games."""
VERSION = 1
PATIENCE = 60.0
"""Seconds to wait for other processes that write to the file."""
IN_MEMORY = ":memory:"
"""The name of a store without a file. Data beyond 2 MB are in a temporary file without a name."""

_TABLE = """
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,   -- in the order in which they finished
    key TEXT NOT NULL UNIQUE,     -- of the scheduled game
    first TEXT NOT NULL,          -- the player that moved first
    second TEXT NOT NULL,
    board TEXT NOT NULL,          -- its name
    seconds REAL NOT NULL,        -- the time per turn
    score REAL NOT NULL,          -- of the player that moved first: 1, 0.5, 0
    points_first INTEGER NOT NULL,
    points_second INTEGER NOT NULL,
    skips_first INTEGER NOT NULL,
    skips_second INTEGER NOT NULL,
    record TEXT NOT NULL          -- the whole game, as JSON
) STRICT
"""
_NUMBERS = "score, points_first, points_second, skips_first, skips_second"
_RECORDED = "CASE WHEN json_valid(record) THEN json_extract(record, '$.mode', '$.seed', '$.result', '$.scores') END"
"""The mode, seed, result and scores of the record, as a JSON list; NULL if the record is not JSON."""
_FAILED = """CASE WHEN instr(record, '"lost"') OR instr(record, '"error"') THEN record END"""
"""The whole record if it may contain failures of a player, else NULL: reading a record takes time."""
_SHOWN = 40
"""Maximum number of characters of a value that an error message quotes."""
MOST_COPIES = 100
"""Maximum number of names that are tried in a folder for the copy of a store that was deleted."""


class Store(Closing):
    """The finished games of a file, as a context manager that closes it. A store in memory lasts until it is closed.

    >>> with Store() as store:
    ...     store.count
    0
    """

    def __init__(self, path: str | PathLike[str] = IN_MEMORY, *, create: bool = True) -> None:
        self.path = str(path)
        if not self.path:
            raise SudokuError("expected the name of a store of games; found an empty text")
        if self.path != IN_MEMORY and not create and not Path(path).is_file():
            found = "a folder" if Path(path).is_dir() else "none"
            raise SudokuError(f"expected a store of games at {self.path}; found {found}")
        try:
            # autocommit: each statement is its own transaction, so none is left open
            self._connection = sqlite3.connect(
                "" if self.path == IN_MEMORY else self.path, timeout=PATIENCE, isolation_level=None
            )
        except sqlite3.Error as error:
            raise SudokuError(f"expected a store of games at {self.path}; found {error}") from error
        try:
            wrong = self._open(create=create)
        except sqlite3.Error as error:
            wrong = str(error)
        if wrong is not None:
            self._connection.close()
            raise SudokuError(f"expected a store of games, version {VERSION}, at {self.path}; found {wrong}")
        self._file = None if self.path == IN_MEMORY else _identity(self.path)

    def _open(self, *, create: bool) -> str | None:
        """Open a store, or make one of an empty file if `create` is set; return a description of its fault, or None."""
        run = self._connection.execute
        run("BEGIN")  # one snapshot, as another process may make the store at the same time
        (application,), (version,) = run("PRAGMA application_id").fetchone(), run("PRAGMA user_version").fetchone()
        tables = run("SELECT count(*) FROM sqlite_master").fetchone()[0]
        run("COMMIT")
        if application == APPLICATION and version != VERSION:
            return f"version {version}"
        if application != APPLICATION and (application or version or tables):
            return "another database"
        if not _is_writable(self.path):
            return None if application == APPLICATION and not create else "no permission to write"
        if not (application or create):
            return "an empty file"
        retried(lambda: run("PRAGMA journal_mode = WAL"))
        run("PRAGMA synchronous = FULL")
        if application != APPLICATION:
            run("BEGIN IMMEDIATE")  # another process may do the same now
            run(_TABLE)
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {VERSION}")
            run("COMMIT")
        return None

    def add(self, scheduled_game: ScheduledGame, record: GameRecord) -> bool:
        """Add a finished game, and return whether it is new. The game is on the disk when this returns.

        Raise SudokuError if the file was deleted or replaced; the copy that the message names has this game as well.
        """
        summary = GameSummary.of(record)
        names = map(_encodable, (scheduled_game.first, scheduled_game.second, scheduled_game.name))
        row = (
            *(scheduled_game.key, *names, scheduled_game.seconds),
            *(summary.score, *summary.points, *summary.skips, record.to_json()),
        )
        try:
            done = self._connection.execute(
                f"INSERT INTO games (key, first, second, board, seconds, {_NUMBERS}, record)"  # noqa: S608 - constants
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                row,
            )
        except sqlite3.Error as error:
            raise SudokuError(f"expected to keep a game in {self.path}; found {error}") from error
        self.require_in_place()
        return done.rowcount > 0

    def require_in_place(self) -> None:
        """Copy the games to another file and raise SudokuError if the file was deleted or replaced while it is open."""
        if self._file is None:
            return
        found = _identity(self.path)
        if found == self._file:
            return
        self._file = None  # the error is raised once
        count = self.count
        what = "none" if found is None else "another file"
        copy = self._copied()
        games = f"{count} game{'s' * (count != 1)}"
        if copy is None:
            saved = f"its {games} could not be written to another file"
        else:
            saved = f"its {games} {'are' if count != 1 else 'is'} in {copy} now: go on with that store"
        raise SudokuError(f"expected the store of games at {self.path} to stay there; found {what}; {saved}")

    def _copied(self) -> str | None:
        """Write all games to a new file and return its name; None if no file can be written."""
        path = Path(self.path)
        for folder in (path.parent, Path(), Path(tempfile.gettempdir())):
            for number in range(1, MOST_COPIES):
                copy = folder / f"{path.stem}-saved{f'-{number}' if number > 1 else ''}{path.suffix}"
                if os.path.lexists(copy):
                    continue
                try:
                    self._connection.execute("VACUUM INTO ?", (str(copy),))
                    _sync(copy)
                except (sqlite3.Error, OSError):
                    with suppress(OSError):
                        copy.unlink()
                    break  # the folder is at fault, not the name
                return str(copy)
        return None

    def get(self, scheduled_game: ScheduledGame) -> GameSummary | None:
        """Return the summary of a game; None if the store does not contain it."""
        self.require_in_place()
        query = f"SELECT number, {_NUMBERS}, {_RECORDED}, {_FAILED} FROM games WHERE key = ?"  # noqa: S608 - constants
        row = self._first(query, scheduled_game.key)
        return None if row is None else _Row(self.path, *row).summary()

    def summaries(self, scheduled_games: Collection[ScheduledGame]) -> dict[str, GameSummary]:
        """Return the summaries of those games that the store contains, by their keys."""
        self.require_in_place()
        keys = json.dumps([scheduled_game.key for scheduled_game in scheduled_games])
        what = f"key, number, {_NUMBERS}, {_RECORDED}, {_FAILED}"
        query = f"SELECT {what} FROM games WHERE key IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
        return {key: _Row(self.path, *row).summary() for key, *row in self._rows(query, keys)}

    def record(self, scheduled_game: ScheduledGame) -> GameRecord | None:
        """Return the whole record of a game; None if the store does not contain it."""
        row = self._first("SELECT number, record FROM games WHERE key = ?", scheduled_game.key)
        return None if row is None else parse_record(row[1], f"{self.path}, row {row[0]}")

    def __contains__(self, scheduled_game: ScheduledGame) -> bool:
        return self.get(scheduled_game) is not None

    @property
    def count(self) -> int:
        """The number of games in the store."""
        (count,) = self._first("SELECT count(*) FROM games")
        return int(count)

    def records(self) -> Iterator[str]:
        """Yield the records of all games as JSON, in the order in which they finished."""
        for (record,) in self._rows("SELECT record FROM games ORDER BY number"):
            yield record

    def record_text(self, number: int) -> str | None:
        """Return the record of a game as JSON; None if the store has no such game.

        `number` counts the games from 1, in the order in which they finished.
        """
        row = self._first("SELECT record FROM games ORDER BY number LIMIT 1 OFFSET ?", number - 1)
        return None if row is None else str(row[0])

    def games(self) -> Iterator[KeptGame]:
        """Yield all games without their turns, in the order in which they finished.

        Equal names and equal summaries are one object, because a caller may keep all games.
        """
        shared: dict[Any, Any] = {}
        what = f"first, second, board, seconds, number, {_NUMBERS}, {_RECORDED}, {_FAILED}"
        for first, second, board, seconds, *rest in self._rows(f"SELECT {what} FROM games ORDER BY number"):  # noqa: S608
            row = _Row(self.path, *rest)
            row.expect("texts as the players and the board", [first, second, board], _are(str, first, second, board))
            is_time = _are(float, seconds) and 0 < seconds < math.inf
            row.expect("a time per turn of more than 0", seconds, is_time)
            summary = row.summary()
            ours, theirs, name, mode = (shared.setdefault(text, text) for text in (first, second, board, row.mode))
            yield KeptGame(ours, theirs, name, seconds, mode, row.seed, shared.setdefault(summary, summary))

    def pairings(self, by: Sequence[str] = ()) -> list[PairingResult]:
        """Return the results of all pairings; see pairing_results."""
        return pairing_results(self.games(), by)

    def _first(self, query: str, *values: object) -> Any:
        """Return the first row of a query; None if it has no rows."""
        return next(self._rows(query, *values), None)

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of a query; raise SudokuError if the file is damaged or cannot be read."""
        try:
            with closing(self._connection.execute(query, values)) as rows:
                yield from rows
        except sqlite3.Error as error:
            raise SudokuError(f"expected to read the games of {self.path}; found {error}") from error

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


class _Row:
    """A row of the table, whose values are checked before they are used."""

    def __init__(self, path: str, number: int, *values: Any) -> None:
        *self._numbers, recorded, self._failed = values
        self._source = f"{path}, row {number}"
        self._place = f"row {number} of {path}"
        self.mode: Any = None
        self.seed: Any = None
        self._result: Any = None
        self._scores: Any = None
        with suppress(ValueError, RecursionError):  # for integers of thousands of digits, or as many brackets
            self.mode, self.seed, self._result, self._scores = json.loads(recorded or "[null, null, null, null]")

    def expect(self, expected: str, found: object, is_met: bool) -> None:
        """Raise SudokuError unless the row meets the expectation."""
        if not is_met:
            raise SudokuError(f"expected {expected} in {self._place}; found {_quoted(found)}")

    def summary(self) -> GameSummary:
        """Return the summary of the game; raise SudokuError if it contradicts the record."""
        score, *counts = self._numbers
        points, skips = (counts[0], counts[1]), (counts[2], counts[3])
        self.expect("a score of 0, 0.5 or 1", score, score in (0, 0.5, 1))
        for what, pair in (("points", points), ("skips", skips)):
            for count in pair:
                self.expect(f"{what} of at least 0", count, _are(int, count) and count >= 0)
        self.expect("a record with a mode", self.mode, self.mode in list(PlayMode))
        self.expect("a record with a seed", self.seed, isinstance(self.seed, int | str | None))
        result = [score, 1 - score]
        for what, recorded, found in (("result", self._result, result), ("points", self._scores, [*points])):
            self.expect(f"the {what} of its record, {_quoted(recorded)},", found, found == recorded)
        failures = (NO_FAILURES, NO_FAILURES)
        if self._failed is not None:
            failures = game_failures(parse_record(self._failed, self._source))
        return GameSummary(float(score), points, skips, failures)


def _are(kind: type, *values: object) -> bool:
    return all(type(value) is kind for value in values)


def _quoted(value: object) -> str:
    """Return a value of a row as an error message quotes it."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _identity(path: str) -> tuple[int, int] | None:
    """Return the device and the inode of a file, which identify it; None if there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - the name as it was given
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _sync(path: Path) -> None:
    """Write a file through to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def retried(change: Callable[[], object]) -> None:
    """Run a change, and retry it while the database is locked: SQLite does not wait for this kind by itself."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            change()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _is_writable(path: str) -> bool:
    return path == IN_MEMORY or os.access(path, os.W_OK)


def _encodable(name: str) -> str:
    """Return a name with backslash escapes for surrogates, which come from file names that are not UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()
