"""Store: the games that are finished, in an SQLite file that survives whatever the program does not.

A game is in the file for good when `add` returns: it is a transaction of its own, and what it wrote is on the disk
(synchronous=FULL; without that, WAL might lose the last ones with the power). A game has one key, so it is there once,
whoever adds it and however often; several processes may use a store at the same time.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Any

from csp_sudoku.arena.closing import Closing
from csp_sudoku.arena.fixture import Fixture, Summary
from csp_sudoku.arena.pairings import KeptGame, PairingResult, pairing_results
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import GameRecord

APPLICATION = 0x63737073
"""What marks an SQLite file as a store of ours."""
VERSION = 1
PATIENCE = 60.0
"""Seconds to wait for others that write."""
IN_MEMORY = ":memory:"

_TABLE = """
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,   -- in the order in which they finished
    key TEXT NOT NULL UNIQUE,     -- of the fixture
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


class Store(Closing):
    """The finished games of a file; a context, which closes it. In memory, it lasts as long as it is open.

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
            # no transaction is left open: each statement is one
            self._connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        except sqlite3.Error as error:
            raise SudokuError(f"expected a store of games at {self.path}; found {error}") from error
        try:
            wrong = self._open(create=create)
        except sqlite3.Error as error:
            wrong = str(error)
        if wrong is not None:
            self._connection.close()
            raise SudokuError(f"expected a store of games, version {VERSION}, at {self.path}; found {wrong}")

    def _open(self, *, create: bool) -> str | None:
        """Make a store of an empty file, if one may be made; what was found, if that is neither a store nor empty."""
        run = self._connection.execute
        run("BEGIN")  # another process may make the store just now: before all of this, or after it
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
        _retried(lambda: run("PRAGMA journal_mode = WAL"))
        run("PRAGMA synchronous = FULL")
        if application != APPLICATION:
            run("BEGIN IMMEDIATE")  # another process may do the same now
            run(_TABLE)
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {VERSION}")
            run("COMMIT")
        return None

    def add(self, fixture: Fixture, record: GameRecord) -> bool:
        """Keep a finished game; whether it was not there before. When this returns, it is on the disk."""
        summary = Summary.of(record)
        names = map(_encodable, (fixture.first, fixture.second, fixture.name))
        row = (
            *(fixture.key, *names, fixture.seconds),
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
        return done.rowcount > 0

    def get(self, fixture: Fixture) -> Summary | None:
        """How a game went; None if it is not here."""
        query = f"SELECT {_NUMBERS} FROM games WHERE key = ?"  # noqa: S608 - constants
        row = self._first(query, fixture.key)
        return None if row is None else _summary(row)

    def record(self, fixture: Fixture) -> GameRecord | None:
        """The whole record of a game; None if it is not here."""
        row = self._first("SELECT record FROM games WHERE key = ?", fixture.key)
        return None if row is None else parse_record(row[0], self.path)

    def __contains__(self, fixture: Fixture) -> bool:
        return self.get(fixture) is not None

    @property
    def count(self) -> int:
        """How many games are here."""
        (count,) = self._first("SELECT count(*) FROM games")
        return int(count)

    def records(self) -> Iterator[str]:
        """The records of all games as JSON, in the order in which they finished."""
        for (record,) in self._rows("SELECT record FROM games ORDER BY number"):
            yield record

    def games(self) -> Iterator[KeptGame]:
        """All games without their turns, in the order in which they finished."""
        what = "first, second, board, seconds, json_extract(record, '$.mode'), json_extract(record, '$.seed')"
        query = f"SELECT {what}, {_NUMBERS} FROM games ORDER BY number"  # noqa: S608 - constants
        for first, second, board, seconds, mode, seed, *numbers in self._rows(query):
            yield KeptGame(first, second, board, seconds, mode, seed, _summary(numbers))

    def pairings(self, by: Sequence[str] = ()) -> list[PairingResult]:
        """The results of all pairings; see pairing_results."""
        return pairing_results(self.games(), by)

    def _first(self, query: str, *values: object) -> Any:
        """The first row that answers a question; None if there is none."""
        return next(self._rows(query, *values), None)

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """The rows that answer a question; SudokuError if the file is damaged, or cannot be read."""
        try:
            with closing(self._connection.execute(query, values)) as rows:
                yield from rows
        except sqlite3.Error as error:
            raise SudokuError(f"expected to read the games of {self.path}; found {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _summary(row: Sequence[Any]) -> Summary:
    """What _NUMBERS are, as one."""
    return Summary(row[0], (row[1], row[2]), (row[3], row[4]))


def _retried(change: Callable[[], object]) -> None:
    """Do what SQLite does not wait for by itself, when another process does the same."""
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
    from os import W_OK, access

    return path == IN_MEMORY or access(path, W_OK)


def _encodable(name: str) -> str:
    """A name without what UTF-8 has no bytes for: a file's name may be of other bytes."""
    return name.encode("utf-8", "backslashreplace").decode()
