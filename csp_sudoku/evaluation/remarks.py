"""Remarks on a turn that was not a best one: its judgement, and the better moves, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.coordinates import move_names

if TYPE_CHECKING:
    from csp_sudoku.evaluation.analyse import Review

NAMED = 3
"""Maximum number of best moves named in a remark."""
RESULTS = {1: "a win", 0: "a draw", -1: "a loss"}
"""The results of a player in words."""


class Remark(NamedTuple):
    """A remark."""

    text: str
    """The remark, on one line."""
    is_grave: bool = False
    """Whether the turn changed who wins."""


def remarks(review: Review) -> Iterator[Remark]:
    """Yield the remarks on a turn: first its judgement, and last the best moves; no remarks on a best turn."""
    judgement = None if review.judgement is None else review.judgement.value
    if judgement in ("best", "pass") or not (review.loss or judgement):
        return
    if judgement == "blunder" and review.results is not None:
        before, after = review.results
        yield Remark(f"BLUNDER: {RESULTS[before]} becomes {RESULTS[after]}", is_grave=True)
    elif judgement == "forfeit":
        yield Remark("loses the game at once", is_grave=True)
    elif judgement is not None:
        yield Remark(judgement)
    if review.missed_skip:
        yield Remark("missed skip")
    for kind, moves in (("best", review.fills), ("best skip", review.skips)):
        if moves:
            yield Remark(f"{kind} {move_names(moves, NAMED)}")
