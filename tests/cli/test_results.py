"""csp-sudoku results: the report on a store."""

import json
import sqlite3
from pathlib import Path

import pytest

from csp_sudoku.arena.statistics import score_interval
from csp_sudoku.arena.store import Store
from csp_sudoku.cli.main import execute
from tests.arena.support import here
from tests.arena.test_store import record, scheduled_game
from tests.cli.support import unfolded


@pytest.fixture
def store(tmp_path):
    """A store with three games of one pairing, and one of another."""
    path = tmp_path / "results.db"
    with Store(path) as kept:
        kept.add(scheduled_game(first="greedy", second="random"), record())
        kept.add(scheduled_game(first="random", second="greedy"), record())
        kept.add(scheduled_game(1, first="random", second="greedy"), record(winner=2))
        kept.add(scheduled_game(first="/no/longer/there", second="random"), record())
    return path


@pytest.fixture
def results(capsys):
    """The command."""
    return here("results", capsys)


def test_results_for_programs(results, store):
    """One object: how many games, and each pairing from the side of its first player."""
    code, out, err = results(store, "--json")
    found = json.loads(out)
    assert (code, out.count("\n"), found["games"]) == (0, 1, 4)
    assert err == "warning: random failed in 1 of 4 games; first in game 3, turn 1: crash\n"
    gone, ours = found["pairings"]
    assert gone["first"] == "/no/longer/there"
    keys = ("first", "second", "games", "wins", "draws", "losses", "points")
    assert [ours[key] for key in keys] == ["greedy", "random", 3, 2, 0, 1, 7]
    assert (ours["failures"]["games"], ours["failures_against"]["crashes"]) == (0, 1)
    assert ours["failures_against"]["first"] == {"game": 3, "turn": 1, "reason": "crash"}


def test_results_for_people(results, store):
    """A line for each pairing."""
    code, out, _ = results(store)
    assert code == 0
    assert out.splitlines()[0].endswith("results.db: 4 games")
    assert "greedy against random: 3 games; wins 2, draws 0, losses 1; points 7:7" in out
    assert out.splitlines()[-1] == "  failures of random, in 1 of 3 games: crashes 1"


def test_the_score_has_an_interval(results, store):
    """It comes from the pairs: two games of one are worth less than two of two."""
    ours = json.loads(results(store, "--json")[1])["pairings"][1]
    assert ours["score"] == 2 / 3
    assert ours["score_interval"] == list(score_interval([(1, 1, 0)]))  # all three have the seed of one pair
    assert "; score 66.7%, 95 % interval 23.7% to 92.8%" in unfolded(results(store)[1])


def test_parts(results, tmp_path):
    """The games of a pairing are split by the requested column, and by nothing else."""
    path = tmp_path / "parts.db"
    with Store(path) as kept:
        for number, (seconds, board) in enumerate([(0.5, "x"), (2.0, "x"), (2.0, "y"), (10.0, "y")]):
            kept.add(scheduled_game(number, seconds=seconds, name=board), record())
    for parts, expected in (
        ("board", [("x", None, 2), ("y", None, 2)]),
        ("time", [(None, 0.5, 1), (None, 2.0, 2), (None, 10.0, 1)]),
        (" time , board ", [("x", 0.5, 1), ("x", 2.0, 1), ("y", 2.0, 1), ("y", 10.0, 1)]),
        ("mode", [(None, None, 4)]),
    ):
        found = json.loads(results(path, "--json", "--by", parts)[1])["pairings"]
        assert [(one.get("board"), one.get("time"), one["games"]) for one in found] == expected
    assert "a against b, 0.5 s, x: 1 game; wins 1" in results(path, "--by", "time,board")[1]
    code, out, err = results(path, "--by", "bord")
    assert (code, out) == (2, "")
    assert "did you mean 'board'?" in err
    assert results(path, "--by", "bord", "--records", tmp_path / "games.jsonl")[0] == 2
    assert not (tmp_path / "games.jsonl").exists()


def test_records(results, store, tmp_path, capsys):
    """All records, a line each, in a file or on standard output, as `replay` reads them."""
    path = tmp_path / "games.jsonl"
    assert results(store, "--records", path)[0] == 0
    assert execute(["replay", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == {"games": 4, "valid": True, "problems": []}
    assert results(store, "--records", "-")[1] == path.read_text()


def test_a_store_that_cannot_be_written_to(results, store):
    """Reading asks for no more than reading, and changes nothing."""
    store.chmod(0o400)
    before = store.read_bytes()
    assert results(store, "--json")[0] == 0
    assert store.read_bytes() == before


def test_bad_input(results, tmp_path):
    """A file that is no store is one line, and exit code 2; no file is created."""
    text = tmp_path / "text"
    text.write_text("1234" * 1000)
    for path, message in ((tmp_path / "none", "found none"), (text, "not a database"), (tmp_path, "found a folder")):
        code, out, err = results(path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--records", "-"]], ids=str)
def test_a_store_that_is_damaged(results, store, arguments):
    """A file that can no longer be read is one line, and exit code 2."""
    with Store(store) as kept:
        for number in range(2, 200):
            kept.add(scheduled_game(number), record())
    data = bytearray(store.read_bytes())
    data[8192:] = b"\x5a" * len(data[8192:])
    store.write_bytes(data)
    code, _, err = results(store, *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert "expected to read the games of" in err


def test_the_store_is_not_written_over(results, store):
    """Records do not go where they come from."""
    before = store.read_bytes()
    code, out, err = results(store, "--records", store.parent / "." / store.name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "expected STORE and --records to be different files; found" in err
    assert store.read_bytes() == before


def test_records_that_cannot_be_written(results, store):
    """A file that cannot be written is bad input."""
    code, _, err = results(store, "--records", "/no/such/folder/x")
    assert (code, err) == (
        2,
        "csp-sudoku: /no/such/folder/x: expected a file to write, found no such file or directory\n",
    )


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("score = 7.5", "expected a score of 0, 0.5 or 1 in row 2 of {}; found 7.5"),
        ("points_first = -99", "expected points of at least 0 in row 2 of {}; found -99"),
        ("record = '{}'", "expected a record with a mode in row 2 of {}; found null"),
    ],
)
def test_a_store_with_rows_that_are_no_games(results, store, change, found):
    """Nothing is tallied: one line names the file, the row and the fault, and the exit code is 2."""
    with sqlite3.connect(store) as connection:
        connection.execute(f"UPDATE games SET {change} WHERE number = 2")
    connection.close()
    assert results(store) == (2, "", f"csp-sudoku: {found.replace('{}', str(store))}\n")


@pytest.fixture
def mixed(tmp_path):
    """A store with games of three players, on two boards with two times, and a game of a player against itself."""
    path = tmp_path / "mixed.db"
    with Store(path) as kept:
        for number, (first, second, winner) in enumerate(
            [("greedy", "random", 1), ("naive", "greedy", 1), ("random", "naive", 1), ("greedy", "random", 2)]
        ):
            kept.add(scheduled_game(number, first, second, name="xy"[number % 2], seconds=0.5), record(winner))
        kept.add(scheduled_game(9, "greedy", "naive", name="x", seconds=2.0), record())
        kept.add(scheduled_game(9, "random", "random", name="x"), record())
    return path


def test_the_tables_of_a_tournament(results, mixed):
    """The standings, the crosstable, the failures, and the tables by board and by time stand above the pairings."""
    code, out, err = results(mixed)
    assert code == 0
    headings = [line for line in out.splitlines() if line.startswith("#")]
    sections = ["Crosstable", "Failures", "By board: Elo, and score", "By time: Elo, and score", "Pairings"]
    assert headings == [f"# {mixed}: 6 games", *(f"## {section}" for section in sections)]
    assert out.splitlines()[2].startswith("|     | player | Elo | ")
    assert "| greedy | 1 of 4 | " in out
    assert "random against random: 1 game" in out.partition("## Pairings")[2]
    assert err.startswith("warning: greedy failed in 1 of 4 games; first in game 4, turn 1: crash")


def test_the_report_is_that_of_the_tournament(results, tmp_path, capsys):
    """From the games of one tournament, the store alone gives the same Markdown, ratings and crosstable."""
    store, ours, theirs = (str(tmp_path / name) for name in ("t.db", "ours.md", "theirs.md"))
    where = ["--boards", "easy-2x2", "--time", "60", "--games", "4", "--jobs", "2"]
    files = ["--store", store, "--markdown", theirs, "--json", str(tmp_path / "t.json")]
    assert execute(["tournament", "greedy", "random", *where, *files]) == 0
    capsys.readouterr()
    code, out, _ = results(store, "--markdown", ours, "--json")
    assert code == 0
    mine, other = (Path(path).read_text("utf-8") for path in (ours, theirs))
    assert mine.startswith(f"# {store}: 2 players, 4 games on easy-2x2, 60 s per turn\n")
    assert mine.partition("\n")[2] == other.partition("\n")[2]
    found, expected = json.loads(out), json.loads((tmp_path / "t.json").read_text())
    for key in ("games", "players", "boards", "times", "standings", "crosstable", "by_board", "by_time"):
        assert found[key] == expected[key], key
    [one], [other] = found["pairings"], expected["pairings"]
    assert {key: one[key] for key in ("elo", "elo_interval")} == {key: other[key] for key in ("elo", "elo_interval")}


def test_some_players(results, mixed):
    """--players reports the games between these players, with their numbers in the store."""
    code, out, err = results(mixed, "--players", "random, greedy", "--json")
    found = json.loads(out)
    assert (code, found["games"]) == (0, 3)
    assert [one["name"] for one in found["players"]] == ["greedy", "random"]
    assert found["crosstable"] == [[None, 0.5], [0.5, None]]
    assert [(one["first"], one["second"]) for one in found["pairings"]] == [("greedy", "random"), ("random", "random")]
    assert err.startswith("warning: greedy failed in 1 of 2 games; first in game 4, turn 1")
    code, out, err = results(mixed, "--players", "random,gredy")
    assert (code, out) == (2, "")
    assert "did you mean 'greedy'?" in err
    assert "expected two players of the store or more" in results(mixed, "--players", "random")[2]


def test_pictures(results, mixed, tmp_path):
    """--plot draws the two pictures of a tournament."""
    assert results(mixed, "--plot", tmp_path / "pictures")[0] == 0
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"scores.png", "ratings.png"}


def test_one_output(results, mixed):
    """With --markdown - only the tables are printed, and two outputs on standard output are refused."""
    assert results(mixed, "--markdown", "-")[1].startswith(
        f"# {mixed}: 3 players, 5 games on x, y, 0.5, 2 s per turn\n\n|"
    )
    code, out, err = results(mixed, "--markdown", "-", "--json")
    assert (code, out) == (2, "")
    assert err == "csp-sudoku: expected one output on standard output; found --json and --markdown -\n"


@pytest.mark.parametrize("games", [0, 1])
def test_a_store_without_two_players(results, tmp_path, games):
    """Nothing is rated where no two players have met; no output fails by that."""
    path = tmp_path / "few.db"
    with Store(path) as kept:
        for number in range(games):
            kept.add(scheduled_game(number, "random", "random"), record())
    code, out, _ = results(path)
    assert (code, out.count(": 1 game; "), "|" in out) == (0, games, False)
    found = json.loads(results(path, "--json")[1])
    assert (found["games"], found["standings"], found["crosstable"]) == (games, [], [])
    assert results(path, "--plot", tmp_path / "pictures", "--markdown", tmp_path / "t.md")[0] == 0
