"""csp-sudoku explain: givens that admit no solution."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from csp_sudoku.board import Board
from csp_sudoku.cli.main import execute
from csp_sudoku.solvers.base import Status
from csp_sudoku.solvers.questions import solve
from tests.cli.support import EMPTY, NONE, ONE, told

pytestmark = pytest.mark.quick


@pytest.fixture
def explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Explain a text; return the exit code and the output."""

    def call(text: str, *options: str) -> tuple[int, str]:
        path = tmp_path / "boards.txt"
        path.write_text(text)
        code = execute(["explain", str(path), *options])
        out, err = capsys.readouterr()
        assert told(err) == ""
        return code, out

    return call


def test_no_given_can_be_spared(explain) -> None:
    """The givens of the explanation are on the board, admit no solution together, and admit one without any of them."""
    text = NONE[:-1] + "4"
    code, out = explain(text, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["solvable"] is False
    assert found["minimal"] is True
    board = Board.parse(text)
    givens = [tuple(given) for given in found["givens"]]
    assert 0 < len(givens) < 4
    assert all(board[row, column] == value for row, column, value in givens)

    def status(part: list[tuple[int, ...]]) -> Status:
        empty = Board.empty(2, 2)
        for row, column, value in part:
            empty = empty.place(row, column, value)
        return solve(empty, "brute-force").status

    assert status(givens) is Status.UNSOLVABLE
    assert all(status([other for other in givens if other != given]) is Status.SOLVED for given in givens)


def test_drawing(explain) -> None:
    """A person sees those givens where they stand, a dot for each other given, and a sentence."""
    code, out = explain(NONE[:-1] + "4")
    lines = out.splitlines()
    assert code == 0
    assert lines[:7] == [
        "┌─────┬─────┐",
        "│ 1 2 │     │",
        "│     │ 3   │",
        "├─────┼─────┤",
        "│     │     │",
        "│     │   · │",
        "└─────┴─────┘",
    ]
    assert len(lines) == 8
    assert "boards.txt, puzzle 1: 3 of the 4 givens" in lines[7]


def test_solvable_board(explain) -> None:
    """A board that has a solution is reported as solvable; this is no error."""
    code, out = explain(f"{ONE}\n{EMPTY}")
    assert code == 0
    assert out.count("solvable, so there is nothing to explain") == 2
    code, out = explain(ONE, "--json")
    assert (code, json.loads(out)) == (0, {"solvable": True, "givens": None, "minimal": None})


def test_without_time(explain) -> None:
    """Findings that the time limit leaves open are null, and the exit code is 3."""
    code, out = explain(NONE, "--json", "--time-limit", "0")
    assert (code, json.loads(out)) == (3, {"solvable": None, "givens": None, "minimal": None})
    code, out = explain(NONE, "--time-limit", "0")
    assert code == 3
    assert "undecided" in out
