"""Agents of ours in the framework: a miniature of it, of both APIs, runs them as the real one does."""

import subprocess
import sys
from pathlib import Path

import pytest

import csp_sudoku
from csp_sudoku import Board, agents
from csp_sudoku.framework.adapter import framework_move, framework_player
from csp_sudoku.framework.conversion import from_game_state, position_of, to_game_state
from csp_sudoku.framework.sudokuai import SudokuAI
from csp_sudoku.game.state import GameState
from csp_sudoku.players import Agent, Spec
from tests.cli.support import environment

HOME = Path(csp_sudoku.__file__).parents[1]
PLAYERS = Path(agents.__path__[0])
NAME = "agents.{}" if PLAYERS.name == PLAYERS.parent.name or PLAYERS.parent == HOME else "csp_sudoku.agents.{}"
"""How the framework calls our players: in a clone, and where they are installed."""

SUDOKUAI = '''
"""The base class of the players."""
import os
import pickle


class SudokuAI:
    """A player."""

    def __init__(self):
        self.best_move = [0, 0, 0]
        self.lock = None
        self.player_number = -1

    def compute_best_move(self, game_state):
        raise AssertionError("expected a player with a compute_best_move of its own")

    def propose_move(self, move):
        i, j, value = MOVE
        if self.lock:
            self.lock.acquire()
        self.best_move[0] = i
        self.best_move[1] = j
        self.best_move[2] = value
        if self.lock:
            self.lock.release()

    def save(self, object):
        if self.lock:
            self.lock.acquire()
        with open(f"{self.player_number}.pkl", "wb") as file:
            pickle.dump(object, file)
        if self.lock:
            self.lock.release()

    def load(self):
        if not os.path.isfile(f"{self.player_number}.pkl"):
            return None
        with open(f"{self.player_number}.pkl", "rb") as file:
            return pickle.load(file)
'''

COMMON = '''
class SudokuBoard:
    empty = 0

    def __init__(self, m, n):
        self.m, self.n, self.N = m, n, m * n
        self.squares = [0] * self.N**2


class Move:
    INIT

    def __eq__(self, other):
        return vars(self) == vars(other)


class TabooMove(Move):
    """A bomb."""
'''
OLD = COMMON.replace(
    "INIT", "def __init__(self, i, j, value):\n        self.i, self.j, self.value = i, j, value"
) + """

class GameState:
    def __init__(self, initial_board, board, taboo_moves, moves, scores):
        self.initial_board, self.board, self.taboo_moves = initial_board, board, taboo_moves
        self.moves, self.scores = moves, scores

    def current_player(self):
        return 1 if len(self.moves) % 2 == 0 else 2


def start(m, n):
    return GameState(SudokuBoard(m, n), SudokuBoard(m, n), [], [], [0, 0])


def after(state, row, column, value):
    state.board.squares[row * state.board.N + column] = value
    state.moves.append(Move(row, column, value))
    return state
"""  # fmt: skip
NEW = COMMON.replace(
    "INIT", "def __init__(self, square, value):\n        self.square, self.value = square, value"
) + """

class GameState:
    def __init__(self, initial_board=None, board=None, taboo_moves=None, moves=None, scores=None, current_player=1,
                 allowed_squares1=None, allowed_squares2=None, occupied_squares1=None, occupied_squares2=None):
        vars(self).update({name: value for name, value in locals().items() if name != "self"})


def start(m, n):
    rows = [[(row, column) for column in range(m * n)] for row in (0, m * n - 1)]
    return GameState(SudokuBoard(m, n), SudokuBoard(m, n), [], [], [0, 0], 1, *rows, [], [])


def after(state, row, column, value):
    state.board.squares[row * state.board.N + column] = value
    state.moves.append(Move((row, column), value))
    (state.occupied_squares1 if state.current_player == 1 else state.occupied_squares2).append((row, column))
    state.current_player = 3 - state.current_player
    return state
"""  # fmt: skip

SIMULATE = """
import argparse
import copy
import importlib
import multiprocessing

from competitive_sudoku.sudoku import after, start


def turn(player, state, lock, best):
    player.lock, player.best_move = lock, best
    player.compute_best_move(copy.deepcopy(state))


if __name__ == "__main__":
    multiprocessing.set_start_method(METHOD)
    parser = argparse.ArgumentParser()
    parser.add_argument("--first")
    parser.add_argument("--second")
    parser.add_argument("--turns", type=int)
    arguments = parser.parse_args()
    players = []
    for number, name in enumerate([arguments.first, arguments.second], 1):
        player = importlib.import_module(name + ".sudokuai").SudokuAI()
        player.player_number = number
        players.append(player)
    state = start(2, 2)
    for number in range(arguments.turns):
        lock, best = multiprocessing.Lock(), multiprocessing.Array("i", [0, 0, 0])
        process = multiprocessing.Process(target=turn, args=(players[number % 2], state, lock, best))
        process.start()
        process.join(20)
        print(*best, flush=True)
        if not best[2]:
            break
        state = after(state, *best)
"""
COUNTING = '''
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.players import Agent, Spec


class Counting(Agent):
    """Proposes the number of its turn."""

    turns = 0

    def proposals(self, state):
        self.turns += 1
        square = (0, self.turns - 1) if state.player == 1 else (3, (self.turns + 1) % 4)
        yield *square, 4
        yield *square, self.turns

    def save(self):
        return self.turns

    def load(self, saved):
        self.turns = saved


SudokuAI = framework_player(Counting)
'''


@pytest.fixture(params=["v12", "v14"])
def framework(request, tmp_path):
    """A checkout of the framework, of either API, with a player of ours of another team in it."""
    package = tmp_path / "checkout" / "competitive_sudoku"
    package.mkdir(parents=True)
    old = request.param == "v12"
    (package / "__init__.py").write_text("")
    (package / "sudoku.py").write_text(OLD if old else NEW)
    parts = "move.i, move.j, move.value" if old else "*move.square, move.value"
    (package / "sudokuai.py").write_text(SUDOKUAI.replace("MOVE", parts))
    team = package.parent / "team"
    team.mkdir()
    (team / "sudokuai.py").write_text(COUNTING)
    return package.parent


def simulate(framework, *names, turns, method="fork", path=HOME):
    """The moves that the framework's script prints."""
    (framework / "simulate_game.py").write_text(SIMULATE.replace("METHOD", repr(method)))
    done = subprocess.run(
        [sys.executable, "simulate_game.py", f"--first={names[0]}", f"--second={names[1]}", f"--turns={turns}"],
        cwd=framework, env=environment(PYTHONPATH=str(path), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def test_our_players_play_there(framework):
    """The baselines, by their dotted paths, in a checkout that knows nothing of them, make legal moves."""
    moves = simulate(framework, NAME.format("greedy_player"), NAME.format("random_player"), turns=4)
    state = GameState.start(Board.empty(2, 2))
    for move in moves:
        assert move in state.moves()
        state, _ = state.play(move)
    assert len(moves) == 4


def test_they_play_where_the_package_is_installed(framework):
    """By the name that they have in the package, no top-level package of agents is needed."""
    moves = simulate(framework, "csp_sudoku.agents.greedy_player", "csp_sudoku.agents.naive_player", turns=2)
    assert len(moves) == 2
    assert moves[0][2]


@pytest.mark.skipif(NAME.startswith("csp"), reason="the folder agents/ is only in a clone")
def test_other_agents_may_lie_in_a_folder_of_the_same_name(framework):
    """A folder agents/ in the checkout hides none of ours, nor ours those."""
    (framework / "team").rename(framework / "agents")
    (framework / "agents" / "theirs").mkdir()
    (framework / "agents" / "sudokuai.py").rename(framework / "agents" / "theirs" / "sudokuai.py")
    assert simulate(framework, "agents.greedy_player", "agents.theirs", turns=2)[1] == (3, 2, 1)


def test_memory_is_the_framework_s(framework):
    """The framework keeps the saved data of each agent separately; the last proposal of an agent counts."""
    assert simulate(framework, "team", "team", turns=6) == [
        (0, 0, 1), (3, 2, 1), (0, 1, 2), (3, 3, 2), (0, 2, 3), (3, 0, 3),
    ]  # fmt: skip
    assert sorted(path.name for path in framework.glob("*.pkl")) == ["1.pkl", "2.pkl"]


LOADING = '''
import os

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.players import Agent


class Loading(Agent):
    """Proposes the number of processes that it has been in, and writes down a random number."""

    def __init__(self, rng, **options):
        super().__init__(rng, **options)
        self.processes = {os.getpid()}

    def proposals(self, state):
        self.processes.add(os.getpid())
        with open("numbers.txt", "a") as file:
            print(self.rng.getrandbits(60), file=file)
        yield *((0, 0), (1, 2), (2, 1))[len(state.history)], len(self.processes)


SudokuAI = framework_player(Loading)
'''


def test_an_agent_is_made_before_the_game(framework):
    """Loading at creation costs no turn its time, and yet each turn has random numbers of its own."""
    (framework / "team" / "sudokuai.py").write_text(LOADING)
    assert simulate(framework, "team", "team", turns=3) == [(0, 0, 2), (1, 2, 2), (2, 1, 2)]
    assert len({*(framework / "numbers.txt").read_text().split()}) == 3


def test_players_can_be_sent_to_processes(framework):
    """If processes are not forked, the player is pickled: its class is found where its module says it is."""
    assert simulate(framework, "team", "team", turns=2, method="spawn") == [(0, 0, 1), (3, 2, 1)]


def test_the_stand_in_is_the_base_where_there_is_no_framework():
    """Without the framework the class is there all the same, and plays."""

    class First(Agent):
        """The first move."""

        def proposals(self, state):
            yield state.moves()[0]

    kind = framework_player(First)
    assert (kind.AGENT, kind.__module__, kind.__name__, kind.__doc__) == (
        First, __name__, "SudokuAI", "The first move."
    )  # fmt: skip
    assert issubclass(kind, SudokuAI)
    player = kind()
    state, _ = GameState.start(Board.empty(2, 2)).play((0, 0, 1))
    for api in ("v12", "v14"):
        player.compute_best_move(to_game_state(position_of(state), api))
        assert player.best_move == [0, 1, 2]
    assert framework_move((1, 2, 3)).square == (1, 2)


def test_options_can_be_fixed():
    """The options given to framework_player are the options of every agent that it makes."""
    seen = []

    class Telling(Agent):
        OPTIONS = Spec.parse("greedy").agent().OPTIONS

        def proposals(self, state):
            seen.append(self.options["safe"])
            yield state.moves()[0]

    framework_player(Telling, safe="yes")().compute_best_move(
        to_game_state(position_of(GameState.start(Board.empty(2, 2))), "v14")
    )
    assert seen == [True]


def test_the_play_mode_is_told_from_the_squares():
    """Squares that belong to no mode are random ones, as are the squares of a game that is read back."""
    for mode in ("classic", "rows", "border"):
        state = GameState.start(Board.empty(2, 2), mode)
        assert from_game_state(to_game_state(position_of(state), "v14")).mode == mode
    odd = GameState.start(Board.empty(2, 2), "random", allowed=([(1, 1)], [(2, 2)]))
    assert from_game_state(to_game_state(position_of(odd), "v14")) == odd
