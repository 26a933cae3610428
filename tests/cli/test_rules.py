"""The commands on boards with rules: our text form, and the forms of f-puzzles."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from csp_sudoku import NotationError, count_solutions, load
from csp_sudoku.board import Board, load_many
from csp_sudoku.cli.main import execute
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.notation import VARIANT_FORMATS, format_grid, parse
from tests.cli.support import told

TEXT = """\
board 2x2
. . | . .
. . | . .
----+----
. . | . .
. . | . .
title A small one
thermometer r1c1 r1c2 r1c3 r1c4
diagonal falling
sandwich 0 row 2 left
solution 1 2 3 4 3 4 1 2 4 3 2 1 2 1 4 3
"""
"""A puzzle with one solution."""
SOLVED = "1234341243212143"
BOARD = Board.parse(TEXT)
SHOWN = """\
board 2x2
┌─────┬─────┐
│ . . │ . . │
│ . . │ . . │
├─────┼─────┤
│ . . │ . . │
│ . . │ . . │
└─────┴─────┘
title A small one
thermometer r1c1 r1c2 r1c3 r1c4  # """


@pytest.fixture
def program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Run a command on a text in a file; the exit code, and both outputs."""

    def call(*arguments: str, text: str = TEXT) -> tuple[int, str, str]:
        path = tmp_path / "boards.txt"
        path.write_text(text)
        code = execute([*arguments, str(path)])
        out, err = capsys.readouterr()
        return code, out.replace(str(path), "boards.txt"), told(err).replace(str(path), "boards.txt")

    return call


FORMS = {name: format_grid(parse(TEXT), name) for name in VARIANT_FORMATS}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_shown_and_read_back(form: str, program, output) -> None:
    """A puzzle in a file or as the argument itself is drawn with a line for each rule, which is read back."""
    code, out, err = program("show", text=FORMS[form])
    assert (code, err) == (0, "")
    title, drawn = out.split("\n", 1)
    assert title == "# boards.txt, puzzle 1: 2x2 with 3 rules, 16 cells empty"
    assert drawn.startswith(SHOWN)
    assert Board.parse(out) == BOARD
    assert output("show", FORMS[form].replace("\n", "\\n")).endswith(drawn)


def test_the_rules_are_listed(output) -> None:
    """Below a guide, each rule has a line with its form, and one with its meaning."""
    guide, _, rules = output("show", "--rules").partition("\n\n")
    assert max(map(len, guide.splitlines())) <= 120
    lines = rules.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(CONSTRAINTS)
    assert all(line.startswith("    ") and line.endswith(".") for line in lines[1::2])


def test_candidates_of_a_board_with_rules(program) -> None:
    """The drawing with candidates has the rules below it; it is no puzzle, so it cannot be solved without its rules."""
    code, out, _ = program("show", "--candidates")
    assert code == 0
    assert out.count("┏") == 1
    assert "\nthermometer r1c1 r1c2 r1c3 r1c4  # " in out
    with pytest.raises(NotationError):
        Board.parse(out)


@pytest.mark.parametrize("target", VARIANT_FORMATS)
def test_convert(target: str, output) -> None:
    """A puzzle is written in every form, with its details."""
    text = output("convert", TEXT, "--to", target)
    assert parse(text) == parse(TEXT)
    assert output("convert", text.strip(), "--to", "variant") == TEXT


def test_convert_leaves_out_what_a_notation_cannot_hold(program) -> None:
    """A board whose rules have no place in a notation is an error that names it; the others are written."""
    plain = "board 2x2\n" + "." * 16
    lone = f"{plain}\ngreater r1c1 r1c2\n{plain}"
    code, out, err = program("convert", "--to", "line", text=lone)
    assert (code, out) == (2, "." * 16 + "\n")
    assert err.startswith("csp-sudoku: boards.txt, puzzle 1: expected a plain m×n board to write as line; found <Geom")
    code, out, err = program("convert", "--to", "fpuzzles", text=lone)
    assert (code, out.count("\n")) == (2, 1)
    assert err == "csp-sudoku: boards.txt, puzzle 1: expected a rule of f-puzzles; found greater: r1c1 > r1c2\n"


def test_solve(program) -> None:
    """The solution is drawn, and each rule is a comment below it; --json and --to work as ever."""
    code, out, err = program("solve")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "│ ·1 ·2 │ ·3 ·4 │"
    assert [line.split("  #")[0] for line in lines[7:10]] == [
        "# thermometer r1c1 r1c2 r1c3 r1c4",
        "# diagonal falling",
        "# sandwich 0 row 2 left",
    ]
    assert lines[10].startswith("# boards.txt, puzzle 1: solved by ")
    assert Board.parse(out) == Board.parse(SOLVED)
    assert program("solve", "--to", "line") == (0, f"{SOLVED}\n", "")
    found = json.loads(program("solve", "--json")[1])
    assert found["solution"] == [[1, 2, 3, 4], [3, 4, 1, 2], [4, 3, 2, 1], [2, 1, 4, 3]]
    code, out, err = program("solve", "--to", "variant")
    assert Board.parse(out) == Board(BOARD.geometry, map(int, SOLVED))


def test_solutions_of_other_boards(program) -> None:
    """A jigsaw is drawn with its walls; a notation of plain boards has no place for its solution."""
    text = "board 1..............1\nblocks aaab ccab cdbb cddd"
    code, out, err = program("solve", text=text)
    assert (code, err) == (0, "")
    assert "┌──────────────┬────┐" in out
    code, out, err = program("solve", "--to", "line", text=text)
    assert out == "\n"
    assert err == "csp-sudoku: boards.txt, puzzle 1: expected a board m×n to write as line; found irregular 4\n"


def test_check(program) -> None:
    """A puzzle with rules is checked, and so is the solution in its text."""
    code, out, _ = program("check")
    assert code == 0
    assert out.startswith("boards.txt, puzzle 1: valid, solvable, unique")
    assert out.endswith("; the solution in the text is right\n")
    assert json.loads(program("check", "--json")[1])["fault_of_solution"] is None
    faults = {
        "1 2 3 4 3 4 1 2 4 3 2 1 2 1 3 3": "wrong: it has 3 twice in row 4, at r4c3 and r4c4",
        "2 1 3 4 3 4 1 2 4 3 2 1 1 2 4 3": "wrong: it breaks the rule that ",
    }
    for solution, fault in faults.items():
        text = TEXT[: TEXT.index("solution")] + f"solution {solution}\n"
        assert f"; the solution in the text is {fault}" in program("check", text=text)[1]
    given = TEXT.replace(". . | . .", "2 . | . .", 1)
    assert "wrong: it has 1 at r1c1, where 2 is given" in program("check", text=given)[1]


def test_moves_and_explain(program) -> None:
    """Every candidate is decided under the rules; an explanation names the rules that clash."""
    found = json.loads(program("moves", "--json")[1])
    assert [value for _, _, value in found["safe"]] == list(map(int, SOLVED))
    code, out, _ = program("explain", text=f"board 2x2 {'.' * 16}\nthermometer r1c1-r1c4\nkiller 7 r1c1 r1c2\nodd r3c3")
    assert code == 0
    assert "the values grow along r1c1 r1c2 r1c3 r1c4" in out
    text = f"board 2x2 {'.' * 16}\nthermometer r1c1-r1c4\nkiller 7 r1c1 r1c2\nodd r3c3"
    answer = json.loads(program("explain", "--json", text=text)[1])
    assert (answer["solvable"], answer["givens"]) == (False, [])
    assert answer["rules"] == ["thermometer r1c1 r1c2 r1c3 r1c4", "killer 7 r1c1 r1c2"]


def test_a_wrong_rule_is_one_line(program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake in a rule is one line with its place, and exit code 2; a link without a puzzle is refused, too."""
    code, out, err = program("solve", text=f"{TEXT}odd r9c9\n")
    assert (code, out) == (2, "")
    assert err == "csp-sudoku: boards.txt, line 12, column 5: expected a cell from r1c1 to r4c4, found 'r9c9'\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(FORMS["fpuzzles-url"]))
    assert execute(["solve", "-", "--to", "line"]) == 0
    assert capsys.readouterr().out == f"{SOLVED}\n"
    assert execute(["solve", "https://sudokupad.app/abc"]) == 2
    assert "expected a link that holds the puzzle, with ?load=, found " in capsys.readouterr().err


def test_puzzles_with_rules_are_generated(output, tmp_path):
    """--rules puts rules of each kind on the board; the puzzle has one solution, and its command makes it again."""
    text = output("generate", "--shape", "2x2", "--rules", "thermo,anti-knight", "--seed", "3", "--count", "2")
    head = text.splitlines()[0]
    assert head == "# csp-sudoku generate --shape 2x2 --rules thermometer,anti-knight --seed 3 --count 2 --to variant"
    assert output(*head.split()[2:]) == text
    path = tmp_path / "puzzles.txt"
    path.write_text(text)
    boards = list(load_many(path))
    assert len(boards) == 2
    for board in boards:
        assert {rule.name for rule in board.geometry.constraints} == {"thermometer", "anti-knight"}
        assert count_solutions(board) == 1


def test_a_puzzle_like_another_one_is_generated(output, tmp_path):
    """--like keeps the blocks and the rules of a puzzle, and gives it other givens."""
    path = tmp_path / "jigsaw.txt"
    path.write_text("board 4 ................\nblocks aaab ccab cdbb cddd\nodd r1c1\n")
    text = output("generate", "--like", str(path), "--seed", "1", "--to", "fpuzzles-url")
    assert text.startswith(f"# csp-sudoku generate --like {path} --seed 1 --count 1 --to fpuzzles-url\n")
    geometry = load(path).geometry
    path.write_text(text)
    board = load(path)
    assert board.geometry == geometry
    assert count_solutions(board) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "kiler"], "expected a kind of rules among .*did you mean 'killer'"),
        (
            ["--rules", "killer", "--difficulty", "0.3"],
            "expected --difficulty for puzzles without rules; found it",
        ),
        (["--like", "hard-3x3"], "expected --shape or --like; found both"),
        (["--rules", "entropic"], "entropic: expected a number of values that 3 divides; found 4"),
        (["--rules", "killer", "--to", "line"], "a plain m×n board to write as line; found .*try variant"),
    ],
    ids=str,
)
def test_impossible_wishes_are_refused(capsys, arguments, message):
    """An unknown kind, a kind that the board cannot have, and options that contradict each other are one line."""
    assert execute(["generate", "--shape", "2x2", *arguments]) == 2
    assert re.search(message, capsys.readouterr().err)
