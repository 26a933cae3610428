"""The margin over the turns of a game: the final lead of player 1 if both play their best moves from a turn on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from csp_sudoku.evaluation.analyse import Review


class Margin(NamedTuple):
    """The margin after some turns."""

    turn: int
    """The number of turns played so far."""
    margin: float
    """The final lead of player 1, in points, if both play their best from here on."""
    exact: bool
    """Whether the margin is proven."""
    score: int
    """The lead of player 1 so far, in points."""


def margins(reviews: Sequence[Review], scores: tuple[int, int] | None) -> list[Margin]:
    """Return the margins before each reviewed turn, and after the last one.

    `reviews` are successive turns of one game. `scores` are the scores at its end, if the reviews reach it; None omits
    the last margin.
    """
    found = [
        Margin(review.number - 1, review.margin, review.exact, review.scores[0] - review.scores[1])
        for review in reviews
    ]
    if scores is not None and reviews:
        lead = scores[0] - scores[1]
        found.append(Margin(reviews[-1].number, lead, exact=True, score=lead))
    return found


def final_scores(reviews: Sequence[Review], scores: tuple[int, int], *, is_whole: bool) -> tuple[int, int] | None:
    """Return the scores at the end of a game if they are its result, else None.

    `scores` are the scores in the record. They are no result if the last turn lost the game at once, or if the reviews
    do not reach the end of the game and `is_whole` is False.
    """
    return scores if is_whole and reviews and reviews[-1].played is not None else None
