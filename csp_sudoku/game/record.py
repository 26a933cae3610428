"""GameRecord: everything that is needed to replay a game and to check it. Recorder makes one while a game is played.

As JSON a record is an object on one line, so that a file of many is JSON Lines::

    format                 1, or 2 for a board that is no plain m×n one
    rows, columns, board   the shape of a block, and the board at the start: N·N values, 0 for an empty square
    blocks, regions, rules in format 2 only: what is special about the board (`csp_sudoku.game.variant_part`)
    mode                   classic, rows, border, random
    allowed                in the mode random only: the squares of player 1 and of player 2
    players                two names, or objects that describe them
    seed                   the seed of the random numbers; null if unknown
    time                   the limit of a turn in seconds, or a list of one for each player; null for no limit, or if
                           it is unknown
    turns                  a list; each has player (1 or 2), move ([row, column, value] or null), outcome (placed,
                           skipped, passed, lost), reward, seconds, reason (null if the move was placed), and maybe
                           proposals: a list of [[row, column, value], seconds], the last of which is the move;
                           and error, if the player raised one after it had proposed: the last line of its traceback;
                           and trace, if the player raised an error: its traceback, at most 4,000 bytes
    scores, result         the points, and [1, 0] or [0.5, 0.5] or [0, 1]; null if the game was interrupted
    reason                 why the game ended

Rows and columns of squares and moves count from zero. A move is null if the player proposed nothing, or something other
than three integers. `csp_sudoku.game.reading` reads records, `csp_sudoku.game.verification` replays them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.outcome import Outcome, OutcomeKind
from csp_sudoku.game.rules import PLAYERS, PlayMode, Squares
from csp_sudoku.game.state import GameState
from csp_sudoku.game.variant_part import part_of, require_recordable
from csp_sudoku.moves.move import Move
from csp_sudoku.notebook import as_html

FORMAT, VARIANT_FORMAT = 1, 2
"""The versions of the format: that of plain m×n boards, which older versions of this package read, and of others."""
INTERRUPTED = "interrupted"
"""The reason in the record of a game that was interrupted from outside, and therefore has no result."""

Player = str | Mapping[str, Any]
"""A name, or an object that describes a player."""

REASONS = {OutcomeKind.SKIPPED: "bomb", OutcomeKind.PASSED: "no open square"}
"""The reasons of turns that placed nothing and did not lose the game."""


class Proposal(NamedTuple):
    """A move that a player proposed, or None for a proposal that is no move, and its time in seconds into the turn."""

    move: Move | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a record."""

    player: int
    move: Move | None
    outcome: OutcomeKind
    reward: int = 0
    seconds: float | None = None
    """The time until the player ended its turn or was stopped, in seconds; None if it had no turn."""
    reason: str | None = None
    """The reason why nothing was placed; programs read only the part before the first colon."""
    proposals: tuple[Proposal, ...] | None = None
    """The proposals of the turn, in the order in which they were made; None if they were not recorded."""
    error: str | None = None
    """The error that ended the player's turn after it had proposed, as one line; None if there was none."""
    trace: str | None = None
    """The traceback of the error that ended the player's turn, as lines; None if there was none or it is unknown."""

    @staticmethod
    def of(
        outcome: Outcome,
        seconds: float | None = None,
        proposals: Iterable[Proposal] | None = None,
        error: str | None = None,
        trace: str | None = None,
    ) -> Turn:
        """Return the turn that had this outcome.

        The other parameters are the fields of the same name.

        >>> _, outcome = GameState.start(Board.empty(2, 2)).play((0, 4, 1))
        >>> Turn.of(outcome).reason
        'invalid: expected a move from r1c1=1 to r4c4=4; found r1c5=1'
        """
        reason = REASONS.get(outcome.kind)
        if outcome.reason is not None:
            reason = f"{outcome.reason}: {outcome.detail}" if outcome.detail else outcome.reason.value
        made = None if proposals is None else tuple(proposals)
        return Turn(outcome.player, outcome.move, outcome.kind, outcome.reward, seconds, reason, made, error, trace)

    def as_object(self) -> dict[str, Any]:
        """Return the turn as a JSON object."""
        shown: dict[str, Any] = {
            "player": self.player,
            "move": _listed(self.move),
            "outcome": self.outcome.value,
            "reward": self.reward,
            "seconds": _rounded(self.seconds),
            "reason": self.reason,
        }
        if self.proposals is not None:
            shown["proposals"] = [[_listed(move), _rounded(seconds)] for move, seconds in self.proposals]
        if self.error is not None:
            shown["error"] = self.error
        if self.trace is not None:
            shown["trace"] = self.trace
        return shown


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game from the start to the end. `verify` checks its claims; this class does not."""

    board: Board
    """The board at the start."""
    mode: PlayMode
    players: tuple[Player, Player]
    turns: tuple[Turn, ...]
    scores: tuple[int, int]
    result: tuple[float, float] | None
    """The points of both players; None if the game was interrupted."""
    reason: str
    seed: int | str | None = None
    time: Any = None
    """The time control: the seconds per turn, or another JSON value that describes it."""
    allowed: tuple[Squares, Squares] | None = None
    """The squares of both players in the mode random; None in the other modes, whose rules define the squares."""

    def start(self) -> GameState:
        """Return the state before the first turn."""
        return GameState.start(self.board, self.mode, allowed=self.allowed)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both players as text for people: on one line, without characters that cannot be printed."""
        first, second = map(_name, self.players)
        return first, second

    def heading(self, *, names: bool = True) -> str:
        """Return the shape, the mode, the players, and the time and the seed if the record has them.

        Without `names`, the players are left out.
        """
        first, second = self.names
        parts = [f"{self.board.geometry.name} {self.mode}", *([f"{first} against {second}"] if names else [])]
        if self.time is not None:
            per_turn = isinstance(self.time, int | float)
            parts.append(f"{self.time:g} s per turn" if per_turn else f"time {json.dumps(self.time)}")
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        return ", ".join(parts)

    def ending(self) -> str:
        """Return the score, the winner and the reason for the end, as the record states them."""
        first, second = self.scores
        if self.result is None:
            return f"{first}:{second}, unfinished ({self.reason})"
        ours, theirs = self.result
        end = "a draw" if ours == theirs else f"player {1 if ours > theirs else 2} wins"
        return f"{first}:{second}, {end} ({self.reason})"

    def as_object(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        shown: dict[str, Any] = {
            "format": FORMAT if self.board.geometry.is_standard else VARIANT_FORMAT,
            "rows": self.board.m,
            "columns": self.board.n,
            "board": list(self.board.cells),
            **part_of(self.board.geometry),
            "mode": self.mode.value,
        }
        if self.allowed is not None:
            shown["allowed"] = [[list(square) for square in sorted(squares)] for squares in self.allowed]
        return shown | {
            "players": list(self.players),
            "seed": self.seed,
            "time": self.time,
            "turns": [turn.as_object() for turn in self.turns],
            "scores": list(self.scores),
            "result": None if self.result is None else list(self.result),
            "reason": self.reason,
        }

    def _repr_html_(self) -> str:
        """Return the page that a notebook shows, on which a reader steps through the game."""
        return as_html(self)

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.as_object(), allow_nan=False)


class Recorder:
    """Records the turns of a game, one after the other.

    >>> from csp_sudoku.game.outcome import Loss
    >>> state = GameState.start(Board.empty(2, 2))
    >>> recorder = Recorder(state, ("greedy", "stalling"), seed=7, time=0.5)
    >>> state, outcome = state.play((0, 0, 1))
    >>> recorder.add(Turn.of(outcome, seconds=0.5))
    >>> state, outcome = state.lose(Loss.CRASH)
    >>> recorder.add(Turn.of(outcome))
    >>> record = recorder.finish(state)
    >>> from csp_sudoku.game.reading import parse_record
    >>> record.result, record.reason, parse_record(record.to_json()) == record
    ((1, 0), 'player 2 lost: crash', True)
    """

    def __init__(
        self, start: GameState, players: tuple[Player, Player], *, seed: int | str | None = None, time: Any = None
    ) -> None:
        require_recordable(start.board.geometry)
        if start != GameState.start(start.board, start.mode, allowed=start.allowed):
            raise SudokuError(f"expected a state before the first turn; found {start!r}")
        self._start = start
        self._players = players
        self._seed = seed
        self._time = time
        self.turns: list[Turn] = []
        """The turns so far."""

    def add(self, turn: Turn) -> None:
        """Add the next turn."""
        self.turns.append(turn)

    def finish(self, end: GameState) -> GameRecord:
        """Return the record of the game, which has ended in this state; raise SudokuError if the game is not over."""
        result, reason = end.result, end.reason
        if result is None or reason is None:
            raise SudokuError(f"expected the state at the end of the game; found {end!r}")
        return self._record(end.scores, result, reason)

    def interrupted(self) -> GameRecord:
        """Return the record of the turns so far, without a result."""
        first, second = (sum(turn.reward for turn in self.turns if turn.player == player) for player in PLAYERS)
        return self._record((first, second), None, INTERRUPTED)

    def _record(self, scores: tuple[int, int], result: tuple[float, float] | None, reason: str) -> GameRecord:
        start = self._start
        return GameRecord(
            start.board,
            start.mode,
            self._players,
            tuple(self.turns),
            scores,
            result,
            reason,
            self._seed,
            self._time,
            start.allowed if start.mode is PlayMode.RANDOM else None,
        )


def write_records(records: Iterable[GameRecord], path: str | PathLike[str]) -> None:
    """Write each record to a file as one line, as soon as it comes; "-" is standard output."""
    if fspath(path) == "-":
        for record in records:
            sys.stdout.write(record.to_json() + "\n")
            sys.stdout.flush()
        return
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - the name as it was given
        for record in records:
            file.write(record.to_json() + "\n")
            file.flush()


def _name(player: Player) -> str:
    name = player if isinstance(player, str) else player.get("name")
    text = name if isinstance(name, str) else json.dumps(player)
    return text if text.isprintable() else repr(text)


def _listed(move: Move | None) -> list[int] | None:
    return None if move is None else list(move)


def _rounded(seconds: float | None) -> float | None:
    """Return a time rounded to the microsecond, the resolution of common clocks."""
    return None if seconds is None else round(seconds, 6)
