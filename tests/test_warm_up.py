"""Compiling ahead: it compiles the kernels that solvers and players need, and a failure is one line."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from csp_sudoku import Board, OptionError, warm_up
from csp_sudoku.arena import play as game
from csp_sudoku.cli.main import execute
from csp_sudoku.compiled.compilation import cache_folder
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
    """Each name needs existing groups, and some name needs each group, except those of a single engine."""
    needed = {group for groups in warm_up.NEEDS.values() for group in groups}
    assert needed == set(warm_up.GROUPS)


def test_what_is_missing_is_compiled_once(monkeypatch, tmp_path):
    """Groups with a marker are left alone; progress counts the others."""
    monkeypatch.setattr(warm_up, "_marker", lambda group: tmp_path / group)
    monkeypatch.setattr(warm_up, "CompilingProcess", partial(FakeProcess, tmp_path))
    (tmp_path / "nine").touch()
    steps = []
    assert warm_up.warm_up(["auto"], jobs=1, on_progress=lambda *step: steps.append(step)) == 3
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert warm_up.warm_up(["auto"]) == 0
    assert not warm_up.is_ready("rule")


def test_one_process_compiles_many_groups(monkeypatch, tmp_path):
    """There is a process per processor and not one per group, which would import numba again."""
    monkeypatch.setattr(warm_up, "_marker", lambda group: tmp_path / group)
    monkeypatch.setattr(warm_up, "CompilingProcess", partial(FakeProcess, tmp_path))
    FakeProcess.made = 0
    assert warm_up.warm_up(["champion"], jobs=2) == len(warm_up.CHAMPION)
    assert FakeProcess.made == 2


class FakeProcess(AbstractContextManager):
    """A process that marks groups as done in a folder."""

    made = 0

    def __init__(self, folder):
        self.folder = folder
        FakeProcess.made += 1

    def compile(self, group):
        """Mark the group as done."""
        (self.folder / group).touch()

    def kill(self):
        """Do nothing."""

    def __exit__(self, *error):
        """Do nothing."""


def test_what_cannot_be_compiled_is_one_line(monkeypatch, capsys):
    """A process that fails is reported with its last line."""
    monkeypatch.setattr(warm_up, "is_ready", lambda group: False)
    message = r"expected to compile the kernels of 'x'; found KeyError: 'x'"
    with warm_up.CompilingProcess() as process, pytest.raises(warm_up.WarmUpError, match=message):
        process.compile("x")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert execute(["warm-up", "auto", "--jobs", "1"]) == 2
    line = "csp-sudoku: expected to compile the kernels of 'learning'; found exit code 1\n"
    assert capsys.readouterr().err == line


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_compiling_process_ends_with_its_parent():
    """If the parent is killed, nothing goes on compiling."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, env=environment())
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    rest = parent.stdout.read()  # it ends when the last process that has this pipe ends
    assert rest == ""
    parent.stdout.close()
    assert child != parent.pid


PARENT = """
import subprocess, sys, time
from csp_sudoku import warm_up

popen = subprocess.Popen
warm_up.subprocess.Popen = lambda command, **options: popen(
    [sys.executable, "-c", "from csp_sudoku import warm_up; warm_up.compile_group = FOREVER; warm_up.serve()".replace(
        "FOREVER", "lambda group: __import__('time').sleep(1e6)")],
    **options | {"stderr": 1},  # a copy of the pipe to the test, which closes when this process ends
)
process = warm_up.CompilingProcess()
print(process._process.pid, flush=True)
process.compile("nine")
"""


def test_an_unknown_name():
    """A name that nothing has is an error with a hint."""
    with pytest.raises(OptionError, match="did you mean 'champion'"):
        warm_up.needed(["champoin"])


def test_players_are_prepared_before_the_game(monkeypatch):
    """The champion's kernels are compiled before any process that plays is started."""
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
    assert asked == [("auto", "moves", "champion")]
    line = "csp-sudoku: preparing champion, once for this computer: "
    assert capsys.readouterr().err == f"{line}0 of 8\n{line}1 of 8\n"


def test_a_command_is_prepared(monkeypatch):
    """A command has no players and no referee: only what it needs is compiled."""
    asked = []

    def compiled(names, *, on_progress):
        asked.append(names)

    monkeypatch.setattr(warm_up, "warm_up", compiled)
    warm_up._prepare.cache_clear()
    warm_up.prepare_command("analyse")
    warm_up._prepare.cache_clear()
    assert asked == [("analyse",)]


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


FIRST_PROPOSAL_S = 0.02
"""Upper bound for the time from the start of the first turn to the champion's first proposal, in seconds."""

FRAMEWORK_TURN = """
import json, multiprocessing, time
from pathlib import Path
from csp_sudoku import Board, agents
from csp_sudoku.framework.conversion import Position, to_game_state
from csp_sudoku.framework.loading import load_agent_class

context = multiprocessing.get_context("fork")
board = Board.empty(2, 3).place(0, 2, 4).place(2, 0, 6)
player = load_agent_class(Path(agents.__path__[0]) / "champion_player")()
player.player_number, player.lock = 1, context.Lock()
player.best_move = context.Array("i", [0, 0, 0])
begun, first = context.Value("d", 0.0), context.Value("d", 0.0)
propose = player.propose_move

def timed(move):
    propose(move)
    first.value = first.value or time.monotonic()

def play(state):
    begun.value = time.monotonic()
    player.compute_best_move(state)

player.propose_move = timed
turn = context.Process(target=play, args=(to_game_state(Position(2, 3, board.cells, board.cells), "v14"),))
turn.start()
time.sleep(0.1)
turn.kill()
turn.join()
print(json.dumps({"move": list(player.best_move), "seconds": first.value - begun.value}))
"""
"""A turn of 0.1 s as the framework plays it: a process is forked, whose last proposal counts when it is killed."""


def in_arena(cache, folder):
    """Play a game with turns of 0.1 s. Return standard error, and the time of the first proposal of the first turn."""
    done = subprocess.run(
        [sys.executable, "-m", "csp_sudoku", "play", "champion", "greedy", "--boards", "random-2x3", "--seed", "1",
         "--time", "0.1", "--json"],
        cwd=folder, capture_output=True, text=True, check=True, env=environment(CSP_SUDOKU_CACHE=str(cache)),
    )  # fmt: skip
    record = json.loads(done.stdout)
    assert record["reason"] == "board full"
    assert all(turn["proposals"] for turn in record["turns"])
    return done.stderr, record["turns"][0]["proposals"][0][1]


def in_framework(cache, folder):
    """Play a turn of 0.1 s by the framework's API. Return standard error, and the time of its first proposal.

    The time begins in the process of the turn: forking it is the framework's part.
    """
    done = subprocess.run(
        [sys.executable, "-c", FRAMEWORK_TURN],
        cwd=folder, capture_output=True, text=True, check=True, env=environment(CSP_SUDOKU_CACHE=str(cache)),
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert 1 <= told["move"][2] <= 6
    return done.stderr, told["seconds"]


def empty(cache):
    """An empty cache."""


def gappy(cache):
    """A cache that lacks two groups of the kernels that the champion needs: to compile all takes most of a minute."""
    shutil.copytree(cache_folder(), cache / cache_folder().name)
    for lacking in [*cache.rglob("matching*"), *cache.rglob("rule*")]:
        lacking.unlink()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the arena is for Linux")
@pytest.mark.parametrize(
    ("play", "fill"), [pytest.param(in_arena, empty, marks=pytest.mark.cold), (in_framework, gappy)]
)
def test_a_cold_champion_loses_no_turn(play, fill, tmp_path, clock):
    """With a cold cache and turns of 0.1 s the champion proposes a move in each turn, and at once in the first one.

    Only the comparison with the clock is made again: the process is new each time, but the cache is not cold any more.
    The environment may name the folder of the cache, which must be empty then, so that others use what is compiled.
    """
    cache, errors = Path(os.environ.get("CSP_SUDOKU_COLD_CACHE") or tmp_path / "cache"), []
    assert not cache.exists()
    fill(cache)

    def first_proposal():
        error, seconds = play(cache, tmp_path)
        errors.append(error)
        return seconds

    clock.holds(first_proposal, below=FIRST_PROPOSAL_S)
    assert "preparing champion, once for this computer: 0 of " in errors[0]
    assert not any("preparing" in error for error in errors[1:])


def test_each_installation_is_prepared(monkeypatch):
    """Two installations share no machine code, although they may share the folder of the cache."""
    here = warm_up._marker("nine")
    monkeypatch.setattr(warm_up, "__file__", "/another/place/csp_sudoku/warm_up.py")
    assert warm_up._marker("nine").parent == here.parent
    assert warm_up._marker("nine") != here
