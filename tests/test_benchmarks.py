"""The benchmark scripts run, verify what they measure, and write what they say; no figure is tested."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import csp_sudoku as cs

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "benchmarks"

pytestmark = pytest.mark.skipif(not SCRIPTS.is_dir(), reason="a wheel has no benchmarks")


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """One of the scripts, as a user starts it."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "PYTHONPATH": path}
    )


def puzzles(*shapes: tuple[int, int]) -> list[cs.Board]:
    """For each shape, a solution without the values 1 and 2."""
    found = []
    for m, n in shapes:
        solution = cs.solve(cs.Board.empty(m, n), "backtracking").solution
        assert solution is not None
        found.append(solution.without(cell for cell, value in enumerate(solution.cells) if value < 3))
    return found


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A file of three small puzzles."""
    path = tmp_path / "small.txt"
    boards = puzzles((2, 2), (2, 2), (2, 2))
    path.write_text("".join(board.format("line") + "\n" for board in boards), encoding="utf-8")
    return path


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of the scripts can be imported."""
    monkeypatch.syspath_prepend(str(SCRIPTS))


def test_a_run_without_peers(small: Path, tmp_path: Path) -> None:
    """Our solvers solve the file; the table and the JSON tell the same, and where they come from."""
    out = tmp_path / "out.json"
    done = run("solvers.py", small, "--peer", "none", "--solver", "auto", "exact-cover", "--repeat", 2, "--json", out)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("    python benchmarks/solvers.py ")
    assert any("CPython" in line or "PyPy" in line for line in lines)
    assert f"csp-sudoku {cs.__version__}" in done.stdout
    assert "## small.txt: 3 of 2×2" in lines
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert table[0] == ["solver", "solved", "puzzles/s", "× best peer", "ready after, s"]
    names = ["csp_sudoku auto", "csp_sudoku auto, solve_many", "csp_sudoku exact-cover"]
    assert [row[:2] for row in table[2:]] == [[name, "3/3"] for name in names]

    record = json.loads(out.read_text(encoding="utf-8"))
    assert set(record) == {"command", "machine", "versions", "files"}
    (file,) = record["files"]
    assert (file["puzzles"], file["shapes"]) == (3, ["2×2"])
    assert [row["label"] for row in file["rows"]] == names
    for row in file["rows"]:
        assert (row["solved"], row["measured"], row["wrong"], row["trouble"]) == (3, 3, 0, "")
        assert len(row["pass_seconds"]) >= 2
        assert sum(row["seconds"]) == pytest.approx(row["cpu_seconds"])
        assert min(row["seconds"]) > 0


def test_larger_boards_are_told_in_milliseconds(tmp_path: Path) -> None:
    """Beyond 9×9 the table has mean, median and worst; --limit takes the first puzzles."""
    path = tmp_path / "large.txt"
    text = "".join(" ".join(map(str, board.cells)) + "\n" for board in puzzles((2, 5), (2, 5)))
    path.write_text(text, encoding="utf-8")
    options = ["--peer", "none", "--solver", "backtracking", "--repeat", 1]
    done = run("solvers.py", path, *options, "--limit", 1, "--markdown")
    assert done.returncode == 0, done.stderr
    assert "## large.txt: 1 of 2×5" in done.stdout
    assert "mean, ms" in done.stdout
    assert "1/1" in done.stdout


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    """A file that cannot be read ends the run before anything is measured."""
    done = run("solvers.py", tmp_path / "missing.txt", "--peer", "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert run("solvers.py", tmp_path / "missing.txt", "--peer", "nobody").returncode == 2


@pytest.mark.usefixtures("modules")
def test_a_missing_peer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that is not installed is a line of the table, not an error."""
    import measure
    import models
    import peers
    import report
    import subjects

    monkeypatch.setitem(peers.PEERS, "ghost", peers.Peer("Ghost", "ghost", "no_such_module_anywhere", lambda: None))
    puzzle = models.warm_up(2, 2)
    row = measure.Measurement(subjects.Subject("ghost", is_peer=True), 1)
    measure.measure(row, measure.Plan([puzzle], 1.0))
    assert row.trouble == "not installed"
    assert any("Ghost" in line and "not installed" in line for line in report.table([puzzle], [row]))


@pytest.mark.usefixtures("modules")
def test_answers_are_judged_without_us() -> None:
    """The verifier of the benchmark takes a completion and nothing else."""
    import models

    for m, n in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5)]:
        puzzle = models.warm_up(m, n)
        solution = list(cs.solve(cs.Board((m, n), puzzle.cells)).solution.cells)
        assert models.is_completion(solution, puzzle)
        assert not models.is_completion(solution[:-1], puzzle)
        assert not models.is_completion(solution[1:] + solution[:1], puzzle)
        changed = [value % (m * n) + 1 for value in solution]
        assert models.is_completion(changed, models.Puzzle(m, n, (0,) * len(changed)))
        assert not models.is_completion(changed, puzzle)


@pytest.mark.usefixtures("modules")
def test_ratios_are_of_common_puzzles() -> None:
    """A peer that was cut short is compared on the puzzles it got to, and the last one counts as a bound."""
    import measure
    import report
    import subjects

    def row(name: str, seconds: list[float], cut: float = 0.0) -> measure.Measurement:
        peer = subjects.Subject(name, is_peer=True)
        return measure.Measurement(peer, 3, 0.0, [[(each, "solved") for each in seconds]], cut)

    fast, slow = row("xcover", [1.0, 2.0, 4.0]), row("py-sudoku", [4.0], cut=8.0)
    assert report.best_peer([slow, fast]) is fast
    assert report.ratio(fast, fast) == (1.0, False)
    assert report.ratio(slow, fast) == (0.25, True)
    assert report.ratio(row("py-sudoku", [2.0, 4.0]), fast) == (0.5, False)


@pytest.mark.usefixtures("modules")
def test_encodings_have_the_solutions_of_the_puzzle() -> None:
    """The exact cover covers each item by the options of the solution once; its CNF has no clause against it."""
    import models

    puzzle = models.warm_up(2, 3)
    solution = cs.solve(cs.Board((2, 3), puzzle.cells)).solution.cells
    options, item_count, meanings = models.exact_cover(puzzle)
    covered = [
        item
        for items, (cell, value) in zip(options, meanings, strict=True)
        if solution[cell] == value
        for item in items
    ]
    assert sorted(covered) == list(range(item_count))
    found, meanings = models.clauses(puzzle)
    true = {number if solution[cell] == value else -number for number, (cell, value) in enumerate(meanings, start=1)}
    assert all(true.intersection(clause) for clause in found)


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A file with a board that brute force will not complete in this universe's time."""
    path = tmp_path / "empty.txt"
    path.write_text(" ".join(map(str, cs.Board.empty(5, 5).cells)) + "\n", encoding="utf-8")
    return path


def test_a_solver_out_of_time_is_killed(endless: Path) -> None:
    """A puzzle that a solver cannot do in its budget ends the solver, not the run."""
    options = ["--peer", "none", "--solver", "brute-force", "auto", "--repeat", 1]
    done = run("solvers.py", endless, *options, "--time-limit", 0.5)
    assert done.returncode == 0, done.stderr
    assert "| 0/1 (0.5 s used up) |" in done.stdout
    assert "csp_sudoku auto, solve_many" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_an_interrupted_run_prints_what_it_has(endless: Path) -> None:
    """Ctrl-C prints the rows so far and ends with 130; no process stays behind."""
    command = [sys.executable, SCRIPTS / "solvers.py", endless, "--peer", "none", "--solver", "brute-force", "auto"]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:  # fmt: skip
        while not process.stdout.readline().startswith("Packages"):
            pass
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert any("brute-force" in line and "interrupted" in line for line in output.splitlines())
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("a process stayed behind")


def test_bombs_agree_with_all_others(tmp_path: Path) -> None:
    """The maps of a shape are made, followed and counted; nothing is wrong, and the picture is there."""
    out = tmp_path / "bombs.png"
    done = run("bombs.py", "--quick", "--shapes", "2x2", "--counted", "2x2,2x3", "--plot", out)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("    python benchmarks/bombs.py --quick ")
    assert "were confirmed in full" in done.stdout
    assert "WRONG" not in done.stdout
    headings = [line for line in lines if line.startswith("#")]
    assert headings == [
        "## From scratch",
        "### 2×2, random cells of a random solution",
        "### 2×2, in games of random safe moves",
        "## Turn by turn",
        "## Bombs",
        "### Bombs on 2×2",
        "### Bombs on 2×3",
    ]
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("modules")
def test_contradicting_maps_are_told() -> None:
    """A map with one move turned round is wrong, whoever made it; a map of which nothing is known is not."""
    import bomb_maps

    board = cs.Board.parse("12.. .... ...3 .4..")
    found = cs.classify_moves(board)
    right = bomb_maps.Found(found.safe_masks, found.bomb_masks, is_complete=True)
    cell = int(found.safe_masks.argmax())
    turned = right.bombs.copy()
    turned[cell] |= found.safe_masks[cell]
    nothing = bomb_maps.Found(right.safe * 0, right.bombs * 0, is_complete=False)
    judge = bomb_maps.Judge()
    judge.look_up(found)
    judge.compare(board, {"search": right, "other": nothing})
    assert (judge.wrong, judge.confirmed) == ([], 0)
    judge.compare(board, {"search": right, "other": right})
    assert (judge.wrong, judge.confirmed) == ([], 1)
    judge.compare(board, {"search": right, "other": right._replace(bombs=turned)})
    assert len(judge.wrong) == 1
    assert "search and other contradict each other" in judge.wrong[0]


@pytest.mark.usefixtures("modules")
def test_late_maps_count_as_late() -> None:
    """A median is late if half of the maps are, and a ratio to a late map is a bound."""
    import bomb_maps
    import bomb_tables

    times = [bomb_maps.Time(False, 1.0), bomb_maps.Time(True, 0.5), bomb_maps.Time(False, 3.0)]
    assert bomb_maps.median(times) == (False, 3.0, 0.0)
    assert bomb_maps.median(times[1:]).is_late
    assert bomb_tables._figure(times[:2]) == "> 750 / > 500"
    assert bomb_tables._ratio(times[:1], [times[1:2], times[2:]], is_formula_free=False) == "3"
    assert bomb_tables._ratio(times[:1], [times[1:2]], is_formula_free=False) == "> 0.5"
    assert bomb_tables._ratio(times[1:2], [times[1:2], times[:1]], is_formula_free=False) == "< 2"
    assert bomb_tables._ratio(times[1:2], [times[1:2]], is_formula_free=False) == ""
