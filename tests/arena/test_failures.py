"""The failures of players, counted from the records of games."""

import json

import pytest

from csp_sudoku import Board
from csp_sudoku.arena.failures import (
    KINDS,
    NO_FAILURES,
    Failure,
    FailureTally,
    FirstFailure,
    GameFailures,
    game_failures,
    warning,
)
from csp_sudoku.game.outcome import Loss
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import Recorder, Turn
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from tests.arena.support import clean, play

__all__ = ["clean"]

BOARD = Board.parse("1234 34.. 21.. 43..")


def lost(loss, detail="", seconds=None, time=0.5):
    """The record of a game that player 2 loses in turn 2, after player 1 has placed a value and raised an error."""
    state = GameState.start(BOARD)
    recorder = Recorder(state, ("a", "b"), time=time)
    state, outcome = state.play(state.moves()[0])
    recorder.add(Turn.of(outcome, 0.1, error="sudokuai.py:3: ValueError: late"))
    state, outcome = state.lose(loss, detail=detail)
    recorder.add(Turn.of(outcome, seconds))
    return recorder.finish(state)


@pytest.mark.parametrize(
    ("record", "kind", "reason"),
    [
        (lost(Loss.CRASH, "a.py:1: E: no"), "crashes", "a.py:1: E: no"),
        (lost(Loss.CRASH), "crashes", "crash"),
        (lost(Loss.NO_PROPOSAL, seconds=0.5), "timeouts", "no proposal within 0.5 s"),
        (lost(Loss.NO_PROPOSAL, seconds=0.5, time=[0.1, 0.5]), "timeouts", "no proposal within 0.5 s"),
        (lost(Loss.NO_PROPOSAL, seconds=0.123457, time=0.12345678), "timeouts", "no proposal within 0.123457 s"),
        (lost(Loss.NO_PROPOSAL, seconds=0.4), "no_proposals", "no proposal"),
        (lost(Loss.NO_PROPOSAL, seconds=0.4, time=[0.3, 0.5]), "no_proposals", "no proposal"),
        (lost(Loss.NO_PROPOSAL), "no_proposals", "no proposal"),
        (lost(Loss.NO_PROPOSAL, seconds=0.5, time={"total": 9}), "no_proposals", "no proposal"),
        (lost(Loss.INVALID, "expected x"), "invalid_moves", "invalid: expected x"),
        (lost(Loss.ILLEGAL), "illegal_moves", "illegal"),
        (lost(Loss.TABOO), "taboo_moves", "taboo"),
    ],
)
def test_each_failure_has_its_kind(record, kind, reason):
    """A loss at once is a failure of the loser; an error after a proposal is a failure of the player that raised it."""
    ours, theirs = game_failures(record)
    assert ours == GameFailures((0,) * 6 + (1,), Failure(list(KINDS)[6], 1, f"raised after proposing: {LATE}"))
    assert theirs.first == Failure(kind, 2, reason)
    assert dict(zip(KINDS, theirs.counts, strict=True)) == {name: int(name == kind) for name in KINDS}
    assert game_failures(parse_record(record.to_json())) == (ours, theirs)


LATE = "sudokuai.py:3: ValueError: late"


def test_an_error_after_a_proposal_is_in_the_record():
    """The field is there only then; a record without it, or with null, has none."""
    record = lost(Loss.CRASH)
    told = json.loads(record.to_json())
    assert [turn.get("error") for turn in told["turns"]] == [LATE, None]
    assert "error" not in told["turns"][1]
    del told["turns"][0]["error"]
    old = parse_record(json.dumps(told))
    assert old.turns[0].error is None
    assert game_failures(old)[0] == NO_FAILURES
    told["turns"][0]["error"] = None
    assert parse_record(json.dumps(told)) == old
    told["turns"][0]["error"] = 3
    with pytest.raises(ValueError, match=r"expected a text as turns\[0\].error"):
        parse_record(json.dumps(told))


@pytest.mark.parametrize("persistent", [False, True], ids=["forked", "persistent"])
def test_a_player_that_raises_after_it_has_proposed(persistent):
    """It plays on; each of its turns has the error, which no rule forbids."""
    record = play("raises_late", board=BOARD, persistent=persistent)
    errors = [turn.error for turn in record.turns if turn.player == 1 and turn.proposals]
    assert errors
    assert all(error is not None and len(error) <= 400 for error in errors)
    assert all(turn.error is None for turn in record.turns if turn.player == 2)
    assert game_failures(record)[0].counts[-1] == len(errors)
    assert verify(record) == []


def test_the_failures_of_many_games_are_added_up():
    """Games that are added in any order, or in parts, have the same sums and the same first failure."""
    crash = GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 7, "no"))
    raised = GameFailures((0, 0, 0, 0, 0, 0, 3), Failure("raised_after_proposing", 2, "late"))
    whole, parts = FailureTally(), (FailureTally(), FailureTally())
    for number, failures in ((4, crash), (2, NO_FAILURES), (3, raised), (1, NO_FAILURES)):
        whole.add(failures, number)
        parts[number % 2].add(failures, number)
    merged = FailureTally()
    for part in parts:
        merged.merge(part)
    assert whole == merged == FailureTally((1, 0, 0, 0, 0, 0, 3), 2, 4, FirstFailure(3, 2, "late"))
    assert str(whole) == "in 2 of 4 games: crashes 1, raised after proposing 3"
    assert whole.as_object()["first"] == {"game": 3, "turn": 2, "reason": "late"}


def test_the_warning_names_the_first_failure_of_all():
    """The player that failed first is named, with its own games."""
    early, late = FailureTally(), FailureTally()
    late.add(GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 9, "late")), 1)
    early.add(GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 2, "early")), 1)
    early.add(NO_FAILURES, 2)
    expected = "warning: b failed in 1 of 2 games; first in game 1, turn 2: early"
    assert warning([("a", late), ("b", early)]) == expected
    assert warning([("a", FailureTally())]) is None
