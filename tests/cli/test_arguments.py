"""The boards of an argument: a file, standard input, a name, or the puzzle itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from csp_sudoku.board import Board, load
from csp_sudoku.cli.arguments import FOLDER, resolve, shipped_names
from csp_sudoku.cli.main import execute
from csp_sudoku.notation import FORMATS
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED, told

READERS = [["show"], ["convert", "--to", "line"], ["solve"], ["check"], ["hint"], ["explain"], ["moves"], ["value"]]
"""The commands that read boards."""


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str]):
    """Run a command line that must be refused with one line; that line."""

    def call(*arguments: str) -> str:
        found = execute(arguments)
        out, err = capsys.readouterr()
        line = told(err)
        assert (found, out, line.count("\n")) == (2, "", 1)
        return line

    return call


def board_of(text: str) -> Board:
    """The only board of an argument."""
    [board] = resolve(text).boards()
    return board


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
@pytest.mark.parametrize("argument", [ONE, "1... ..2. .3.. ...4", "1...\n..2.\n.3..\n...4", "easy-2x2", "easy-2x2.txt"])
def test_every_command_takes_names_and_puzzles(command: list[str], argument: str, output) -> None:
    """A board that ships with the package, and a puzzle in quotes or not, need no file."""
    assert output(*command, argument)


@pytest.mark.quick
def test_a_puzzle_is_solved(output) -> None:
    """The puzzle is the argument, and answers call it <argument>; of several, by their positions."""
    assert json.loads(output("solve", "--json", ONE))["solution"] == ONE_SOLVED
    assert output("check", ONE).startswith("<argument>, puzzle 1: valid")
    two = output("check", ONE, EMPTY).splitlines()
    assert [line.partition(":")[0] for line in two] == ["<argument 1>, puzzle 1", "<argument 2>, puzzle 1"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_puzzle_in_every_notation(format: str) -> None:
    """Whatever a board is written as can be the argument."""
    board = load(FOLDER / "hard-3x3.txt")
    assert board_of(board.format(format)) == board


def test_a_puzzle_with_line_breaks_as_the_shell_has_them() -> None:
    r"""A shell leaves \n between single quotes unchanged; a shape may be named."""
    assert board_of(r"1...\n..2.\n.3..\n...4") == Board.parse(ONE)
    assert board_of("3x2: " + "." * 36) == Board.empty(3, 2)


def test_names_of_boards() -> None:
    """Every board that ships can be named, with or without .txt, and so can an empty board of any shape."""
    names = shipped_names()
    assert {"hard-3x3", "empty-5x5", "random-2x3"} <= set(names)
    assert all(board_of(name) == board_of(f"{name}.txt") == load(FOLDER / f"{name}.txt") for name in names)
    assert board_of("empty-2x6") == Board.empty(2, 6)


def test_names_are_listed(output) -> None:
    """`show --names` lists them, one per line."""
    assert output("show", "--names").splitlines() == shipped_names()


@pytest.mark.parametrize("name", ["hard-2x2", "empty-2x2", ONE])
def test_a_file_that_exists_wins(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may have the name of a board, or look like a puzzle."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(EMPTY[:15] + "3")
    assert board_of(name).values[-1] == 3


def test_a_name_is_read_as_it_was_written(output, complaint) -> None:
    """--zero-based and --format apply to files; a requested shape must be the shape of the board."""
    plain = output("convert", "easy-2x2", "--to", "line")
    assert output("convert", "easy-2x2", "--to", "line", "--zero-based", "--format", "line") == plain
    assert output("convert", "empty-2x3", "--to", "line", "--shape", "2x3") == "." * 36 + "\n"
    assert "expected the shape 2×3 that was asked for, found 3×3" in complaint("show", "easy-3x3", "--shape", "2x3")
    assert "expected the shape 2×3 that was asked for, found 2×6" in complaint("show", "empty-2x6", "--shape", "2x3")


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_a_mistyped_name(command: list[str], complaint) -> None:
    """One line names the argument and the nearest name; exit code 2."""
    line = complaint(*command, "hrad-3x3")
    assert line.startswith("csp-sudoku: hrad-3x3: expected a file, the name of a board or a puzzle, found no such file")
    assert "(did you mean 'hard-3x3'" in line


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("nothing-like-it", "(`csp-sudoku show --names` lists the names)"),
        ("", "(`csp-sudoku show --names` lists the names)"),
        (f"no{os.sep}such{os.sep}hard-3x3.txt", "expected a file to read, found no such file (did you mean 'hard-3x3'"),
        (f"no{os.sep}such.txt", "expected a file to read, found no such file\n"),
        ("2026.11.20.12.30.csv", "no such file and no such name"),
        ("a\nb.txt", "<argument>, line 1, column 1: expected a board"),
        ("empty-7x7", "found 7×7"),
        (ONE + "...", "<argument>, line 1, column 17: expected 16 cells"),
        ("1.....2..3....11", "found '1' again"),
        ("1.....2..3....x4", "line 1, column 15: expected a value 1…4"),
        ("1... ..2. .x.. ...4", "line 1, column 12: expected a value 1…4"),
        ("[[1, 0], [0, 2]]", "expected a board size among"),
        ("{", "expected a closing bracket"),
        ("x" * 5000, "no such file and no such name"),
        ("." * 5000, "expected 625 cells"),
    ],
)
def test_arguments_that_are_no_board(argument: str, words: str, complaint) -> None:
    """A wrong puzzle is reported with the place of the mistake; for any other text there is no such file or name."""
    assert words in complaint("show", argument)


def test_the_next_arguments_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A bad argument is one complaint, and the others are answered."""
    assert execute(["convert", "--to", "line", ONE, "hrad-3x3", NONE]) == 2
    out, err = capsys.readouterr()
    assert out.split() == [ONE, NONE]
    assert told(err).count("\n") == 1
