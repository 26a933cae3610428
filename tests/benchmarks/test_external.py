"""External programs in the benchmarks: they are run, judged, charged and stopped."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import csp_sudoku as cs
from tests.benchmarks.support import bench, module, raw_runs, write_puzzles
from tests.benchmarks.test_runs import has_ended, rows
from tests.clock import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the measuring processes are for Linux")

PROGRAM = """
import itertools
import os
import subprocess
import sys
import time

kind, *rest = sys.argv[1:]
empty = rest[0] if rest else "."


def is_right(cells):
    regions = [range(row * 4, row * 4 + 4) for row in range(4)] + [range(column, 16, 4) for column in range(4)]
    regions += [[row * 4 + column + at for at in (0, 1, 4, 5)] for row in (0, 2) for column in (0, 2)]
    return all(len({cells[cell] for cell in region}) == 4 for region in regions)


def solution(line):
    holes = [place for place, character in enumerate(line) if character == empty]
    cells = list(line)
    for values in itertools.product("12", repeat=len(holes)):
        for place, value in zip(holes, values):
            cells[place] = value
        if is_right(cells):
            return "".join(cells)
    return ""


lines = sys.stdin.read().splitlines()
if kind == "fails":
    sys.exit("this program needs a licence")
several = len(lines) > 1
is_again = several and os.path.exists("seen.txt")
if several:
    open("seen.txt", "w").close()
for number, line in enumerate(lines):
    if kind == "short" and number == 2:
        break
    if kind == "crashes" and number == 1:
        sys.stdout.write("12")
        sys.stdout.flush()
        os.abort()
    if kind in ("sleeps", "computes") and number == 1:
        child = subprocess.Popen(["sleep", "3600"])
        with open("begun.txt", "a") as file:
            file.write(f"{os.getpid()} {child.pid}\\n")
        while True:
            time.sleep(3600 if kind == "sleeps" else 0)
    answer = solution(line)
    if kind == "wrong" and several and number == 0:
        answer = "1" * 16
    if kind == "malformed" and several:
        answer = ["no solution", answer, ""][number]
    if kind == "fickle" and is_again:
        answer = ""
    print(answer, flush=True)
if kind == "long" and several:
    print(answer)
if kind == "endless" and several:
    while True:
        print(answer * 1000)
if kind == "slow_start":
    while time.process_time() < 0.3:
        pass
"""

SET = "tiny: 3 puzzles of 4×4"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A current folder with the program and three tiny puzzles."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    write_puzzles(tmp_path / "tiny.txt", (2, 2), (2, 2), (2, 2))
    return tmp_path


def command(kind, *more):
    """The command line of the program."""
    return shlex.join([sys.executable, "program.py", kind, *more])


def label(kind, *more):
    """The name of the program in the tables."""
    return shlex.join([Path(sys.executable).name, "program.py", kind, *more])


def measured(kinds, budget=(5.0, 5.0)):
    """The rows of the program in these kinds on the tiny puzzles, measured once."""
    races, isolated, sets = module("races"), module("isolated"), module("sets")
    names = [f"command:{command(kind)}" for kind in kinds]
    plan = races.Race.of(names, sets.from_files(["tiny.txt"]), isolated.Budget(*budget), 1)
    (found,) = plan.rows({task.key: [task.measure()] for *_, task in plan.entered}).values()
    return dict(zip(kinds, found, strict=True))


@pytest.mark.slow
def test_a_program_is_measured_beside_ours(here, capsys):
    """The command is in the table with its mean, its start-up and no figures of single puzzles; and in the raw runs."""
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--puzzles", "tiny.txt", "--out", here / "out"]
    record = bench(capsys, *arguments, "--solver-cmd", command("right"), "--json")
    row = rows(record, SET)[label("right")]
    assert row["solved"] == "3/3"
    assert float(row["mean, ms"].replace(",", "")) >= 0
    assert (row["median, ms"], row["worst, ms"]) == ("", "")
    assert float(row["ready, s"]) > 0
    assert [entry["name"] for entry in record["entries"]][1] == f"solvers | tiny | {label('right')}"
    (run,) = [
        run for run in raw_runs(here / "out", "solvers") if run["case"]["solver"] == f"command:{command('right')}"
    ]
    assert run["result"]["spent"] > run["result"]["ready"] > 0, "the program's own CPU seconds are charged"


@pytest.mark.slow
def test_empty_cells_are_written_as_asked(here, capsys):
    """With `--empty 0` the program reads 0 for an empty cell; it would not find these otherwise."""
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--puzzles", "tiny.txt", "--out", "out", "--json"]
    record = bench(capsys, *arguments, "--solver-cmd", command("right", "0"), "--empty", "0")
    assert rows(record, SET)[label("right", "0")]["solved"] == "3/3"
    record = bench(capsys, *arguments, "--solver-cmd", command("right", "0"))
    assert rows(record, SET)[label("right", "0")]["solved"] == "0/3, 3 no answer"


@pytest.mark.slow
def test_wrong_and_missing_answers_are_counted(here):
    """Every puzzle has a verdict, whatever the program writes."""
    found = measured(["right", "wrong", "short", "malformed", "long"])
    verdicts = {kind: [part["verdict"] for part in row.results[0]["parts"]] for kind, row in found.items()}
    assert verdicts == {
        "right": ["solved", "solved", "solved"],
        "wrong": ["wrong", "solved", "solved"],
        "short": ["solved", "solved", "no answer"],
        "malformed": ["wrong", "solved", "no answer"],
        "long": ["solved", "solved", "solved"],
    }
    assert found["wrong"].solved_text == "2/3, 1 WRONG"
    assert found["short"].solved_text == "2/3, 1 no answer"
    assert found["malformed"].solved_text == (
        "1/3, 1 WRONG, 1 no answer (expected 16 characters from 1 to 4; found 'no solution')"
    )
    assert found["long"].results[0]["trouble"] == "wrote 4 lines for 3 puzzles"
    (line,) = module("races").refuted([found["wrong"]])
    assert line.startswith(f"{label('wrong')} on 1 of tiny: 3 puzzles of 4×4; puzzle 1 is ")


def test_every_run_of_a_program_is_judged(here):
    """A program that answers in its first run, and not in the second, is reported."""
    row = measured(["fickle"])["fickle"]
    assert row.results[0]["trouble"] == "the answers differ from run to run"


def test_a_program_that_fails_is_one_line(here):
    """The answers before a crash count; one that fails at once is not run on the puzzles."""
    found = measured(["crashes", "fails", "endless"])
    assert found["crashes"].solved_text == "1/3, 2 no answer (ended by SIGABRT)"
    assert found["fails"].solved_text == ("0/3 (on one easy puzzle: ended with code 1: this program needs a licence)")
    assert "bytes of output" in found["endless"].results[0]["trouble"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sleeps", "computes"])
def test_a_program_that_hangs_is_stopped(here, kind):
    """It is stopped at the limit of the set, with its descendants; the answers that it has written count."""
    row = measured([kind], budget=(0.2, 0.6))[kind]
    assert row.results[0]["trouble"].startswith("stopped at the limit of ")
    assert [part["verdict"] for part in row.results[0]["parts"]] == ["solved", "no answer", "no answer"]
    started = [int(process) for process in (here / "begun.txt").read_text().split()]
    assert len(started) == 2
    wait_until(lambda: all(map(has_ended, started)))


@pytest.mark.slow
def test_the_start_up_is_subtracted(here):
    """A program that computes 0.3 s before its end, however many lines it reads, is not charged for that."""
    row = measured(["slow_start"])["slow_start"]
    assert row.ready >= 0.3
    assert row.results[0]["spent"] >= 0.3
    assert sum(row.solved) < 0.3


def test_a_program_that_has_gone_is_one_line(here):
    """A program that is there when the plan is made, and not when it is run."""
    found = list(module("external").solve({"command": ["./gone"], "empty": ".", "limit": 1.0}, [[2, 2, [0] * 16]]))
    assert found[-1] == ("trouble", "on one easy puzzle: cannot run './gone': No such file or directory")


def test_large_boards_have_letters():
    """A 16×16 puzzle is one line of 256 characters from 1 to G, and its answer is read in either case."""
    external, models = module("external"), module("models")
    puzzle = models.warm_up(4, 4)
    line = external.lines_of([puzzle], "0").strip()
    assert (len(line), set(line)) == (256, set("03456789ABCDEFG"))
    solution = cs.solve(cs.Board((4, 4), puzzle.cells)).solution.cells
    text = "".join(external.SYMBOLS[value - 1] for value in solution)
    for answer in (text, text.lower()):
        (part,) = external.parts_of([answer], 1.0, [puzzle])
        assert part == {"seconds": 1.0, "verdict": "solved"}
    huge = [[6, 6, [0] * 36**2]]
    (message,) = external.solve({"command": ["cat"], "empty": ".", "limit": 1.0}, huge)
    assert message == ("trouble", "expected puzzles of at most 35 values; found 36")


def test_a_changed_program_is_another_measurement(here):
    """The files that a command line names are part of the key of its task."""
    races, isolated, sets = module("races"), module("isolated"), module("sets")
    keys = set()
    for text in ("one\n", "two\n"):
        (here / "program.py").write_text(text)
        keys.add(races.task(f"command:{command('right')}", sets.empty(2, 2), isolated.Budget(1, 1)).key)
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("no-such-program --fast", "no program 'no-such-program' to run"),
        ("./program.py", "no program './program.py' to run"),
        ("'open", "No closing quotation"),
        (" ", "found an empty one"),
    ],
)
def test_a_program_that_cannot_be_run_is_refused(here, capsys, line, expected):
    """A bad command line is one line of error before anything is measured."""
    from csp_sudoku.cli.main import execute

    assert execute(["bench", "solvers", "--puzzles", "tiny.txt", "--solver-cmd", line]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "expected the command line of a solver; found" in error
    assert expected in error


def test_programs_of_one_name_are_refused(here):
    """Two programs of the same name in different folders could not be told apart in the tables."""
    for folder in ("old", "new"):
        (here / folder).mkdir()
        (here / folder / "solver").write_text("#!/bin/sh\ncat\n")
        (here / folder / "solver").chmod(0o755)
    asked = module("benchmark").BenchmarkOptions
    races = module("races")
    with pytest.raises(cs.OptionError, match="expected programs of different names; found several called 'solver'"):
        races.chosen(asked(commands=("old/solver", "new/solver")), ["auto"])
    chosen = races.chosen(asked(commands=("old/solver", "new/solver -v", "old/solver"), empty="0"), ["auto"])
    assert chosen == ["auto", "command-0:old/solver", "command-0:new/solver -v"]
