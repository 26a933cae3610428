"""The fuzzer itself: its references, a few cases of each kind, planted faults that it must find, and the command."""

from __future__ import annotations

import sys
from itertools import islice
from random import Random

import numpy as np
import pytest

from csp_sudoku.evaluation import value as evaluation
from csp_sudoku.framework import light_solver
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.engines import search as searching
from csp_sudoku.notation import FORMATS
from csp_sudoku.solvers.sliced import SlicedSolver
from tests.conformance import reference as conformance
from tests.fuzz import __main__ as command
from tests.fuzz import files, framework, runner
from tests.fuzz.boards import random_sample
from tests.fuzz.case import Budget, SpentError, memory_limit
from tests.fuzz.reference import completions, is_solution, left_by_singles, legal_moves, safe_moves
from tests.fuzz.runner import KINDS, Report, Worker, cases, run, run_case

CASES = {
    "solvers": 6,
    "puzzles": 6,
    "moves": 6,
    "notation": 60,
    "files": 80,
    "games": 15,
    "values": 6,
    "framework": 30,
    "constraints": 40,
}
"""How many cases of each kind the tests run: a second of CPU time for each."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_case_of_a_kind_fails(kind):
    """A fixed number of cases, the same each time, and most of them are decided."""
    outcomes = [run_case(kind, seed) for seed in range(CASES[kind])]
    assert [outcome.line for outcome in outcomes if outcome.verdict == "failed"] == []
    assert sum(outcome.verdict == "passed" for outcome in outcomes) > len(outcomes) / 2


def test_the_references_agree():
    """The quick reference has the completions of the plain one; safe moves are those that completions show."""
    random, kinds, counts = Random("references"), set(), set()
    for _ in range(60):
        sample = random_sample(random, 6)
        kinds.add(sample.name.split()[-1])
        expected = set(islice(conformance.completions(sample.regions, sample.cells), 80))
        found = set(islice(completions(sample.regions, sample.cells, Budget(10**6), random), 80))
        assert len(found) == len(expected)
        counts.add(min(len(found), 2))
        assert all(is_solution(sample.regions, cells, sample.cells) for cells in found)
        if len(found) < 80:
            assert found == expected
            shown = {move for cells in expected for move in enumerate(cells)}
            assert safe_moves(sample.regions, sample.cells, Budget(10**6)) == shown & legal_moves(
                sample.regions, sample.cells
            )
    assert counts == {0, 1, 2}
    assert len(kinds) > 5


def test_a_reference_stops_at_its_budget():
    """Cases that would take too long to decide are left open."""
    with pytest.raises(SpentError):
        list(completions(conformance.standard(2, 2), [0] * 16, Budget(100)))


def test_hidden_singles_do_more_than_naked_ones():
    """One value for a cell, one place for a value; a cell without a value, or a value without a place, is neither."""
    regions = conformance.standard(2, 2)
    naked = [1, 2, 3, 0] + [0] * 12
    assert left_by_singles(regions, naked, hidden=False) == 12
    hidden = [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]  # the other ones of rows 1 and 4 have one place each
    assert left_by_singles(regions, hidden, hidden=False) == 14
    assert left_by_singles(regions, hidden, hidden=True) == 12
    assert left_by_singles(regions, [1, 2, 3, 0, 0, 0, 0, 4] + [0] * 8, hidden=False) is None
    assert left_by_singles(regions, [2, 0, 0, 0, 0, 0, 1, 0, 0, 1] + [0] * 6, hidden=True) is None


def everything_is_safe(search, seconds):
    """A map engine that calls the last bomb safe, if there is one."""
    found = CORRECT_MAP(search, seconds)
    cells = np.flatnonzero(found.bomb_masks)
    if not len(cells):
        return found
    safe, bombs = found.safe_masks.copy(), found.bomb_masks.copy()
    safe[cells[-1]] |= bombs[cells[-1]]
    bombs[cells[-1]] = 0
    return type(found)(found.board, found.legal_masks.copy(), safe, bombs, solvable=found.solvable, effort=found.effort)


CORRECT_MAP = searching.MapSearch.map
CORRECT_COUNT, CORRECT_EVALUATE = SlicedSolver.count, evaluation.evaluate
CORRECT_PLAY, CORRECT_COMPLETE = GameState.play, light_solver.complete


def one_more(solver, board, *limits):
    """A count that is one too high."""
    result = CORRECT_COUNT(solver, board, *limits)
    return result._replace(solutions=(result.solutions or 0) + 1)


def generous(state, *arguments):
    """A game that gives a point too many from time to time."""
    after, outcome = CORRECT_PLAY(state, *arguments)
    return (
        (after, outcome)
        if outcome.reward != 3
        else (after, type(outcome)(outcome.kind, outcome.player, outcome.move, 4))
    )


def plant(monkeypatch, kind):
    """Put a fault into the product that cases of this kind must find."""
    if kind == "solvers":
        monkeypatch.setattr(SlicedSolver, "count", one_more)
    elif kind == "moves":
        monkeypatch.setattr(searching.MapSearch, "map", everything_is_safe)
    elif kind == "games":
        monkeypatch.setattr(GameState, "play", generous)
    elif kind == "framework":
        monkeypatch.setattr(framework, "complete", lambda *board: None)
    elif kind == "notation":
        broken = FORMATS["tue"]._replace(write=FORMATS["values"].write)
        monkeypatch.setitem(FORMATS, "tue", broken)
    elif kind == "files":
        monkeypatch.setattr(files, "run", lambda arguments: (1, "an error"))
    elif kind == "constraints":
        monkeypatch.setattr("csp_sudoku.constraints.pairwise.Pairwise.post", lambda self, posting: None)
    elif kind == "puzzles":
        monkeypatch.setattr("tests.fuzz.puzzles.explain", lambda board, keep: None)
    else:
        assert kind == "values"
        monkeypatch.setattr("tests.fuzz.values.plain_value", lambda state: 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_fault_is_found_and_its_line_reproduces_it(kind, monkeypatch):
    """Each kind finds its fault, and the case of its line fails in the same way; without the fault it passes."""
    with monkeypatch.context() as faulty:
        plant(faulty, kind)
        found = next(outcome for seed in range(400) if (outcome := run_case(kind, seed)).verdict == "failed")
        assert "\n" not in found.line
        name, seed = found.line.split()[-1].split(":")
        assert found.line.endswith(f"| python -m tests.fuzz --repeat {kind}:{found.seed}")
        assert run_case(name, int(seed)).line == found.line
    assert run_case(name, int(seed)).verdict != "failed"


def test_a_wrong_verdict_is_told_move_by_move(monkeypatch):
    """The line of a wrong map names the engine, the move as people write it, and both verdicts."""
    plant(monkeypatch, "moves")
    lines = (run_case("moves", seed).line for seed in range(40))
    assert any("search says safe for r" in line and "reference says bomb | python" in line for line in lines)


def fault(monkeypatch, name, limit=60):
    """The outcome of cases with a planted fault in a worker: one that hangs, or else two."""
    monkeypatch.setenv("FUZZ_FAULT", name)
    todo = [("faults", 1)] if name == "hang" else [("faults", 1), ("faults", 2)]
    outcomes = list(run(iter(todo), worker=lambda: Worker(limit, warm=False)))
    assert [(outcome.kind, outcome.seed) for outcome in outcomes] == todo
    assert len({(outcome.verdict, outcome.message) for outcome in outcomes}) == 1
    return outcomes[0]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("mismatch", "FAILED faults:1 4x4: one says this, the other that | python -m tests.fuzz --repeat faults:1"),
        ("error", "unexpected KeyError at faults.py"),
        ("death", "FAILED faults:1 the process died: exit code 7 | "),
        pytest.param(
            "hang",
            "no answer within 1 s of CPU time: a hang",
            marks=[pytest.mark.slow, pytest.mark.skipif("os.name != 'posix'")],
        ),
        pytest.param("memory", "unexpected MemoryError", marks=pytest.mark.skipif("sys.platform != 'linux'")),
    ],
)
def test_a_worker_reports_whatever_happens(name, line, monkeypatch):
    """Mismatches, exceptions, hangs, deaths and greed are one line each, and the next case is run all the same."""
    outcome = fault(monkeypatch, name, 1)
    assert outcome.verdict == "failed"
    assert line in outcome.line


def test_open_cases_are_no_failures(monkeypatch):
    """A case whose reference gave up is counted as open."""
    outcome = fault(monkeypatch, "open")
    assert outcome.verdict == "open"
    report = Report()
    report.add(outcome)
    assert (report.cases, report.failures) == (1, 0)
    assert report.table().splitlines()[1].split()[:4] == ["faults", "1", "1", "0"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what RLIMIT_DATA limits")
def test_the_memory_limit_ends_with_its_block():
    """Within it a large array is a MemoryError, behind it not."""
    with memory_limit(50), pytest.raises(MemoryError):
        bytearray(200 << 20)
    assert len(bytearray(200 << 20)) == 200 << 20


def test_cases_go_on_by_their_seeds():
    """Each round has every kind, and no seed comes twice; the same seed gives the same cases."""
    first = list(islice(cases(["moves", "files"], 7), 200))
    assert first == list(islice(cases(["moves", "files"], 7), 200))
    assert [seed for _, seed in first] == list(range(7, 207))
    assert {kind for kind, _ in first[:64]} == {"moves", "files"}


def in_this_process(todo, **options):
    """The runner without workers."""
    for kind, seed in todo:
        if options.get("until", lambda: False)():
            return
        yield run_case(kind, seed)


def test_the_command_prints_a_table(monkeypatch, capsys):
    """A number of cases, the same for the same seed; exit code 0, or 1 after a failure."""
    monkeypatch.setattr(command, "run", in_this_process)
    assert command.main(["--cases", "20", "--seed", "3", "--only", "notation"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:4] == ["notation", "20", "0", "0"]
    monkeypatch.setenv("FUZZ_FAULT", "mismatch")
    assert command._run(iter([("faults", 5)]), 1, None) == 1
    failed, _, row, _ = capsys.readouterr().out.splitlines()
    assert failed.startswith("FAILED faults:5 4x4: one says this")
    assert row.split()[:4] == ["faults", "1", "0", "1"]


def test_ctrl_c_prints_what_was_done(monkeypatch, capsys):
    """The table has the cases so far."""

    def interrupted(todo, **options):
        yield run_case(*next(todo))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert command.main(["--minutes", "5", "--only", "notation"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["total", "1"]


def test_one_case_can_be_repeated(monkeypatch, capsys):
    """With its traceback and the same line if it fails; the exit code says whether it does."""
    monkeypatch.setattr(command, "run", in_this_process)
    monkeypatch.setitem(runner.KINDS, "faults", 1)
    for name, code in (("mismatch", 1), ("none", 0)):
        monkeypatch.setenv("FUZZ_FAULT", name)
        assert command.main(["--repeat", "faults:12"]) == code
        last = capsys.readouterr().out.splitlines()
        assert last[-1] == ("passed faults:12" if code == 0 else run_case("faults", 12).line) or code
        assert code == 0 or last[0].startswith("Traceback")


@pytest.mark.parametrize("arguments", [["--only", "none"], ["--repeat", "moves"], ["--minutes", "0"], ["--cases", "0"]])
def test_wrong_options_are_told(arguments, capsys):
    """The command reports the values that it expected."""
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert "expected" in capsys.readouterr().err
