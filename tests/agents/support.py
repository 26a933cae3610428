"""What the tests of the players after the earlier systems share."""

import pickle
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import csp_sudoku
from csp_sudoku import agents
from csp_sudoku.players import Spec
from csp_sudoku.players.classic.alpha_beta import AlphaBeta
from csp_sudoku.players.classic.filling import Filling

HOME = Path(csp_sudoku.__file__).parents[1]


STEPS = 5
"""How many proposals are waited for: no player's end soon on a large board."""


def agent(text, seed=1):
    """The player of a text."""
    spec = Spec.parse(text)
    return spec.agent()(Random(seed), **spec.settings(spec.agent().OPTIONS))


def turn(text, state, saved=None, seed=1, steps=None):
    """The proposals of a player in a turn, and its saved data: as in the arena, with a new agent, through pickle."""
    player = agent(text, seed)
    if saved is not None:
        player.load(pickle.loads(saved))
    steps = steps or (2 if "stale" in text else STEPS)  # a third one may never come
    return list(islice(player.proposals(state), steps)), pickle.dumps(player.save())


def module_of(name, part="sudokuai"):
    """A module of a player's folder."""
    return import_module(f"{agents.__name__}.{name.replace('-', '_')}_player.{part}")


def play(text, state, rng, referee):
    """The end of a game against any moves; every proposal of the player is one that does not lose."""
    saved, who = None, rng.choice((1, 2))
    while not state.is_over:
        move = None
        if not state.must_pass:
            legal = state.moves()
            move = rng.choice(legal)
            if state.player == who:
                found, saved = turn(text, state, saved, rng.random())
                assert found
                assert set(found) <= set(legal)
                move = found[-1]
        state, _ = state.play(move, referee)
    return state


@pytest.fixture
def now(monkeypatch):
    """A clock for timed-mcts that advances by 0.1 ms at each reading, and by each sleep."""
    module, seconds = module_of("timed-mcts"), [0.0]

    def look():
        seconds[0] += 0.0001
        return seconds[0]

    def sleep(pause):
        seconds[0] += pause

    monkeypatch.setattr(module, "perf_counter", look)
    monkeypatch.setattr(module, "sleep", sleep)
    return lambda: seconds[0]


def best_cells(state):
    """The cells that are best if the game is searched to its end, and the value."""
    position = Filling(state)
    search = AlphaBeta(position)
    values = {move: search.value_of(move, position.left) for move in position.moves()}
    return {cell for cell, value in values.items() if value == max(values.values())}
