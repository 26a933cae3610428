"""Loaded players: their states, their proposals and their memory; each in a process of its own."""

import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from csp_sudoku import Board, agents
from csp_sudoku.framework.conversion import from_game_state, position_of, to_game_state
from csp_sudoku.framework.v14.sudoku import SudokuBoard, allowed_squares
from csp_sudoku.game.state import GameState
from csp_sudoku.players import Agent
from csp_sudoku.players.player import BestMove, turn_seed
from csp_sudoku.turn import FileMemory, play_turn
from tests.cli.support import environment
from tests.game.support import MODES, turns_of
from tests.players.support import BASE, HEAD, HOME, framework_agent, play, write

FOREIGN = Path(__file__).parents[1] / "framework" / "agents"
PLAYERS = Path(agents.__path__[0])

COUNTING = """
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.players import Agent
from csp_sudoku.solvers.base import Option
from .kept import Kept

class Counting(Agent):
    OPTIONS = {"start": Option(0, int, "the first number")}
    kept = None

    def proposals(self, state):
        self.kept = self.kept or Kept(self.options["start"])
        self.kept.turns += 1
        yield 0, 0, self.kept.turns

    def save(self):
        return self.kept

    def load(self, saved):
        self.kept = saved

SudokuAI = framework_player(Counting)
"""
KEPT = """
class Kept:
    def __init__(self, turns):
        self.turns = turns
"""


@pytest.mark.parametrize(
    ("name", "mode", "first", "last"),
    [
        ("old_relative", "classic", [0, 0, 1], [3, 3, 4]),
        ("new_plain", "classic", [0, 0, 1], [3, 3, 4]),
        ("new_plain", "rows", [0, 0, 1], [0, 3, 4]),
        ("players/deep_player", "rows", [0, 0, 1], [0, 0, 1]),
        ("starred", "border", None, None),
    ],
)
def test_agents_of_both_apis_play(name, mode, first, last, tmp_path):
    """An agent of the framework gets states of its API, and each of its proposals is passed on."""
    ((*_, final),) = (proposals,) = play(FOREIGN / name, tmp_path, mode=mode)
    if first is None:
        assert final[2] == 1
    else:
        assert (proposals[0], final) == (first, last)


@pytest.mark.slow
def test_agents_of_the_framework_keep_what_they_save(tmp_path):
    """The data that an agent saves is in the current folder, under its player's number, for it alone."""
    turns = play(FOREIGN / "saving", tmp_path, mode="rows", moves=[[0, 0, 1], [3, 0, 2], [0, 1, 2]])
    assert turns == [[[0, 1, 1]], [[0, 1, 2]], [[0, 2, 1]]]
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["1.pkl", "2.pkl"]
    assert play(FOREIGN / "saving", tmp_path, mode="rows", moves=[[0, 0, 1]]) == [[[0, 3, 1]]]


@pytest.mark.slow
@pytest.mark.parametrize("api", ["v12", "v14"])
def test_the_api_can_be_forced(api, tmp_path):
    """The given API decides which states an agent gets, whatever its source looks like."""
    body = "called = callable(game_state.current_player)\nself.best_move[:] = [1 + called, 1, 1]"
    folder = framework_agent(tmp_path / "agent", f"{body}\nif 0: Move(1, 2, 3)")
    assert play(folder, tmp_path, api=api) == [[[1 + (api == "v12"), 1, 1]]]
    assert play(folder, tmp_path) == [[[2, 1, 1]]]
    assert "expected a framework API among v12, v14" in play(folder, tmp_path, api="v13")[0]


OWN_BASE = """
class Base:
    def __init__(self):
        self.best_move = [0, 0, 0]
        self.lock = None

    def propose_move(self, move):
        with self.lock:
            i, j = move.square
            self.best_move[0], self.best_move[1], self.best_move[2] = i, j, move.value
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "head"),
    [
        ("", HEAD),
        ("object", HEAD),
        ("Base", HEAD + OWN_BASE),
        ("Base", HEAD + OWN_BASE.replace("def propose_move", "def other")),
        (BASE, HEAD),
    ],
)
def test_no_base_class_is_needed(base, head, tmp_path):
    """An agent that derives from nothing, or brings a base class along, proposes and saves all the same."""
    body = "turn = self.load() or 1\nself.propose_move(Move((0, turn), 1))\nself.save(turn + 1)"
    folder = framework_agent(tmp_path / "agent", body, base, head)
    assert play(folder, tmp_path, moves=[[0, 1, 1], [1, 3, 1], [0, 2, 2]]) == [[[0, 1, 1]], [[0, 1, 1]], [[0, 2, 1]]]


@pytest.mark.slow
def test_a_propose_move_of_its_own_is_respected(tmp_path):
    """An agent may filter its proposals."""
    body = "for value in (1, 2, 3):\n    self.propose_move(Move((0, 0), value))"
    own = "\n\n    def propose_move(self, move):\n        if move.value != 2: super().propose_move(move)\n"
    folder = framework_agent(tmp_path / "agent", body)
    (folder / "sudokuai.py").write_text((folder / "sudokuai.py").read_text() + own)
    assert play(folder, tmp_path) == [[[0, 0, 1], [0, 0, 3]]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "turn"),
    [
        ("self.best_move[0] = 1\nself.best_move[1] = 2\nself.best_move[2] = 3", [[1, 2, 3]]),
        ("self.best_move[:] = [1, 2, 3]\nself.best_move[:] = [1, 2, 3]", [[1, 2, 3]]),
        ("self.best_move[2] = 3\nself.best_move[1] = 2", [[0, 0, 3], [0, 2, 3]]),
        ("self.best_move = [1, 2, 3]", []),
        ("pass", []),
        ("self.propose_move(Move((1.0, 2), True))", [[1, 2, 1]]),
        ("self.propose_move(Move((0, 0), 0))", [[0, 0, 0]]),
    ],
)
def test_whatever_becomes_the_best_move_is_proposed(body, turn, tmp_path):
    """What is written into best_move directly counts, as it does in the framework; another list in its place does not.

    To propose (0, 0, 0) is to propose nothing, and for the rules to judge.
    """
    assert play(framework_agent(tmp_path / "agent", body), tmp_path)[0] == turn


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("self.propose_move(None)", "AttributeError: "),
        ("self.propose_move(Move((0, 0), 'x'))", "TypeError: expected an integer in a move; found 'x'"),
        ("self.best_move[0] = None", "TypeError: expected an integer in a move; found None"),
        ("self.propose_move(Move((0, 0), 2 ** 40))", "OverflowError: expected an integer of at most 2147483647"),
    ],
)
def test_what_was_proposed_before_a_crash_stands(body, error, tmp_path):
    """An exception is raised unchanged, after the proposals."""
    folder = framework_agent(tmp_path / "agent", f"self.propose_move(Move((1, 1), 2))\n{body}")
    proposals, raised = play(folder, tmp_path)
    assert proposals == [[1, 1, 2]]
    assert raised.startswith(error)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (
            "import none_such",
            "AgentImportError: expected to import the agent agent; found sudokuai.py:1: ModuleNotFoundError",
        ),
        ("class SudokuAI:\n    def __init__(self): raise ValueError('no')", "ValueError: no"),
        ("x = 1", "NoAgentClassError: "),
        ("framework_player = str\nSudokuAI = framework_player(1)", "NoAgentClassError: expected SudokuAI = framework_"),
        (COUNTING + "\n1 / 0", "AgentCrashError: expected to import the agent agent; found sudokuai.py:"),
    ],
)
def test_a_player_that_cannot_be_loaded_is_an_error(code, error, tmp_path):
    """For our agents and others, the error names the missing part of the folder, or the error of its modules."""
    folder = write(tmp_path / "agent", sudokuai=code, kept=KEPT)
    assert play(folder, tmp_path)[-1].startswith(error)


def test_no_such_player_is_an_error(tmp_path):
    """A text that names no player fails in the same way when the player is loaded."""
    assert play("greddy", tmp_path)[0].startswith("OptionError: expected a player (or the folder of one) among ")
    assert play("greedy?safe=7", tmp_path) == ["OptionError: expected greedy option safe to be true|false; found '7'"]
    assert "expected no option of saving" in play(f"{FOREIGN / 'saving'}?x=1", tmp_path)[0]


@pytest.mark.slow
def test_an_agent_of_ours_remembers(tmp_path):
    """Data that an agent of ours saves is there in its next turn, in the same process or another, for it alone."""
    spec = str(write(tmp_path / "my agent", sudokuai=COUNTING, kept=KEPT)) + "?start=10"
    assert play(spec, tmp_path) == [[[0, 0, 11]]]
    assert play(spec, tmp_path, moves=[[0, 0, 1], [1, 2, 1], [0, 1, 2]], player=1) == [[[0, 0, 12]], [[0, 0, 13]]]
    assert play(spec, tmp_path, moves=[[0, 0, 1], [1, 2, 1], [0, 1, 2]], player=2) == [[[0, 0, 11]]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.memory", "2.memory", "my agent"]
    assert play(spec, write(tmp_path / "other game")) == [[[0, 0, 11]]]


@pytest.mark.slow
def test_an_agent_of_ours_is_driven_by_either_api_as_well(tmp_path):
    """The framework class of an agent of ours works with both stand-ins; in the arena the API has no effect."""
    folder = write(tmp_path / "agent", sudokuai=COUNTING, kept=KEPT)
    for api in ("v12", "v14"):
        assert play(folder, write(tmp_path / api), api=api) == [[[0, 0, 1]]]
        assert not list((tmp_path / api).glob("*.pkl"))
        through = f"from .ours.sudokuai import SudokuAI as Ours\n{HEAD}class SudokuAI(Ours): pass\n"
        wrapped = write(tmp_path / f"{api} wrapped", sudokuai=through)
        write(wrapped / "ours", sudokuai=COUNTING, kept=KEPT)
        moves = [[0, 0, 1], [1, 2, 1], [0, 1, 2]]
        assert play(wrapped, tmp_path / api, api=api, moves=moves, player=1) == [[[0, 0, 1]], [[0, 0, 2]]]
        assert (tmp_path / api / "1.pkl").is_file()


@pytest.mark.slow
def test_one_seed_repeats_a_game(tmp_path):
    """With a seed every turn is repeatable, each with numbers of its own; without, it is anybody's guess."""
    drawing = "import random\nself.best_move[:] = [random.randrange(10**6), random.randrange(10**6), 1]"
    numpy = "import numpy\nself.best_move[:] = [numpy.random.randint(10**6), numpy.random.randint(10**6), 1]"
    moves = [[0, 0, 1], [0, 1, 2], [0, 2, 3]]
    for spec in (
        framework_agent(tmp_path / "agent", drawing),
        framework_agent(tmp_path / "other", numpy, head="import numpy\n" + HEAD),
    ):
        first, again, other, free = (play(spec, tmp_path, moves=moves, seed=seed) for seed in (1, 1, 2, None))
        assert first == again
        assert len({json.dumps(turn) for turn in first + other + free}) == 9
    board = "5 5" + " ." * 625
    first, again, other = (play("random", tmp_path, moves=moves, board=board, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert len({json.dumps(turn) for turn in first + other}) == 6


def test_turns_have_seeds_of_their_own():
    """No two turns of a game share a seed, also when one player is passed over and over."""
    rng = Random(3)
    for mode in MODES:
        states = [state for state, _, _ in turns_of(GameState.start(Board.empty(2, 2), mode, rng), rng)]
        states = [state for state in states if not state.must_pass]
        assert len({turn_seed(1, state) for state in states}) == len(states)
    assert turn_seed(None, states[0]) is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("api", ["v12", "v14"])
def test_states_come_back_from_the_framework(mode, api):
    """Each state of a game, given to an agent of either API and taken back, is the same; the old API has one mode."""
    rng = Random(7)
    for state, _, _ in turns_of(GameState.start(Board.empty(2, 2), mode, rng), rng):
        if api == "v12" and mode != "classic":
            continue
        assert from_game_state(to_game_state(position_of(state), api)) == state


def test_squares_are_in_the_framework_s_order():
    """Those of a play mode as there, for an agent may take the first best; filled ones are appended as they are."""
    state = GameState.start(Board.empty(2, 3), "border")
    assert to_game_state(position_of(state), "v14").allowed_squares2 == allowed_squares(SudokuBoard(2, 3), "border")[1]
    state = GameState.start(Board.empty(2, 2), "rows")
    for move in [(0, 3, 1), (3, 2, 1), (0, 0, 2), (3, 0, 3), (1, 1, 3)]:
        state, _ = state.play(move)
    given = to_game_state(position_of(state), "v14")
    assert given.occupied_squares1 == [(0, 3), (0, 0), (1, 1)]
    assert given.occupied_squares2 == [(3, 2), (3, 0)]


def test_the_memory_survives_being_interrupted(tmp_path):
    """A failed or interrupted write leaves the former data."""

    class Stop(BaseException):
        """The end of a turn, in the middle of writing."""

    class Cut:
        def __reduce__(self):
            raise Stop

    memory = FileMemory(tmp_path / "1.memory")
    assert memory.read() is None
    memory.write({"turn": 1})
    with pytest.raises(Stop):
        memory.write([b"x" * 10**6, Cut()])
    assert memory.read() == {"turn": 1}
    memory.write({"turn": 2})
    assert memory.read() == {"turn": 2}
    assert [path.name for path in tmp_path.iterdir()] == ["1.memory"]


def test_a_player_may_be_killed_at_any_time(tmp_path):
    """Whenever its process is killed, the memory is complete, and no older than before the turn."""
    script = """
import sys
from pathlib import Path
from csp_sudoku.turn import FileMemory
memory = FileMemory(Path("1.memory"))
number = memory.read()[0] if memory.path.exists() else 0
while True:
    number += 1
    memory.write([number] * 200_000)
    print(number, flush=True)
"""
    last = 0
    for kill in range(6):
        command = [sys.executable, "-c", script]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment(PYTHONPATH=str(HOME))
        ) as process:
            for _ in range(5 + kill):
                written = int(process.stdout.readline())
            time.sleep(kill / 5000)
            process.kill()
        kept = FileMemory(tmp_path / "1.memory").read()
        assert len(kept) == 200_000
        assert len(set(kept)) == 1
        assert kept[0] >= written > last
        last = written
    assert {path.name for path in tmp_path.iterdir()} <= {"1.memory", "1.memory.new"}


class Slow(Agent):
    """Proposes so often, so slowly, by a clock of its own, and saves as slowly."""

    def __init__(self, clock, step, cost):
        super().__init__(Random(0))
        self.clock, self.step, self.cost = clock, step, cost

    def proposals(self, state):
        for number in range(100):
            self.clock[0] += self.step
            yield 0, 0, number

    def save(self):
        self.clock[0] += self.cost
        return pickle.dumps(self.clock[0])


@pytest.mark.parametrize(
    ("step", "cost", "saves"), [(1.0, 0.001, 100), (0.001, 0.0, 10), (0.001, 0.01, 1), (0.01, 0.01, 9), (1e-6, 0.0, 0)]
)
def test_saving_takes_its_share_and_no_more(step, cost, saves, monkeypatch):
    """During a turn an agent is saved after proposals, for at most a tenth of the time; and once more at the end."""
    clock, written = [0.0], []

    class Memory:
        def read(self):
            return None

        def write(self, saved):
            written.append(saved)

    monkeypatch.setattr("csp_sudoku.turn.perf_counter", lambda: clock[0])
    proposed = []
    play_turn(Slow(clock, step, cost), GameState.start(Board.empty(2, 2)), proposed.append, Memory())
    assert len(proposed) == 100
    assert abs(len(written) - 1 - saves) <= 1
    assert (len(written) - 1) * cost <= 0.1 * (100 * step) + cost


def test_an_agent_is_loaded_before_it_proposes_and_saved_before_it_is_stopped():
    """An agent that is stopped at a proposal has saved its data of the proposal before."""

    class Keeping(Agent):
        known = 0

        def proposals(self, state):
            while True:
                self.known += 1
                yield 0, 0, self.known

        def save(self):
            return self.known

        def load(self, saved):
            self.known = saved

    class Memory:
        kept = 7

        def read(self):
            return self.kept

        def write(self, saved):
            self.kept = saved

    class Stop(BaseException):
        """The deadline."""

    def propose(move):
        proposed.append(move[2])
        if Memory.kept != memory.kept and move[2] > memory.kept + 1000:
            raise Stop

    memory, proposed = Memory(), []
    with pytest.raises(Stop):
        play_turn(Keeping(Random(0)), GameState.start(Board.empty(2, 2)), propose, memory)
    assert proposed[0] == 8
    assert 8 <= memory.kept < proposed[-1]


def test_best_move_is_a_list_of_three_integers():
    """Agents may look at it."""
    best = BestMove(print)
    assert isinstance(best, list)
    assert best == [0, 0, 0]
    best.finish()
