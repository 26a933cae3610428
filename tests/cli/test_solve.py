"""csp-sudoku solve: answers, evidence, JSON, counts, limits and traces."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from csp_sudoku.board import Board, load_many
from csp_sudoku.cli.drawing import ASCII
from csp_sudoku.cli.main import execute
from csp_sudoku.notation import FORMATS
from csp_sudoku.solvers.base import Result, Stats, Status
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED, full, holes, line9, told

KEYS = {
    "status",
    "rows",
    "columns",
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
    """Answers that the limits cut short are unknown, exit code 3, and never a wrong verdict."""
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
    """A count that reached its limit is reported as "at least"."""
    assert words in solve(text, "--count", most)[1][-1]


def test_drawing(solve) -> None:
    """A person sees the board with its borders, a dot before each value found, and one line of evidence."""
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
    """--shape sets the blocks of a bare board; the solution keeps its givens."""
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
    """--format reads the file in that notation only."""
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


READ_BACK = ["2x2", "3x2", "3x3", "2x5", "4x4", "5x5"]


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command line with a text on standard input; the exit code, the output and the lines of complaint."""

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, list[str]]:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = execute(arguments)
        out, err = capsys.readouterr()
        return code, out, told(err).splitlines()

    return call


@pytest.mark.quick
def test_solutions_as_lines(program) -> None:
    """--to line prints a line per puzzle and nothing else; one without a solution is empty, and is named on its own."""
    solved = "1243342143122134"
    assert program("solve", "--to", "line", ONE) == (0, f"{solved}\n", [])
    code, out, complaints = program("solve", "--to", "line", "-", stdin=f"{ONE}\n{NONE}\n{ONE}\n")
    assert (code, out) == (1, f"{solved}\n\n{solved}\n")
    assert complaints[0] == "csp-sudoku: <stdin>, puzzle 2: unsolvable"
    assert complaints[1].startswith("csp-sudoku: 3 puzzles: 2 solved, 1 unsolvable; mean ")
    code, out, complaints = program("solve", "--to", "line", "--solver", "backtracking", "--node-limit", "0", EMPTY)
    assert (code, out, complaints) == (3, "\n", ["csp-sudoku: <argument>, puzzle 1: undecided within the limits"])


@pytest.mark.parametrize("target", FORMATS)
def test_solutions_in_every_notation(target: str, program, tmp_path: Path) -> None:
    """The output of --to is read back as the solutions, without the puzzles that have none."""
    code, out, complaints = program("solve", "--to", target, "hard-3x2", NONE, ONE)
    assert (code, len(complaints)) == (1, 2)
    path = tmp_path / "solutions"
    path.write_text(out)
    boards = list(load_many(path, target))
    assert [(board.m, board.n, board.is_full) for board in boards] == [(3, 2, True), (2, 2, True)]
    assert boards[1].rows == ONE_SOLVED
    assert out.count("\n\n") == 1  # an empty line in place of the board, or between the two boards


@pytest.mark.parametrize("other", [["--json"], ["--trace"], ["--count", "2"]], ids=" ".join)
def test_solutions_and_nothing_else(other: list[str], program) -> None:
    """--to cannot be combined with options that print something else."""
    code, out, [complaint] = program("solve", "--to", "line", ONE, *other)
    assert (code, out) == (2, "")
    assert complaint.startswith("csp-sudoku: expected --to without --json, --trace and --count")


@pytest.mark.parametrize("name", READ_BACK)
@pytest.mark.parametrize("command", [["solve"], ["show"], ["solve", "--json"]], ids=" ".join)
@pytest.mark.parametrize("again", ["convert", "show"])
def test_what_is_printed_is_read_back(again: str, command: list[str], name: str, program) -> None:
    """The drawings and the objects of several boards, with their marks and statistics, are boards again."""
    _, out, _ = program(*command, f"easy-{name}", f"hard-{name}" if name not in ("5x5", "4x4") else f"easy-{name}")
    back = [again, "-"] if again == "show" else [again, "-", "--to", "line"]
    code, text, complaints = program(*back, stdin=out)
    assert (code, complaints) == (0, [])
    solver = ["convert"] if command == ["show"] else ["solve"]
    first = program(*solver, f"easy-{name}", "--to", "line")[1]
    lines = program("convert", "-", "--to", "line", stdin=text)[1] if again == "show" else text
    assert lines.startswith(first)
    assert lines.count("\n") == 2


def test_a_drawing_in_ascii_is_read_back(program) -> None:
    """The marks of an output without box-drawing characters are read, too."""
    out = program("solve", "hard-3x2")[1].translate(ASCII)
    assert "'" in out
    assert program("convert", "-", "--to", "line", stdin=out)[1] == program("solve", "hard-3x2", "--to", "line")[1]


def test_objects_without_a_solution_are_left_out(program) -> None:
    """`solve --json` says null where there is no solution, which is no board."""
    out = program("solve", "--json", NONE, ONE)[1]
    assert program("convert", "-", "--to", "line", stdin=out) == (0, "1243342143122134\n", [])
    code, text, [complaint] = program("convert", "-", "--to", "line", stdin=out.splitlines()[0])
    assert (code, text) == (2, "")
    assert "expected a board, found the end of the text" in complaint


@pytest.mark.parametrize("options", [[], ["--json"], ["--to", "line"], ["--trace"], ["--jobs", "2"]], ids=" ".join)
def test_the_last_line_sums_up(options: list[str], program, monkeypatch: pytest.MonkeyPatch) -> None:
    """For several puzzles, standard error ends with the number, the mean and the worst time, and the worst puzzle."""
    seconds = iter([0.002, 0.004, 0.0015])
    result = Result(Status.SOLVED, Board.parse("1243342143122134"), Stats("fake"))

    def timed(*_: object) -> Result:
        return result._replace(stats=Stats("fake", solve_seconds=next(seconds), build_seconds=0.001))

    def many(boards: Iterable[Board], **_: object) -> Iterator[Result]:
        return (timed() for _ in boards)

    for home in ("auto.Portfolio", "backtracking.solver.Backtracking"):
        monkeypatch.setattr(f"csp_sudoku.solvers.{home}.solve", timed)
    monkeypatch.setattr("csp_sudoku.solvers.many.solve_many", many)
    code, _, [summary] = program("solve", ONE, "-", *options, stdin=f"{ONE}\n{ONE}\n")
    assert code == 0
    assert summary == "csp-sudoku: 3 puzzles: 3 solved; mean 3.5 ms, worst 5 ms (<stdin>, puzzle 1)"


def test_one_puzzle_is_not_summed_up(program) -> None:
    """The answer to one puzzle says it all."""
    assert program("solve", ONE)[2] == []
