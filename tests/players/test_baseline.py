"""The players random, naive and greedy, and the example player of the README."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from csp_sudoku import Board, agents
from csp_sudoku.game.outcome import Loss, OutcomeKind
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.players import Spec
from csp_sudoku.players.player import load_player
from tests.support import most_slow

BOMBS = "12.. .... .... 4..."
"""A board whose moves are safe or bombs in about equal parts."""
REWARDS = "1234 341. 214. 4..."
"""A board with moves of different rewards, and two of the highest."""


def proposals(text, state, seed):
    """The proposals of a player of ours in one turn."""
    spec = Spec.parse(text)
    kind = spec.agent()
    return list(kind(Random(seed), **spec.settings(kind.OPTIONS)).proposals(state))


def frequencies(text, state, count=600):
    """How often each move is the one that is proposed."""
    found = Counter()
    for seed in range(count):
        (move,) = proposals(text, state, seed)
        found[move] += 1
    return found


def is_even(found, count):
    """Whether as many moves are found about equally often, by a generous chi-squared test."""
    expected = found.total() / count
    return len(found) == count and sum((times - expected) ** 2 / expected for times in found.values()) < 2 * count + 20


@pytest.mark.parametrize("mode", list(PlayMode))
def test_random_plays_every_move_equally_often(mode):
    """All legal moves that are not taboo on open squares, bombs included."""
    state = GameState.start(Board.parse(BOMBS), mode, Random(1))
    state, _ = state.skip(state.moves()[0])
    found = frequencies("random", state)
    assert set(found) == set(state.moves())
    assert is_even(found, len(state.moves()))


def test_random_can_be_safe():
    """With the option safe, no bomb is among them, and every other move is."""
    state, referee = GameState.start(Board.parse(BOMBS)), Referee()
    safe = {move for move in state.moves() if referee.is_safe(state.board, move)}
    found = frequencies("random?safe", state, 300)
    assert set(found) == safe < set(state.moves())
    assert is_even(found, len(safe))


@pytest.mark.parametrize("mode", most_slow(list(PlayMode), [PlayMode.ROWS], is_one_argument=True))
def test_naive_plays_any_value_on_any_open_square(mode):
    """Whether the value clashes is not asked; whether it is taboo is."""
    state = GameState.start(Board.parse(BOMBS), mode, Random(1))
    state, _ = state.skip(state.moves()[0])
    squares = state.squares() or {divmod(cell, 4) for cell in state.board.empty_cells()}
    moves = {(*square, value) for square in squares for value in range(1, 5)} - state.taboo
    found = frequencies("naive", state, 2000)
    assert set(found) == moves
    assert is_even(found, len(moves))


def test_greedy_takes_what_counts_most():
    """The moves with the highest reward, all of them equally often; safe or not, for these are no bombs."""
    state, referee = GameState.start(Board.parse(REWARDS)), Referee()
    rewards = {move: state.place(move)[1].reward for move in state.moves()}
    best = {move for move, points in rewards.items() if points == max(rewards.values())}
    assert len(best) == 2 < len(rewards)
    assert all(referee.is_safe(state.board, move) for move in best)
    for text in ("greedy", "greedy?safe"):
        found = frequencies(text, state, 200)
        assert set(found) == best
        assert is_even(found, len(best))


def test_greedy_plays_bombs_where_nothing_counts():
    """If no move has a reward it plays any of them, or with the option safe any safe one."""
    state, referee = GameState.start(Board.parse(BOMBS)), Referee()
    moves = set(state.moves())
    safe = {move for move in moves if referee.is_safe(state.board, move)}
    for text, expected in (("greedy", moves), ("greedy?safe", safe)):
        found = frequencies(text, state, 600)
        assert set(found) == expected
        assert is_even(found, len(expected))


@pytest.mark.parametrize("mode", list(PlayMode))
def test_games_between_them_end_by_the_rules(mode):
    """Random and greedy never lose at once; naive soon does, with an illegal move."""
    rng = Random(2)
    for second, loss in (("greedy", None), ("naive", Loss.ILLEGAL)):
        state, referee = GameState.start(Board.empty(2, 3), mode, rng), Referee()
        players = ["random?safe", second]
        while not state.is_over:
            move = None if state.must_pass else proposals(players[state.player - 1], state, rng.random())[-1]
            state, outcome = state.play(move, referee)
            assert outcome.kind is not OutcomeKind.SKIPPED or outcome.player == 2
        assert state.loss == loss
        assert loss is None or state.player == 2


def test_the_example_of_the_readme_plays(tmp_path, monkeypatch):
    """The example of agents/README.md is an agent, with its option; so is a player of ours with an option set."""
    readme = (Path(agents.__path__[0]) / "README.md").read_text()
    code, ours = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    made = {"__name__": "shown"}
    exec(ours, made)
    assert made["SudokuAI"].AGENT.__name__ == "Champion"
    assert made["SudokuAI"]().agent.options["time"] == 0.4
    (tmp_path / "tight_example").mkdir()
    (tmp_path / "tight_example" / "sudokuai.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    state = GameState.start(Board.parse(REWARDS))
    assert str(Spec.parse("tight_example?loose")).endswith("tight_example?loose=true")
    for text, few in (("tight_example", True), ("tight_example?loose", False)):
        made = []
        load_player(text, seed=1).think(state, made.append)
        counts = [len(state.board.candidates(row, col)) for row, col in (move[:2] for move in state.moves())]
        assert len(made) == 2
        last = len(state.board.candidates(*made[-1][:2]))
        assert last == (min(counts) if few else max(counts))
