"""Solving in bulk: the same output as puzzle by puzzle, whatever stands between the plain lines."""

import json
import re

import pytest

from csp_sudoku import solve
from csp_sudoku.cli.arguments import resolve
from csp_sudoku.cli.inputs import BoardSource
from csp_sudoku.cli.main import execute
from csp_sudoku.notation import Grid, format_grid
from csp_sudoku.solvers.isomorphs import Isomorphism
from tests.cli.support import run
from tests.support import most_slow, planted, random_of

PUZZLES = [
    format_grid(Grid(3, 3, planted(3, 3, random_of("bulk", trial), share=0.5)[0].values), "line") for trial in range(12)
]
BLOCKED = "12345678." + "." * 17 + "9" + "." * 54
CLASH = "11" + "." * 79
FILES = {
    "plain": PUZZLES,
    "one": PUZZLES[:1],
    "comments": [*PUZZLES[:3], "# a comment", "", *PUZZLES[3:]],
    "comment first": ["# a comment", *PUZZLES],
    "unsolvable": [*PUZZLES[:2], BLOCKED, *PUZZLES[2:5], BLOCKED, BLOCKED],
    "unsolvable first": [BLOCKED, *PUZZLES[:2]],
    "clash": [*PUZZLES[:4], CLASH, *PUZZLES[4:]],
    "clash first": [CLASH, *PUZZLES],
    "letter": [*PUZZLES[:4], PUZZLES[4][:-1] + "x", *PUZZLES[5:]],
    "short": [*PUZZLES[:4], PUZZLES[4][:-1], *PUZZLES[5:]],
    "another size": [*PUZZLES[:2], "1.....2..3.....4", *PUZZLES[2:]],
    "other marks": [puzzle.replace(".", "0") for puzzle in PUZZLES],
    "spaces": [f" {puzzle} " for puzzle in PUZZLES],
    "binary": [*PUZZLES[:2], "\x00", *PUZZLES[2:]],
    "another notation": ["2 2", "1 . . .", ". . 2 .", ". 3 . .", ". . . 4"],
    "nothing": [],
}


def outcome(arguments, capsys):
    """The exit code and the output of a command, without its times."""
    code = execute(arguments)
    out, err = capsys.readouterr()
    out = re.sub(r'"(build|solve)_seconds": [-+.e0-9]+', "", out)
    return code, out, re.sub(r"; mean .*", "", err)


WAYS = [(["--to", "line"], "2"), (["--json"], "1")]
CASES = [(name, how, jobs) for name in FILES for how, _ in WAYS for jobs in ("1", "2")]
QUICK = [(name, *WAYS[place % 2]) for place, name in enumerate(FILES)]


@pytest.mark.parametrize(("name", "how", "jobs"), most_slow(CASES, QUICK))
def test_bulk_prints_what_single_puzzles_print(name, how, jobs, tmp_path, monkeypatch, capsys):
    """Output, complaints, totals and exit code are the same as in the slow way, in order."""
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(FILES[name]) + "\n" * (name != "one"))
    other = tmp_path / "other.txt"
    other.write_text("\n".join(PUZZLES[:2]))
    arguments = ["solve", str(path), "hard-3x3", str(other), *how]
    bulk = outcome([*arguments, "--jobs", jobs], capsys)
    monkeypatch.setattr(BoardSource, "are_lines", False)
    assert bulk == outcome(arguments, capsys)


@pytest.mark.slow
def test_ten_thousand_solutions_are_those_of_the_solver(tmp_path):
    """`solve --to line` of 10,000 puzzles with one solution prints the answers of `solve`, in order."""
    random, (hard,) = random_of("ten thousand"), resolve("hard-3x3").boards()
    boards = [Isomorphism(hard.geometry, random).of(hard) for _ in range(10_000)]
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(board.format("line") + "\n" for board in boards))
    done = run("solve", str(path), "--to", "line")
    assert (done.returncode, done.stderr.split(";")[0]) == (0, "csp-sudoku: 10,000 puzzles: 10,000 solved")
    found = [solve(board).solution for board in boards]
    assert done.stdout.split() == [solution.format("line") for solution in found]
    assert len(set(found)) == len(boards)


def test_the_worst_puzzle_is_named():
    """The last line names one puzzle as the worst, also among those that were solved together."""
    done = run("solve", "--to", "line", stdin="\n".join(PUZZLES))
    assert done.returncode == 0
    assert re.search(r"12 puzzles: 12 solved; mean \S+ .s, worst \S+ .s \(<stdin>, puzzle \d+\)", done.stderr)


@pytest.mark.slow
def test_objects_of_a_run_are_json():
    """Each line is an object with the fields of a single result."""
    lines = run("solve", "--json", stdin="\n".join(PUZZLES)).stdout.splitlines()
    single = json.loads(run("solve", "--json", PUZZLES[3]).stdout)
    found = [json.loads(line) for line in lines]
    assert [list(line) for line in found] == [list(single)] * 12
    assert (found[3]["solution"], found[3]["nodes"]) == (single["solution"], single["nodes"])
