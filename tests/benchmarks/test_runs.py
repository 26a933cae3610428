"""`csp-sudoku bench NAME`: every benchmark runs, verifies, and leaves its table, its pictures and its raw runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.cli.main import execute
from tests.benchmarks.support import bench, environment, module, raw_runs, write_puzzles
from tests.clock import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the arena and the measuring processes are for Linux")

SOLVERS = """
import os
import subprocess
import sys
import time
import csp_sudoku as cs

def right(board):
    return cs.solve(board, "exact-cover").solution

def wrong(board):
    return [max(1, value) for value in board.values]

def nothing(board):
    return None

def failing(board):
    raise RuntimeError("it is late")

calls = []

def endless(board):
    calls.append(board)
    if len(calls) <= 3:  # it is asked thrice to get ready
        return right(board)
    with open("begun.txt", "w") as file:
        file.write(f"{os.getpid()}\\n")
    while True:
        pass

def asleep(board):
    calls.append(board)
    if len(calls) > 3:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        with open("asleep.txt", "a") as file:
            file.write(f"{child.pid}\\n")
        time.sleep(3600)
    return right(board)

def elsewhere(board):
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.3: pass"], check=True)
    return right(board)

def ends(board):
    os._exit(3)

def told(board):
    with open("told.txt", "a") as file:
        file.write("x\\n")
    time.sleep(0.05)
    return cs.solve(board, "exact-cover")

told_again = told_thrice = told
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A current folder with solvers of the reader's own, and two tiny puzzles."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SOLVERS, encoding="utf-8")
    write_puzzles(tmp_path / "tiny.txt", (2, 2), (2, 2))
    yield tmp_path
    sys.modules.pop("mine", None)


def rows(record, title):
    """The rows of a table, by their first cell."""
    (section,) = [section for section in record["sections"] if section["title"] == title]
    return {row[0]: dict(zip(section["columns"], row, strict=True)) for row in section["rows"]}


def test_a_benchmark_leaves_tables_pictures_and_raw_runs(here, capsys):
    """One command: Markdown, JSON, PNG, SVG, the raw runs, and RESULTS.md; each says where the figures come from."""
    out = here / "out"
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--puzzles", "tiny.txt", "--repeat", 2, "--out", out]
    record = bench(capsys, *arguments, "--json")
    assert rows(record, "tiny: 2 puzzles of 4×4")["csp_sudoku exact-cover"]["solved"] == "2/2"
    assert (record["wrong"], record["repeats"], len(record["entries"])) == ([], 2, 1)
    assert all(value > 0 for value in record["entries"][0]["values"])
    assert set(record["environment"]) == {"machine", "versions", "commit"}
    assert json.loads((out / "results" / "solvers.json").read_text("utf-8")) == record
    assert (out / "results" / "solvers.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "results" / "solvers.svg").read_text("utf-8")
    for text in ((out / "RESULTS.md").read_text("utf-8"), (out / "results" / "solvers.md").read_text("utf-8")):
        assert "| csp_sudoku exact-cover | 2/2" in text
        assert f"csp-sudoku {cs.__version__}" in text
    assert "All this took" in (out / "RESULTS.md").read_text("utf-8")
    assert "](results/solvers.png)" in (out / "RESULTS.md").read_text("utf-8")
    runs = raw_runs(out, "solvers")
    assert sorted(run["repeat"] for run in runs) == [0, 1]
    assert all(part["verdict"] == "solved" for run in runs for part in run["result"]["parts"])


@pytest.mark.slow
def test_peers_are_measured_beside_ours(here, capsys):
    """`--peer` adds a peer, and the best of the named peers is the reference for the others."""
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--peer", "cpsat-integer", "--puzzles", "tiny.txt"]
    record = bench(capsys, *arguments, "--out", here / "out", "--json")
    table = rows(record, "tiny: 2 puzzles of 4×4")
    assert {name: row["solved"] for name, row in table.items()} == {
        "csp_sudoku exact-cover": "2/2",
        "CP-SAT integer, defaults": "2/2",
    }
    assert table["CP-SAT integer, defaults"]["× best peer"] == "1"


@pytest.mark.slow
def test_solvers_of_the_reader_are_judged(here, capsys):
    """A solver by its dotted path is in the table; wrong, missing, failing and late answers are distinguished."""
    own = ("right", "wrong", "nothing", "failing", "endless")
    options = [word for name in own for word in ("--solver", f"mine:{name}")]
    record = bench(
        capsys, "solvers", "--quick", "--only", "auto", "--puzzles", "tiny.txt", "--time-limit", 0.3,
        "--out", here / "out", "--json", *options, code=1,
    )  # fmt: skip
    table = rows(record, "tiny: 2 puzzles of 4×4")
    solved = {name: table[f"mine:{name}"]["solved"] for name in own}
    assert solved["right"] == "2/2"
    assert solved["wrong"] == "0/2, 2 WRONG"
    assert solved["nothing"] == "0/2"
    assert solved["failing"] == "0/2 (RuntimeError: it is late)"
    assert solved["endless"] == "0/2"
    assert len(record["wrong"]) == 1
    assert record["wrong"][0].startswith("mine:wrong on 2 of tiny")
    late = [run for run in raw_runs(here / "out", "solvers") if run["case"]["solver"] == "mine:endless"]
    assert late[0]["result"]["parts"][0]["over"] >= 0.3


def has_ended(process):
    """Whether the process of this number has ended; zombies have."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in "ZX"


@pytest.mark.slow
def test_who_sleeps_or_ends_holds_nobody_up(here, capsys):
    """A solver that sleeps exceeds the limit like one that computes, and its descendants end with it.

    One that ends its process is told with its exit code.
    """
    options = [word for name in ("asleep", "ends") for word in ("--solver", f"mine:{name}")]
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--puzzles", "tiny.txt", "--time-limit", 0.3, *options]
    record = bench(capsys, *arguments, "--out", here / "out", "--json")
    table = rows(record, "tiny: 2 puzzles of 4×4")
    assert table["mine:asleep"]["solved"] == "0/2"
    assert table["mine:ends"]["solved"] == "0/2 (ended with code 3)"
    assert record["troubles"] == ["solver mine:ends, set tiny, puzzles 2: ended with code 3"]
    (run,) = [run for run in raw_runs(here / "out", "solvers") if run["case"]["solver"] == "mine:asleep"]
    assert [part["over"] >= 0.3 for part in run["result"]["parts"]] == [True, True]
    assert run["result"]["spent"] >= 0.6
    started = [int(line) for line in (here / "asleep.txt").read_text().split()]
    assert len(started) == 2
    wait_until(lambda: all(map(has_ended, started)))


@pytest.mark.slow
def test_what_a_solver_of_the_reader_has_others_compute_is_charged(here, capsys):
    """The CPU time of processes that it has waited for is its own."""
    arguments = ["solvers", "--quick", "--puzzles", "tiny.txt", "--time-limit", 600, "--solver", "mine:elsewhere"]
    record = bench(capsys, *arguments, "--only", "exact-cover", "--out", here / "out", "--json")
    assert float(rows(record, "tiny: 2 puzzles of 4×4")["mine:elsewhere"]["mean, ms"]) >= 300


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(here):
    """After kill -9 the same command makes the missing measurements: none is lost, and none is there twice."""
    names = ("told", "told_again", "told_thrice")
    command = [sys.executable, "-m", "csp_sudoku", "bench", "solvers", "--only", "exact-cover", "--repeat", "2"]
    command += ["--quick", "--puzzles", "tiny.txt", "--out", "out"]
    command += [word for name in names for word in ("--solver", f"mine:{name}")]
    file = here / "out" / "results" / "solvers.jsonl"
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= 3):
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    before = file.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    file.write_bytes(whole + b'{"key": "torn')  # as if it had been killed in the middle of a line
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert file.read_bytes().startswith(whole)
    counts = Counter((run["case"]["solver"], run["repeat"]) for run in raw_runs(here / "out", "solvers"))
    subjects = ["exact-cover", *(f"mine:{name}" for name in names)]
    assert counts == {(subject, repeat): 1 for subject in subjects for repeat in (0, 1)}
    asked = (here / "told.txt").read_text().count("x")
    assert execute([*command[3:]]) == 0
    assert (here / "told.txt").read_text().count("x") == asked, "what is there is measured again"
    assert "All this took" not in (here / "out" / "RESULTS.md").read_text("utf-8"), "nobody knows, one was killed"


@pytest.mark.slow
def test_interrupted_runs_leave_no_process(here):
    """Ctrl-C says where the runs are, ends with 130, and takes the measuring process along."""
    command = [sys.executable, "-m", "csp_sudoku", "bench", "solvers", "--only", "auto", "--time-limit", "1000"]
    command += ["--puzzles", "tiny.txt", "--out", "out", "--solver", "mine:endless"]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while process.poll() is None and not (
            (here / "begun.txt").exists() and (here / "begun.txt").read_text().endswith("\n")
        ):
            time.sleep(0.01)
        begun = (here / "begun.txt").read_text()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "interrupted"
    assert "the same command continues from there" in errors
    wait_until(lambda: has_ended(int(begun)))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nothing"], "expected a benchmark among"),
        (["solvers", "--solver", "no_such_module:solve"], "expected a solver as module:function; found"),
        (["solvers", "--only", "simplex"], "expected a solver among"),
        (["solvers", "--only", "peer:nobody"], "expected a peer among"),
        (["solvers", "--only", "glucose"], "cpsat-integer-plain, exact-cover, fighter, glucose4, "),
        (["solvers", "--peer", "nobody"], "expected a peer among"),
        (["thousand", "--peer", "cpsat-intege"], "(did you mean 'cpsat-integer'?)"),
        (["solvers", "--puzzles", "missing.txt"], "missing.txt"),
        (["agents", "--player", "./nobody"], "nobody"),
        (["search", "--boards", "nowhere.txt"], "nowhere.txt"),
        (["agents", "--time", "0"], "time per turn"),
        (["agents", "--solver", "mine:right"], "--solver"),
        (["solvers", "--boards", "empty-2x2"], "--boards"),
        (["solvers", "--out", "tiny.txt"], "expected a folder to write results to; found tiny.txt"),
        (["compare", "missing.json", "missing.json"], "missing.json: expected the .json of a benchmark; found"),
        (["compare", "tiny.txt", "tiny.txt"], "tiny.txt: expected the .json of a benchmark; found"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(arguments, expected, here, capsys):
    """An error is reported in one line before anything is measured, and the exit code is 2."""
    assert execute(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert expected in error
    assert not list(here.glob("**/*.jsonl"))


def test_the_names_are_told(capsys):
    """Without a name the command lists the benchmarks."""
    assert execute(["bench"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n  {name} " in told for name in (*module("suite").BENCHMARKS, "all", "compare"))


def test_every_benchmark_is_registered():
    """The table of the suite and that of the help have the same benchmarks, and each entry is the class of its name."""
    from csp_sudoku.cli.bench import BENCHMARKS

    suite, benchmark = module("suite"), module("benchmark")
    assert list(BENCHMARKS) == [*suite.BENCHMARKS, "all"]
    for name, entry in suite.BENCHMARKS.items():
        assert issubclass(entry.load(), benchmark.Benchmark)
        assert suite.benchmark(name).name == name
    assert len({entry.load() for entry in suite.BENCHMARKS.values()}) == len(benchmark.Benchmark.__subclasses__())


@pytest.mark.slow
def test_two_runs_do_not_write_one_file(here):
    """While a run writes a file of raw runs, no other process may write it."""
    store = module("store")
    with store.RunStore(here / "runs.jsonl"), pytest.raises(cs.SudokuError, match="expected nobody else to write"):
        store.RunStore(here / "runs.jsonl")


def test_a_file_that_holds_no_runs_is_refused(here):
    """A line that is no raw run is not discarded, but reported with its number."""
    path = here / "runs.jsonl"
    path.write_text('{"key": "a"}\nsomething\n', encoding="utf-8")
    with pytest.raises(cs.SudokuError, match=r"runs.jsonl, line 2: expected a run; found"):
        module("store").RunStore(path)
    assert path.read_text("utf-8").endswith("something\n")


@pytest.mark.slow
def test_runs_of_other_code_are_not_mixed(here, capsys, monkeypatch):
    """Runs of another version stay in the file, and are measured anew for the tables."""
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--puzzles", "tiny.txt", "--out", "out", "--json"]
    bench(capsys, *arguments)
    monkeypatch.setattr(module("environment"), "code", lambda: ["changed"])
    bench(capsys, *arguments)
    versions = [run["version"] for run in raw_runs(here / "out", "solvers")]
    assert len(versions) == len(set(versions)) == 2


@pytest.mark.slow
def test_pruning(here, capsys):
    """Settings are compared, each with one change, next to the figures of 004."""
    pruning = module("pruning")
    names = [pruning.changed(), pruning.changed(when="before")]
    options = [word for name in names for word in ("--only", name)]
    record = bench(capsys, "pruning", "--puzzles", "tiny.txt", "--quick", "--out", "out", "--json", *options)
    assert set(rows(record, "When it prunes")) == {"before the search", "before and during"}
    assert rows(record, "Which cell is next")["MRV"]["tiny: solved"] == "2/2"
    (reported,) = [each for each in record["sections"] if each["title"].startswith("What 004")]
    assert ["Hexa-81", "none in 5 minutes", "3.380", "1.358"] in reported["rows"]


def test_pruning_changes_one_thing_at_a_time():
    """Every setting of a group is the base but for one option, and all are settings that the solver takes."""
    pruning, subjects = module("pruning"), module("subjects")
    for title, group in pruning.GROUPS.items():
        for name in group.values():
            subjects.require(name)
            if name in ("backtracking", "auto"):
                continue
            options = dict(part.split("=") for part in name.partition("?")[2].split("&"))
            differing = [key for key, value in options.items() if value != pruning.BASE[key]]
            assert len(differing) <= 1, (title, name)


@pytest.mark.slow
def test_giants(here, capsys):
    """The seconds of each puzzle, and 004's ten."""
    record = bench(capsys, "giants", "--puzzles", "tiny.txt", "--only", "auto", "--quick", "--out", "out", "--json")
    each = rows(record, "tiny, CPU seconds")
    assert set(each) == {"1", "2"}
    assert all(float(row["auto"]) > 0 for row in each.values())
    assert "Sudoku_1_1" in str(record["sections"][-1]["rows"])


@pytest.mark.slow
def test_isomorphs_are_added(here, capsys):
    """Three of each of the two puzzles are eight, and all are solved."""
    asked = ["giants", "--puzzles", "tiny.txt", "--isomorphs", "3", "--only", "auto", "--quick", "--out", "out"]
    record = bench(capsys, *asked, "--json")
    each = rows(record, "tiny and 3 isomorphs of each, CPU seconds")
    assert set(each) == set("12345678")
    assert all(float(row["auto"]) > 0 for row in each.values())


@pytest.mark.slow
def test_thousand(here, capsys):
    """One process and several; 003's figures are next to the solvers that are its own."""
    arguments = ["thousand", "--puzzles", "tiny.txt", "--only", "lookup-table", "--quick", "--out", "out", "--json"]
    record = bench(capsys, *arguments)
    (row,) = rows(record, "tiny: 2 puzzles of 4×4, one after the other").values()
    assert (row["solved"], row["003 reported, s"]) == ("2/2", "2.77")
    (parallel,) = [section for section in record["sections"] if section["title"] == "In parallel"]
    assert parallel["rows"][0][1:2] + parallel["rows"][0][3:] == ["1", "1.00"]
    assert len(parallel["rows"]) == len(module("thousand").process_counts())
    assert record["wrong"] == []


@pytest.mark.slow
def test_cover(here, capsys):
    """Algorithm X and guessing, in Python and compiled, solve the same."""
    record = bench(capsys, "cover", "--puzzles", "tiny.txt", "--quick", "--out", "out", "--json")
    table = rows(record, "tiny: 2 puzzles of 4×4")
    assert {row["solved"] for row in table.values()} == {"2/2"}
    assert len(table) == 5
    assert float(rows(record, "How many times as fast")["tiny"]["× as fast"]) > 0


@pytest.mark.slow
def test_bombs(here, capsys, monkeypatch):
    """Maps are made from scratch and turn by turn, compared, and bombs are counted."""
    bombs = module("bombs")
    monkeypatch.setattr(bombs, "LITTLE", {(2, 2): bombs.MapWork(1, 1, 1, 2, 600)})
    record = bench(capsys, "bombs", "--quick", "--out", "out", "--json")
    titles = [section["title"] for section in record["sections"]]
    assert titles == [
        "2×2 from scratch, random cells of a random solution",
        "2×2 from scratch, in games of random safe moves",
        "Turn by turn",
        "The mean by tenths of the game, ms",
        "Bombs",
        "Bombs on 2×2",
    ]
    assert rows(record, "Bombs")["2×2"]["games"] == "2"
    assert sum(slice_[0] for slice_ in record["data"]["counts"]["2x2"]) == 32
    assert record["data"]["maps confirmed in full by another engine"] == record["data"]["maps compared"] == 5
    assert (record["wrong"], record["troubles"]) == ([], [])


@pytest.mark.slow
def test_search(here, capsys, monkeypatch):
    """All ways to search a tree find one value, and better ways look at fewer nodes; turns are counted."""
    search = module("search")
    size = search.SearchSize((("random-2x2", 3),), (4,), 1, (0.02,), (0.5,), module("isolated").Budget(20, 60), 1)
    monkeypatch.setattr(search, "QUICK", size)
    monkeypatch.setattr(search, "ENDGAMES", ("table", "table, no skips"))
    monkeypatch.setattr(search, "PACES", module("searching").PACES[1:3])
    record = bench(capsys, "search", "--quick", "--boards", "empty-2x2", "--out", "out", "--json")
    assert (record["wrong"], record["troubles"]) == ([], [])
    nodes = [int(row[1].replace(",", "")) for row in record["sections"][0]["rows"]]
    naive, kept, pruned, *_, best = nodes
    assert naive == kept > pruned > best > 0
    (endgames,) = [section for section in record["sections"] if section["title"] == "Exact endgames"]
    assert "parity: plain Python, no skips" in rows(record, "Exact endgames")
    assert "For 4 empty cells, without skips, parity takes" in endgames["note"]
    assert set(rows(record, "Searched in a turn")) == set(module("searching").PACES[1:3])


@pytest.mark.slow
def test_agents(here, capsys):
    """Players by name and by folder meet, both sides of each pair; the games are raw runs, and are not played again."""
    folder = here / "mine_player"
    folder.mkdir()
    (folder / "sudokuai.py").write_text(
        "from csp_sudoku.framework.adapter import framework_player\n"
        "from csp_sudoku.players import Agent\n\n\n"
        "class Mine(Agent):\n"
        "    def proposals(self, state):\n"
        "        yield state.moves()[0]\n\n\n"
        "SudokuAI = framework_player(Mine)\n",
        encoding="utf-8",
    )
    arguments = ["agents", "--quick", "--only", "random", "--player", "./mine_player", "--boards", "empty-2x2"]
    record = bench(capsys, *arguments, "--time", 60, "--out", "out", "--json")
    (section,) = [section for section in record["sections"] if section["title"] == "Standings"]
    assert {row[1]: row[4] for row in section["rows"]} == {"random": "2", "mine_player": "2"}
    runs = raw_runs(here / "out", "agents")
    assert {(run["case"]["pair"], Path(run["case"]["first"]).name) for run in runs} == {
        (0, "random"),
        (0, "mine_player"),
    }
    (detail,) = record["data"]["by board and time"]
    assert detail["games"] == 2
    assert detail["interval"][0] <= detail["score"] <= detail["interval"][1]
    assert bench(capsys, *arguments, "--time", 60, "--out", "out", "--json")["data"] == record["data"]
    assert raw_runs(here / "out", "agents") == runs


@pytest.mark.slow
def test_who_loses_by_the_rules_is_told_why(here, capsys):
    """A player that fails, or makes no proposal, is in the tables with its reason."""
    for name, body in (("failing_player", "raise RuntimeError('no idea')"), ("silent_player", "return")):
        (here / name).mkdir()
        (here / name / "sudokuai.py").write_text(
            "from csp_sudoku.framework.adapter import framework_player\nfrom csp_sudoku.players import Agent\n\n"
            f"class Mine(Agent):\n    def proposals(self, state):\n        {body}\n        yield\n\n"
            "SudokuAI = framework_player(Mine)\n",
            encoding="utf-8",
        )
    arguments = ["agents", "--quick", "--only", "random", "--player", "./failing_player", "--player", "./silent_player"]
    record = bench(capsys, *arguments, "--boards", "empty-2x2", "--time", 60, "--out", "out", "--json")
    (lost,) = [section for section in record["sections"] if section["title"] == "Lost at once"]
    reasons = {row[0]: row[2] for row in lost["rows"]}
    assert reasons["failing_player"] == "crash: sudokuai.py:6: RuntimeError: no idea"
    assert "silent_player" in reasons
    assert "random" not in reasons
    assert sum(int(row[1]) for row in lost["rows"]) == 6


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_measures_the_same(here, capsys):
    """Over a Dask scheduler each measurement is made by a worker, and counts once."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        arguments = ["solvers", "--quick", "--only", "exact-cover", "--only", "learning", "--puzzles", "tiny.txt"]
        record = bench(capsys, *arguments, "--out", "out", "--scheduler", cluster.scheduler_address, "--json")
    assert [row["solved"] for row in rows(record, "tiny: 2 puzzles of 4×4").values()] == ["2/2", "2/2"]
    assert len(raw_runs(here / "out", "solvers")) == 2


def test_boards_are_those_of_the_folder():
    """If a wheel has no boards/, the same boards are generated."""
    folder = Path(cs.__file__).parents[1] / "boards"
    if not folder.is_dir():
        pytest.skip("a wheel has no boards to compare with")
    for name in ("empty-2x2", "random-2x3", "hard-3x3", "random-3x3", "empty-3x3"):
        assert module("sets").board_named(name) == cs.load(folder / f"{name}.txt")
