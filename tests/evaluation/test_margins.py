"""The margin over the turns: it is the lead so far plus the value, and at the end the lead itself."""

import pytest

from csp_sudoku import Board
from csp_sudoku.evaluation.analyse import Judgement, analyse
from csp_sudoku.evaluation.margins import final_scores, margins
from csp_sudoku.evaluation.remarks import NAMED, remarks
from csp_sudoku.game.verification import Replay
from tests.game.support import random_record


@pytest.fixture(scope="module")
def game():
    """A short game and its reviews."""
    record = random_record(board=Board.parse("1243 3421 43.. 21.."), seed=3)
    replay = Replay(record)
    return record, list(analyse(replay.start, list(replay), time_limit=None))


def test_the_last_margin_is_the_result(game):
    """There is one margin before each turn and one after the last; the last is the final lead of player 1."""
    record, reviews = game
    found = margins(reviews, record.scores)
    assert [one.turn for one in found] == list(range(len(record.turns) + 1))
    assert found[-1].margin == found[-1].score == record.scores[0] - record.scores[1]
    assert len(margins(reviews, None)) == len(reviews)
    assert margins([], record.scores) == []


def test_best_play_keeps_the_margin(game):
    """The margin changes only by mistakes, and always against the player that makes one."""
    record, reviews = game
    found = margins(reviews, record.scores)
    for review, before, after in zip(reviews, found, found[1:], strict=False):
        change = (after.margin - before.margin) * (1 if review.player == 1 else -1)
        assert change == -(review.loss or 0)


def test_scores_of_a_part_are_no_result(game):
    """If the reviews do not reach the end, or there are none, the final scores are unknown."""
    record, reviews = game
    assert final_scores(reviews, record.scores, is_whole=True) == record.scores
    assert final_scores(reviews, record.scores, is_whole=False) is None
    assert final_scores([], record.scores, is_whole=True) is None


def test_remarks_name_what_was_better(game):
    """A turn that was the best has no remark; any other has its judgement first and the best moves last."""
    _, reviews = game
    for review in reviews:
        found = list(remarks(review))
        assert bool(found) == (review.judgement is not Judgement.BEST)
        if found:
            assert found[0].is_grave == (review.judgement in (Judgement.BLUNDER, Judgement.FORFEIT))
            assert found[-1].text.startswith("best")
            assert found[-1].text.count("=") <= NAMED
