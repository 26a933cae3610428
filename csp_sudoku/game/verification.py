"""Verification: replay a record by the rules, and compare every turn, every reward and the result with the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from csp_sudoku.errors import SudokuError
from csp_sudoku.game.outcome import Loss, Outcome, OutcomeKind
from csp_sudoku.game.record import INTERRUPTED, REASONS, GameRecord, Turn
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move

WITHOUT_MOVE = (Loss.NO_PROPOSAL, Loss.CRASH, Loss.INVALID)
"""The losses that leave no move in the record. The rules cannot distinguish them, so the reason is not verified."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A difference between a record and the rules.

    >>> print(Problem("reward 3", "reward 1", turn=5))
    turn 5: expected reward 3, found reward 1
    """

    expected: str
    """The value by the rules."""
    found: str
    """The value in the record."""
    turn: int | None = None
    """The number of the turn, counted from 1; None for a problem of the game as a whole."""

    def __str__(self) -> str:
        place = f"turn {self.turn}: " if self.turn is not None else ""
        return place + self.difference

    @property
    def difference(self) -> str:
        """The problem without its turn: the expected value and the value found."""
        return f"expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn of a record, replayed by the rules."""

    number: int
    """The number of the turn, counted from 1."""
    turn: Turn
    outcome: Outcome | None
    """The outcome by the rules; None if the turn is impossible."""
    state: GameState
    """The state after the turn; the state before it, if the turn is impossible."""
    problems: tuple[Problem, ...] = ()


def verify(record: GameRecord, referee: Referee | None = None) -> list[Problem]:
    """Return every difference between a record and the rules; an empty list if the record is right.

    The comparison ends at the first turn that is impossible or whose outcome differs from the record.
    """
    replay = Replay(record, referee)
    for _ in replay:
        pass
    return replay.problems


class Replay:
    """The steps of a record, replayed lazily; `problems` is complete once all steps are replayed.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.record import Recorder
    >>> state = GameState.start(Board.parse("1234 3412 2143 432."))
    >>> recorder = Recorder(state, ("a", "b"))
    >>> state, outcome = state.play((3, 3, 1))
    >>> recorder.add(Turn.of(outcome))
    >>> replay = Replay(recorder.finish(state))
    >>> [str(step.outcome) for step in replay], replay.problems
    (['player 1 places r4c4=1: 7 points'], [])
    """

    def __init__(self, record: GameRecord, referee: Referee | None = None) -> None:
        self.record = record
        self.start = record.start()
        self.problems: list[Problem] = []
        self._referee = referee or Referee()

    def __iter__(self) -> Iterator[ReplayedTurn]:
        self.problems = []
        state = self.start
        try:
            self._referee.require_solvable(state.board)
        except SudokuError:
            self.problems.append(Problem("a board with a completion", "one without"))
            return
        for number, turn in enumerate(self.record.turns, 1):
            step = self._step(number, turn, state)
            self.problems += step.problems
            yield step
            if step.outcome is None or step.outcome.kind is not turn.outcome:
                return  # the remaining turns do not follow from this state
            state = step.state
        self.problems += _end_problems(self.record, state)

    def _step(self, number: int, turn: Turn, state: GameState) -> ReplayedTurn:
        expected, found = "", ""
        if state.is_over:
            expected, found = f"the end of the game ({state.reason})", f"a turn of player {turn.player}"
        elif turn.player != state.player:
            expected, found = f"player {state.player} to move", f"player {turn.player}"
        if expected:
            return ReplayedTurn(number, turn, None, state, (Problem(expected, found, number),))
        loss = _loss_without_move(turn)
        if loss is not None and not state.must_pass:
            after, outcome = state.lose(loss)
        else:
            after, outcome = state.play(turn.move, self._referee)
        return ReplayedTurn(number, turn, outcome, after, tuple(_problems(number, turn, outcome)))


def _loss_without_move(turn: Turn) -> Loss | None:
    """Return the loss that the record states for a lost turn without a move; None for any other turn."""
    if turn.outcome is not OutcomeKind.LOST or turn.move is not None:
        return None
    return next((loss for loss in WITHOUT_MOVE if loss.value == _word(turn.reason)), None)


def _problems(number: int, turn: Turn, outcome: Outcome) -> Iterator[Problem]:
    if turn.outcome is not outcome.kind:
        right = Turn.of(outcome)
        expected = f"{right.outcome} for {_shown(turn.move)}" + (f" ({right.reason})" if right.reason else "")
        yield Problem(expected, turn.outcome.value, number)
        return
    if turn.reward != outcome.reward:
        yield Problem(f"reward {outcome.reward}", f"reward {turn.reward}", number)
    reason = outcome.reason.value if outcome.reason is not None else REASONS.get(outcome.kind)
    if _word(turn.reason) != reason:
        yield Problem(_quoted("reason", reason), _quoted("reason", turn.reason), number)
    if outcome.kind is OutcomeKind.PASSED and turn.move is not None:
        yield Problem("no move of a player who passes", _shown(turn.move), number)
    if turn.proposals and turn.proposals[-1].move != turn.move:
        last = _shown(turn.proposals[-1].move)
        yield Problem(f"the last proposal, {last}, as the move", _shown(turn.move), number)


def _end_problems(record: GameRecord, state: GameState) -> Iterator[Problem]:
    if record.result is None:  # the record of an interrupted game ends early
        if record.reason != INTERRUPTED:
            yield Problem(_quoted("reason", INTERRUPTED), _quoted("reason", record.reason))
    elif not state.is_over:
        found = f"{len(record.turns)}, after which player {state.player} is to move"
        yield Problem("turns until the game is over", found)
        return
    if record.scores != state.scores:
        yield Problem(f"scores {list(state.scores)}", f"scores {list(record.scores)}")
    if record.result is None:
        return
    assert state.result is not None
    if record.result != state.result:
        yield Problem(f"result {list(state.result)}", f"result {list(record.result)}")
    if record.reason != state.reason:
        yield Problem(_quoted("reason", state.reason), _quoted("reason", record.reason))


def _word(reason: str | None) -> str | None:
    """Return the part of a reason before the first colon, which is for programs; None if it is empty."""
    return (reason or "").partition(":")[0].strip() or None


def _quoted(what: str, text: str | None) -> str:
    return f"no {what}" if text is None else f"{what} {text!r}"


def _shown(move: Move | None) -> str:
    return "no move" if move is None else str(move)
