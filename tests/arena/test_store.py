"""The store of finished games: nothing in it is lost, nothing is there twice."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from csp_sudoku import Board, SudokuError
from csp_sudoku.arena.failures import game_failures
from csp_sudoku.arena.head_to_head import KeptGame
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame, pair
from csp_sudoku.arena.store import Store
from csp_sudoku.game.outcome import Loss, OutcomeKind
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import GameRecord, Recorder, Turn
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.sandbox.limits import PlayerLimits
from csp_sudoku.sandbox.terms import GameTerms
from tests.cli.support import environment

BOARD = Board.parse("1234 3412 2143 432.")


OTHER = Board.parse("1234 3412 214. 432.")


ADDING = """
import sys
from tests.arena.test_store import record, scheduled_game
from csp_sudoku.arena.store import Store
from csp_sudoku.sandbox.limits import PlayerLimits
from csp_sudoku.sandbox.terms import GameTerms
with Store(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        store.add(scheduled_game(number), record())
        print(number, flush=True)
"""


def changed(path, statement):
    """Execute a statement on a store as another program would, and return its first row."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchone()


def record(winner=1) -> GameRecord:
    """A game of one turn, or of a lost one."""
    state = GameState.start(BOARD)
    recorder = Recorder(state, ("a", "b"), seed=1, time=0.5)
    state, outcome = state.play((3, 3, 1)) if winner == 1 else state.lose(Loss.CRASH)
    recorder.add(Turn.of(outcome))
    return recorder.finish(state)


def scheduled_game(number=0, first="a", second="b", **changes) -> ScheduledGame:
    """A game between two players that do not exist."""
    return ScheduledGame(first, second, changes.pop("board", BOARD), changes.pop("seconds", 0.5), number, **changes)


def adding(path, start, stop) -> subprocess.Popen:
    """A process that adds some games, and prints the number of each when it is there."""
    arguments = [sys.executable, "-c", ADDING, str(path), str(start), str(stop)]
    paths = os.pathsep.join(sys.path)
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, env=environment(PYTHONPATH=paths), text=True)


@pytest.mark.parametrize(
    "other",
    [
        scheduled_game(1),
        scheduled_game(second="c"),
        scheduled_game(first="b", second="a"),
        scheduled_game(board=OTHER),
        scheduled_game(seconds=0.6),
        scheduled_game(again=True),
        scheduled_game(seed=1),
        scheduled_game(terms=GameTerms(mode=PlayMode.ROWS)),
        scheduled_game(terms=GameTerms(api="v12")),
        scheduled_game(terms=GameTerms(full_time=True)),
        scheduled_game(terms=GameTerms(limits=PlayerLimits(memory=100))),
    ],
    ids=lambda one: one.key[:8],
)
def test_a_key_tells_games_apart(other):
    """Whatever a game depends on is in its key."""
    assert other.key != scheduled_game().key


def test_a_key_does_not_know_what_a_board_is_called():
    """The same board under another name is the same game; so is a time as an integer."""
    assert scheduled_game(name="x").key == scheduled_game(name="y").key
    assert scheduled_game(seconds=1).key == scheduled_game(seconds=1.0).key


def test_the_games_of_a_pair_share_board_and_seed_but_no_key():
    """Between equal players too."""
    for players in (("a", "b"), ("a", "a")):
        home, away = pair(*players, BOARD, 0.5, 3)
        assert (home.board, home.game_seed) == (away.board, away.game_seed)
        assert (home.first, home.second) == (away.second, away.first)
        assert home.key != away.key


def test_what_was_added_is_there_when_the_file_is_opened_again(tmp_path):
    """The whole record, the summary and the number of games."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        assert store.add(scheduled_game(), record())
        assert scheduled_game() in store
    with Store(path, create=False) as store:
        assert store.count == 1
        assert store.get(scheduled_game()) == GameSummary.of(record()) == GameSummary(1.0, (21 // 3, 0), (0, 0))
        assert store.record(scheduled_game()) == record()
        assert [parse_record(text) for text in store.records()] == [record()]
        assert store.get(scheduled_game(1)) is store.record(scheduled_game(1)) is None


def test_each_number_of_a_game_is_kept_in_its_place():
    """Points and skips of both players, all of them different, come back unchanged, with the data of the game."""
    skip = replace(record().turns[0], outcome=OutcomeKind.SKIPPED, reward=0)
    turns = (skip, *record().turns, replace(skip, player=2), skip, skip)
    game = replace(record(winner=2), scores=(9, 4), turns=turns)
    summary = GameSummary(0.0, (9, 4), (3, 1), game_failures(game))
    with Store() as store:
        store.add(scheduled_game(seconds=0.25, name="last"), game)
        assert store.get(scheduled_game(seconds=0.25)) == summary
        assert list(store.games()) == [KeptGame("a", "b", "last", 0.25, "classic", 1, summary)]


def test_many_games_are_looked_up_together():
    """The games that the store contains, by their keys, each as if it had been looked up alone."""
    games = [scheduled_game(number) for number in range(40)]
    with Store() as store:
        for game in games[::2]:
            store.add(game, record(winner=1 + game.number // 2 % 2))
        found = store.summaries(games)
        assert found == {game.key: store.get(game) for game in games[::2]}
        assert {summary.score for summary in found.values()} == {0.0, 1.0}
        assert store.summaries([]) == {}


def test_the_failures_of_a_game_come_from_its_record():
    """A stored game has the failures of its record, from the side of either player."""
    turn = replace(record().turns[0], error="sudokuai.py:1: ValueError: late")
    games = [replace(record(), turns=(turn,)), record(winner=2), record()]
    with Store() as store:
        for number, game in enumerate(games):
            store.add(scheduled_game(number), game)
        found = [game.summary for game in store.games()]
        assert found == [GameSummary.of(game) for game in games]
        assert [store.get(scheduled_game(number)) for number in range(3)] == found
        assert [[one.first is not None for one in summary.failures] for summary in found] == [
            [True, False],
            [True, False],
            [False, False],
        ]
        assert found[0].seen_by(first=False).failures == found[0].failures[::-1]
        (result,) = store.pairings()
    assert (result.failures.games, result.failures.played, result.failures_against.games) == (2, 3, 0)


def test_a_record_that_cannot_be_read_is_an_error(tmp_path):
    """A row whose record is needed for the failures, and is none, is named."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        store.add(scheduled_game(), record(winner=2))
    changed(path, "UPDATE games SET record = json_remove(record, '$.turns')")
    with Store(path) as store:
        assert store.get(scheduled_game()).failures == GameSummary(1, (0, 0), (0, 0)).failures
    changed(path, """UPDATE games SET record = json_set(record, '$.turns', 'x', '$.a', 'lost')""")
    with Store(path) as store, pytest.raises(SudokuError, match=r"games\.db, row 1"):
        store.get(scheduled_game())


def test_games_come_in_the_order_in_which_they_finished():
    """Whatever their keys and players are, records and games are listed as they were added."""
    names = ["c", "a", "d", "b"]
    with Store() as store:
        for name in names:
            store.add(scheduled_game(first=name), replace(record(), players=(name, "b")))
        assert [game.first for game in store.games()] == names
        assert [parse_record(text).players[0] for text in store.records()] == names


def test_games_share_what_is_equal():
    """Names and summaries are one object each, however many games there are: a report keeps all games in memory."""
    with Store() as store:
        for number in range(5):
            store.add(scheduled_game(number, name="short"), record())
        games = list(store.games())
    for part in ("first", "board", "mode", "summary"):
        assert len({id(getattr(game, part)) for game in games}) == 1


def test_no_game_is_there_twice(tmp_path):
    """A second record of the same game is not kept."""
    with Store(tmp_path / "games.db") as store:
        assert [store.add(scheduled_game(), record(winner)) for winner in (1, 2)] == [True, False]
        assert store.count == 1
        assert store.get(scheduled_game()).score == 1


def test_pairings_are_told_from_one_side():
    """Wins, draws, losses and points are those of the first player, whichever player moved first."""
    with Store() as store:
        store.add(scheduled_game(), record())
        store.add(scheduled_game(first="b", second="a"), record())
        store.add(scheduled_game(1, first="b", second="a"), record(winner=2))
        store.add(scheduled_game(first="a", second="a"), record())
        ours, theirs = store.pairings()
    assert ours[:6] == ("a", "a", 1, 1, 0, 0)
    assert theirs[:8] == ("a", "b", 3, 2, 0, 1, 7, 7)


def test_a_process_that_is_killed_loses_nothing(tmp_path):
    """All that a process said to be there is, after kill -9, and so is the file."""
    path = tmp_path / "games.db"
    with adding(path, 0, 100_000) as process:
        told = [int(process.stdout.readline()) for _ in range(25)]
        process.send_signal(signal.SIGKILL)
        told += map(int, filter(str.strip, process.stdout.read().splitlines()))
    with Store(path, create=False) as store:
        assert all(scheduled_game(number) in store for number in told)
        assert store.count in (len(told), len(told) + 1)


def test_what_is_there_is_there_without_closing_the_file(tmp_path):
    """A copy of the files at any moment, as a power cut would leave them, has all games that were added."""
    with Store(tmp_path / "games.db") as store:
        for number in range(5):
            store.add(scheduled_game(number), record())
            copy = tmp_path / f"copy{number}"
            copy.mkdir()
            for file in tmp_path.glob("games.db*"):
                if not file.name.endswith("-shm"):  # memory, not disk
                    shutil.copy(file, copy / file.name)
            with Store(copy / "games.db", create=False) as found:
                assert found.count == number + 1
        mode, synchronous = (
            store._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        )
    assert (mode, synchronous) == ("wal", 2)


@pytest.mark.slow
def test_two_processes_on_one_store(tmp_path):
    """Both make the file, both add games, some the same: each is there once."""
    path = tmp_path / "games.db"
    with adding(path, 0, 60) as one, adding(path, 30, 90) as other:
        assert [len(process.stdout.readlines()) for process in (one, other)] == [60, 60]
    with Store(path) as store:
        assert store.count == 90
    assert changed(path, "PRAGMA integrity_check") == ("ok",)


def test_a_store_has_a_name(tmp_path, monkeypatch):
    """An empty text names no file, and a name is looked up where the program runs, as any other."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SudokuError, match="expected the name of a store of games; found an empty text"):
        Store("")
    with pytest.raises(SudokuError, match=r"expected a store of games at games\.db; found none"):
        Store("games.db", create=False)
    Store("games.db").close()
    with Store("games.db", create=False) as store:
        assert (store.path, store.count) == ("games.db", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]
