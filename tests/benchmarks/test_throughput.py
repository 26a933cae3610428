"""`csp-sudoku bench throughput`: every row is measured next to a peer, verified, and never measured twice."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

import csp_sudoku as cs
from tests.benchmarks.support import bench, module, puzzles, raw_runs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the measuring processes are for Linux")

PEER = """
import json, sys
known = json.load(open({known!r}))
for line in sys.stdin:
    print(known.get(line.strip(), "1" * 81))
"""


@pytest.fixture
def lines():
    """Two puzzles of 9×9 as lines."""
    return [board.format("line") for board in puzzles((3, 3), (3, 3))]


@pytest.fixture
def peer(tmp_path, lines):
    """The words of a program that knows the solutions of these lines by heart, and of the easy one to start with."""
    easy = module("external").lines_of([module("models").warm_up(3, 3)], ".").strip()
    known = {line: cs.solve(line).solution.format("line") for line in [easy, *lines]}
    (tmp_path / "known.json").write_text(json.dumps(known))
    script = tmp_path / "peer.py"
    script.write_text(PEER.format(known=str(tmp_path / "known.json")))
    return [sys.executable, str(script)]


def measured(row, lines, command=(), *, rounds=2):
    """The report of the measuring process on a row."""
    common = {"lines": lines, "times": 2, "command": list(command), "empty": ".", "rounds": rounds}
    messages = list(module("throughput_work").contests(common, [row]))
    assert messages[0][0] == "ready"
    return messages[1][1]


LIBRARY = [
    "solve_array",
    "solve_array(count=2)",
    "solve_many",
    "solve",
    "count_solutions(limit=2)",
    "solve_many(count=2)",
    "solve_array(jobs=2)",
]


@pytest.mark.parametrize("row", LIBRARY)
def test_rows_of_the_library_are_right(row, lines):
    """Each row solves all puzzles, and has a time for each round."""
    found = measured(row, lines)
    assert found["wrong"] == 0
    assert len(found["ours"]) == 2
    assert min(found["ours"]) > 0
    assert len(found["theirs"]) == (2 if row.endswith("(jobs=2)") else 0)


@pytest.mark.slow
@pytest.mark.parametrize("row", ["csp-sudoku solve --to line", "csp-sudoku solve --json"])
def test_rows_of_the_command_are_right(row, lines, peer, monkeypatch):
    """The command is measured as a whole process, and so is the peer; it may write much though it reads a file."""
    monkeypatch.setattr(module("external"), "OUTPUT", 0)
    found = measured(row, lines, peer, rounds=1)
    assert found["wrong"] == 0
    assert min(found["ours"]) > 0
    assert min(found["theirs"]) > 0


def test_a_peer_is_measured_beside_ours_and_verified(tmp_path, lines, peer):
    """Each round has a time of ours and of the peer's; wrong answers of the peer are counted."""
    found = measured("solve_array", lines, peer)
    assert found["wrong"] == 0
    assert len(found["ours"]) == len(found["theirs"]) == 2
    known = json.loads((tmp_path / "known.json").read_text())
    del known[lines[0]]
    (tmp_path / "known.json").write_text(json.dumps(known))
    assert measured("solve_array", lines, peer)["wrong"] == len(lines) * 2


def test_pairs_are_asked_in_turn_about_each_board():
    """Boards of larger shapes have a part each, with both times; makers of maps have to agree."""
    work = module("throughput_work")
    boards = [[2, 2, list(board.cells)] for board in puzzles((2, 2), (2, 2))]
    for ours, theirs in (("auto", "learning"), (work.MAP, work.MAP_BY + "search"), (work.MAP, "")):
        ready, *parts = work.pairs({"ours": ours, "theirs": theirs, "is_wall": False}, boards)
        assert ready[0] == "ready"
        assert [part["wrong"] for _, part in parts] == [0, 0]
        assert all(len(part["theirs"]) == bool(theirs) and part["ours"][0] > 0 for _, part in parts)


@pytest.mark.slow
def test_the_command_measures_once_and_tells(tmp_path, monkeypatch, capsys, lines, peer):
    """The same command continues where it stopped; the table has our time, the peer's and the ratio."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.txt").write_text("\n".join(lines) + "\n")
    asked = ["throughput", "--quick", "--only", "solve_array", "--puzzles", "two.txt", "--out", "out"]
    asked += ["--solver-cmd", shlex.join(peer), "--repeat", "2"]
    record = bench(capsys, *asked, "--json")
    assert record["wrong"] == []
    assert [each["name"].split(" | ")[1] for each in record["entries"]] == ["solve_array"] * 2
    section = record["sections"][0]
    assert section["columns"][0] == "row"
    assert all(section["rows"][0])
    before = raw_runs(tmp_path / "out", "throughput")
    assert len(before) == 2
    assert bench(capsys, *asked, "--json")["sections"] == record["sections"]
    assert raw_runs(tmp_path / "out", "throughput") == before


def test_the_plan_has_every_row_of_the_table(tmp_path, lines):
    """Without `--only` the plan has all rows, and for each external program the rows with which it can be compared."""
    (tmp_path / "two.txt").write_text("\n".join(lines) + "\n")
    options = module("benchmark").BenchmarkOptions(quick=True, puzzles=(str(tmp_path / "two.txt"),), commands=("cat",))
    plan = module("suite").benchmark("throughput").plan(options)
    rows = {row.name: row.peer for row in plan.lines}
    assert list(rows) == list(module("throughput_work").ROWS)
    assert rows["solve_array"] == rows["csp-sudoku solve --json"] == "cat"
    assert rows["solve_array(jobs=2)"] == "one job"
    assert rows["csp-sudoku solve, one board"] == "import numba"
    assert {row.name for row in plan.boards} == {"move map"}
