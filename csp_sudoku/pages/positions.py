"""The positions of a game as data for the script of a page: the changes of each turn, and the moves of each board.

Cells and regions count from 0, and turns from 1. The moves of a board are masks, in which bit v - 1 stands for the
value v; a position has only those cells whose masks differ from the position before, so that even a game on 5×5 stays
below two megabytes. This module makes all sentences, so the script contains none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csp_sudoku.coordinates import move_names
from csp_sudoku.drawing.subjects import candidates_of, game_marks
from csp_sudoku.evaluation.remarks import remarks
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.record import GameRecord, Turn
from csp_sudoku.game.verification import ReplayedTurn
from csp_sudoku.moves.tracker import MoveTracker
from csp_sudoku.solvers.base import Deadline

if TYPE_CHECKING:
    from csp_sudoku.evaluation.analyse import Review
    from csp_sudoku.game.state import GameState

MOST_PROPOSALS = 100
"""Maximum number of proposals of a turn to list on a page; it lists the last ones, of which the very last counts."""
NAMED = 8
"""Maximum number of best moves to name on a page; all of them are marked on the board."""

Masks = list[tuple[int, int, int]]
"""For each cell, the masks of its safe moves, its bombs and its undecided moves."""


def positions(
    start: GameState,
    steps: Sequence[ReplayedTurn],
    *,
    time_limit: float | None = None,
    total_limit: float | None = None,
    on_position: Callable[[], object] | None = None,
) -> list[dict[str, Any]]:
    """Return the positions of a game as JSON objects: the start, and the position after each turn.

    `start` is the first position, and `steps` are the turns that the rules allow. `time_limit` bounds the time for the
    moves of one position, in seconds, and `total_limit` the time for all of them (default None: no limit); undecided
    moves are shown as such. `on_position` is called after each position (default: nothing is).
    """
    tracker: MoveTracker | None = None
    deadline = Deadline(total_limit)
    before: Masks = [(0, 0, 0)] * start.board.geometry.cell_count
    found = []
    for state in [start, *(step.state for step in steps)]:
        seconds = min([limit for limit in (time_limit, deadline.left()) if limit is not None], default=None)
        if tracker is None:
            tracker = MoveTracker(state.board, seconds)
        else:
            tracker.move_to(state.board, seconds)
        shown = candidates_of(tracker.map)
        masks: Masks = list(zip(shown.safe, shown.bombs, shown.unknown, strict=True))
        found.append(_position(state, before, masks))
        before = masks
        if on_position is not None:
            on_position()
    return found


def turns(
    start: GameState, steps: Sequence[ReplayedTurn], reviews: Mapping[int, Review] | None = None
) -> list[dict[str, Any]]:
    """Return the turns of a game as JSON objects.

    `start` is the first position, `steps` are the turns that the rules allow, and `reviews` are the reviews of some
    turns by their number (default: none).
    """
    found = []
    before = start
    for step in steps:
        review = None if reviews is None else reviews.get(step.number)
        found.append(_turn(step, before) | ({} if review is None else _review(review)))
        before = step.state
    return found


def failures(record: GameRecord) -> Iterator[dict[str, Any]]:
    """Yield the turns in which a player failed or broke the rules, according to the record."""
    for number, turn in enumerate(record.turns, 1):
        for text in _failures(turn):
            yield {"turn": number, "text": f"turn {number}, player {turn.player}: {text}"}


def _position(state: GameState, before: Masks, masks: Masks) -> dict[str, Any]:
    marks = game_marks(state)
    changed = [[cell, *new] for cell, (old, new) in enumerate(zip(before, masks, strict=True)) if old != new]
    end = f"The game is over: {state.reason}." if state.is_over else ""
    return {
        "scores": list(state.scores),
        "told": end or f"Player {state.player} is to move.",
        "open": None if marks.open_to is None else [sorted(cells) for cells in marks.open_to],
        "moves": changed,
    }


def _turn(step: ReplayedTurn, before: GameState) -> dict[str, Any]:
    """Return a turn, with its text, its proposals and its changes."""
    turn, outcome = step.turn, step.outcome
    assert outcome is not None
    size = before.board.size
    is_placed = outcome.kind is OutcomeKind.PLACED
    regions = game_marks(step.state).completed if is_placed else ()
    names = ", ".join(before.board.geometry.region_name(region) for region in regions)
    cell = None
    if outcome.move is not None and 0 <= outcome.move.row < size and 0 <= outcome.move.col < size:
        cell = outcome.move.row * size + outcome.move.col
    proposals = turn.proposals or ()
    return {
        "player": turn.player,
        "outcome": outcome.kind.value,
        "name": "pass" if outcome.kind is OutcomeKind.PASSED else str(outcome.move or "nothing"),
        "cell": cell,
        "value": 0 if outcome.move is None else outcome.move.value,
        "reward": outcome.reward,
        "regions": list(regions),
        "text": f"Turn {step.number}: {outcome}{f' for {names}' if names else ''}.",
        "seconds": turn.seconds,
        "failures": list(_failures(turn)),
        "proposals": [[str(one.move or "no move"), one.seconds] for one in proposals[-MOST_PROPOSALS:]],
        "hidden": max(0, len(proposals) - MOST_PROPOSALS),
    }


def _failures(turn: Turn) -> Iterator[str]:
    if turn.outcome is OutcomeKind.LOST and turn.reason:
        yield " ".join(turn.reason.split())
    if turn.error is not None:
        yield f"raised after proposing: {' '.join(turn.error.split())}"


def _review(review: Review) -> dict[str, Any]:
    """Return the sentences of the page on a turn, from its review, and on the position before it."""
    how = "exact" if review.exact else f"an estimate{f', {review.depth} moves ahead' if review.depth else ''}"
    value = f"Best play is worth {review.value:+g} to player {review.player}, {how}."
    best = [f"{kind}: {move_names(moves, NAMED)}." for kind, moves in _best(review) if moves]
    said = "; ".join(remark.text for remark in remarks(review))
    if review.played is not None and review.loss:
        said = f"The turn was worth {review.played:+g}: {said}"
    return {
        "judgement": None if review.judgement is None else review.judgement.value,
        "remark": f"{said}." if said else "",
        "before": " ".join([value, *best]),
        "best": [list(move) for move in review.best],
    }


def _best(review: Review) -> tuple[tuple[str, Sequence[Any]], ...]:
    return ("Best moves", review.fills), ("Best skips", review.skips)
