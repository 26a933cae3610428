"""The analysis of a recorded game: it compares every turn with the best moves of its position.

If a board has too many completions for an exact value, the search takes the values of the empty cells from the last
board of the game, so that the reviews of successive turns agree with each other.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.evaluation.answer import BITS, PositionAnswer, best_moves, estimate, proof
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.rules import PLAYERS
from csp_sudoku.moves.tracker import MoveTracker
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.questions import solve

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.state import GameState
    from csp_sudoku.game.verification import ReplayedTurn
    from csp_sudoku.moves.move import Move
    from csp_sudoku.moves.move_map import MoveMap

TIME_LIMIT = 0.5
"""Default time for the value of one position, in seconds."""


class Judgement(enum.StrEnum):
    """The quality of a turn, if it is proven."""

    BEST = "best"
    """The turn keeps the value of the position."""
    MISTAKE = "mistake"
    """The turn costs points, but does not change the winner under best play."""
    BLUNDER = "blunder"
    """The turn changes the result under best play for the worse: a win becomes a draw or a loss, or a draw a loss."""
    FORFEIT = "forfeit"
    """The turn loses the game at once, by the rules."""
    PASS = "pass"  # noqa: S105 - no password
    """The player has no open square, so there is nothing to choose."""


@dataclass(frozen=True, slots=True)
class Review:
    """One turn, compared with the best moves of its position.

    All values are future points of the player who takes the turn, minus future points of the opponent.
    """

    number: int
    """The number of the turn, counted from 1."""
    player: int
    """The player who takes the turn, 1 or 2."""
    move: Move | None
    """The move that was proposed; None if there was none."""
    kind: OutcomeKind
    """The outcome of the turn by the rules."""
    scores: tuple[int, int]
    """The scores of player 1 and player 2 before the turn."""
    value: float
    """The value of the position before the turn, when both players play their best."""
    played: float | None
    """The value of the position if this turn is played; None if the turn lost the game at once."""
    exact: bool
    """Whether `value` and `played` are proven; otherwise they are estimates from a search of `depth` moves."""
    depth: int | None
    """The depth of the search in moves; None if the search went to the end of the game."""
    fills: tuple[Move, ...]
    """The best moves that are safe. If nothing is proven, some of them may be missing."""
    skips: tuple[Move, ...]
    """The best moves that are bombs."""

    @property
    def best(self) -> tuple[Move, ...]:
        """All best moves, safe moves and bombs, in the order of the board."""
        return tuple(sorted(self.fills + self.skips))

    @property
    def loss(self) -> float | None:
        """The points that the turn costs compared with the best move; None if it lost the game at once."""
        return None if self.played is None else self.value - self.played

    @property
    def missed_skip(self) -> bool:
        """Whether it is proven that every best move was a bomb, and the player played none of them."""
        return self.exact and bool(self.skips) and not self.fills and self.move not in self.skips

    @property
    def results(self) -> tuple[int, int] | None:
        """The result for this player (1 win, 0 draw, -1 loss) under best play, and after the turn that was played.

        None if the values are not proven, or if the turn lost the game at once.
        """
        if not self.exact or self.played is None:
            return None
        lead = self._sign() * (self.scores[0] - self.scores[1])
        return _sign_of(lead + self.value), _sign_of(lead + self.played)

    @property
    def judgement(self) -> Judgement | None:
        """The judgement of the turn; None if its values are not proven."""
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
        """The final lead of player 1 if both play their best from here on: the lead so far plus the value."""
        return self.scores[0] - self.scores[1] + self._sign() * self.value

    def _sign(self) -> int:
        return 1 if self.player == 1 else -1


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The totals of the reviews of a game. Each pair holds a number for player 1 and one for player 2.

    Only reviews whose values are proven are counted.
    """

    turns: tuple[int, int]
    """The number of turns whose value is proven."""
    mistakes: tuple[int, int]
    """The number of mistakes."""
    blunders: tuple[int, int]
    """The number of blunders."""
    missed_skips: tuple[int, int]
    """The number of turns on which every best move was a bomb and the player played something else."""
    lost: tuple[float, float]
    """The points lost by mistakes and blunders."""
    first_exact: int | None
    """The number of the first turn whose value is proven; None if there is none."""

    @staticmethod
    def of(reviews: Iterable[Review]) -> ReviewSummary:
        """Sum up the reviews of one game, which must be in the order of its turns."""
        exact = [review for review in reviews if review.exact]
        of_player = [[review for review in exact if review.player == player] for player in PLAYERS]

        def pair(judgement: Judgement) -> tuple[int, int]:
            first, second = (sum(review.judgement is judgement for review in theirs) for theirs in of_player)
            return first, second

        (first, second), lost = of_player, [sum(review.loss or 0 for review in theirs) for theirs in of_player]
        return ReviewSummary(
            turns=(len(first), len(second)),
            mistakes=pair(Judgement.MISTAKE),
            blunders=pair(Judgement.BLUNDER),
            missed_skips=(sum(review.missed_skip for review in first), sum(review.missed_skip for review in second)),
            lost=(lost[0], lost[1]),
            first_exact=exact[0].number if exact else None,
        )


def analyse(
    start: GameState, steps: Sequence[ReplayedTurn], *, time_limit: float | None = TIME_LIMIT, last: int | None = None
) -> Iterator[Review]:
    """Review the turns of a game one by one, and yield each review as soon as it is finished.

    `start` is the first position of the game, and `steps` come from a replay that has found no problems.
    `time_limit` bounds the search for the value of one position, in seconds (default 0.5; None for no limit). The value
    of the move that was played, and the list of equally good moves where the value is proven, take about as long again.
    `last` is the number of turns to review, counted from the end; None, the default, reviews all of them.

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
    """A completion of the board at the end of a game: the board itself if it is full."""
    solution = board if board.is_full else solve(board).solution
    assert solution is not None  # the rules keep every board of a game completable
    return solution.values


def _review(
    number: int,
    before: GameState,
    outcome: Outcome,
    after: GameState,
    known: tuple[MoveTracker, bytes],
    time_limit: float | None,
) -> Review:
    """The review of a turn that led from `before` to `after`, by a proof if time suffices, else by an estimate."""
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
    assert review is not None  # this call has no deadline
    return review


class _Turn(NamedTuple):
    """A turn to be judged: the states before and after it, its outcome, and the move map of the state before it.

    `seconds` bounds the time for a move map; a map that is not complete by then stays incomplete.
    """

    number: int
    before: GameState
    outcome: Outcome
    after: GameState
    moves: MoveMap
    seconds: float | None


def _judged(
    turn: _Turn,
    found: PositionAnswer,
    known: tuple[MoveTracker, bytes],
    deadline: Deadline,
    for_others: Deadline | None = None,
) -> Review | None:
    """The review of a turn by an answer; None if the deadline passes first.

    `for_others` is a deadline of its own for the list of equally good moves. If it is given, an incomplete list is
    accepted; without it, the list has to be complete before `deadline`.
    """
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
        if not exact:  # table entries of greater depth can make the two estimates differ in depth
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
    """The value of a move that the filling game has left out, and whether it is proven.

    The value comes from the filling game of the position after the move.
    """
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
