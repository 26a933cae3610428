"""csp-sudoku optimize: the best of many boards, with a proof or a bound."""

from __future__ import annotations

import json
import signal

import pytest

import csp_sudoku as cs
from csp_sudoku.cli.main import execute
from csp_sudoku.cli.progress import Bar
from tests.cli.support import EMPTY, NONE, ONE, told


def test_weights(output, tmp_path) -> None:
    """The values of some cells are added up, or weights come from a file; the least can be sought, too."""
    found = json.loads(output("optimize", "weights", "--cells", "r1c1 r1c1 r2c1", "--json", EMPTY))
    assert (found["value"], found["bound"], found["proven"]) == (11, 11, True)
    assert (found["cells"][0][0], found["cells"][1][0]) == (4, 3)
    path = tmp_path / "weights.json"
    path.write_text(json.dumps([[0, 0, 0, [0, 0, 0, 7]], *[[0] * 4] * 3]), "utf-8")
    assert "weight 7, which is proven to be the best" in output("optimize", "weights", "--weights", str(path), EMPTY)
    lines = output("optimize", "weights", "--weights", str(path), "--lightest", EMPTY)
    assert lines.endswith("weight 0, which is proven to be the best\n")
    assert "there is no such board" in output("optimize", "weights", "--cells", "r1c1", NONE, code=1)


def test_fewest_clues(output) -> None:
    """Of a random full board, or of the solution of a puzzle; within cells, and with a symmetry."""
    found = json.loads(output("optimize", "fewest-clues", "--shape", "2x2", "--symmetry", "half-turn", "--json"))
    board = cs.Board((2, 2), [value for row in found["cells"] for value in row])
    assert cs.is_unique(board)
    assert [bool(value) for value in board.values] == [bool(value) for value in board.values[::-1]]
    assert "clues 4, which is proven to be the best" in output("optimize", "fewest-clues", ONE)


def test_bombs(output) -> None:
    """The most and the fewest bombs that a board with two givens can have."""
    most, fewest = (
        json.loads(output("optimize", f"{which}-bombs", "--shape", "2x2", "--givens", "1", "--json"))
        for which in ("most", "fewest")
    )
    assert (most["value"], most["proven"], fewest["value"], fewest["proven"]) == (0, True, 0, True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["weights", EMPTY], "expected either --weights or --cells"),
        (["weights", "--cells", "r1", EMPTY], "expected a cell such as r4c2"),
        (["weights", "--cells", "r5c1", EMPTY], "expected cells of a board with 4 rows"),
        (["fewest-clues"], "expected either a FILE or --shape"),
        (["most-bombs", "--shape", "2x2", "--givens", "17"], "expected from 0 to 16 givens; found 17"),
        (["fewest-clues", "--cells", "r1c1 r1c2", ONE], "expected cells whose values determine the board"),
        (["fewest-clues", NONE], "expected a board that has a solution; found none"),
    ],
)
def test_bad_input(arguments, expected, capsys) -> None:
    """A mistake is one line, and exit code 2."""
    assert execute(["optimize", *arguments]) == 2
    complaint = told(capsys.readouterr().err)
    assert complaint.count("\n") == 1
    assert expected in complaint


def test_interruption_keeps_the_best(monkeypatch, capsys) -> None:
    """After Ctrl-C the best board so far is printed, with its bound."""
    step = Bar.step

    def interrupt(bar: Bar, count: int = 1) -> None:
        if not bar.done:
            signal.raise_signal(signal.SIGINT)
        step(bar, count)

    monkeypatch.setattr(Bar, "step", interrupt)
    assert execute(["optimize", "fewest-clues", "--shape", "3x3", "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert found["bound"] < found["value"] < 81
    assert not found["proven"]
