"""The amount of work: `--plan` reports it in advance, and slow measurements are not repeated up to their limit."""

from __future__ import annotations

import json
import sys

import pytest

from csp_sudoku.cli.main import execute
from tests.benchmarks.support import bench, module, raw_runs, write_puzzles

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the arena and the measuring processes are for Linux")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A current folder with two tiny puzzles."""
    monkeypatch.chdir(tmp_path)
    write_puzzles(tmp_path / "tiny.txt", (2, 2), (2, 2))
    return tmp_path


def task(items=3, limit=2.0, total=5.0, **more):
    """A task without a worker."""
    runner, isolated = module("runner"), module("isolated")
    return runner.Task("timing:solve", {"solver": "x"}, {}, list(range(items)), isolated.Budget(limit, total), **more)


def done(one, *spent, part=None):
    """The runs of a task that took so many seconds."""
    runner = module("runner")
    return {
        runner.run_key(one, repeat, "v"): {"result": {"spent": seconds, "trouble": "", "parts": [part or {}]}}
        for repeat, seconds in enumerate(spent)
    }


def due(one, runs, *, is_sparing=True):
    """The repeats of five that are still to be made."""
    work = module("runner").Workload([one], 5, "v", is_sparing)
    return [repeat for repeat in range(5) if work.is_due(one, repeat, runs)]


def test_repeats_end_where_the_limit_would_be_passed():
    """As many of five repeats are made as fit into the limit; all five, if the user asks for repeats."""
    one = task(total=5.0)
    assert due(one, {}) == [0, 1, 2, 3, 4]
    assert due(one, done(one, 1.0)) == [1, 2, 3, 4]
    assert due(one, done(one, 1.6, 1.6)) == [2, 3, 4]
    assert due(one, done(one, 1.7, 1.7)) == []
    assert due(one, done(one, 2.6)) == []
    assert due(one, done(one, 2.6), is_sparing=False) == [1, 2, 3, 4]


def test_what_was_late_or_tells_nothing_new_is_not_repeated():
    """A subject that exceeded a limit is measured once, whatever the user asks for; so is a deterministic task."""
    one, single = task(), task(is_once=True)
    assert due(one, done(one, 0.1, part={"over": 2.0}), is_sparing=False) == []
    assert due(single, {}, is_sparing=False) == [0]


def test_the_bound_is_that_of_the_limits():
    """At most: every limit used up, on so many processors, those that are alone one after the other."""
    runner = module("runner")
    start = runner.STARTING
    assert task(items=3, limit=1.0, total=5.0).most(4) == 4 * 3.0 + 4 * start
    assert task(items=3, limit=1.0, total=5.0).most(4, 0.0) == 5.0 + 4 * start
    assert task(items=3, limit=2.0, total=5.0).most(1, 0.0) == 5.0 + 3 * start
    assert task(items=3, limit=1.0, total=5.0).most(3, 1.5) == 3.5 + 4 * start
    shared = [task(items=items, limit=1.0, total=50.0) for items in (1, 2, 4)]
    alone = task(items=5, limit=1.0, total=50.0, is_alone=True)
    seconds = [each.most(1) for each in (*shared, alone)]
    work = runner.Workload([*shared, alone], 1, "v")
    assert work.outlook({}, 1) == (4, sum(seconds))
    assert work.outlook({}, 2) == (4, (seconds[0] + seconds[1]) / 2 + seconds[2] + seconds[3])
    assert work.outlook(done(shared[2], 1.0), 2)[0] == 3


@pytest.mark.slow
def test_a_plan_is_told_and_nothing_is_done(here, capsys):
    """--plan reports each benchmark's measurements and bound, writes nothing, and later reports the remaining work."""
    arguments = ["solvers", "--quick", "--only", "exact-cover", "--only", "auto", "--puzzles", "tiny.txt"]
    arguments += ["--repeat", "2", "--time-limit", "0.5", "--out", "out"]
    table = bench(capsys, *arguments, "--plan")
    assert "| solvers" in table
    assert not (here / "out").exists()
    plan = bench(capsys, *arguments, "--plan", "--jobs", 2, "--json")
    assert (plan["benchmark"], plan["measurements"], plan["due"], plan["jobs"]) == ("solvers", 4, 4, 2)
    assert plan["seconds"] > 0
    assert plan["took"] is None
    bench(capsys, *arguments)
    assert len(raw_runs(here / "out", "solvers")) == 4
    before = (here / "out" / "results" / "solvers.jsonl").read_bytes()
    after = bench(capsys, *arguments, "--plan", "--json")
    assert (after["measurements"], after["due"], after["seconds"]) == (4, 0, 0)
    assert after["took"] > 0
    more = bench(capsys, *arguments[:-4], "--repeat", "3", "--time-limit", "0.5", "--out", "out", "--plan", "--json")
    assert (more["measurements"], more["due"], more["took"]) == (6, 2, None)
    assert (here / "out" / "results" / "solvers.jsonl").read_bytes() == before


def test_games_are_planned_too(here, capsys):
    """Games count one by one; at most, every cell of the board takes a whole turn."""
    arguments = ["agents", "--quick", "--only", "random", "--only", "greedy", "--boards", "empty-2x2", "--out", "out"]
    plan = bench(capsys, *arguments, "--time", 60, "--plan", "--json")
    assert (plan["due"], plan["seconds"]) == (2, 2 * (16 * 60 + module("runner").STARTING))
    bench(capsys, *arguments, "--time", 60)
    plan = bench(capsys, *arguments, "--time", 60, "--plan", "--json")
    assert (plan["measurements"], plan["due"], plan["seconds"]) == (2, 0, 0)


@pytest.mark.slow
def test_the_whole_set_has_a_plan(here, capsys, monkeypatch):
    """All benchmarks are planned at once, the full ones with more to measure than the quick ones."""
    sets = module("sets")
    monkeypatch.setattr(sets, "generated", lambda m, n, _, count, seed: sets.emptied(m, n, count, seed))  # at once
    for name in ("cover", "giants", "pruning", "solvers"):
        monkeypatch.setattr(module(name), "generated", sets.generated)
    plans = []
    for size in (["--quick"], []):
        assert execute(["bench", "all", *size, "--plan", "--json", "--jobs", "2"]) == 0
        plans.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    quick, full = plans
    assert [plan["benchmark"] for plan in quick] == list(module("suite").BENCHMARKS)
    assert all(less["due"] < more["due"] for less, more in zip(quick, full, strict=True))
    assert sum(plan["seconds"] for plan in full) > 2 * sum(plan["seconds"] for plan in quick)


def test_a_plan_needs_what_a_run_needs(here, capsys):
    """An error in a run is the same error in its plan: one line, and exit code 2."""
    for arguments in (["--only", "simplex"], ["--puzzles", "missing.txt"]):
        assert execute(["bench", "solvers", *arguments, "--plan"]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    folder = here / "bad" / "results"
    folder.mkdir(parents=True)
    (folder / "solvers.jsonl").write_text("something\n", encoding="utf-8")
    assert execute(["bench", "solvers", "--puzzles", "tiny.txt", "--out", "bad", "--plan"]) == 2
    assert "solvers.jsonl, line 1: expected a run; found" in capsys.readouterr().err


@pytest.mark.slow
def test_the_full_set_of_games(here, capsys, monkeypatch):
    """Beside the tournament, searching players and the reader's own meet random and greedy in longer turns.

    Parity meets them on the other board of 001's Table 1, too, and 002's settings meet random.
    """
    agents = module("agents")
    small = {"PLAYERS": ("random", "greedy", "parity"), "SEARCHERS": ("parity",), "BOARDS": ("random-2x2",)}
    small |= {"EMPTY": "empty-2x2", "SETTINGS": ("timed-mcts?c=0",), "GAMES": 1, "GAUNTLET_GAMES": 2}
    for name, value in small.items():
        monkeypatch.setattr(agents, name, value)
    record = bench(capsys, "agents", "--player", "greedy?safe=true", "--out", "out", "--json")
    tables = {section["title"]: section for section in record["sections"]}
    longer = tables["Searching players on random-2x2, 0.5 s per turn"]
    assert longer["columns"] == ["player", "against random", "against greedy"]
    assert [row[0] for row in longer["rows"]] == ["parity", "greedy?safe=true"]
    assert all(cell for row in longer["rows"] for cell in row)
    table_one = {tuple(row[:3]): row[3] for row in tables["As 001 had it: Table 1"]["rows"]}
    assert all(table_one[partner, "empty-2x2", "0.5 s"] for partner in ("random", "greedy"))
    assert [row[0] for row in tables["As 002 had it: Figure 1, its settings"]["rows"]] == ["timed-mcts?c=0"]
    plan = bench(capsys, "agents", "--player", "greedy?safe=true", "--out", "out", "--json", "--plan")
    assert (plan["measurements"], plan["due"]) == (6 + 2 * 4 + 4 + 2, 0)
    assert len(raw_runs(here / "out", "agents")) == 20
