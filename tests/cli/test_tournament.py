"""csp-sudoku tournament: many players, resumed whatever has ended it."""

import json
import signal

import pytest

from csp_sudoku.arena.store import Store
from csp_sudoku.cli.folding import folded
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.verification import verify
from tests.arena.support import AGENTS, clean, here, refuses
from tests.cli.support import told
from tests.cli.test_streams import posix, start
from tests.clock import wait_until

__all__ = ["clean"]

BROKEN = str(AGENTS / "breaks_when_made")
PLAYERS = ("random", "greedy", BROKEN)
TINY = ("--boards", "empty-2x2", "easy-2x2", "--time", "60", "--games", "2", "--jobs", "2")
"""A turn ends by itself, so the time is more than any machine needs."""


@pytest.fixture
def tournament(capsys):
    """The command."""
    return here("tournament", capsys)


@pytest.mark.slow
def test_tables_files_and_pictures(tournament, tmp_path):
    """Folded Markdown on standard output; in a folder Markdown, all numbers as JSON, and two pictures."""
    folder = tmp_path / "results"
    code, out, err = tournament(*PLAYERS, *TINY, "--out", folder)
    assert code == 0
    assert err.startswith("warning: breaks_when_made failed in 8 of 8 games; first in game ")
    assert "## Failures\n\n| player           |  games | crashes | " in (folder / "tables.md").read_text()
    assert out == folded((folder / "tables.md").read_text(), width=80)
    assert max(map(len, out.splitlines())) <= 80
    assert "\n- first of breaks_when_made: game " in out
    assert out.startswith("# round-robin: 3 players, 12 games on empty-2x2, easy-2x2, 60 s per turn\n")
    found = json.loads((folder / "tables.json").read_text())
    assert found["games"] == 12
    assert found["standings"][2]["player"] == "breaks_when_made"
    assert found["standings"][2]["failures"]["crashes"] == 8
    assert found["pairings"][1]["failures_against"]["crashes"] == 4
    assert found["pairings"][1]["failures"]["first"] is None
    assert {path.name for path in folder.iterdir()} == {"scores.png", "ratings.png", "tables.json", "tables.md"}


def test_the_object_on_standard_output(tournament):
    """--json prints the object and nothing else."""
    code, out, _ = tournament("--json", *PLAYERS[1:], *TINY, "--system", "swiss", "--time", "60,90")
    assert code == 0
    assert out.count("\n") == 1
    found = json.loads(out)
    assert found["games"] == 8
    assert [one["failures"]["crashes"] for one in found["standings"]] == [0, 8]


@pytest.mark.slow
@posix
def test_a_tournament_that_is_killed_goes_on(tournament, tmp_path):
    """After kill -9 in the middle, again and again, nothing is lost and nothing is played twice."""
    store = tmp_path / "games.db"
    arguments = ["random", "greedy", BROKEN, *TINY[:5], "--games", "14", "--jobs", "2", "--store", str(store)]
    told_once = []
    for games in (5, 20):
        with start("tournament", *arguments) as process:
            wait_until(lambda: process.poll() is not None or (store.exists() and len(_records(store)) >= games))  # noqa: B023
            process.send_signal(signal.SIGKILL)
            process.stdout.read()
        told_once = _records(store)
        assert games <= len(told_once) < 84
    code, out, _ = tournament(*arguments, "--json")
    assert code == 0
    records = _records(store)
    assert records[: len(told_once)] == told_once
    assert len(records) == json.loads(out)["games"] == 84
    assert len(set(records)) == 84
    assert all(verify(parse_record(record)) == [] for record in records[::10])


def _records(path):
    with Store(path) as store:
        return list(store.records())


@pytest.mark.slow
def test_more_players_cost_what_is_missing(tournament, tmp_path):
    """An added player meets the others; finished games are not repeated."""
    store = tmp_path / "games.db"
    for players, count in ((PLAYERS[:2], 4), (PLAYERS, 12), (PLAYERS[1:], 12)):
        assert tournament(*players, *TINY, "--store", store)[0] == 0
        assert len(_records(store)) == count


@pytest.mark.slow
@posix
def test_interrupt(tmp_path):
    """Ctrl-C reports the finished games, and the exit code is 130."""
    store = tmp_path / "games.db"
    with start("tournament", *PLAYERS, *TINY[:5], "--games", "5000", "--store", str(store)) as process:
        wait_until(lambda: process.poll() is not None or (store.exists() and len(_records(store)) >= 4))
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert told(err).endswith("interrupted\n")
    assert "# round-robin: 3 players" in (out if isinstance(out, str) else out.decode())


@pytest.mark.slow
@posix
def test_a_store_that_is_deleted_while_its_tournament_plays(tournament, tmp_path, monkeypatch):
    """One line and 2 after the table; the file that it names has all games that were played, and is gone on with."""
    path, add = tmp_path / "games.db", Store.add

    def add_and_delete(store, *game):
        if store.count == 1:
            path.unlink()
        return add(store, *game)

    arguments = ("random", "greedy", "--boards", "empty-2x2", "--time", "60", "--games", "3")
    monkeypatch.setattr(Store, "add", add_and_delete)
    code, out, err = tournament(*arguments, "--store", path)
    copy = tmp_path / "games-saved.db"
    assert code == 2
    assert out.startswith("# round-robin: 2 players, 1 game")
    assert err.count("\n") == 1
    assert f"expected the store of games at {path} to stay there; found none; its 2 games are in {copy} now" in err
    monkeypatch.setattr(Store, "add", add)
    assert len(_records(copy)) == 2
    assert tournament(*arguments, "--store", copy)[0] == 0
    assert len(_records(copy)) == 3
    assert not path.exists()


def test_an_agent_that_cannot_run_is_refused_before_the_first_game(tournament, tmp_path):
    """A syntax error is one line with its place, and 2; the players before the agent play no game."""
    agent, store = tmp_path / "agent", tmp_path / "games.db"
    agent.mkdir()
    (agent / "sudokuai.py").write_text("from .helper import x\n")
    (agent / "helper.py").write_text("x = 1\ny = = 2\n")
    code, out, err = tournament("random", "greedy", BROKEN, agent, *TINY, "--store", store)
    message = "expected to import the agent agent; found helper.py:2: SyntaxError: invalid syntax"
    assert (code, out, err) == (2, "", f"csp-sudoku: {message}\n")
    assert _records(store) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random"], "expected two players or more, all different"),
        (["random", "greedy", "random"], "expected two players or more, all different"),
        (["random", "gredy"], "did you mean 'greedy'?"),
        (["random", "greedy", "--system", "swis"], "did you mean 'swiss'?"),
        (["random", "greedy", "--time", "0.5,0.5"], "expected different times; found '0.5,0.5'"),
        (["random", "greedy", "--time", "0.5,0"], "expected a time per turn of more than 0"),
        (
            ["random", "greedy", "--rounds", "2"],
            "expected --rounds only with --system swiss; found --system round-robin",
        ),
        (["random", "greedy", "--out", f"{__file__}/x"], "expected a folder for results, found"),
        (["random", "~nosuchuser/agent"], "expected the folder of an agent; found none"),
        (["random", "greedy", "--games", "1000001"], "expected a whole number of at most 1000000; found '1000001'"),
        (["random", "greedy", "--out", "/dev/null/x"], "expected a folder for results, found"),
        (["random", "greedy", "--scheduler", "nowhere"], "expected a"),
    ],
)
def test_bad_input(tournament, tmp_path, arguments, message):
    """A tournament that cannot be played is one line on standard error before the games, and exit code 2."""
    if "--scheduler" in arguments:
        pytest.importorskip("distributed")
    refuses(tournament, arguments, message, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("option", [["--json", "old.json"], ["--json=old"], ["--markdown", "old.md"]], ids=" ".join)
def test_a_file_under_its_old_option(tournament, tmp_path, monkeypatch, option):
    """--json FILE and --markdown FILE write the file for one more version, and a line names --out."""
    monkeypatch.chdir(tmp_path)
    code, out, err = tournament("random", "greedy", *TINY, *option)
    assert code == 0
    assert out.startswith("# round-robin: 2 players")
    assert f"csp-sudoku: {option[0].partition('=')[0]} FILE is called --out FOLDER now\n" in err
    (file,) = tmp_path.glob("old*")
    text = file.read_text()
    assert folded(text, width=80) == out if file.suffix == ".md" else json.loads(text)["games"] == 4


@pytest.mark.slow
def test_the_old_dash_is_the_flag(tournament):
    """--json - is --json, and --markdown - prints the tables unfolded."""
    code, out, err = tournament("random", "greedy", *TINY, "--json", "-")
    assert (code, err) == (0, "csp-sudoku: --json - is called --json now\n")
    assert json.loads(out)["games"] == 4
    code, out, _ = tournament("random", "greedy", *TINY, "--markdown", "-")
    assert code == 0
    assert out.startswith("# round-robin: 2 players")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--json", "-", "--markdown", "-"], "expected one of --json and --markdown"),
        (["--json", "--markdown", "-"], "expected one of --json and --markdown"),
        (["--json", "/no/such/folder/x.json"], "expected a file to write, found no folder"),
        (["--json=/dev/null", "--markdown", "/dev/./null"], "expected --json and --markdown to be different files"),
        (["--json=/dev/null", "--store", "/dev/null"], "expected --store and --json to be different files"),
        (["--plot", "/dev/null/x"], "expected a folder for results, found"),
    ],
    ids=str,
)
def test_bad_files_of_old_options(tournament, options, message):
    """An old option whose file cannot be written is refused before any game."""
    code, out, err = tournament("random", "greedy", *options)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert " now" in err.splitlines()[0]
