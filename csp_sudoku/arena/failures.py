"""Failures: the turns in which a player failed or broke the rules, by kind, from the records of games.

A turn that ends with an error, with no proposal or with a wrong move loses the game. An error after a proposal does
not, because the proposal counts; such turns are failures, too. A turn without a proposal is a timeout if it lasted
until its deadline. A person who resigns has not failed. Old records contain all failures except the errors after a
proposal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from csp_sudoku.game.outcome import RESIGNED, Loss, OutcomeKind
from csp_sudoku.game.record import GameRecord, Turn

KINDS = {
    "crashes": "crashes",
    "timeouts": "timeouts",
    "invalid_moves": "invalid moves",
    "illegal_moves": "illegal moves",
    "taboo_moves": "taboo moves",
    "no_proposals": "no proposal",
    "raised_after_proposing": "raised after proposing",
}
"""The kinds of failures, as JSON names them, and their names in tables."""

_LOSSES = {
    Loss.CRASH.value: "crashes",
    Loss.INVALID.value: "invalid_moves",
    Loss.ILLEGAL.value: "illegal_moves",
    Loss.TABOO.value: "taboo_moves",
    Loss.NO_PROPOSAL.value: "no_proposals",
}
_RESOLUTION = 1e-6
"""Resolution of the times in a record, in seconds."""


class Failure(NamedTuple):
    """A failure of a player in one turn."""

    kind: str
    """The kind, one of KINDS."""
    turn: int
    """The number of the turn, counted from 1."""
    reason: str
    """The reason on one line, for people."""


class GameFailures(NamedTuple):
    """The failures of one player in one game: how many of each kind, in the order of KINDS, and the first one."""

    counts: tuple[int, ...] = (0,) * len(KINDS)
    first: Failure | None = None

    def as_object(self) -> dict[str, Any]:
        """Return the failures as a JSON object; `turn` counts from 1."""
        counts = dict(zip(KINDS, self.counts, strict=True))
        first = self.first
        return {**counts, "first": None if first is None else {"turn": first.turn, "reason": first.reason}}


NO_FAILURES = GameFailures()


def game_failures(record: GameRecord) -> tuple[GameFailures, GameFailures]:
    """Return the failures of both players in a game.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.record import Recorder
    >>> from csp_sudoku.game.state import GameState
    >>> state = GameState.start(Board.empty(2, 2))
    >>> recorder = Recorder(state, ("crash", "greedy"))
    >>> state, outcome = state.lose(Loss.CRASH, detail="sudokuai.py:20: ZeroDivisionError: division by zero")
    >>> recorder.add(Turn.of(outcome))
    >>> failed, _ = game_failures(recorder.finish(state))
    >>> failed.first
    Failure(kind='crashes', turn=1, reason='sudokuai.py:20: ZeroDivisionError: division by zero')
    """
    found: tuple[list[Failure], list[Failure]] = ([], [])
    for number, turn in enumerate(record.turns, 1):
        found[turn.player - 1].extend(_failures(number, turn, _turn_limit(record.time, turn.player)))
    first, second = (
        GameFailures(tuple(sum(one.kind == kind for one in failures) for kind in KINDS), failures[0])
        if failures
        else NO_FAILURES
        for failures in found
    )
    return first, second


def _failures(number: int, turn: Turn, limit: float | None) -> Iterator[Failure]:
    """Yield the failures of a turn, whose time limit is `limit` seconds, if that is known."""
    if turn.error is not None:
        yield Failure("raised_after_proposing", number, _line(f"raised after proposing: {turn.error}"))
    word, _, detail = (turn.reason or "").partition(":")
    kind = _LOSSES.get(word.strip()) if turn.outcome is OutcomeKind.LOST else None
    if detail.strip() == RESIGNED:
        return
    if kind == "no_proposals" and limit is not None and (turn.seconds or 0.0) >= limit - _RESOLUTION:
        yield Failure("timeouts", number, f"no proposal within {limit:g} s")
    elif kind is not None:
        yield Failure(kind, number, _line((kind == "crashes" and detail) or turn.reason or word))


def _turn_limit(time_control: Any, player: int) -> float | None:
    """Return the seconds per turn of a player by the time control of a record; None if that is no number."""
    is_pair = isinstance(time_control, list) and len(time_control) == 2
    one = time_control[player - 1] if is_pair else time_control
    return float(one) if isinstance(one, int | float) else None


def _line(text: str) -> str:
    return " ".join(text.split())


class FirstFailure(NamedTuple):
    """The first failure of a player in many games."""

    game: int
    """The number of the game, counted from 1."""
    turn: int
    reason: str


@dataclass
class FailureTally:
    """The failures of one player in many games."""

    counts: tuple[int, ...] = (0,) * len(KINDS)
    """The number of failures of each kind, in the order of KINDS."""
    games: int = 0
    """The number of games with a failure."""
    played: int = 0
    """The number of games."""
    first: FirstFailure | None = None

    def add(self, failures: GameFailures, game: int) -> None:
        """Add the failures in a game, which has this number, counted from 1."""
        self.played += 1
        if failures.first is not None:
            first = FirstFailure(game, failures.first.turn, failures.first.reason)
            self._count(failures.counts, 1, first)

    def merge(self, other: FailureTally) -> None:
        """Add the failures of other games."""
        self.played += other.played
        self._count(other.counts, other.games, other.first)

    def _count(self, counts: tuple[int, ...], games: int, first: FirstFailure | None) -> None:
        self.counts = tuple(map(sum, zip(self.counts, counts, strict=True)))
        self.games += games
        self.first = min(filter(None, (self.first, first)), default=None)

    def as_object(self) -> dict[str, Any]:
        """Return the failures as a JSON object; `game` and `turn` count from 1."""
        counts = dict(zip(KINDS, self.counts, strict=True))
        return {"games": self.games, **counts, "first": None if self.first is None else self.first._asdict()}

    def __str__(self) -> str:
        """Return the failures as a text."""
        return f"in {_of(self.games, self.played)}: {counted(self.counts)}"


def counted(counts: Sequence[int]) -> str:
    """Return the kinds of failures that occurred with their numbers, which are in the order of KINDS, as a text.

    >>> counted((1, 0, 0, 0, 0, 0, 12))
    'crashes 1, raised after proposing 12'
    """
    return ", ".join(f"{kind} {count:,}" for kind, count in zip(KINDS.values(), counts, strict=True) if count)


def warning(tallies: Iterable[tuple[str, FailureTally]]) -> str | None:
    """Return a line on the first failure of all players, which are given by name; None if there is none.

    >>> failed = FailureTally()
    >>> failed.add(GameFailures((1, 0, 0, 0, 0, 0, 0), Failure("crashes", 1, "sudokuai.py:2: ValueError: no")), 1)
    >>> warning([("mine", failed), ("greedy", FailureTally())])
    'warning: mine failed in 1 of 1 games; first in game 1, turn 1: sudokuai.py:2: ValueError: no'
    """
    failed = [(tally.first, name, tally) for name, tally in tallies if tally.first is not None]
    if not failed:
        return None
    first, name, tally = min(failed, key=lambda one: one[0])
    place = f"game {first.game}, turn {first.turn}"
    return f"warning: {name} failed in {_of(tally.games, tally.played)}; first in {place}: {first.reason}"


def _of(games: int, played: int) -> str:
    return f"{games:,} of {played:,} games"
