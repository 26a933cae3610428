"""csp-sudoku replay: games shown step by step, and verified."""

import json
import os
from contextlib import suppress

import pytest

from csp_sudoku import Board
from csp_sudoku.game.record import write_records
from tests.arena.support import here
from tests.cli.support import environment, run, told
from tests.cli.test_streams import Terminal, posix, start
from tests.game.support import MODES, random_record

GOOD = [random_record(mode=mode, seed=seed) for seed, mode in enumerate(MODES)]
TURNS = len(GOOD[0].turns)
PASSES = random_record(mode="rows", board=Board.parse("1234 .... .... ...."))


def spoiled(record, number=3):
    """The JSON of a record with another reward in a turn."""
    data = record.as_object()
    data["turns"][number - 1]["reward"] += 1
    return json.dumps(data)


@pytest.fixture
def replay(capsys):
    """Run the command in this process: (exit code, standard output, standard error)."""
    return here("replay", capsys)


@pytest.fixture
def game(tmp_path):
    """The file of one game."""
    path = tmp_path / "game.json"
    write_records(GOOD[:1], path)
    return path


@pytest.fixture
def games(tmp_path):
    """A file of a game in each mode."""
    path = tmp_path / "games.jsonl"
    write_records(GOOD, path)
    return path


@pytest.fixture
def bad(tmp_path):
    """A file of three games, the second of which is not right."""
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{GOOD[0].to_json()}\n{spoiled(GOOD[1])}\n{GOOD[2].to_json()}\n")
    return path


def test_a_game_is_shown_step_by_step(replay, game):
    """The start and every turn are drawn, with the move, the score, and the last move marked."""
    code, out, err = replay(game)
    assert (code, err) == (0, "")
    assert out.startswith(f"# {game}, game 1: 2x2 classic, random against random?lucky=1, 0.5 s per turn, seed 0\n┌──")
    assert out.count("┌") == TURNS + 1
    assert out.count(">") == TURNS
    first = GOOD[0].turns[0].move
    assert f"turn 1, after 1.5 ms: player 1 places r{first.row + 1}c{first.col + 1}={first.value}; 0:0\n" in out
    assert out.count("\nturn ") == TURNS
    assert f"7 points for row {GOOD[0].turns[-1].move.row + 1}, column {GOOD[0].turns[-1].move.col + 1}, block" in out
    first, second = GOOD[0].scores
    assert f"{game}, game 1: right, {TURNS} turns; {first}:{second}, " in out.splitlines()[-2]
    assert "(board full)" in out.splitlines()[-2]


def test_many_games_are_shown(replay, games):
    """A file of many games shows them all, in every mode."""
    code, out, _ = replay(games)
    assert code == 0
    assert [line.split(":")[1].split(",")[0] for line in out.splitlines() if line[0:1] == "#"] == [
        f" 2x2 {mode}" for mode in MODES
    ]


def test_a_pass_is_shown(replay, tmp_path):
    """A player who passes has its turn in the replay."""
    write_records([PASSES], tmp_path / "game.json")
    code, out, _ = replay(tmp_path / "game.json")
    assert code == 0
    assert "turn 1, after 1.5 ms: player 1 passes: it has no square to play on; 0:0" in out


@pytest.mark.parametrize("step", [0, 1, TURNS])
def test_one_step(replay, game, step):
    """--step shows the position after so many turns and no other."""
    code, out, _ = replay(game, "--step", step)
    assert code == 0
    assert out.count("┌") == 1
    assert out.startswith(f"turn {step}," if step else "# ")
    filled = sum(turn.outcome == "placed" for turn in GOOD[0].turns[:step])
    drawing = out[: out.index("└")]
    assert drawing.count(".") - drawing.splitlines()[0].count(".") == 16 - filled


def test_the_last_step(replay, game):
    """--last shows how it ended."""
    assert replay(game, "--last") == replay(game, "--step", TURNS)


def test_a_step_that_is_not_there(replay, games):
    """A step beyond the end is a bad input for that game, and told with the range."""
    longest = max(len(record.turns) for record in GOOD)
    code, out, err = replay(games, "--step", longest)
    assert code == 2
    assert out.count("┌") == sum(len(record.turns) == longest for record in GOOD)
    shorter = [len(record.turns) for record in GOOD if len(record.turns) < longest]
    assert shorter
    for last, line in zip(shorter, err.splitlines(), strict=True):
        assert f"expected a step from 0 to {last}; found {longest}" in line
    assert all(line.startswith("csp-sudoku: ") for line in err.splitlines())


def test_only_verify(replay, games):
    """--verify prints a line per game."""
    code, out, _ = replay(games, "--verify")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 4
    assert all(line.startswith(f"{games}, game {number}: right, ") for number, line in enumerate(lines, 1))


@pytest.mark.parametrize("options", [[], ["--verify"], ["--last"], ["--step", "2"]], ids=" ".join)
def test_a_game_that_is_not_right(replay, bad, options):
    """The exit code is 1, a line names the game, the turn and the difference, and the other games are replayed."""
    code, out, err = replay(bad, *options)
    assert (code, err) == (1, "")
    reward = GOOD[1].turns[2].reward
    assert f"{bad}, game 2: turn 3: expected reward {reward}, found reward {reward + 1}\n" in out
    assert f"{bad}, game 1: right" in out
    assert f"{bad}, game 3: right" in out


def test_a_game_that_goes_another_way_is_shown_as_far_as_it_goes(replay, tmp_path):
    """A wrong claim of the record is shown by the rules; later turns of the record are ignored."""
    data = GOOD[0].as_object()
    data["turns"][4]["move"] = data["turns"][0]["move"]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data))
    code, out, _ = replay(path)
    assert code == 1
    assert out.count("┌") == 6
    assert "\nturn 5, after 1.5 ms: player 1 loses: its move is illegal (expected an empty cell at" in out
    (row, column, value), outcome = data["turns"][4]["move"], data["turns"][4]["outcome"]
    move = f"r{row + 1}c{column + 1}={value}"
    assert f"{path}, game 1: turn 5: expected lost for {move} (illegal: expected an empty cell at" in out
    assert f" in it), found {outcome}\n" in out


def test_json_of_good_games(replay, games, game):
    """--json prints one object for all the games of all the files."""
    code, out, _ = replay("--json", games, game)
    assert code == 0
    assert json.loads(out) == {"games": 5, "valid": True, "problems": []}


def test_json_of_problems(replay, bad):
    """Each problem has its file, its game, its turn and the difference."""
    code, out, _ = replay("--json", bad)
    assert code == 1
    reward = GOOD[1].turns[2].reward
    problem = f"expected reward {reward}, found reward {reward + 1}"
    assert json.loads(out) == {
        "games": 3,
        "valid": False,
        "problems": [{"source": str(bad), "game": 2, "turn": 3, "problem": problem}],
    }


BAD_FILES = {
    "empty": "",
    "prose": "This is no game.\n",
    "a list": "[]",
    "broken JSON": '{"rows": 2, "columns": ',
    "a board": '{"rows": 2, "columns": 2, "board": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}',
    "binary junk": bytes(range(256)),
    "not UTF-8": b'{"a": "\xff"}',
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file(replay, name, tmp_path):
    """An input that is no record is one line on standard error that names the file, and the exit code 2."""
    content = BAD_FILES[name]
    path = tmp_path / "game.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out, err = replay(path)
    assert (code, out) == (2, "")
    assert err.startswith(f"csp-sudoku: {path}")
    assert err.count("\n") == 1
    code, out, _ = replay("--json", path)
    assert code == 2
    assert json.loads(out)["valid"] is False
    assert json.loads(out)["games"] == 0


def test_a_missing_file_does_not_hide_the_others(replay, tmp_path, game):
    """Other files are replayed, and the exit code remembers the bad one."""
    code, out, err = replay("--verify", tmp_path / "none.json", tmp_path, game)
    assert code == 2
    assert out.startswith(f"{game}, game 1: right")
    assert [line.rpartition(" found ")[2] for line in err.splitlines()] == ["no such file", "a directory"]


def test_games_before_a_bad_line_are_replayed(replay, tmp_path):
    """Games before the bad record are printed, and the complaint names the line."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{GOOD[0].to_json()}\n{{}}\n{GOOD[1].to_json()}\n")
    code, out, err = replay("--verify", path)
    assert code == 2
    assert out.count("\n") == 1
    assert err == f"csp-sudoku: {path}, line 2: expected the key rows, found none\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--last", "--step", "3"],
            "expected at most one of --verify, --last, --step, --json; found --last and --step",
        ),
        (["--verify", "--json"], "found --verify and --json"),
        (["--step", "-1"], "expected a whole number of at least 0; found '-1'"),
        (["--step", "x"], "found 'x'"),
    ],
)
def test_bad_options(replay, game, options, message):
    """Contradictory or meaningless options are reported."""
    code, out, err = replay(game, *options)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.slow
def test_standard_input():
    """Without a file, or with "-", standard input is read; the program ends with the code of the verdict."""
    text = GOOD[0].to_json()
    for arguments in (["--verify"], ["--verify", "-"]):
        done = run("replay", *arguments, stdin=text)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("<stdin>, game 1: right, ")
    assert run("replay", "--verify", stdin=spoiled(GOOD[0])).returncode == 1
    assert run("replay", "--verify", stdin="{").returncode == 2


@pytest.mark.slow
@posix
def test_the_last_move_is_marked_on_a_terminal(game):
    """On a terminal the last move is in reverse video, and no mark is needed."""
    terminal = Terminal("replay", "--last", str(game))
    assert terminal.end() == 0
    text = terminal.shown.decode()
    assert "\x1b[7m" in text
    assert ">" not in text
    plain = environment(NO_COLOR="1", TERM="xterm")
    terminal = Terminal("replay", "--last", str(game), env=plain, errors=False)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.shown.decode()


def test_an_output_without_line_drawing(game):
    """An output that is ASCII gets an ASCII drawing."""
    done = run("replay", "--last", os.fspath(game), env=environment(PYTHONIOENCODING="ascii"))
    assert done.returncode == 0
    assert "+-------+-------+" in done.stdout


@posix
def test_an_endless_input_is_refused_at_once():
    """A stream without a line break is refused before it is read to its end, which it does not have."""
    with start("replay", "-") as process:
        with suppress(BrokenPipeError):
            while True:
                process.stdin.write(b"7" * 65536)
        with suppress(BrokenPipeError):
            process.stdin.close()
        out, err = process.stdout.read(), told(process.stderr.read())
    assert (process.returncode, out) == (2, b"")
    assert err.startswith("csp-sudoku: <stdin>, line 1: expected a game record, which is a JSON object, found '7777")
