"""A scheduled game with everything that it depends on, and the summary of a finished game.

Games come in pairs. Both games of a pair have the same board and the same seed, and each player moves first in one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.arena.failures import NO_FAILURES, GameFailures, game_failures
from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.record import GameRecord
from csp_sudoku.sandbox.limits import DEFAULT_LIMITS
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms

if TYPE_CHECKING:
    from csp_sudoku.arena.play import OnTurn
    from csp_sudoku.sandbox.fork_server import ForkServer


@dataclass(frozen=True)
class ScheduledGame:
    """A game that is to be played. Equal scheduled games describe the same game, and have the same key."""

    first: str
    """The player that moves first, as the text of its Spec."""
    second: str
    board: Board
    seconds: float
    """The time per turn, in seconds."""
    number: int
    """The number of the pair, from 0, among the pairs of these players on this board at this time control."""
    again: bool = False
    """Whether this is the second game of a pair between two equal players, which cannot change sides."""
    seed: int = 0
    """The seed of the match or tournament, from which the seeds of all its games are derived."""
    terms: GameTerms = DEFAULT_TERMS
    name: str = field(default="", compare=False)
    """The name of the board in tables."""

    @cached_property
    def key(self) -> str:
        """The key of the game: a hash of everything that the game depends on."""
        terms, limits = self.terms, self.terms.limits
        what = [
            *(self.first, self.second, self.board.m, self.board.n, list(self.board.cells), float(self.seconds)),
            *(self.number, self.again, terms.mode.value, self.seed),
            *(terms.api, terms.full_time, None if limits == DEFAULT_LIMITS else limits.memory, terms.loader),
            # what follows is added only if set, so that the keys of stored games stay valid
            *(["persistent"] * terms.persistent),
            *([asdict(limits)] * (limits != replace(DEFAULT_LIMITS, memory=limits.memory))),
        ]
        return sha256(json.dumps(what).encode()).hexdigest()

    @property
    def game_seed(self) -> int:
        """The seed of the game. Both games of a pair have it, and so has the pair of this number between other players.

        The seed depends on the time control, so the same pairing at another time control plays different games.
        Otherwise players that need less time would repeat their games, and the repetitions would be counted.
        """
        return Random(f"{self.seed} {self.seconds:g} {self.number}").getrandbits(32)

    def play(self, fork_server: ForkServer | None = None, on_turn: OnTurn | None = None) -> GameRecord:
        """Play the game and return its record.

        An agent with a syntax error or a missing import loses the game, which must not end a whole tournament: the pool
        has loaded each player before the first game.
        """
        from csp_sudoku.arena.play import play_game

        return play_game(
            self.first,
            self.second,
            self.board,
            seconds=self.seconds,
            seed=self.game_seed,
            terms=self.terms,
            fork_server=fork_server,
            on_turn=on_turn,
            strict=False,
        )


class GameSummary(NamedTuple):
    """The result of a game, as tables show it."""

    score: float
    """The score of the player that moved first: 1 for a win, 0.5 for a draw, 0 for a loss."""
    points: tuple[int, int]
    """The points of the player that moved first, and the points of the other player."""
    skips: tuple[int, int]
    failures: tuple[GameFailures, GameFailures] = (NO_FAILURES, NO_FAILURES)

    @staticmethod
    def of(record: GameRecord) -> GameSummary:
        """Return the summary of a record."""
        if record.result is None:
            raise SudokuError(f"expected the record of a finished game; found one that was {record.reason}")
        skips = [turn.player for turn in record.turns if turn.outcome is OutcomeKind.SKIPPED]
        return GameSummary(
            float(record.result[0]), record.scores, (skips.count(1), skips.count(2)), game_failures(record)
        )

    def seen_by(self, *, first: bool) -> GameSummary:
        """Return the summary from the side of the player that moved first, or from the side of the other player."""
        if first:
            return self
        return GameSummary(1 - self.score, self.points[::-1], self.skips[::-1], self.failures[::-1])


def pair(
    one: str,
    other: str,
    board: Board,
    seconds: float,
    number: int,
    *,
    seed: int = 0,
    terms: GameTerms = DEFAULT_TERMS,
    name: str = "",
) -> tuple[ScheduledGame, ScheduledGame]:
    """Return the two games of a pair; `one` moves first in the first game.

    >>> from csp_sudoku.board import Board
    >>> home, away = pair("greedy", "random", Board.empty(2, 2), 0.5, 0)
    >>> away.first, away.game_seed == home.game_seed
    ('random', True)
    """
    home = ScheduledGame(one, other, board, seconds, number, seed=seed, terms=terms, name=name)
    return home, replace(home, first=other, second=one, again=one == other)
