"""csp-sudoku hint, and the steps of csp-sudoku check."""

from __future__ import annotations

import json

import csp_sudoku as cs
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED

FULL = "".join(str(value) for row in ONE_SOLVED for value in row)


def test_a_step_for_each_board(output) -> None:
    """Each board gets one line: its step, that it is full, or why there is no step; the worst exit code counts."""
    lines = output("hint", ONE, FULL, NONE, code=1).splitlines()
    assert lines == [
        "<argument 1>, puzzle 1: naked single: r1c4=3, since the cell can take no other value.",
        "<argument 2>, puzzle 1: the board is full",
        "<argument 3>, puzzle 1: unsolvable: row 1 has no place for 3",
    ]


def test_json(output) -> None:
    """--json prints one object per board, in which rows and columns count from 0."""
    step, full, none = map(json.loads, output("hint", "--json", ONE, FULL, NONE, code=1).splitlines())
    assert step == {"unsolvable": False, "reason": None, "step": cs.hint(ONE).as_object()}
    assert step["step"]["placements"] == [[0, 3, 3]]
    assert full == {"unsolvable": False, "reason": None, "step": None}
    assert none == {"unsolvable": True, "reason": "row 1 has no place for 3", "step": None}


def test_candidates(output) -> None:
    """--candidates draws the candidates above the step, as `show` does."""
    drawn = output("show", "--candidates", ONE).partition("\n")[2]
    assert output("hint", "--candidates", ONE).startswith(f"{drawn}<argument>, puzzle 1: naked single: r1c4=3")


def test_check_lists_the_steps(output) -> None:
    """`check --steps` lists the steps to the solution, numbered, and as objects with --json."""
    lines = output("check", "--steps", ONE).splitlines()
    board = cs.Board.parse(ONE)
    assert lines[1] == "   1. naked single: r1c4=3, since the cell can take no other value."
    found = json.loads(output("check", "--steps", "--json", ONE))
    assert len(found["steps"]) == len(lines) - 1
    for step in found["steps"]:
        for entry in step["placements"]:
            board = board.place(*entry)
    assert board.rows == ONE_SOLVED


def test_check_lists_the_steps_of_other_boards(output) -> None:
    """With several solutions the steps end at the first trial; without a solution there are no steps."""
    found = json.loads(output("check", "--steps", "--json", EMPTY))
    assert [step["technique"] for step in found["steps"]] == ["trial"]
    assert json.loads(output("check", "--steps", "--json", NONE, code=1))["steps"] is None
