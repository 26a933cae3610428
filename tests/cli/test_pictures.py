"""--svg and --html: drawings and pages of the output of a command, one file for each item."""

import json
import re

import pytest

from csp_sudoku import Board
from csp_sudoku.cli.main import execute
from csp_sudoku.game.record import write_records
from tests.cli.support import NONE, ONE, told
from tests.cli.test_replay import spoiled
from tests.drawing.support import having, texts, tree
from tests.game.support import random_record

OPEN = "12.. .... ...3 .4.."


@pytest.fixture
def called(capsys):
    """Run a command line in this process: (exit code, standard output, standard error)."""

    def call(*arguments):
        code = execute([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, told(err)

    return call


@pytest.fixture
def game(tmp_path):
    """The file of one game."""
    write_records([random_record(seed=4)], tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.fixture
def games(tmp_path):
    """A file of two games."""
    write_records([random_record(seed=4), random_record(seed=5, mode="rows")], tmp_path / "games.jsonl")
    return tmp_path / "games.jsonl"


def drawing(path):
    """The drawing in a file."""
    return tree(path.read_text(encoding="utf-8"))


def test_show_draws_the_board(called, tmp_path):
    """The text is as without --svg, and the file has the givens; with --candidates it has the candidates."""
    plain = called("show", ONE)
    assert called("show", ONE, "--svg", tmp_path / "a.svg") == plain
    assert texts(drawing(tmp_path / "a.svg"), "value") == ["1", "2", "3", "4"]
    called("show", ONE, "--candidates", "--svg", tmp_path / "b.svg")
    assert texts(drawing(tmp_path / "b.svg"), "unknown")


def test_several_boards_have_numbered_files(called, tmp_path):
    """Of two boards, the first is in a-1.svg and the second in a-2.svg, as with --plot."""
    assert called("show", ONE, NONE, "--svg", tmp_path / "a.svg")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.svg", "a-2.svg"]
    assert texts(drawing(tmp_path / "a-2.svg"), "value") == ["1", "2", "3"]


def test_solve_draws_the_solution(called, tmp_path):
    """Givens look different; a board without a solution is drawn with that verdict."""
    code, out, err = called("solve", ONE, NONE, "--svg", tmp_path / "a.svg")
    assert (code, err.count("\n")) == (1, 1)
    assert [line.partition("puzzle ")[2] for line in out.splitlines() if "drawing" in line] == [
        f"1: drawing in {tmp_path / f'a-{number}.svg'}" for number in (1, 2)
    ]
    solved, unsolvable = drawing(tmp_path / "a-1.svg"), drawing(tmp_path / "a-2.svg")
    assert (len(texts(solved, "given")), len(texts(solved, "filled"))) == (4, 12)
    assert len(texts(unsolvable, "value")) == 3
    assert "unsolvable by" in " ".join(texts(unsolvable, "caption"))


def test_solve_names_the_drawing_in_its_object(called, tmp_path):
    """--json has the path; --to prints solutions alone."""
    path = tmp_path / "a.svg"
    _, out, _ = called("solve", ONE, "--json", "--svg", path)
    assert json.loads(out)["svg"] == str(path)
    assert "svg" not in json.loads(called("solve", ONE, "--json")[1])
    path.unlink()
    assert called("solve", ONE, "--to", "line", "--svg", path)[1] == "1243342143122134\n"
    assert path.exists()


def test_solve_can_not_trace_and_draw(called, tmp_path):
    """--trace has no result to draw."""
    code, _, err = called("solve", ONE, "--trace", "--svg", tmp_path / "a.svg")
    assert (code, err) == (2, "csp-sudoku: expected --trace without --count, --jobs and --svg; found --svg\n")


def test_moves_draws_the_map(called, tmp_path):
    """Safe moves and bombs are drawn; the last line and --json name the file."""
    path = tmp_path / "a.svg"
    _, out, _ = called("moves", OPEN, "--svg", path)
    assert out.splitlines()[-1].endswith(f"puzzle 1: drawing in {path}")
    assert (len(texts(drawing(path), "safe")), len(texts(drawing(path), "bomb"))) == (16, 8)
    assert json.loads(called("moves", OPEN, "--svg", path, "--json")[1])["svg"] == str(path)


def test_moves_draws_an_explanation(called, tmp_path):
    """With --explain, the drawing has the givens that refute the move."""
    path = tmp_path / "a.svg"
    code, out, _ = called("moves", OPEN, "--explain", "r1c3=4", "--svg", path)
    assert (code, out.splitlines()[-1].endswith(f"drawing in {path}")) == (0, True)
    assert len(having(drawing(path), "ground", "part")) == 2


def test_moves_writes_each_file_once(called, tmp_path):
    """--plot and --svg cannot be one file."""
    path = tmp_path / "a.svg"
    code, _, err = called("moves", OPEN, "--svg", path, "--plot", path)
    assert code == 2
    assert "expected --plot and --svg to be different files" in err


def test_explain_draws_the_clash(called, tmp_path):
    """The givens that contradict each other are tinted; a board with a solution is drawn with that remark."""
    code, out, _ = called("explain", "12....3........4", ONE, "--svg", tmp_path / "a.svg")
    assert code == 0
    assert f"drawing in {tmp_path / 'a-1.svg'}" in out
    first = drawing(tmp_path / "a-1.svg")
    assert len(having(first, "ground", "part")) == 3
    assert sorted(texts(first, "value")) == ["1", "2", "3", "·"]
    said = " ".join(texts(drawing(tmp_path / "a-2.svg"), "caption"))
    assert said == "solvable, so there is nothing to explain"
    _, out, _ = called("explain", "--json", ONE, "--svg", tmp_path / "b.svg")
    assert json.loads(out)["svg"] == str(tmp_path / "b.svg")


@pytest.mark.parametrize("choice", [["--step", "3"], ["--last"]], ids=" ".join)
def test_replay_draws_one_position(called, game, tmp_path, choice):
    """The position after some turns is drawn with its last move."""
    path = tmp_path / "a.svg"
    code, out, _ = called("replay", *choice, game, "--svg", path)
    assert (code, out.splitlines()[-2].endswith(f"game 1: drawing in {path}")) == (0, True)
    shown = drawing(path)
    assert len(having(shown, "ring")) == 1
    turns = random_record(seed=4).turns[: 3 if "--step" in choice else None]
    assert len(texts(shown, "value")) == sum(turn.outcome == "placed" for turn in turns)


def test_replay_draws_no_whole_game(called, game, tmp_path):
    """--svg needs one position, and --time-limit a page."""
    code, out, err = called("replay", game, "--svg", tmp_path / "a.svg")
    assert (code, out) == (2, "")
    assert "expected --svg with --step or --last" in err
    code, _, err = called("replay", game, "--time-limit", 1)
    assert (code, "expected --time-limit with --html" in err) == (2, True)


def test_replay_writes_a_page_for_each_game(called, games, tmp_path):
    """Two games are two files, and a line names the verdict and the page of each."""
    code, out, err = called("replay", games, "--html", tmp_path / "g.html")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.partition(", game")[2][:10] for line in lines] == [
        " 1: right,",
        " 1: page i",
        " 2: right,",
        " 2: page i",
    ]
    for number in (1, 2):
        assert (tmp_path / f"g-{number}.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    _, out, _ = called("replay", games, "--json", "--html", tmp_path / "g.html")
    assert json.loads(out)["pages"] == [str(tmp_path / f"g-{number}.html") for number in (1, 2)]


def test_replay_writes_the_page_of_a_wrong_game(called, tmp_path):
    """A game that contradicts the rules has a page that reports it, and the exit code 1."""
    (tmp_path / "bad.json").write_text(spoiled(random_record(seed=4)))
    code, _, _ = called("replay", tmp_path / "bad.json", "--html", tmp_path / "g.html")
    assert code == 1
    assert "Differences from the rules" in (tmp_path / "g.html").read_text(encoding="utf-8")


def test_analyse_writes_a_page(called, tmp_path):
    """The page has the values; the last lines and --json name it."""
    write_records([random_record(board=Board.parse("1243 3421 43.. 21.."), seed=1)], tmp_path / "game.json")
    page = tmp_path / "g.html"
    code, out, _ = called("analyse", tmp_path / "game.json", "--html", page)
    assert (code, f"game 1: page in {page}\n" in out) == (0, True)
    assert "Best play is worth" in page.read_text(encoding="utf-8")
    assert json.loads(called("analyse", "--json", tmp_path / "game.json", "--html", page)[1])["html"] == str(page)


@pytest.mark.parametrize("command", ["replay", "analyse"])
def test_a_page_shows_what_the_players_printed(called, games, tmp_path, command):
    """The logs of `play --log` are on the page of a game; they are those of one game, and need a page."""
    record, page, logs = tmp_path / "game.json", tmp_path / "g.html", tmp_path / "logs"
    write_records([random_record(board=Board.parse("1243 3421 43.. 21.."), seed=1)], record)
    logs.mkdir()
    code, out, err = called(command, record, "--html", page, "--log", logs)
    assert (code, out) == (2, "")
    assert "expected a folder with player1.log and player2.log of a game; found neither in" in err
    (logs / "player2.log").write_bytes(b"depth <b>4</b>\n\x1b[31mTraceback\x1b[0m\n")
    assert called(command, record, "--html", page, "--log", logs)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "depth &lt;b&gt;4&lt;/b&gt;\nTraceback\n</pre>" in text
    assert re.search(r"<p>player 1, [^<]*: nothing</p>", text)
    code, _, err = called(command, record, "--log", logs)
    assert (code, "expected --log with --html; found it alone" in err) == (2, True)
    code, _, err = called(command, games, "--html", page, "--log", logs)
    assert (code, "expected one game with --log; found several" in err) == (2, True)


@pytest.mark.parametrize(
    ("command", "option", "name", "message"),
    [
        ("show", "--svg", "a.png", "expected a file that ends in .svg; found"),
        ("solve", "--svg", "a", "expected a file that ends in .svg; found"),
        ("moves", "--svg", "no/such/folder/a.svg", "no such file or directory"),
        ("explain", "--svg", "folder.svg", "expected a file to write; found the directory"),
        ("replay", "--html", "a.txt", "expected a file that ends in .html, .htm; found"),
        ("analyse", "--html", "no/such/folder/a.html", "no such file or directory"),
    ],
)
def test_files_that_cannot_be_written_are_refused(called, tmp_path, command, option, name, message):
    """Before any work, a wrong suffix, a folder and a place that is not there are one line and the exit code 2."""
    (tmp_path / "folder.svg").mkdir()
    code, out, err = called(command, ONE, option, tmp_path / name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
