"""csp-sudoku show, convert, check, generate and solvers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from csp_sudoku.board import Board, load_many
from csp_sudoku.cli.main import execute
from csp_sudoku.notation import FORMATS
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.cli.support import EMPTY, NONE, ONE, full, holes, run, told
from tests.support import most_slow

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5)]


@pytest.fixture
def file(tmp_path: Path):
    """Write a text to a file; its name."""

    def write(text: str) -> str:
        path = tmp_path / "boards.txt"
        path.write_text(text)
        return str(path)

    return write


def board_of(shape: tuple[int, int]) -> Board:
    """A board of a shape with some cells empty."""
    return Board(shape, map(int, holes(*shape).split()))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_is_shown_is_read_back(shape: tuple[int, int], output, file, tmp_path: Path) -> None:
    """A drawing shows the shape and every cell."""
    boards = [board_of(shape), Board.empty(*shape)]
    drawn = output("show", file("\n\n".join(board.format("tue") for board in boards)))
    assert drawn.count(f"puzzle 2: {shape[0]}x{shape[1]}") == 1
    again = tmp_path / "drawn.txt"
    again.write_text(drawn)
    assert list(load_many(again)) == boards


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_candidates(shape: tuple[int, int], output, file, tmp_path: Path) -> None:
    """--candidates shows each candidate of each empty cell, and each given in brackets; it is read back."""
    board = board_of(shape)
    drawn = output("show", "--candidates", file(f"{board.format('tue')}\n{Board.empty(*shape).format('tue')}"))
    again = tmp_path / "drawn.txt"
    again.write_text(drawn)
    assert list(load_many(again)) == [board, Board.empty(*shape)]
    words = drawn.split("\n# ")[0].split("\n", 1)[1]
    assert words.count("[") == board.geometry.cell_count - board.empty_count
    shown = [word for word in words.replace("┃", " ").replace("│", " ").split() if word.isdecimal()]
    expected = [value for cell in board.empty_cells() for value in board.candidates(*board.geometry.row_column(cell))]
    assert sorted(map(int, shown)) == sorted(expected)


@pytest.mark.parametrize("zero_based", [[], ["--zero-based-out"]], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("target", FORMATS)
def test_convert(target: str, shape: tuple[int, int], zero_based: list[str], output, file, tmp_path: Path) -> None:
    """Whatever is written in any notation, from either way of counting, is the same boards."""
    boards = [board_of(shape), Board.empty(*shape), board_of(shape)]
    text = output("convert", file("\n".join(board.format("json") for board in boards)), "--to", target, *zero_based)
    again = tmp_path / "converted.txt"
    again.write_text(text)
    assert list(load_many(again, target, shape=shape, zero_based=bool(zero_based))) == boards


def test_convert_is_a_stream(output, file) -> None:
    """The boards before a bad one are written."""
    done = run("convert", "--to", "line", stdin=f"{ONE}\n{EMPTY}\n1x\n")
    assert done.returncode == 2
    assert done.stdout.split() == [ONE, EMPTY]


@pytest.mark.parametrize(
    ("text", "words", "found", "code"),
    [
        (ONE, "valid, solvable, unique, easy (0.", {"valid": True, "solvable": True, "unique": True}, 0),
        (EMPTY, "valid, solvable, not unique", {"valid": True, "solvable": True, "unique": False, "grade": None}, 0),
        (NONE, "valid, unsolvable", {"valid": True, "solvable": False, "unique": False, "grade": None}, 1),
    ],
)
def test_check(text: str, words: str, found: dict, code: int, output, file) -> None:
    """Boards are reported as valid, solvable and unique or not, in words and as JSON; unsolvable gives exit code 1."""
    path = file(text)
    assert output("check", path, code=code).startswith(f"{path}, puzzle 1: {words}")
    answer = json.loads(output("check", "--json", path, code=code))
    assert found.items() <= answer.items()
    assert set(answer) == {"valid", "solvable", "unique", "grade"}


def test_check_grades(output, file) -> None:
    """The grade of a puzzle has a score, a label, and the effort behind them."""
    grade = json.loads(output("check", "--json", file(ONE)))["grade"]
    assert 0 <= grade["score"] <= 1
    assert grade["label"] in {"easy", "medium", "hard"}
    assert grade["needs"]
    assert (grade["nodes"], grade["hardest"]) == (0, "naked single")
    assert "needs naked singles, hardest step naked single\n" in output("check", file(ONE))


def test_check_of_an_invalid_board(file, capsys: pytest.CaptureFixture[str]) -> None:
    """A clash is a complaint and exit code 2, and for programs an object as well."""
    path = file(f"{ONE}\n11{'.' * 14}")
    assert execute(["check", "--json", path]) == 2
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert first["valid"]
    assert not second["valid"]
    assert told(err) == f"csp-sudoku: {second['error']}\n"
    assert "row 1" in err


def test_check_without_time(output, file) -> None:
    """Findings that the time limit leaves open are null, and the exit code is 3."""
    path = file("\n".join(["0 " * 25] * 25))
    answer = json.loads(output("check", "--json", "--time-limit", "0", path, code=3))
    assert answer == {"valid": True, "solvable": None, "unique": None, "grade": None}
    assert "undecided" in output("check", "--time-limit", "0", path, code=3)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 2), (3, 3)], [(2, 3)]))
def test_generate(m: int, n: int, format: str, output, file) -> None:
    """Generated puzzles are read back unchanged, in every notation, and have one solution each."""
    arguments = ["generate", "--shape", f"{m}x{n}", "--count", "3", "--seed", "5", "--to", format]
    text = output(*arguments)
    path = file(text)
    assert [(board.m, board.n) for board in load_many(path)] == [(m, n)] * 3
    answers = [json.loads(line) for line in output("check", "--json", path).splitlines()]
    assert [answer["unique"] for answer in answers] == [True] * 3
    assert output(*arguments) == text


def test_generate_differs_by_seed(output) -> None:
    """Another seed gives other puzzles, and so does none at all, twice."""
    arguments = ["generate", "--shape", "3x3", "--to", "line"]
    assert output(*arguments, "--seed", "1") != output(*arguments, "--seed", "2")
    assert output(*arguments) != output(*arguments)


def test_generate_tells_its_command(output) -> None:
    """The first comment is the command that makes the same puzzles again, the seed included."""
    text = output("generate", "--shape", "2x2", "--difficulty", "0.25", "--count", "2")
    command = text.splitlines()[0].removeprefix("# csp-sudoku ").split()
    assert output(*command) == text


def test_first_puzzles_do_not_depend_on_the_count(output) -> None:
    """More puzzles of a seed begin with the same ones."""
    arguments = ["generate", "--shape", "2x3", "--seed", "9", "--to", "csv", "--count"]
    assert output(*arguments, "4").startswith(output(*arguments, "2"))


def test_solvers_table(output) -> None:
    """The table names every solver with all its options, and every preset with its settings."""
    text = output("solvers")
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    entries = [json.loads(line) for line in output("solvers", "--json").splitlines()]
    assert [entry["name"] for entry in entries] == [*SOLVERS, *PRESETS]
    for entry in entries:
        assert f"{entry['name']}: {entry['help']} " in f"{words} "
        for name, option in entry.get("options", {}).items():
            assert f"    {name}=" in text
            assert set(option) == {"default", "allowed", "several", "help"}
        for name, value in entry.get("settings", {}).items():
            assert f"{name}={value}" in text
    assert {entry["solver"] for entry in entries if entry["kind"] == "preset"} == {"backtracking"}


def test_every_listed_option_is_accepted(output, file) -> None:
    """The default of an option in the table can be given to solve."""
    path = file(ONE)
    for line in output("solvers", "--json").splitlines():
        entry = json.loads(line)
        for name, option in entry.get("options", {}).items():
            output("solve", path, "--solver", entry["name"], "--option", f"{name}={option['default']}")


def test_full_board_is_its_own_solution(output, file) -> None:
    """A board without empty cells is solved, unique, and easy."""
    path = file("\n".join(" ".join(map(str, row)) for row in full(3, 3)))
    assert json.loads(output("solve", "--json", path))["solution"] == full(3, 3)
    assert "unique, easy (0.00)" in output("check", path)
