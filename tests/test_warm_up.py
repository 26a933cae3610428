"""Compiling ahead: what is compiled is what solvers and players need, and a failure is one line."""

import json
import subprocess
import sys
from io import StringIO

import pytest

from csp_sudoku import Board, OptionError, warm_up
from csp_sudoku.arena import play as game
from csp_sudoku.cli.main import execute
from tests.cli.support import environment

NEEDED = """
from csp_sudoku import Board, solve, classify_moves, get_solver
from csp_sudoku.agents.champion_player.thinking import warm_up
from csp_sudoku.compiled import compilation as compiled
compiled._compile_in_thread = lambda function, types, get=compiled._compile_in_thread: (
    get(function, types), function.stats.cache_misses and print("compiled", function.__name__))
warm_up()
for name in ("exact-cover", "learning", "backtracking"):
    get_solver(name).count(Board.empty(2, 2), 2)
for engine in ("rule", "search"):
    classify_moves(Board.empty(2, 2), engine=engine)
"""


def test_nothing_is_compiled_after_it():
    """The champion, every solver and every map find all their kernels in the cache."""
    warm_up.warm_up()
    done = subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout == ""


def test_every_group_is_of_use():
    """Each name needs groups that there are, and each group but those of one engine alone is needed by a name."""
    needed = {group for groups in warm_up.NEEDS.values() for group in groups}
    assert needed == set(warm_up.GROUPS)


def test_what_is_missing_is_compiled_once(monkeypatch, tmp_path):
    """Groups with a marker are left alone; progress counts the others."""
    monkeypatch.setattr(warm_up, "_marker", lambda group: tmp_path / group)
    monkeypatch.setattr(warm_up, "_compile_apart", lambda group: (tmp_path / group).touch())
    (tmp_path / "nine").touch()
    steps = []
    assert warm_up.warm_up(["auto"], jobs=1, on_progress=lambda *step: steps.append(step)) == 3
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert warm_up.warm_up(["auto"]) == 0
    assert not warm_up.is_ready("rule")


def test_a_failure_starts_no_further_processes(monkeypatch):
    """Ctrl-C ends the processes that compile: the rest is not begun, so the program ends soon."""
    begun = []

    def fail(group):
        begun.append(group)
        raise warm_up.WarmUpError(group)

    monkeypatch.setattr(warm_up, "is_ready", lambda group: False)
    monkeypatch.setattr(warm_up, "_compile_apart", fail)
    with pytest.raises(warm_up.WarmUpError):
        warm_up.warm_up(["champion"], jobs=1)
    assert len(begun) == 1


def test_what_cannot_be_compiled_is_one_line(monkeypatch, capsys):
    """A process that fails is reported with its last line."""
    monkeypatch.setattr(warm_up, "is_ready", lambda group: False)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(warm_up.WarmUpError, match=r"expected to compile the kernels of 'nine'; found exit code 1"):
        warm_up._compile_apart("nine")
    assert execute(["warm-up", "auto"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unknown_name():
    """A name that nothing has is an error with a hint."""
    with pytest.raises(OptionError, match="did you mean 'champion'"):
        warm_up.needed(["champoin"])


def test_players_are_prepared_before_the_game(monkeypatch):
    """What the champion needs is compiled before any process that plays is started."""
    prepared = []

    def stop(specs):
        prepared.extend(specs)
        raise KeyboardInterrupt

    monkeypatch.setattr(game, "prepare", stop)
    monkeypatch.setattr(game, "ForkServer", None)
    with pytest.raises(KeyboardInterrupt):
        game.play_game("champion?keep=false", "greedy", Board.empty(2, 2))
    assert prepared == ["champion?keep=false", "greedy"]


def test_preparing_is_said_once(monkeypatch, capsys):
    """The command that waits says for what, and how far it is; a second game says nothing."""
    asked = []

    def compiled(names, *, on_progress):
        asked.append(names)
        on_progress(0, 8)
        on_progress(1, 8)

    monkeypatch.setattr(warm_up, "warm_up", compiled)
    warm_up._prepare.cache_clear()
    warm_up.prepare(["greedy", "champion?keep=false"])
    warm_up.prepare(["greedy", "champion"])
    warm_up._prepare.cache_clear()
    assert asked == [["auto", "moves", "champion"]]
    line = "csp-sudoku: preparing champion, once for this computer: "
    assert capsys.readouterr().err == f"{line}0 of 8\n{line}1 of 8\n"


def test_a_terminal_sees_a_bar(monkeypatch):
    """On a terminal the line is drawn again and again, with a bar, and ends when all is done."""
    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(warm_up, "warm_up", lambda _, *, on_progress: [on_progress(done, 2) for done in range(3)])
    warm_up._prepare.cache_clear()
    warm_up.prepare(["champion"])
    warm_up._prepare.cache_clear()
    line = "\rcsp-sudoku: preparing champion, once for this computer: "
    bars = "░" * 20, "█" * 10 + "░" * 10, "█" * 20
    assert screen.getvalue() == "".join(f"{line}{done} of 2 {bar}" for done, bar in enumerate(bars)) + "\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the arena is for Linux")
def test_a_cold_champion_loses_no_turn(tmp_path):
    """With an empty cache and turns of 0.1 s the champion proposes a move in each turn, the first one included."""
    done = subprocess.run(
        [sys.executable, "-m", "csp_sudoku", "play", "champion", "greedy", "--boards", "random-2x2", "--seed", "1",
         "--time", "0.1", "--json"],
        capture_output=True, text=True, check=True, env=environment(CSP_SUDOKU_CACHE=str(tmp_path)),
    )  # fmt: skip
    assert "preparing champion, once for this computer: 0 of " in done.stderr
    record = json.loads(done.stdout)
    assert record["reason"] == "board full"
    assert all(turn["proposals"] for turn in record["turns"])


def test_each_installation_is_prepared(monkeypatch):
    """Two installations share no machine code, although they may share the folder of the cache."""
    here = warm_up._marker("nine")
    monkeypatch.setattr(warm_up, "__file__", "/another/place/csp_sudoku/warm_up.py")
    assert warm_up._marker("nine").parent == here.parent
    assert warm_up._marker("nine") != here
