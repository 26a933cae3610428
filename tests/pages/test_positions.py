"""The positions of a game as data: unfolded again, they are the boards, the maps and the squares of the game."""

import json
from random import Random

import pytest

from csp_sudoku import Board, classify_moves
from csp_sudoku.evaluation.analyse import analyse
from csp_sudoku.game.outcome import Loss
from csp_sudoku.game.record import Proposal, Recorder, Turn
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay
from csp_sudoku.pages.positions import MOST_PROPOSALS, failures, positions, turns
from tests.game.support import MODES, random_record

OPEN = Board.parse("12.. .... ...3 .4..")


def replayed(record):
    """The start of a game and its steps."""
    replay = Replay(record)
    return replay.start, list(replay)


def lost(error="ValueError: boom"):
    """A game that player 2 loses in its first turn, after a turn of player 1 with many proposals and an error."""
    state = GameState.start(OPEN)
    recorder = Recorder(state, ("<b>", "two"))
    state, outcome = state.play((0, 2, 3))
    proposals = [Proposal(None, 0.0), *[Proposal(outcome.move, 0.001 * at) for at in range(MOST_PROPOSALS + 20)]]
    recorder.add(Turn.of(outcome, 0.5, proposals, error))
    state, outcome = state.lose(Loss.CRASH, detail="sudokuai.py:20: ZeroDivisionError:\n  x")
    recorder.add(Turn.of(outcome))
    return recorder.finish(state)


@pytest.mark.parametrize("mode", MODES)
def test_positions_unfold_to_the_game(mode):
    """Applied one after the other, the changes give the exact move map of each position, and its squares."""
    start, steps = replayed(random_record(mode=mode, seed=5, board=OPEN))
    found = json.loads(json.dumps(positions(start, steps)))
    states = [start, *(step.state for step in steps)]
    assert len(found) == len(states)
    masks = [[0, 0, 0] for _ in range(16)]
    for state, position in zip(states, found, strict=True):
        for cell, *new in position["moves"]:
            masks[cell] = new
        exact = classify_moves(state.board)
        assert [mask[0] for mask in masks] == exact.safe_masks.tolist()
        assert [mask[1] for mask in masks] == exact.bomb_masks.tolist()
        assert not any(mask[2] for mask in masks)
        assert position["scores"] == list(state.scores)
        squares = [[row * 4 + column for row, column in state.squares(player) or ()] for player in (1, 2)]
        assert position["open"] == (None if mode == "classic" else squares)
    assert found[-1]["told"].startswith("The game is over: ")
    assert found[0]["told"] == "Player 1 is to move."


def test_what_is_not_decided_in_time_is_undecided():
    """Without time, moves are undecided and never guessed."""
    start, _ = replayed(random_record(2, 3))
    (first,) = positions(start, [], total_limit=0)
    undecided = sum(mask.bit_count() for _, _, _, mask in first["moves"])
    exact = classify_moves(start.board)
    for cell, safe, bombs, _ in first["moves"]:
        assert safe & ~int(exact.safe_masks[cell]) == 0
        assert bombs & ~int(exact.bomb_masks[cell]) == 0
    assert undecided > 0


def test_each_position_is_reported():
    """The caller learns when a position is done."""
    start, steps = replayed(random_record(seed=1))
    done = []
    positions(start, steps, on_position=lambda: done.append(1))
    assert len(done) == len(steps) + 1


def test_turns_tell_what_happened():
    """A turn has its text, its cell, its value, its points and the regions that it completed."""
    start, steps = replayed(random_record(seed=3))
    found = turns(start, steps)
    for step, turn in zip(steps, found, strict=True):
        row, column, value = step.outcome.move
        assert (turn["cell"], turn["value"], turn["outcome"]) == (row * 4 + column, value, step.outcome.kind.value)
        assert (1 << len(turn["regions"])) - 1 == turn["reward"]
        assert turn["text"].startswith(f"Turn {step.number}: player {step.turn.player} ")
        assert turn["proposals"] == [[str(step.outcome.move), 0.001]]
    last = found[-1]
    assert "for row" in last["text"]
    assert last["text"].endswith(".")


def test_failures_and_proposals_are_told():
    """Errors and the reasons of losses are one line each; of many proposals the last ones are listed."""
    record = lost()
    start, steps = replayed(record)
    first, second = turns(start, steps)
    assert first["failures"] == ["raised after proposing: ValueError: boom"]
    assert (len(first["proposals"]), first["hidden"]) == (MOST_PROPOSALS, 21)
    assert (second["name"], second["cell"], second["value"]) == ("nothing", None, 0)
    assert second["failures"] == ["crash: sudokuai.py:20: ZeroDivisionError: x"]
    assert [(one["turn"], one["text"].partition(":")[0]) for one in failures(record)] == [
        (1, "turn 1, player 1"),
        (2, "turn 2, player 2"),
    ]


@pytest.mark.parametrize("move", [(0, 9, 1), (0, 0, 2), (10**15, 0, 1), (0, 2, 99)], ids=str)
def test_moves_off_the_board_are_told(move):
    """A move that loses the game may name anything; only a square of the board is marked."""
    state = GameState.start(OPEN)
    recorder = Recorder(state, ("a", "b"))
    state, outcome = state.play(move)
    recorder.add(Turn.of(outcome))
    start, steps = replayed(recorder.finish(state))
    (turn,) = turns(start, steps)
    on_board = move[0] < 4 and move[1] < 4
    assert turn["cell"] == (move[0] * 4 + move[1] if on_board else None)
    assert turn["outcome"] == "lost"


def test_reviews_are_told():
    """With reviews, each turn has its judgement, the better moves, and the best moves of the position before it."""
    board = Board.parse("1243 3421 43.. 21..")
    rng, state = Random(1), GameState.start(board)
    recorder = Recorder(state, ("a", "b"))
    while not state.is_over:
        state, outcome = state.play(rng.choice(state.moves()))
        recorder.add(Turn.of(outcome))
    start, steps = replayed(recorder.finish(state))
    reviews = {review.number: review for review in analyse(start, steps, time_limit=None)}
    for number, turn in enumerate(turns(start, steps, reviews), 1):
        review = reviews[number]
        assert turn["judgement"] == review.judgement.value
        assert turn["best"] == [list(move) for move in review.best]
        assert turn["before"].startswith(f"Best play is worth {review.value:+g} to player {review.player}, exact.")
        assert bool(turn["remark"]) == bool(review.loss)
