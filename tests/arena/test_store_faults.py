"""A store that is no store, damaged, locked, deleted or written by others: one precise error, and nothing lost."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing

import pytest

from csp_sudoku import SudokuError
from csp_sudoku.arena import store as store_module
from csp_sudoku.arena.scheduled_game import GameSummary
from csp_sudoku.arena.store import Store
from tests.arena.test_store import changed, record, scheduled_game
from tests.cli.test_streams import posix


def test_what_is_no_store_is_refused(tmp_path):
    """Another file, another database, a store of a later version, none at all: one line, and nothing is changed."""
    text = tmp_path / "text"
    text.write_text("no database, but long enough to look like one" * 100)
    database = tmp_path / "database"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE cats (name)")
    connection.close()
    later = tmp_path / "later"
    Store(later).close()
    changed(later, "PRAGMA user_version = 9")
    for path, found in ((text, "not a database"), (database, "another database"), (later, "version 9")):
        before = path.read_bytes()
        with pytest.raises(SudokuError, match=f"expected a store of games, version 1, at {path}; found .*{found}"):
            Store(path)
        assert path.read_bytes() == before
    for path, found in ((tmp_path / "none", "none"), (tmp_path, "a folder")):
        with pytest.raises(SudokuError, match=f"expected a store of games at {path}; found {found}$"):
            Store(path, create=False)
    assert not (tmp_path / "none").exists()
    with pytest.raises(SudokuError, match=r"expected a store of games at .*/no/folder; found unable to open"):
        Store(tmp_path / "no" / "folder")


@pytest.mark.parametrize("mark", ["application_id", "user_version"])
def test_an_empty_database_with_a_mark_of_others_is_theirs(tmp_path, mark):
    """A database without tables is none of ours if another program has put its mark on it."""
    path = tmp_path / "games.db"
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA {mark} = 1")
    connection.close()
    with pytest.raises(SudokuError, match="found another database"):
        Store(path)


def test_the_file_of_a_store_is_marked_as_ever(tmp_path):
    """Stores that were made by earlier versions stay readable: the application is "csps", the version 1."""
    path = tmp_path / "games.db"
    Store(path).close()
    header = path.read_bytes()[:100]
    assert (header[68:72], int.from_bytes(header[60:64])) == (b"csps", 1)


def test_only_who_may_make_a_store_makes_one(tmp_path, monkeypatch):
    """A reader leaves an empty file empty, and without permission to write no game begins."""
    path, empty = tmp_path / "games.db", tmp_path / "empty.db"
    for file in (path, empty):
        file.touch()
        with pytest.raises(SudokuError, match="found an empty file"):
            Store(file, create=False)
        assert file.stat().st_size == 0
    with Store(path) as store:
        assert store.add(scheduled_game(), record())
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    monkeypatch.chdir(tmp_path)
    for file, create in ((path, True), (empty, True), (empty, False), ("games.db", True)):
        with pytest.raises(SudokuError, match="found no permission to write"):
            Store(file, create=create)
    with Store(path, create=False) as store:
        assert store.count == 1
    with Store() as store:
        assert store.count == 0


def test_who_reads_does_not_wait_for_who_writes(tmp_path, monkeypatch):
    """A store that another process writes to can be read; adding a game waits, and then reports the reason."""
    path = tmp_path / "games.db"
    monkeypatch.setattr(store_module, "PATIENCE", 0.01)
    with Store(path) as writer:
        writer.add(scheduled_game(), record())
        with closing(sqlite3.connect(path, isolation_level=None)) as other, Store(path) as reader:
            other.execute("BEGIN IMMEDIATE")
            assert reader.count == 1
            with pytest.raises(SudokuError, match=f"expected to keep a game in {path}; found database is locked"):
                reader.add(scheduled_game(1), record())
            other.execute("COMMIT")
        assert writer.count == 1


def test_a_store_that_cannot_be_read_says_so(tmp_path):
    """A damaged or closed store is one error with the name of the file, whatever is asked."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        changed(path, "ALTER TABLE games RENAME TO gone")
        for ask in (
            lambda: store.count,
            lambda: store.get(scheduled_game()),
            lambda: list(store.records()),
            store.pairings,
        ):
            with pytest.raises(SudokuError, match=f"expected to read the games of {path}; found no such table"):
                ask()
    with pytest.raises(SudokuError, match="closed database"):
        store.count  # noqa: B018 - a property that asks


class Clock:
    """A clock that advances only while somebody sleeps."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        assert seconds > 0
        self.now += seconds


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("score = 7.5", "expected a score of 0, 0.5 or 1 in row 2 of PATH; found 7.5"),
        ("score = 0.5", "expected the result of its record, [1, 0], in row 2 of PATH; found [0.5, 0.5]"),
        ("points_first = -99", "expected points of at least 0 in row 2 of PATH; found -99"),
        ("points_second = 8", "expected the points of its record, [7, 0], in row 2 of PATH; found [7, 8]"),
        ("skips_second = -1", "expected skips of at least 0 in row 2 of PATH; found -1"),
        ("record = '{}'", "expected a record with a mode in row 2 of PATH; found null"),
        ("record = '[7'", "expected a record with a mode in row 2 of PATH; found null"),
        ("record = json_set(record, '$.mode', 1)", "expected a record with a mode in row 2 of PATH; found 1"),
        ("record = json_set(record, '$.seed', 1.5)", "expected a record with a seed in row 2 of PATH; found 1.5"),
        (f"record = '{{\"seed\": {'9' * 5000}}}'", "expected a record with a mode in row 2 of PATH"),
    ],
)
def test_a_row_that_is_no_game_is_named(tmp_path, change, message):
    """For any value that another program has written into a row, the error names the file, the row, and the fault."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        for number in range(3):
            store.add(scheduled_game(number), record())
        changed(path, f"UPDATE games SET {change} WHERE number = 2")
        for ask in (store.pairings, lambda: list(store.games()), lambda: store.get(scheduled_game(1))):
            with pytest.raises(SudokuError) as caught:
                ask()
            assert str(caught.value).replace(str(path), "PATH").startswith(message)
        assert store.get(scheduled_game(2)) == GameSummary.of(record())


@pytest.mark.parametrize("seconds", ["0", "-1", "9e999"])
def test_a_time_that_is_none_is_named(seconds, tmp_path):
    """The time per turn of a row is checked as well."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        store.add(scheduled_game(), record())
        changed(path, f"UPDATE games SET seconds = {seconds}")
        with pytest.raises(SudokuError, match=f"expected a time per turn of more than 0 in row 1 of {path}; found"):
            store.pairings()


def test_a_record_that_does_not_read_is_named(tmp_path):
    """The error of a record that is damaged names its row."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        store.add(scheduled_game(), record())
        changed(path, "UPDATE games SET record = '{}'")
        with pytest.raises(SudokuError, match=rf"^{path}, row 1, line 1: expected the key rows, found none"):
            store.record(scheduled_game())


@posix
@pytest.mark.parametrize("found", ["none", "another file"])
def test_a_store_that_is_deleted_gives_its_games_to_another_file(tmp_path, found):
    """The next game notices it: the error names a new store that has all games, this one too, and is a good one."""
    path, copy = tmp_path / "games.db", tmp_path / "games-saved-2.db"
    (tmp_path / "games-saved.db").write_text("of somebody else")
    with Store(path) as store:
        store.add(scheduled_game(), record())
        for file in tmp_path.glob("games.db*"):
            file.unlink()
        if found == "another file":
            path.write_text("of somebody else")
        saved = f"its 2 games are in {copy} now: go on with that store"
        message = f"^expected the store of games at {path} to stay there; found {found}; {saved}$"
        with pytest.raises(SudokuError, match=message):
            store.add(scheduled_game(1), record())
    with Store(copy, create=False) as saved:
        assert [saved.get(scheduled_game(number)) for number in (0, 1)] == [GameSummary.of(record())] * 2
        assert saved.add(scheduled_game(2), record())
    names = {"games-saved.db", "games-saved-2.db"} | ({"games.db"} if found == "another file" else set())
    assert {file.name for file in tmp_path.iterdir()} == names
    assert all((tmp_path / name).read_text() == "of somebody else" for name in names - {copy.name})


@posix
@pytest.mark.parametrize("place", ["working", "temporary", "nowhere"])
def test_a_store_whose_folder_is_deleted_gives_its_games_to_another_folder(tmp_path, monkeypatch, place):
    """The working folder is the second choice, then the folder for temporary files; a mere query reports it too."""
    gone, folder = tmp_path / "gone", tmp_path / place
    gone.mkdir()
    folder.mkdir()
    monkeypatch.chdir(folder if place == "working" else gone)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    if place == "nowhere":
        monkeypatch.setattr(store_module, "MOST_COPIES", 1)
    with Store(gone / "games.db") as store:
        store.add(scheduled_game(), record())
        shutil.rmtree(gone)
        saved = "could not be written to another file$" if place == "nowhere" else "is in .*games-saved.db now"
        with pytest.raises(SudokuError, match=rf"games\.db to stay there; found none; its 1 game {saved}"):
            store.get(scheduled_game(1))
    if place == "nowhere":
        assert list(folder.iterdir()) == []
    else:
        with Store(folder / "games-saved.db", create=False) as saved:
            assert saved.count == 1


def test_what_is_locked_is_tried_again_for_a_minute(monkeypatch):
    """SQLite does not wait for a change of the journal by itself: the store does, and for nothing else."""
    clock, answers = Clock(), ["database is locked", "database table is locked", None, "disk I/O error"]
    monkeypatch.setattr(store_module, "time", clock)

    def change():
        if answer := answers.pop(0):
            raise sqlite3.OperationalError(answer)

    store_module.retried(change)
    assert answers == ["disk I/O error"]
    before = clock.now
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        store_module.retried(change)
    assert clock.now == before
    answers += ["database is locked"] * 10_000
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        store_module.retried(change)
    assert clock.now - before == pytest.approx(store_module.PATIENCE, abs=0.1)


def test_names_may_be_of_any_bytes(tmp_path):
    """Bytes of a file name that are not UTF-8 are shown by their numbers."""
    strange = os.fsdecode(b"caf\xe9")
    with Store(tmp_path / "games.db") as store:
        assert store.add(scheduled_game(first=strange, name=strange), record())
        assert store.get(scheduled_game(first=strange)) is not None
        assert store.pairings()[0].second == "caf\\udce9"
