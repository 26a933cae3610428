"""csp-sudoku match: many games between two players."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from csp_sudoku import SudokuError
from csp_sudoku.arena.store import Store
from csp_sudoku.game.reading import parse_record
from tests.arena.support import AGENTS, clean, here, refuses
from tests.cli.support import environment, run, told, unfolded
from tests.cli.test_streams import Terminal, posix, start
from tests.clock import wait_until

__all__ = ["clean"]

BROKEN = str(AGENTS / "breaks_when_made")
FIRST = "first in game 1, turn 2: sudokuai.py:11: ValueError: nobody may make me"
TINY = ("--boards", "empty-2x2", "--time", "60")
"""A turn ends by itself, so the time is more than any machine needs."""
KEYS = ["games", "wins", "draws", "losses", "points", "skips", "score", "elo", "elo_interval"]


@pytest.fixture
def match(capsys):
    """The command."""
    return here("match", capsys)


def test_the_object_for_programs(match):
    """With --json one object is all there is: the results from the side of A."""
    code, out, err = match("random", BROKEN, *TINY, "--games", 6, "--jobs", 2, "--json")
    found = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    assert err == f"warning: breaks_when_made failed in 6 of 6 games; {FIRST}\n"
    assert list(found)[: len(KEYS)] == KEYS
    assert [found[key] for key in KEYS[:4]] == [6, 6, 0, 0]
    assert (found["score"], found["elo"]) == (1, 1200)
    assert -100 < found["elo_interval"][0] < found["elo_interval"][1] == 1200
    other = json.loads(match(BROKEN, "random", *TINY, "--games", 6, "--json")[1])
    assert [other[key] for key in KEYS[:4]] == [6, 0, 0, 6]
    assert other["elo"] == -1200


@pytest.mark.slow
def test_a_finished_match_needs_no_solver(match, tmp_path):
    """If all games are in the store, numba is not imported, which takes 60 MB, and the report is the same."""
    arguments = ["random", "random", *TINY, "--games", "2", "--json", "--store", str(tmp_path / "games.db")]
    first = match(*arguments)[1]
    script = "import sys; from csp_sudoku.cli.main import execute; execute(['match', *sys.argv[1:]]); "
    script += "print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{first}False\n"


def test_the_report_for_people(match):
    """The players, wins, points, skips, and the Elo difference with its interval."""
    code, out, _ = match("random", BROKEN, *TINY, "--games", 3)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "# random against breaks_when_made, 3 games"
    assert lines[1] == "wins 3, draws 0, losses 0; score 100.0%"
    assert [line.split(" per game")[0] for line in lines[2:4]] == ["points", "skips"]
    assert lines[4] == "failures of breaks_when_made, in 3 of 3 games: crashes 3"
    assert lines[-1].startswith("Elo difference +1200 or more, 95 % interval ")


def test_failures(match, tmp_path):
    """Each player's failures by kind, in the object and in lines; one warning names the first one."""
    late = AGENTS / "raises_late"
    (tmp_path / "last.txt").write_text("1234\n3412\n2143\n432.\n")
    where = ("--boards", tmp_path / "last.txt", "--time", "60", "--games", 2)
    code, out, err = match(late, BROKEN, *where, "--json")
    found = json.loads(out)
    assert code == 0
    reason = "raised after proposing: sudokuai.py:17: ValueError: too late"
    assert found["failures"]["raised_after_proposing"] == found["failures"]["games"] == 1
    assert found["failures"]["first"] == {"game": 1, "turn": 1, "reason": reason}
    assert found["failures_against"]["crashes"] == 1
    assert found["failures_against"]["first"]["game"] == 2
    assert err == f"warning: raises_late failed in 1 of 2 games; first in game 1, turn 1: {reason}\n"
    out, err = match("random", "greedy", *where)[1:]
    assert err == ""
    assert "failures" not in out


@pytest.mark.slow
def test_many_boards(match, tmp_path):
    """Files with one board or many, names in boards/ and empty ones, after --boards or with it again."""
    path = tmp_path / "two.txt"
    path.write_text("1234\n3412\n2143\n432.\n\n1234\n3412\n2143\n43..\n")
    store = tmp_path / "games.db"
    boards = ["--boards", "empty-2x2", str(path), "--boards", "easy-2x2", "--time", "60"]
    assert match("random", BROKEN, *boards, "--games", 8, "--store", store)[0] == 0
    with Store(store) as kept:
        names = [game.board for game in kept.games()]
    assert names == [name for name in ("empty-2x2", "two#1", "two#2", "easy-2x2") for _ in range(2)]
    assert json.loads(match(*boards, "--games", 2, "--json", "--", "random", BROKEN)[1])["games"] == 2


@pytest.mark.slow
def test_boards_by_name_and_as_puzzles(match, tmp_path):
    """--boards takes a name with .txt, an empty board, and puzzles, whose names are the same in the next run."""
    store = tmp_path / "games.db"
    boards = ["--boards", "easy-2x2.txt", "empty-2x2.txt", "123434122143432.", "123434122143 43..", "--time", "60"]
    for _ in range(2):
        assert match("random", BROKEN, *boards, "--games", 8, "--store", store)[0] == 0
    with Store(store) as kept:
        names = [game.board for game in kept.games()]
    assert names[::2] == names[1::2] == ["easy-2x2", "empty-2x2", "puzzle-d78fb951", "puzzle-e5b9dbd3"]


def test_a_store_is_gone_on_with(match, tmp_path, monkeypatch):
    """The same match again plays nothing; a longer one plays the missing games."""
    store = tmp_path / "games.db"
    first = match("random", BROKEN, *TINY, "--games", 4, "--store", store, "--json")[1]

    def again(*_):
        raise AssertionError("a game is played again")

    with monkeypatch.context() as patch:
        patch.setattr("csp_sudoku.arena.pool.play_scheduled_game", again)
        assert match("random", BROKEN, *TINY, "--games", 4, "--store", store, "--json")[1] == first
    assert json.loads(match("random", BROKEN, *TINY, "--games", 6, "--store", store, "--json")[1])["games"] == 6
    with Store(store) as kept:
        assert kept.count == 6


@pytest.mark.slow
def test_persistent_players_have_games_of_their_own(match, tmp_path):
    """A store keeps the games of persistent players apart from the others."""
    store = tmp_path / "games.db"
    for more, count in (([], 2), (["--persistent"], 4), (["--persistent"], 4)):
        assert match("random", "greedy", *TINY, "--games", 2, "--store", store, *more)[0] == 0
        assert _count(store) == count


@pytest.mark.slow
def test_sprt_stops_and_says_why(match):
    """A decided sequential test ends the match; the reason is reported."""
    code, out, _ = match("random", BROKEN, *TINY, "--games", 400, "--sprt", "elo0=0,elo1=400")
    assert code == 0
    assert "sprt: stopped, elo1=400 accepted after " in out
    assert " is at least 2.94" in unfolded(out)
    told = json.loads(match("random", BROKEN, *TINY, "--games", 2, "--sprt", "elo0=0,elo1=20", "--json")[1])
    assert (told["sprt"]["accepted"], told["sprt"]["pairs"]) == (None, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["randm", "random"], "did you mean 'random'?"),
        (["random"], "Missing argument 'B'."),
        (
            ["random", str(AGENTS / "breaks_at_import")],
            "found sudokuai.py:3: ModuleNotFoundError: No module named 'no_",
        ),
        (
            ["random", "random", "--boards", "no-such-board"],
            "no-such-board: expected a file, the name of a board or a puzzle",
        ),
        (["random", "random", "--boards", "UNSOLVABLE"], "expected a board with a completion to play on"),
        (["random", "random", "--time", "0"], "expected a time per turn of more than 0"),
        (["random", "random", "--games", "0"], "expected a whole number of at least 1"),
        (["random", "random", "--jobs", "0"], "expected a whole number of at least 1"),
        (["random", "random", "--sprt", "elo0=9,elo1=1"], "expected elo0 < elo1"),
        (["random", "random", "--store", "/no/such/folder/x.db"], "expected a store of games"),
        (["random", "random", "--store", ""], "expected the name of a store of games; found an empty text"),
        (["random", "random", "--boards", "empty-2x2", "EMPTY"], "found 'empty', which is the same as 'empty-2x2'"),
        (["random", "random", "--boards", "1234" * 100], "<argument>, line 1, column 5: expected each value once"),
    ],
)
def test_bad_input(match, tmp_path, arguments, message):
    """A match that cannot be played is one line before the games, and exit code 2; EMPTY is an empty 2×2."""
    (tmp_path / "empty.txt").write_text("....\n" * 4)
    refuses(match, [tmp_path / "empty.txt" if part == "EMPTY" else part for part in arguments], message, tmp_path)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("options", [[], ["--json"]], ids=str)
def test_interrupt(options, tmp_path):
    """Ctrl-C ends the program at once with 130; the finished games are reported, and in the store."""
    store = tmp_path / "games.db"
    arguments = ["random", "random", *TINY, "--games", "100000", "--jobs", "2", "--store", str(store), *options]
    with start("match", *arguments) as process:
        wait_until(lambda: process.poll() is not None or (store.exists() and _count(store) >= 6))
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert told(err) == "interrupted\n"
    text = out if isinstance(out, str) else out.decode()
    games = json.loads(text)["games"] if options else int(text.split(", ")[1].split()[0])
    assert 6 <= games <= _count(store) <= games + 1


@pytest.mark.slow
@posix
def test_interrupt_on_a_terminal():
    """Ctrl-C removes the progress bar permanently: the report and the last line begin at the beginning of a line."""
    terminal = Terminal("match", str(AGENTS / "stalls"), "random", *TINY, "--time", "600", "--games", "2")
    terminal.until(b"playing")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    _, clear, rest = terminal.shown.rpartition(b"\r\x1b[K")
    assert clear
    assert rest.startswith(b"\x1b[?25h\x1b[1m# stalls against random, 0 games")
    assert rest.endswith(b"\r\ninterrupted\r\n")
    assert b"playing" not in rest


def _count(path):
    """How many games a store has that another process is making."""
    with Store(path) as store:
        return store.count


@pytest.mark.slow
@posix
def test_a_bar_on_a_terminal():
    """On a terminal the progress is shown, and gone at the end."""
    arguments = ["match", str(AGENTS / "stalls"), BROKEN, *TINY, "--time", "1", "--games", "6"]
    terminal = Terminal(*arguments, env=environment(TERM="xterm"))
    assert terminal.end() == 0
    text = terminal.shown.decode()
    assert " of 6" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")
    assert "95 % interval" in text.splitlines()[-2]
    assert text.splitlines()[-1].startswith("warning: stalls failed in 3 of 6 games; first in game 1, turn 1: ")


@pytest.mark.slow
def test_full_time(tmp_path):
    """With --full-time a turn takes its time."""
    store = tmp_path / "games.db"
    options = ["--boards", "hard-2x2", "--games", "1", "--time", "0.3", "--full-time", "--store", str(store)]
    started = time.monotonic()
    assert run("match", "random", "random", *options).returncode == 0
    took = time.monotonic() - started
    with Store(store) as kept:
        (record,) = map(parse_record, kept.records())
    assert took > 0.3 * len(record.turns)


@pytest.mark.slow
def test_what_is_done_is_told_when_another_game_cannot_be(match, monkeypatch):
    """An error that ends a match late takes nothing away: the table, then one line, and 2."""
    add, added = Store.add, []

    def full(*arguments):
        if len(added) == 3:
            raise SudokuError("expected to keep a game in games.db; found a full disk")
        added.append(add(*arguments))
        return added[-1]

    monkeypatch.setattr(Store, "add", full)
    code, out, err = match("random", BROKEN, *TINY, "--games", 8, "--json")
    assert code == 2
    warning, message = err.splitlines()
    assert warning.startswith("warning: breaks_when_made failed in 3 of 3 games; ")
    assert message == "csp-sudoku: expected to keep a game in games.db; found a full disk"
    assert json.loads(out)["games"] == 3
    added[:] = [True] * 3
    assert match("random", BROKEN, *TINY, "--games", 8, "--json")[:2] == (2, "")


def test_boards_with_names_of_any_bytes(match, tmp_path):
    """A file is played on, whatever it is called."""
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    path.write_text("1234\n3412\n2143\n432.\n")
    assert match("random", BROKEN, "--boards", path, "--games", 2, "--time", 60, "--json")[0] == 0
