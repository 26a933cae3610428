"""`csp-sudoku bench compare`: it reports changes, but not the noise of repeats."""

from __future__ import annotations

import json
import random

import pytest

import csp_sudoku as cs
from csp_sudoku.cli.main import execute
from tests.benchmarks.support import module

pytestmark = pytest.mark.quick


def record(seed, factors, repeats=5, noise=0.02, *, higher=False):
    """A result with a row for each factor; repeats differ by a few percent."""
    rng = random.Random(seed)
    entries = [
        {
            "name": f"row {number}",
            "unit": "s",
            "of": "demo puzzles",
            "higher": higher,
            "values": [(number + 1) * factor * rng.lognormvariate(0, noise) for _ in range(repeats)],
        }
        for number, factor in enumerate(factors)
    ]
    known = {"machine": "a machine", "versions": {"numpy": "2.4"}}
    return {"benchmark": "demo", "environment": known, "entries": entries}


def verdicts(old, new):
    """The verdict on each row, by its number."""
    return {change.name: change.verdict for change in module("comparison").compare(old, new)}


def test_what_became_faster_or_slower_is_named():
    """If one of thirty rows is a quarter slower and one twice as fast, these two are reported, with their factors."""
    factors = [1.0] * 30
    factors[7], factors[20] = 1.25, 0.5
    changes = module("comparison").compare(record(1, [1.0] * 30), record(2, factors))
    named = {change.name: change for change in changes if change.verdict != "same"}
    assert {name: change.verdict for name, change in named.items()} == {"row 7": "slower", "row 20": "faster"}
    assert named["row 20"].factor == pytest.approx(2, rel=0.1)
    assert named["row 7"].factor == pytest.approx(0.8, rel=0.1)
    assert changes[0].name == "row 20"
    told = module("comparison").told(changes)
    assert told.startswith("30 rows compared: 1 faster and 1 slower beyond noise.")


@pytest.mark.slow
def test_noise_is_not_named():
    """Of forty pairs of results without any change, at most a few report one."""
    alarms = 0
    for seed in range(40):
        found = verdicts(record(f"old {seed}", [1.0] * 20, 4), record(f"new {seed}", [1.0] * 20, 4))
        alarms += any(verdict != "same" for verdict in found.values())
    assert alarms <= 6


def test_a_row_that_repeats_badly_is_allowed_more():
    """The same difference counts in a steady row, and not in one that repeats differ in by more."""
    old, new = record(1, [1.0] * 10), record(2, [1.0] * 10)
    for side, (steady, wild) in ((old, (1.0, 1.0)), (new, (1.3, 1.3))):
        side["entries"][0]["values"] = [steady * spread for spread in (0.99, 1.0, 1.0, 1.01, 1.0)]
        side["entries"][1]["values"] = [wild * spread for spread in (0.6, 0.8, 1.0, 1.2, 1.6)]
    found = verdicts(old, new)
    assert (found["row 0"], found["row 1"]) == ("slower", "same")


def test_more_is_better_where_it_is():
    """In rows in which more is better, more is faster."""
    assert verdicts(record(1, [1.0] * 5, higher=True), record(2, [1.5] + [1.0] * 4, higher=True))["row 0"] == "faster"


def test_single_runs_tell_nothing():
    """Without repeats there is no telling noise from change, and nothing is pretended."""
    with pytest.raises(cs.SudokuError, match="expected results with two repeats or more"):
        module("comparison").compare(record(1, [1.0], 1), record(2, [2.0], 1))


def test_only_results_of_one_benchmark_are_compared():
    """Results of two benchmarks, or without a common row, are refused."""
    compare = module("comparison").compare
    with pytest.raises(cs.SudokuError, match="expected results of one benchmark; found 'demo' and 'other'"):
        compare(record(1, [1.0]), {**record(1, [1.0]), "benchmark": "other"})
    with pytest.raises(cs.SudokuError, match="expected rows that both results have; found none"):
        compare(record(1, [1.0]), {"benchmark": "demo", "entries": [{**record(1, [1.0])["entries"][0], "name": "x"}]})


def test_rows_of_other_puzzles_are_left_out():
    """Rows of one name but of other puzzles are not compared; that is said, and so are other machines."""
    comparison = module("comparison")
    old, new = record(1, [1.0] * 10), record(2, [1.0] * 10)
    new["entries"][0] |= {"of": "other puzzles", "values": [100.0] * 5}
    new["entries"].append({**new["entries"][1], "name": "row 11"})
    new["environment"] = {"machine": "another machine", "versions": {"numpy": "2.5"}}
    assert set(verdicts(old, new).values()) == {"same"}
    assert "row 0" not in verdicts(old, new)
    assert comparison.notes(old, new) == [
        "other machines: a machine; another machine",
        "other versions of numpy: 2.4; 2.5",
        "rows left out for other puzzles or limits: 1",
        "rows left out that one of the results lacks: 1",
    ]
    assert comparison.notes(old, old) == []
    new["entries"] = new["entries"][:1]
    with pytest.raises(cs.SudokuError, match="expected rows that both results have; found none but 1 of other puzzles"):
        comparison.compare(old, new)


ENTRY = {"name": "a", "unit": "s", "of": "x", "higher": False, "values": [1.0, 1.1]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        json.dumps(record(1, [1.0]))[:-20],
        json.dumps({**record(1, [1.0]), "entries": 7}),
        json.dumps({**record(1, [1.0]), "entries": ["a"]}),
        json.dumps({**record(1, [1.0]), "environment": []}),
        *(
            json.dumps({**record(1, [1.0]), "entries": [{**ENTRY, **wrong}]})
            for wrong in ({"name": 1}, {"values": "xy"}, {"values": 7}, {"values": [1.0, float("nan")]}, {"of": None})
        ),
        json.dumps({**record(1, [1.0]), "entries": [ENTRY]}).replace("1.1", "1" + 400 * "0"),
        "[" * 100_000,
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_result_is_told(text, tmp_path, capsys):
    """A file that was cut short, or holds something else, is named in one line, and the exit code is 2."""
    (tmp_path / "right").write_text(json.dumps(record(1, [1.0] * 3)), encoding="utf-8")
    (tmp_path / "wrong").write_text(text, encoding="utf-8")
    right, wrong = str(tmp_path / "right"), str(tmp_path / "wrong")
    for arguments in ([right, wrong], [wrong, right]):
        assert execute(["bench", "compare", *arguments]) == 2
        error = capsys.readouterr().err
        assert error == f"csp-sudoku: {wrong}: expected the .json of a benchmark; found something else\n"


def test_the_command_tells_and_its_code_says_whether_something_became_slower(tmp_path, capsys):
    """Exit code 1 if a row became slower, else 0; --json has every row."""
    for name, factor in (("old", 1.0), ("slow", 2.0)):
        (tmp_path / name).write_text(json.dumps(record(name, [factor, *[1.0] * 9])), encoding="utf-8")
    old, slow = str(tmp_path / "old"), str(tmp_path / "slow")
    assert execute(["bench", "compare", old, slow]) == 1
    assert "| slower | row 0 |" in capsys.readouterr().out
    assert execute(["bench", "compare", slow, old]) == 0
    assert "1 faster beyond noise" in capsys.readouterr().out
    assert execute(["bench", "compare", "--json", old, old]) == 0
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert [change["verdict"] for change in changes] == ["same"] * 10


def written(folder, **results):
    """A folder of results, as `bench --out` leaves it."""
    (folder / "results").mkdir(parents=True)
    for name, result in results.items():
        (folder / "results" / f"{name}.json").write_text(json.dumps({**result, "benchmark": name}), encoding="utf-8")
    return str(folder)


def test_folders_are_compared_benchmark_by_benchmark(tmp_path, capsys):
    """All benchmarks of two folders are compared; what only one has, or what has no repeats, is told beside them."""
    steady = record("before", [1.0] * 10)
    single = record("single", [1.0], repeats=1)
    before = written(tmp_path / "before", cover=steady, solvers=steady, agents=single, search=steady)
    slow = record("after", [3.0, *[1.0] * 9])
    after = written(tmp_path / "after", cover=record("again", [1.0] * 10), solvers=slow, agents=single, giants=steady)
    assert execute(["bench", "compare", before, after]) == 1
    told = capsys.readouterr()
    assert "cover: 10 rows compared: no difference beyond noise." in told.out
    assert "solvers: 10 rows compared: 1 slower beyond noise." in told.out
    assert told.err.splitlines() == [
        f"csp-sudoku: only in {after}: giants",
        f"csp-sudoku: only in {before}: search",
        "csp-sudoku: agents: expected results with two repeats or more; found single runs, which tell nothing of noise",
    ]
    assert execute(["bench", "compare", f"{before}/results", before, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["benchmark"] for line in lines] == ["cover", "search", "solvers"]


def test_folders_without_common_results_are_refused(tmp_path, capsys):
    """A folder beside a file, an empty one, and two without a common benchmark are told in one line, with code 2."""
    steady = record(1, [1.0] * 3)
    before, after = written(tmp_path / "before", cover=steady), written(tmp_path / "after", giants=steady)
    nothing = written(tmp_path / "nothing")
    for arguments, message in (
        ([before, after], f"expected results of one benchmark in {before} and {after}; found none"),
        (
            [before, f"{before}/results/cover.json"],
            "expected a folder of results beside the other one; found no folder",
        ),
        ([nothing, before], f"{nothing}: expected a folder that csp-sudoku bench wrote; found no results in it"),
        ([before, str(tmp_path / "gone")], "expected a folder of results beside the other one; found no folder"),
    ):
        assert execute(["bench", "compare", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
