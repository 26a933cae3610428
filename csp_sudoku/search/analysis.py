"""Where a game was lost: every turn of it beside the best that there was to do.

A game that is over shows how its board was filled. Where a board had several completions, and too many for an exact
value, the search takes the values of empty cells from there, so that what is said of one turn fits what is said of the
next.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.rules import PLAYERS
from csp_sudoku.moves.tracker import MoveTracker
from csp_sudoku.search.answer import BITS, Answer, best_moves, estimate, proof
from csp_sudoku.search.deepening import Deepening
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.search.model import model_of
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.questions import solve

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.state import GameState
    from csp_sudoku.game.verification import Step
    from csp_sudoku.moves.move import Move
    from csp_sudoku.moves.move_map import MoveMap

TIME_LIMIT = 0.5
"""Seconds for a position, unless others are asked for."""


class Judgement(enum.StrEnum):
    """What a turn was, if that is proven."""

    BEST = "best"
    MISTAKE = "mistake"
    """It costs points, and changes nothing about who wins."""
    BLUNDER = "blunder"
    """It changes who wins when both play their best from there on: a win is none any more, or a draw is lost."""
    FORFEIT = "forfeit"
    """It lost the game at once."""
    PASS = "pass"  # noqa: S105 - no password
    """There was nothing to choose."""


@dataclass(frozen=True, slots=True)
class Review:
    """One turn, and the best that there was to do. Points are those to come for its player, less the opponent's."""

    number: int
    """Counted from 1."""
    player: int
    move: Move | None
    kind: OutcomeKind
    scores: tuple[int, int]
    """Before the turn."""
    value: float
    """What the position was worth to the player, when both play their best."""
    played: float | None
    """What it was worth with this turn; None if that lost the game at once."""
    exact: bool
    """Whether both are proven; else they are estimates, made `depth` moves ahead."""
    depth: int | None
    """None if the search went to the end of the game."""
    fills: tuple[Move, ...]
    """The best moves that are safe. Where nothing is proven, maybe not all of them."""
    skips: tuple[Move, ...]
    """The best moves that are bombs."""

    @property
    def best(self) -> tuple[Move, ...]:
        """The best moves."""
        return tuple(sorted(self.fills + self.skips))

    @property
    def loss(self) -> float | None:
        """What the turn cost."""
        return None if self.played is None else self.value - self.played

    @property
    def missed_skip(self) -> bool:
        """Whether only a bomb would have done, which is proven, and the player did something else."""
        return self.exact and bool(self.skips) and not self.fills and self.move not in self.skips

    @property
    def results(self) -> tuple[int, int] | None:
        """Who wins, as 1, 0 or -1 for this player: at the best play, and after what was played; None if unproven."""
        if not self.exact or self.played is None:
            return None
        lead = self._sign() * (self.scores[0] - self.scores[1])
        return _sign_of(lead + self.value), _sign_of(lead + self.played)

    @property
    def judgement(self) -> Judgement | None:
        """What the turn was; None if nothing is proven."""
        if self.kind is OutcomeKind.LOST:
            return Judgement.FORFEIT
        if self.kind is OutcomeKind.PASSED:
            return Judgement.PASS
        if self.results is None:
            return None
        before, after = self.results
        return Judgement.BLUNDER if after < before else Judgement.MISTAKE if self.loss else Judgement.BEST

    @property
    def margin(self) -> float:
        """By how much player 1 wins if both play their best from here on: the score so far, and the value."""
        return self.scores[0] - self.scores[1] + self._sign() * self.value

    def _sign(self) -> int:
        return 1 if self.player == 1 else -1


@dataclass(frozen=True, slots=True)
class Summary:
    """What the reviews of a game come to; pairs are of player 1 and of player 2. Only what is proven counts."""

    turns: tuple[int, int]
    """Whose value is proven."""
    mistakes: tuple[int, int]
    blunders: tuple[int, int]
    missed_skips: tuple[int, int]
    lost: tuple[float, float]
    """Points, by mistakes and blunders."""
    first_exact: int | None
    """The number of the first turn whose value is proven."""

    @staticmethod
    def of(reviews: Iterable[Review]) -> Summary:
        """The summary of some reviews."""
        exact = [review for review in reviews if review.exact]
        of_player = [[review for review in exact if review.player == player] for player in PLAYERS]

        def pair(judgement: Judgement) -> tuple[int, int]:
            first, second = (sum(review.judgement is judgement for review in theirs) for theirs in of_player)
            return first, second

        (first, second), lost = of_player, [sum(review.loss or 0 for review in theirs) for theirs in of_player]
        return Summary(
            turns=(len(first), len(second)),
            mistakes=pair(Judgement.MISTAKE),
            blunders=pair(Judgement.BLUNDER),
            missed_skips=(sum(review.missed_skip for review in first), sum(review.missed_skip for review in second)),
            lost=(lost[0], lost[1]),
            first_exact=exact[0].number if exact else None,
        )


def analyse(
    start: GameState, steps: Sequence[Step], *, time_limit: float | None = TIME_LIMIT, last: int | None = None
) -> Iterator[Review]:
    """Reviews of the turns of a game, or of the last of them, as they are made.

    The steps are those of a replay that has found no problems. The time limit is for the value of a position; what the
    move played is worth, and where the value is proven which others are as good, takes about as long again.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.record import Recorder, Turn
    >>> from csp_sudoku.game.state import GameState
    >>> from csp_sudoku.game.verification import Replay
    >>> state = start = GameState.start(Board.parse("1243 3421 43.2 21.."))
    >>> recorder = Recorder(start, ("a", "b"))
    >>> for move in (2, 2, 1), (3, 2, 3), (3, 3, 4):
    ...     state, outcome = state.play(move)
    ...     recorder.add(Turn.of(outcome))
    >>> reviews = list(analyse(start, list(Replay(recorder.finish(state)))))
    >>> [(review.value, review.played, str(review.judgement)) for review in reviews]
    [(7.0, 7.0, 'best'), (-6.0, -6.0, 'best'), (7.0, 7.0, 'best')]
    """
    if not steps:
        return
    completion = _completion(steps[-1].state.board)
    states = [start, *(step.state for step in steps)]
    skipped = 0 if last is None else max(0, len(steps) - last)
    tracker = MoveTracker(states[skipped].board)
    for before, step in list(zip(states, steps, strict=False))[skipped:]:
        assert step.outcome is not None
        yield _review(step.number, before, step.outcome, step.state, (tracker, completion), time_limit)


def _completion(board: Board) -> bytes:
    """A completion of the board at the end of a game: itself, if it is full."""
    solution = board if board.is_full else solve(board).solution
    assert solution is not None  # or it could not have been played on
    return solution.values


def _review(
    number: int,
    before: GameState,
    outcome: Outcome,
    after: GameState,
    known: tuple[MoveTracker, bytes],
    time_limit: float | None,
) -> Review:
    """The review of a turn that led from one state to another."""
    tracker, completion = known
    seconds = Limits(seconds=time_limit).seconds
    moves = tracker.move_to(before.board, seconds)
    turn = _Turn(number, before, outcome, after, moves, seconds)
    proven = proof(before, moves, seconds)
    review = proven and _judged(turn, proven, known, Deadline(seconds))
    if review:
        return review
    guess = estimate(before, moves, completion, seconds)
    review = _judged(turn, guess, known, Deadline(None), Deadline(None) if guess.is_exact else guess.deadline)
    assert review is not None  # there was no hurry
    return review


class _Turn(NamedTuple):
    """A turn to be judged: the states before and after it, what came of it, and the map that it was made on.

    A map that takes more than so many seconds is not completed.
    """

    number: int
    before: GameState
    outcome: Outcome
    after: GameState
    moves: MoveMap
    seconds: float | None


def _judged(
    turn: _Turn,
    found: Answer,
    known: tuple[MoveTracker, bytes],
    deadline: Deadline,
    for_others: Deadline | None = None,
) -> Review | None:
    """The review of a turn by an answer; None if time does not suffice for it, or for what is as good as the best."""
    outcome, (search, last, exact, _) = turn.outcome, found
    value, played = last.value, None
    best: set[Move] = set()
    if outcome.kind is OutcomeKind.PASSED:
        played = value
    else:
        others, is_complete = best_moves(search, last, for_others or deadline)
        if not is_complete and not for_others:
            return None
        best.update(others)
    if outcome.move is not None and outcome.kind is not OutcomeKind.LOST:
        depth = EXACT if last.is_exact else last.depth - 1
        choice = search.number_of(outcome.move)
        if choice is not None:
            points, position = search.after(search.position, choice)
            theirs = search.value(position, depth, deadline)
            if theirs is None:
                return None
            played = points - theirs
        else:
            played, is_exact = _played_elsewhere(turn, known, depth)
            exact = exact and is_exact
        if not exact:  # depths differ where the search knew more than it was asked for
            played = min(played, value)
        if played == value:
            best.add(outcome.move)
    safe = turn.moves.safe
    is_fill = {move: move in safe or _has(known[1], turn.before.board, move) for move in best}
    return Review(
        number=turn.number,
        player=turn.before.player,
        move=outcome.move,
        kind=outcome.kind,
        scores=turn.before.scores,
        value=value,
        played=played,
        exact=exact,
        depth=None if last.is_exact else last.depth,
        fills=tuple(sorted(move for move, fills in is_fill.items() if fills)),
        skips=tuple(sorted(move for move, fills in is_fill.items() if not fills)),
    )


def _has(completion: bytes, board: Board, move: Move) -> bool:
    """Whether a completion has the value of a move."""
    return completion[board.geometry.cell(move.row, move.col)] == move.value


def _played_elsewhere(turn: _Turn, known: tuple[MoveTracker, bytes], depth: int) -> tuple[float, bool]:
    """What a move is worth that the filling game has left out, and whether that is proven: by a game of its own."""
    after, reward = turn.after, turn.outcome.reward
    if after.is_over:
        return reward, True
    tracker, completion = known
    deepening = Deepening(model_of(after, tracker.move_to(after.board, turn.seconds), completion), BITS)
    value = deepening.value(deepening.model.position, depth, Deadline(None))
    assert value is not None
    return reward - value, deepening.model.is_exact and not deepening.model.games[0]["estimates"]


def _sign_of(number: float) -> int:
    return (number > 0) - (number < 0)
