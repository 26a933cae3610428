"""csp-sudoku solve: answers, evidence, JSON, counts, limits and traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from csp_sudoku.cli.main import execute
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED, full, holes, line9

KEYS = {
    "status",
    "solution",
    "solutions",
    "solver",
    "options",
    "nodes",
    "backtracks",
    "build_seconds",
    "solve_seconds",
}


@pytest.fixture
def solve(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Solve a text with some options; the exit code and the lines of the output."""

    def call(text: str, *options: str) -> tuple[int, list[str]]:
        path = tmp_path / "boards.txt"
        path.write_text(text)
        code = execute(["solve", str(path), *options])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out.splitlines()

    return call


@pytest.fixture
def objects(solve):
    """Solve with --json; the exit code and the objects."""

    def call(text: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
        code, lines = solve(text, "--json", *options)
        return code, [json.loads(line) for line in lines]

    return call


@pytest.mark.quick
def test_json_of_a_solved_board(objects) -> None:
    """A solved board is one object with the status, the rows of the solution, and the evidence."""
    code, [found] = objects(ONE)
    assert code == 0
    assert set(found) == KEYS
    assert found["status"] == "solved"
    assert found["solution"] == ONE_SOLVED
    assert found["solutions"] is None
    assert found["solver"] == "auto"
    assert isinstance(found["options"], dict)
    assert all(isinstance(found[key], int) for key in ("nodes", "backtracks"))
    assert all(found[key] >= 0 for key in ("build_seconds", "solve_seconds"))


@pytest.mark.parametrize("name", [*SOLVERS, *PRESETS])
def test_every_solver_by_name(name: str, objects) -> None:
    """Each solver and each preset answers yes and no through the command line."""
    code, found = objects(f"{ONE}\n{NONE}\n", "--solver", name)
    assert code == 1
    assert [one["status"] for one in found] == ["solved", "unsolvable"]
    assert [one["solution"] for one in found] == [ONE_SOLVED, None]


def test_options_reach_the_solver(objects) -> None:
    """--option sets the options of the solver, and the evidence shows them; a preset keeps the rest."""
    _, [found] = objects(ONE, "--solver", "brute-force", "--option", "values=random", "--option", "seed=7")
    assert found["options"]["values"] == "random"
    assert found["options"]["seed"] == 7
    assert found["options"]["variables"] == "static"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ONE, 0),
        (f"{ONE}\n{EMPTY}", 0),
        (NONE, 1),
        (f"{NONE}\n{ONE}", 1),
        (f"{ONE}\n{NONE}\nbad", 2),
        (f"bad\n{ONE}", 2),
    ],
)
def test_exit_code(text: str, code: int, solve) -> None:
    """0 if all are solved, 1 if one has no solution, 2 if something could not be read."""
    assert solve(text)[0] == code


@pytest.mark.parametrize("limit", [["--node-limit", "0"], ["--time-limit", "0"]], ids=" ".join)
def test_limits_leave_it_unknown(limit: list[str], objects) -> None:
    """What the limits cut short is unknown, exit code 3, and never a wrong verdict."""
    code, [found] = objects("\n".join(["0 " * 25] * 25), "--solver", "backtracking", *limit)
    assert code == 3
    assert found["status"] == "unknown"
    assert found["solution"] is None


@pytest.mark.parametrize(
    ("text", "most", "count", "status", "code"),
    [
        (ONE, "2", 1, "solved", 0),
        (EMPTY, "1000", 288, "solved", 0),
        (EMPTY, "288", 288, "solved", 0),
        (EMPTY, "5", 5, "solved", 0),
        (NONE, "2", 0, "unsolvable", 1),
    ],
)
def test_count(text: str, most: str, count: int, status: str, code: int, objects) -> None:
    """--count K counts up to K."""
    exit_code, [found] = objects(text, "--count", most)
    assert (exit_code, found["solutions"], found["status"]) == (code, count, status)


@pytest.mark.parametrize(
    ("text", "most", "words"),
    [
        (ONE, "2", ": 1 solution found by auto ("),
        (EMPTY, "1000", ": 288 solutions found by auto ("),
        (EMPTY, "5", ": at least 5 solutions found by auto ("),
        (NONE, "5", ": no solution found by auto ("),
    ],
)
def test_count_in_words(text: str, most: str, words: str, solve) -> None:
    """A count that reached its limit is told as "at least"."""
    assert words in solve(text, "--count", most)[1][-1]


def test_drawing(solve) -> None:
    """A person sees the board with its borders, a dot before what was filled in, and one line of evidence."""
    code, lines = solve(ONE)
    assert code == 0
    assert lines[:7] == [
        "┌───────┬───────┐",
        "│  1 ·2 │ ·4 ·3 │",
        "│ ·3 ·4 │  2 ·1 │",
        "├───────┼───────┤",
        "│ ·4  3 │ ·1 ·2 │",
        "│ ·2 ·1 │ ·3  4 │",
        "└───────┴───────┘",
    ]
    assert len(lines) == 8
    for part in ("boards.txt, puzzle 1: solved by auto (", "node", "backtrack", "built in", "solved in"):
        assert part in lines[7]


def test_several_puzzles_are_set_apart(solve) -> None:
    """A blank line stands between the drawings, and the unsolvable board is one line."""
    code, lines = solve(f"{ONE}\n{NONE}\n{ONE}")
    assert code == 1
    assert [number for number, line in enumerate(lines) if not line] == [8, 10]
    assert "puzzle 2: unsolvable by auto (" in lines[9]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3), (3, 4), (4, 4)])
def test_shapes(shape: tuple[int, int], objects) -> None:
    """--shape tells the blocks of a bare board; the solution keeps its givens."""
    rows, columns = shape
    code, [found] = objects(holes(rows, columns), "--shape", f"{rows}x{columns}")
    assert code == 0
    givens = [int(value) for value in holes(rows, columns).split()]
    solution = [value for row in found["solution"] for value in row]
    assert all(given in (0, value) for given, value in zip(givens, solution, strict=True))
    assert len(found["solution"]) == rows * columns


def test_zero_based(objects) -> None:
    """With --zero-based the values of the file count from zero; the solution counts from one, as everywhere."""
    text = "\n".join(" ".join(str(value - 1) for value in row) for row in full(2, 2)).replace("3", ".")
    _, [found] = objects(text, "--zero-based")
    assert found["solution"] == full(2, 2)


def test_format_is_forced(solve) -> None:
    """--format takes the file for what it is said to be, and for nothing else."""
    assert solve(line9(), "--format", "line")[0] == 0
    assert solve(line9(), "--format", "tue")[0] == 2


@pytest.mark.parametrize("solver", [[], ["--solver", "brute-force"], ["--solver", "fighter"]], ids=" ".join)
def test_trace(solver: list[str], objects, solve) -> None:
    """--trace prints each step, then the result; the solver is backtracking. Only JSON counts from 0."""
    code, found = objects(ONE, "--trace", *solver)
    *steps, result = found
    assert code == 0
    assert result["status"] == "solved"
    assert result["solver"] == "backtracking"
    assert {step["kind"] for step in steps} <= {"assign", "prune", "fail", "backtrack"}
    assert all(set(step) == {"kind", "row", "column", "value", "depth"} for step in steps)
    assigned = {(step["row"], step["column"]): step["value"] for step in steps if step["kind"] == "assign"}
    assert all(ONE_SOLVED[row][column] == value for (row, column), value in list(assigned.items())[-1:])
    _, lines = solve(ONE, "--trace", *solver)
    shown = [line.split() for line in lines if line.split()[0] in {"assign", "prune", "fail", "backtrack"}]
    named = [[step["kind"], f"r{step['row'] + 1}c{step['column'] + 1}={step['value']}"] for step in steps]
    assert shown == named


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_jobs_keep_the_order(jobs: str, objects) -> None:
    """Results come in the order of the boards, however many work on them."""
    code, found = objects("\n".join([ONE, NONE, EMPTY] * 5), "--jobs", jobs)
    assert code == 1
    assert [one["status"] for one in found] == ["solved", "unsolvable", "solved"] * 5
