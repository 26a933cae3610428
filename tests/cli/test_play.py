"""csp-sudoku play: one game, shown during play."""

import json
import signal
import sys

import pytest

from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.verification import verify
from tests.arena.support import AGENTS, clean, here, refuses
from tests.cli.support import environment, run, told
from tests.cli.test_streams import Terminal, posix, start
from tests.clock import wait_until

__all__ = ["clean"]

TINY = ("--boards", "empty-2x2", "--seed", "1", "--time", "60")
"""A turn ends by itself, so the time is more than any machine needs."""


@pytest.fixture
def play(capsys):
    """The command."""
    return here("play", capsys)


def test_a_game_is_told_turn_by_turn(play):
    """The players, each turn with its time, the final board, the scores, the winner and the reason."""
    code, out, err = play("random", "greedy", *TINY)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "# 2x2 classic, random against greedy, 60 s per turn"
    assert lines[1].startswith("turn 1, after ")
    assert ": player 1 places " in lines[1]
    assert lines[1].endswith("; 0:0")
    assert [line[0] for line in lines[-8:-1]] == list("┌││├││└")
    assert "(board full); " in lines[-1]
    assert lines[-1].endswith(", seed 1")
    assert " for row " in out


@pytest.mark.parametrize("mode", list(PlayMode))
def test_the_record_on_standard_output(play, mode):
    """With --json the record is all there is, on one line, and it is right."""
    code, out, err = play("random", "random", *TINY, "--mode", mode, "--time", "60,90", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    record = parse_record(out)
    assert verify(record) == []
    assert (record.mode, record.time, record.seed, record.players) == (mode, [60, 90], 1, ("random", "random"))


@pytest.mark.slow
def test_the_record_in_a_file(play, tmp_path):
    """`replay --verify` finds the record of --record right."""
    path = tmp_path / "game.json"
    assert play("random", "greedy", *TINY, "--record", path)[0] == 0
    done = run("replay", "--verify", str(path))
    assert done.returncode == 0
    assert ": right, " in done.stdout


def test_the_same_seed_plays_the_same_game(play):
    """All but the times is the same again."""
    games = [json.loads(play("random", "random", *TINY, "--json")[1]) for _ in range(2)]
    moves = [[(turn["move"], turn["outcome"]) for turn in game["turns"]] for game in games]
    assert moves[0] == moves[1]


def test_persistent_players(play):
    """Players that keep their processes play the same game, if chance is all that they have."""
    games = [json.loads(play("random", "greedy", *TINY, "--json", *more)[1]) for more in ([], ["--persistent"])]
    moves = [[(turn["move"], turn["outcome"]) for turn in game["turns"]] for game in games]
    assert moves[0] == moves[1]


@pytest.mark.slow
def test_what_a_persistent_agent_has_in_memory(play, tmp_path):
    """An agent of the framework is the same object in all turns with --persistent, and a copy of one without."""
    folder = tmp_path / "counts"
    folder.mkdir()
    (folder / "sudokuai.py").write_text(
        "import competitive_sudoku.sudokuai\n"
        "from competitive_sudoku.sudoku import Move\n"
        "class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):\n"
        "    turns = 0\n"
        "    def compute_best_move(self, game_state):\n"
        "        self.turns += 1\n"
        "        print(self.turns)\n"
        "        board = game_state.board\n"
        "        i, j = next((i, j) for i in range(4) for j in range(4) if not board.get(i, j))\n"
        "        near = [board.get(i, k) for k in range(4)]\n"
        "        self.propose_move(Move(i, j, next(v for v in range(1, 5) if v not in near)))\n"
    )
    board = tmp_path / "board.txt"
    board.write_text("1234\n3412\n214.\n4...\n")
    for more, turns in ([], ["1", "1"]), (["--persistent"], ["1", "2"]):
        assert play(folder, "greedy?safe", "--boards", board, "--time", 60, "--log", tmp_path / "logs", *more)[0] == 0
        assert (tmp_path / "logs" / "player1.log").read_text().split() == turns


def test_players_that_cannot_be_started(play, monkeypatch, tmp_path):
    """A refusal by the system is one line, and exit code 2."""
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    refuses(play, ["random", "random", *TINY, "--json"], "expected a process for players to start in", tmp_path)


def test_a_player_that_loses_at_once(play, tmp_path):
    """A crash loses the game, which is no error of the command; the log has the details."""
    code, out, err = play(AGENTS / "breaks_when_made", "random", *TINY, "--log", tmp_path)
    place = "sudokuai.py:11: ValueError: nobody may make me"
    assert (code, err) == (0, f"warning: breaks_when_made failed; first in turn 1: {place}\n")
    assert out.splitlines()[-2] == "failures of breaks_when_made: crashes 1"
    assert "player 1 loses: it crashed without a proposal (sudokuai.py:11: ValueError: nobody may make me)" in out
    assert "0:0, player 2 (random) wins (player 1 lost: crash); 1 turn, seed 1" in out
    assert (tmp_path / "player1.log").read_text().endswith("ValueError: nobody may make me\n")


def test_a_player_that_raises_after_proposing(play, tmp_path):
    """The proposal counts; a line at the turn, the counts at the end and a warning name the error."""
    (tmp_path / "last.txt").write_text("1234\n3412\n2143\n432.\n")
    where = (AGENTS / "raises_late", "random", "--boards", tmp_path / "last.txt", "--time", 60)
    error = "sudokuai.py:17: ValueError: too late"
    code, out, err = play(*where)
    assert (code, err) == (0, f"warning: raises_late failed; first in turn 1: raised after proposing: {error}\n")
    assert f"\nturn 1: player 1 raised after proposing: {error}\n" in out
    assert "7:0, player 1 (raises_late) wins" in out
    assert out.splitlines()[-2] == "failures of raises_late: raised after proposing 1"
    found = json.loads(play(*where, "--json", "--record", tmp_path / "game.json")[1])
    first, second = found.pop("failures")
    assert (first["raised_after_proposing"], second["raised_after_proposing"]) == (1, 0)
    assert first["first"] == {"turn": 1, "reason": f"raised after proposing: {error}"}
    assert found["turns"][0]["error"] == error
    trace = found["turns"][0]["trace"].splitlines()
    assert (trace[0], trace[-2:]) == ("Traceback (most recent call last):", ["ValueError: too", "late"])
    assert any(line.endswith('sudokuai.py", line 17, in compute_best_move') for line in trace)
    assert found == json.loads((tmp_path / "game.json").read_text())


def test_the_default_board(play):
    """Without --boards the game begins on the empty 9×9 board, and without --time a turn has half a second."""
    code, out, _ = play(AGENTS / "breaks_when_made", "random", "--json")
    game = json.loads(out)
    assert (code, game["rows"], game["columns"], game["board"], game["time"]) == (0, 3, 3, [0] * 81, 0.5)


@pytest.mark.slow
def test_a_board_by_name_from_a_file_and_piped(play, tmp_path):
    """--boards takes a file, a name of one in boards/, and "-"."""
    path = tmp_path / "board.txt"
    path.write_text("1234\n3412\n2143\n432.\n")
    assert "7:0, player 1 (random) wins" in play("random", "random", "--boards", path, "--time", 60)[1]
    done = run("play", "random", "random", "--boards", "-", "--time", "60", stdin=path.read_text())
    assert "7:0, player 1 (random) wins" in done.stdout
    game = json.loads(play("naive", AGENTS / "breaks_when_made", "--boards", "random-3x3", "--json")[1])
    assert game["board"][:9] == [0, 0, 6, 0, 5, 3, 0, 7, 0]


def test_a_puzzle_as_the_board(play):
    """--boards takes the puzzle itself, but not several."""
    game = json.loads(play("naive", AGENTS / "breaks_when_made", "--boards", "123434122143432.", "--json")[1])
    assert game["board"] == [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0]
    code, out, err = play("naive", "naive", "--boards", "................\n1...............")
    assert (code, out, err) == (2, "", "csp-sudoku: <argument>: expected one board, found another\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["randm", "random"], "did you mean 'random'?"),
        (["random", "./no/such/folder"], "expected "),
        ([str(AGENTS / "classless"), "random"], "expected a class SudokuAI in "),
        (
            [str(AGENTS / "breaks_at_import"), "random"],
            "found sudokuai.py:3: ModuleNotFoundError: No module named 'no_",
        ),
        (["random?speed=2", "random"], "expected a random option among safe; found 'speed'"),
        (["random"], "Missing argument 'B'."),
        (
            ["random", "random", "--boards", "no-such-board"],
            "no-such-board: expected a file, the name of a board or a puzzle",
        ),
        (["random", "random", "--boards", "empty-7x7"], "found 7×7"),
        (["random", "random", "--boards", "UNSOLVABLE"], "expected a board with a completion to play on; found one"),
        (["random", "random", "--time", "0"], "expected a time per turn of more than 0"),
        (["random", "random", "--time", "-1"], "expected a number of at least 0; found '-1'"),
        (["random", "random", "--time", "1,2,3"], "expected the seconds per turn, or those of each player"),
        (["random", "random", "--mode", "row"], "did you mean 'rows'?"),
        (["random", "random", "--api", "v13"], "expected a framework API among v12, v14"),
        (["random", "random", "--memory", "0"], "expected a whole number of at least 1"),
        (
            ["random", "random", "--log", "/dev/null/x"],
            "/dev/null/x: expected a folder for logs, found not a directory",
        ),
        (["random", "random", "--json", "--watch"], "expected at most one of --json and --watch"),
        (["random", "random", "--record", "/no/such/folder/game.json"], "expected a file to write, found no folder"),
    ],
)
def test_bad_input(play, tmp_path, arguments, message):
    """A game that cannot be played is one line on standard error before the game, and exit code 2."""
    refuses(play, arguments, message, tmp_path)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("options", [[], ["--json"]], ids=str)
def test_interrupt(options, tmp_path):
    """Ctrl-C during a turn ends the program at once with 130, and nothing is left of the players."""
    log = tmp_path / "player1.log"
    arguments = [str(AGENTS / "stalls"), "random", *TINY, "--time", "600", "--log", str(tmp_path), *options]
    with start("play", *arguments) as process:
        wait_until(lambda: process.poll() is not None or (log.exists() and log.read_text()))
        process.send_signal(signal.SIGINT)
        assert told(process.stderr.read()) == "interrupted\n"
        process.stdout.read()
    assert process.returncode == 130


@pytest.mark.slow
@posix
def test_interrupt_keeps_the_turns(tmp_path):
    """On Ctrl-C --record has the turns so far, without a result; nothing is written before the first turn."""
    log, path = tmp_path / "player2.log", tmp_path / "game.json"
    arguments = [
        "random",
        str(AGENTS / "stalls"),
        *TINY,
        "--time",
        "600",
        "--log",
        str(tmp_path),
        "--record",
        str(path),
    ]
    with start("play", *arguments) as process:
        wait_until(lambda: process.poll() is not None or (log.exists() and log.read_text()))
        process.send_signal(signal.SIGINT)
        assert told(process.stderr.read()) == "interrupted\n"
        process.stdout.read()
    assert process.returncode == 130
    record = parse_record(path.read_text())
    assert (len(record.turns), record.result, record.reason) == (1, None, "interrupted")
    assert verify(record) == []
    done = run("replay", str(path))
    assert done.returncode == 0
    assert f"{path}, game 1: right, 1 turn; 0:0, unfinished (interrupted)" in done.stdout
    assert run("analyse", str(path), "--json").returncode == 0


@pytest.mark.slow
@posix
def test_watching_on_a_terminal():
    """--watch draws the board again and again in the same place, and the result below; the cursor is there."""
    terminal = Terminal("play", "random", "greedy", *TINY, "--watch", env=environment(TERM="xterm"))
    assert terminal.end() == 0
    text = terminal.shown.decode()
    assert text.count("┌─") > 10
    assert "\x1b[1A" in text
    assert "random 0 : 0 greedy; player 1 is to move" in text
    assert "wins (board full)" in text.splitlines()[-1]
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


@pytest.mark.slow
@posix
def test_interrupt_while_watching(tmp_path):
    """Ctrl-C on a terminal is obeyed, and the cursor is there afterwards."""
    arguments = ["play", str(AGENTS / "stalls"), "random", *TINY, "--time", "600", "--watch", "--log", str(tmp_path)]
    terminal = Terminal(*arguments, env=environment(TERM="xterm"))
    terminal.until(b"is to move")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    text = terminal.shown.decode()
    assert "interrupted" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_watching_without_a_terminal(play):
    """Without a terminal --watch prints the turns as lines, as without the option."""
    code, out, _ = play("random", "greedy", *TINY, "--watch")
    assert code == 0
    assert "\x1b" not in out
    assert "\nturn 1, after " in out


def test_help(play):
    """--help documents the command, and imports no large packages."""
    code, out, _ = play("--help")
    assert code == 0
    for word in ("A B", "--boards", "--time", "--watch", "Examples:", "Exit codes:"):
        assert word in out
