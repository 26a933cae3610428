"""Verifying records: a tampered one has precise problems, and a right one can be replayed."""

from dataclasses import replace

import pytest

from csp_sudoku import Board
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import Proposal, Recorder
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.verification import Replay, verify
from csp_sudoku.moves.move import Move
from tests.game.support import random_record
from tests.game.test_record import PASSES, RECORD, lost_record


def tampered(record, number=None, **changes):
    """The record with something else in a turn, or as a whole."""
    if number is None:
        return replace(record, **changes)
    turns = list(record.turns)
    turns[number - 1] = replace(turns[number - 1], **changes)
    return replace(record, turns=tuple(turns))


SKIPS = lost_record((1, 3, 3), (3, 3, 1), None)


PASSED = random_record(mode="rows", board=PASSES)


FINAL = len(RECORD.turns)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (tampered(RECORD, 1, reward=1), "turn 1: expected reward 0, found reward 1"),
        (tampered(RECORD, FINAL, reward=3), f"turn {FINAL}: expected reward 7, found reward 3"),
        (tampered(RECORD, 2, player=1), "turn 2: expected player 2 to move, found player 1"),
        (
            tampered(RECORD, 1, outcome=OutcomeKind.SKIPPED),
            f"turn 1: expected placed for {RECORD.turns[0].move}, found skipped",
        ),
        (tampered(RECORD, 1, reason="bomb"), "turn 1: expected no reason, found reason 'bomb'"),
        (
            tampered(RECORD, 2, move=Move(0, 9, 1), proposals=None),
            "turn 2: expected lost for r1c10=1 (invalid: expected a move",
        ),
        (tampered(RECORD, 2, move=RECORD.turns[0].move), "(illegal: expected an empty cell at"),
        (tampered(RECORD, 2, move=None), "turn 2: expected lost for no move (no proposal), found placed"),
        (
            tampered(RECORD, 2, proposals=(Proposal(None, 0.1),)),
            "turn 2: expected the last proposal, no move, as the move, found r",
        ),
        (tampered(RECORD, turns=RECORD.turns[:-1]), "expected turns until the game is over, found "),
        (tampered(RECORD, turns=()), "expected turns until the game is over, found 0, after which player 1 is to move"),
        (
            tampered(RECORD, turns=RECORD.turns + RECORD.turns[-1:]),
            "expected the end of the game (board full), found a turn",
        ),
        (tampered(RECORD, scores=(0, 0)), "expected scores ["),
        (tampered(RECORD, result=(0.5, 0.5)), "found result [0.5, 0.5]"),
        (tampered(RECORD, reason="tired"), "expected reason 'board full', found reason 'tired'"),
        (
            tampered(RECORD, board=Board.parse("12.. ..3. .... ....")),
            "expected a board with a completion, found one without",
        ),
        (tampered(SKIPS, 1, outcome=OutcomeKind.PLACED), "turn 1: expected skipped for r2c4=3 (bomb), found placed"),
        (tampered(SKIPS, 2, move=Move(1, 3, 3)), "turn 2: expected lost for r2c4=3 (taboo: it was found"),
        (tampered(SKIPS, 3, reason="taboo"), "turn 3: expected reason 'no proposal', found reason 'taboo'"),
        (
            tampered(SKIPS, 3, reason="crash"),
            "expected reason 'player 1 lost: crash', found reason 'player 1 lost: no prop",
        ),
        (tampered(SKIPS, result=(1, 0)), "expected result [0, 1], found result [1, 0]"),
        (
            tampered(PASSED, 1, outcome=OutcomeKind.LOST, reason="crash"),
            "turn 1: expected passed for no move (no open square), found lost",
        ),
        (tampered(PASSED, 1, move=Move(1, 0, 3)), "turn 1: expected no move of a player who passes, found r2c1=3"),
        (tampered(PASSED, turns=PASSED.turns[1:]), "turn 1: expected player 1 to move, found player 2"),
        (
            tampered(PASSED, mode=PlayMode.BORDER),
            "turn 1: expected lost for no move (no proposal), found passed",
        ),
    ],
)
def test_a_tampered_record_does_not_verify(record, problem):
    """Every claim of a record is checked, and the first difference is reported with its turn."""
    problems = [str(problem) for problem in verify(record)]
    assert any(problem in text for text in problems), problems


def test_the_record_of_an_interrupted_game():
    """It has the turns so far and their points, but no result; it is read back, and each claim is verified."""
    recorder = Recorder(RECORD.start(), RECORD.players, seed=RECORD.seed, time=RECORD.time)
    for turn in RECORD.turns[:-1]:
        recorder.add(turn)
    record = recorder.interrupted()
    assert parse_record(record.to_json()) == record
    assert (record.result, record.reason, len(record.turns)) == (None, "interrupted", len(RECORD.turns) - 1)
    assert sum(record.scores) > 0
    assert verify(record) == []
    (first, second), turns = record.scores, record.turns
    for change, problem in (
        ({"scores": (first + 1, second)}, f"found scores [{first + 1}, {second}]"),
        ({"reason": "board full"}, "expected reason 'interrupted', found reason 'board full'"),
        ({"result": (1, 0)}, f"found {len(turns)}, after which player"),
    ):
        [found] = verify(replace(record, **change))
        assert problem in str(found)


def test_a_replay_gives_every_step():
    """The steps of a right record are its turns, with the states between them, and can be taken twice."""
    replay = Replay(RECORD)
    for _ in range(2):
        steps = list(replay)
        assert [step.turn for step in steps] == list(RECORD.turns)
        assert [step.number for step in steps] == list(range(1, FINAL + 1))
        assert steps[-1].state.is_over
        assert replay.problems == []
