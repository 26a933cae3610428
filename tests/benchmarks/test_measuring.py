"""The foundations of the benchmarks: encodings, judges, ratios; and the scripts start. No figure is tested."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku import Board
from csp_sudoku.arena.schedule import NamedBoard
from csp_sudoku.arena.scheduled_game import ScheduledGame
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.game.record import Recorder, Turn
from csp_sudoku.game.state import GameState
from tests.benchmarks.support import environment, module
from tests.support import most_slow

SCRIPTS = Path(__file__).resolve().parents[2] / "benchmarks"

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5)]


@pytest.fixture
def subjects():
    return module("subjects")


def row(subject, seconds, limit=8.0, total=3):
    """The seconds of a subject for some of three puzzles; None for a puzzle that it did not solve."""
    models, races, sets, isolated = (module(name) for name in ("models", "races", "sets", "isolated"))
    puzzles = sets.PuzzleSet("demo", [models.warm_up(2, 2)] * total)
    parts = [{"over": limit} if each is None else {"seconds": each, "verdict": "solved"} for each in seconds]
    result = {"ready": 0.0, "parts": parts, "passes": [], "trouble": ""}
    return races.Row(subject, puzzles, isolated.Budget(limit, 100.0), [result])


def test_a_missing_peer_is_told(monkeypatch):
    """A peer that is not installed is not measured, and the head of the results says so."""
    peers, races, isolated = (module(name) for name in ("peers", "races", "isolated"))
    ghost = peers.Peer("Ghost", "ghost", "no_such_module_anywhere", lambda: None)
    monkeypatch.setitem(peers.PEERS, "ghost", ghost)
    puzzles = module("sets").empty(2, 2)
    plan = races.Race.of(["auto", "peer:ghost"], [puzzles], isolated.Budget(1, 1), 1)
    assert [subject for subject, *_ in plan.entered] == ["auto"]
    assert plan.told.endswith("Not installed: Ghost.")


def test_nobody_installed_is_told(monkeypatch):
    """Without any subject to measure, there is an error in one line."""
    peers, races, isolated = (module(name) for name in ("peers", "races", "isolated"))
    monkeypatch.setitem(peers.PEERS, "ghost", peers.Peer("Ghost", "ghost", "no_such_module_anywhere", lambda: None))
    with pytest.raises(cs.OptionError, match=r"expected a solver that is installed .* found Ghost"):
        races.Race.of(["peer:ghost"], [module("sets").empty(2, 2)], isolated.Budget(1, 1), 1)


@pytest.mark.parametrize(
    "benchmark",
    most_slow(["solvers", "pruning", "giants", "thousand", "cover"], ["thousand"], is_one_argument=True),
)
def test_the_command_line_selects_the_peers(benchmark):
    """`--peer` replaces the usual peers and no other solver; with `--only` nothing else is measured."""
    asked = module("benchmark").BenchmarkOptions
    plan = module("suite").benchmark(benchmark).plan

    def entered(**options):
        return list(dict.fromkeys(subject for subject, *_ in plan(asked(quick=True, **options)).entered))

    usual = [subject for subject in entered() if not subject.startswith("peer:")]
    peers = ["cpsat-boolean", "peer:cpsat-integer"]
    assert entered(peers=peers) == [*usual, "peer:cpsat-boolean", "peer:cpsat-integer"]
    assert entered(only=["cpsat-boolean"]) == ["peer:cpsat-boolean"]
    assert entered(only=["exact-cover", "auto*many"]) == ["exact-cover", "auto*many"], "ours come before peers"
    assert entered(only=["auto"], peers=["cpsat-boolean"]) == ["auto", "peer:cpsat-boolean"]


@pytest.mark.parametrize("options", [{"peers": ["ghost"]}, {"only": ["ghost"]}, {"only": ["auto", "peer:ghost"]}])
def test_a_named_peer_that_is_not_installed_is_refused(options, monkeypatch):
    """The error names the peer, its package, and the extra that installs it."""
    peers, races = module("peers"), module("races")
    monkeypatch.setitem(peers.PEERS, "ghost", peers.Peer("Ghost", "ghosts", "no_such_module_anywhere", lambda: None))
    with pytest.raises(cs.OptionError, match=r"expected an installed peer; found 'ghost' .* ghosts .* bench installs"):
        races.chosen(module("benchmark").BenchmarkOptions(**options), ["auto"])


def test_who_is_a_little_late_is_late():
    """An answer that took longer than the limit counts with the limit, though it came before anyone looked."""
    some = row("auto", [1.0, 8.5, 2.0])
    assert some.solved == [1.0, 2.0]
    assert some.charged == [1.0, 8.0, 2.0]


def test_other_code_is_another_measurement(tmp_path, monkeypatch):
    """A solver or player of the reader's own is measured again when its code has changed."""
    subjects, agents = module("subjects"), module("agents")
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    agents.source_of.cache_clear()
    keys = []
    for text in ("solve = None\n", "solve = 1\n"):
        (folder / "__init__.py").write_text(text)
        (folder / "sudokuai.py").write_text(text)
        scheduled_game = ScheduledGame(str(folder), "random", Board.empty(2, 2), 0.5, 0)
        keys.append((subjects.source("own:solve"), agents.key_of(scheduled_game, "v")))
        agents.source_of.cache_clear()
    assert len({source for source, _ in keys}) == len({key for _, key in keys}) == 2
    (tmp_path / "alone.py").write_text("import beside\n")
    found = set()
    for text in ("one = 1\n", "one = 2\n"):
        (tmp_path / "beside.py").write_text(text)
        found.add(subjects.source("alone:solve"))
    assert len(found) == 2
    assert subjects.source("time:sleep") == subjects.source("auto") == subjects.source("peer:glucose4") == ""
    assert agents.key_of(ScheduledGame("greedy", "random", Board.empty(2, 2), 0.5, 0), "v").count("-") == 1


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_isomorphs_have_as_many_solutions(m, n):
    """Renamed and with its lines in another order, a puzzle has as many solutions; and no two are the same."""
    sets = module("sets")
    puzzles = sets.emptied(m, n, 3, seed=5, share=0.55)
    found = sets.with_isomorphs(puzzles, 8, seed=1)
    counts = [cs.count_solutions(cs.Board((m, n), puzzle.cells), 500) for puzzle in found.puzzles]
    assert counts == counts[:3] * 9
    assert len(set(found.puzzles)) == 27


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_answers_are_judged_without_us(m, n):
    """The verifier of the benchmarks takes a completion and nothing else."""
    models = module("models")
    puzzle = models.warm_up(m, n)
    solution = list(cs.solve(cs.Board((m, n), puzzle.cells)).solution.cells)
    assert models.is_completion(solution, puzzle)
    assert not models.is_completion(solution[:-1], puzzle)
    assert not models.is_completion(solution[1:] + solution[:1], puzzle)
    changed = [value % (m * n) + 1 for value in solution]
    assert models.is_completion(changed, models.PeerPuzzle(m, n, (0,) * len(changed)))
    assert not models.is_completion(changed, puzzle)


def test_late_puzzles_count_with_the_limit():
    """A late subject is charged the limit, and a ratio to it is a bound."""
    races = module("races")
    fast, slow = row("peer:xcover", [1.0, 2.0, 4.0]), row("peer:py-sudoku", [4.0, None, 2.0])
    assert slow.charged == [4.0, 8.0, 2.0]
    assert (slow.solved_text, fast.solved_text) == ("2/3", "3/3")
    assert races.ratio_text(fast, fast) == "1"
    assert races.ratio_text(slow, fast) == "< 0.5"
    assert races.ratio_text(fast, slow) == "> 2"
    assert races.figures(slow)[:3] == ["> 4,670", "4,000", "> 8,000"]


def test_medians_are_taken_over_passes_and_repeats():
    """A puzzle's seconds are the median over the repeats of the medians over the passes."""
    races = module("races")
    one = row("auto", [1.0, 1.0, 1.0], limit=20.0)
    first = {**one.results[0], "passes": [[3.0, 1.0, 1.0], [5.0, 1.0, 1.0]]}
    second = {**one.results[0], "passes": [[9.0, 1.0, 1.0], [9.0, 1.0, 1.0]]}
    both = races.Row(one.subject, one.puzzles, one.budget, [first, second, one.results[0]])
    assert both.seconds(0) == 3.0
    assert both.entry("x").values == [pytest.approx(5 / 3), pytest.approx(11 / 3), 1.0]


@pytest.mark.parametrize("name", ["algorithm-x", "singles-and-guess"])
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_plain_solvers_solve(name, m, n):
    """The solvers in plain Python find completions, of puzzles and of the empty board, or report that there is none."""
    models, plain = module("models"), module("plain")
    model = plain.PLAIN[name].load()
    for puzzle in (models.warm_up(m, n), models.PeerPuzzle(m, n, (0,) * (m * n) ** 2)):
        assert models.is_completion(model(puzzle)(), puzzle)
    without = list(models.warm_up(m, n).cells)
    without[:3] = [0, 0, 0]
    first, second = cs.Board.parse("12.. .... ...3 .4..").cells, [1, 2, 0, 0, 0, 0, 3, 0, *[0] * 8]
    assert model(models.PeerPuzzle(2, 2, tuple(first)))() is not None
    assert model(models.PeerPuzzle(2, 2, tuple(second)))() is None


def test_encodings_have_the_solutions_of_the_puzzle():
    """The exact cover covers each item by the options of the solution once; its CNF has no clause against it."""
    models = module("models")
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


@pytest.mark.filterwarnings("ignore")  # what peers warn of is theirs
def test_every_installed_peer_solves(subjects):
    """Each peer that is here solves a puzzle in its two steps."""
    models = module("models")
    puzzle = models.warm_up(3, 3)
    for name in module("peers").PEERS:
        if not subjects.is_installed(f"peer:{name}"):
            continue
        subject = subjects.loaded(f"peer:{name}")
        answer = subject.read(next(subject.answers([subject.prepare(puzzle)])))
        assert models.is_completion(answer.cells, puzzle), name
        assert answer.build >= 0


def test_contradicting_maps_are_told():
    """A map with one move turned round is wrong, whoever made it; a map of which nothing is known is not."""
    bomb_maps = module("bomb_maps")
    board = cs.Board.parse("12.. .... ...3 .4..")
    found = cs.classify_moves(board)
    right = bomb_maps.FoundMap(found.safe_masks, found.bomb_masks, is_complete=True)
    cell = int(found.safe_masks.argmax())
    turned = right.bombs.copy()
    turned[cell] |= found.safe_masks[cell]
    nothing = bomb_maps.FoundMap(right.safe * 0, right.bombs * 0, is_complete=False)
    judge = bomb_maps.Agreement()
    judge.look_up(found)
    judge.compare(board, {"search": right, "other": nothing})
    assert (judge.wrong, judge.confirmed) == ([], 0)
    judge.compare(board, {"search": right, "other": right})
    assert (judge.wrong, judge.confirmed) == ([], 1)
    judge.compare(board, {"search": right, "other": right._replace(bombs=turned)})
    assert len(judge.wrong) == 1
    assert "search and other contradict each other" in judge.wrong[0]


def test_late_maps_count_as_late():
    """A median is late if half of the maps are, and a ratio to a late map is a bound."""
    bomb_maps, bomb_tables = module("bomb_maps"), module("bomb_tables")
    times = [bomb_maps.Time(False, 1.0), bomb_maps.Time(True, 0.5), bomb_maps.Time(False, 3.0)]
    assert bomb_maps.median(times) == (False, 3.0, 0.0)
    assert bomb_maps.median(times[1:]).is_late
    assert bomb_tables.times_text(times[:2]) == "> 750 / > 500"
    assert bomb_tables.ratio_text(times[:1], [times[1:2], times[2:]], is_formula_free=False) == "3"
    assert bomb_tables.ratio_text(times[:1], [times[1:2]], is_formula_free=False) == "> 0.5"
    assert bomb_tables.ratio_text(times[1:2], [times[1:2], times[:1]], is_formula_free=False) == "< 2"
    assert bomb_tables.ratio_text(times[1:2], [times[1:2]], is_formula_free=False) == ""


SINGLE_QUESTIONS = [
    "startup.py",
    "gallery.py",
    "giving.py",
    "cpsat_parameters.py",
    "move_parameters.py",
    "choices.py",
]


@pytest.mark.skipif(not (SCRIPTS / "startup.py").is_file(), reason="a wheel's benchmarks are no scripts")
@pytest.mark.parametrize("script", SINGLE_QUESTIONS)
def test_scripts_start(script):
    """The scripts for single questions show their usage."""
    command = [sys.executable, str(SCRIPTS / script), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 0, done.stderr
    assert f"python benchmarks/{script}" in done.stdout


def test_what_is_given_away():
    """Turns with points to take, turns in which nothing had to be given, and skips, counted by hand."""
    giving = module("giving")
    counts = defaultdict(Counter)
    games = {
        "1243 3421 43.. 2...": ((3, 2, 1), (2, 2, 1), (3, 1, 1), (2, 3, 2), (3, 3, 4), (3, 2, 3)),
        "12.. .... .... ....": ((0, 2, 3), (0, 3, 4), (1, 0, 3), (1, 1, 4), (3, 3, 1), (0, 0, 3)),
    }
    for board, moves in games.items():
        state = GameState.start(Board.parse(board))
        recorder = Recorder(state, ("one", "two"), time=0.5)
        for move in moves:
            state, outcome = state.play(move)
            recorder.add(Turn.of(outcome))
        giving.count(recorder.finish(state), counts)
    one, two = counts["one", "two", "0.5"], counts["two", "one", "0.5"]
    assert one == {"turns": 6, "skips": 1, "points": 2, "less": 0, "quiet": 3, "given": 2}
    assert two == {"turns": 6, "skips": 0, "points": 5, "less": 1}
    assert [line[4:] for line in giving.lines(counts)] == [
        ["0 of 2, 0.0%", "2 of 3, 66.7%", "1"],
        ["1 of 5, 20.0%", "0 of 0, 0.0%", "0"],
    ]


def test_a_solver_that_cannot_be_imported_is_one_line(tmp_path, monkeypatch):
    """Whatever is wrong with the reader's own code."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, text in (("torn", "def solve(:\n"), ("nameless", "solve = this\n"), ("leaves", "1 / 0\n")):
        (tmp_path / f"{name}.py").write_text(text)
        with pytest.raises(cs.OptionError, match=f"expected a solver as module:function; found '{name}:solve'"):
            module("subjects").require(f"{name}:solve")


def test_boards_without_a_solution_are_answered_too():
    """Boards per second are those that were answered."""
    parts = [{"seconds": 2.0, "boards": 10, "solved": 0, "wrong": 0}, {"seconds": 1.0}]
    assert module("thousand").rates_of([{"parts": parts}]) == [5.0]


def test_names_of_players_are_no_formulas(tmp_path):
    """Whatever the folder of a player is called, it can be drawn."""
    boards = [NamedBoard("empty", Board.empty(2, 2))]
    tournament = Tournament(("a", "b"), ("$\\nothing$", "$b"), boards, (1.0,), 2)
    picture = module("agents").draw(tournament)
    picture.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000
