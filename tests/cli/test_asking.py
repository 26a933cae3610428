"""csp-sudoku solve on a terminal without a file: it asks for a puzzle or a difficulty."""

from __future__ import annotations

import io
import json
import re

import pytest

from csp_sudoku.board import Board
from csp_sudoku.cli.main import execute
from csp_sudoku.puzzles.grade import grade
from tests.cli.support import ONE, ONE_SOLVED, environment, told
from tests.cli.test_streams import Terminal, posix


class Keyboard(io.StringIO):
    """Standard input as a terminal, with the text that a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run solve while a person types a text: the exit code, the output, and the lines on standard error."""
    import sys

    def call(text: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setenv("TERM", "dumb")  # no progress bar
        monkeypatch.setattr("sys.stdin", Keyboard(text))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        code = execute(["solve", *arguments])
        out, err = capsys.readouterr()
        return code, out, told(err)

    return call


QUESTION = "a puzzle, a file, the name of a board, or a difficulty (easy, medium, hard, or from 0 to 1): "


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}\n",
        "1... ..2. .3.. ...4",
        "1...\n..2.\n.3..\n...4\n\n",
        "┌─────┬─────┐\n│ 1 . │ . . │\n│ . . │ 2 . │\n├─────┼─────┤\n│ . 3 │ . . │\n│ . . │ . 4 │\n└─────┴─────┘\n\n",
    ],
)
def test_a_puzzle_is_typed(text: str, typed) -> None:
    """A puzzle may be one line, or rows up to an empty line; the question is on standard error."""
    code, out, err = typed(text, "--json")
    assert (code, json.loads(out)["solution"]) == (0, ONE_SOLVED)
    assert err.startswith(QUESTION)


def test_a_board_is_named(typed) -> None:
    """A name or a file has the same meaning as on the command line."""
    code, out, _ = typed("hard-2x2\n")
    assert code == 0
    assert "# hard-2x2, puzzle 1: solved" in out


@pytest.mark.parametrize(("answer", "most"), [("easy", 0.2), ("0.55", 0.55)])
def test_a_difficulty_is_named(answer: str, most: float, typed) -> None:
    """A word or a number makes a puzzle of this difficulty, of the shape of --shape; it is shown, and solved."""
    code, out, err = typed(f"{answer}\n", "--shape", "2x3", "--json")
    found = re.fullmatch(
        rf"{re.escape(QUESTION)}a puzzle that is (\w+) \(\d\.\d\d\), hardest step [\w -]+: (\S+)\n", err
    )
    assert found is not None
    puzzle = Board.parse(found[2])
    assert (puzzle.m, puzzle.n) == (2, 3)
    assert grade(puzzle).score <= most
    assert found[1] == grade(puzzle).label
    assert (code, json.loads(out)["status"]) == (0, "solved")
    assert Board.of(json.loads(out)["solution"]).extends(puzzle)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<terminal>: expected a puzzle or a difficulty, found no answer"),
        ("\n", "<terminal>: expected a puzzle or a difficulty, found no answer"),
        ("hrd-3x3\n", "hrd-3x3: expected a file, the name of a board or a puzzle"),
        ("1.5\n\n", "expected "),
        ("11..\n....\n....\n....\n\n", "<argument>, line 1, column 2: expected each value once in row 1"),
    ],
)
def test_bad_answers(text: str, message: str, typed) -> None:
    """An answer that is no puzzle is one line and exit code 2, as on the command line."""
    code, out, err = typed(text)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("csp-sudoku: ") == 1
    assert ("(an empty line ends the puzzle)" in err) == text[:1].isdigit()


def test_nobody_is_asked_where_nobody_reads_the_question(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Without a terminal on standard error, and for other commands, it is an error of usage."""
    for command in ("solve", "check"):
        monkeypatch.setattr("sys.stdin", Keyboard(ONE))
        assert execute([command]) == 2
        assert "expected a FILE, a name such as hard-3x3, a puzzle, or boards" in capsys.readouterr().err


@pytest.mark.slow
@posix
def test_on_a_terminal() -> None:
    """The whole program on a terminal: the question, the typed puzzle, the drawn solution."""
    terminal = Terminal("solve", env=environment(TERM="dumb"))
    terminal.until(b"from 0 to 1): ")
    terminal.press(f"{ONE}\n".encode())
    assert terminal.end() == 0
    assert "│  1 ·2 │ ·4 ·3 │" in terminal.shown.decode()
