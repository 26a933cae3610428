"""Fixture: a game that is to be played, with all that it depends on; and a summary of how it went.

Games come in pairs: both have the same board and the same seed, and each player moves first in one of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.arena.assignment import LOADER
from csp_sudoku.board import Board
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.record import GameRecord
from csp_sudoku.game.rules import PlayMode

if TYPE_CHECKING:
    from csp_sudoku.arena.game import OnTurn
    from csp_sudoku.arena.nursery import Nursery


@dataclass(frozen=True, slots=True)
class Terms:
    """What the games of a match or a tournament have in common."""

    mode: PlayMode = PlayMode.CLASSIC
    seed: int = 0
    """What all random numbers come from."""
    api: str | None = None
    """The framework API of agents of the framework; None for what each of them asks for."""
    full_time: bool = False
    memory: int | None = None
    """Megabytes of memory of each process of a player; None for the usual limit."""
    loader: str = LOADER
    persistent: bool = False

    def options(self) -> dict[str, Any]:
        """All but the seed, as `play_game` takes it."""
        from csp_sudoku.arena.limits import Limits

        return {
            "mode": self.mode,
            "api": self.api,
            "full_time": self.full_time,
            "persistent": self.persistent,
            "limits": Limits() if self.memory is None else Limits(memory=self.memory),
            "loader": self.loader,
        }


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played. Equal fixtures are the same game, and have the same key."""

    first: str
    """The player that moves first, as `str` has its Spec."""
    second: str
    board: Board
    seconds: float
    """The time per turn."""
    number: int
    """Of the pair, among those of these players on this board at this time: from 0."""
    again: bool = False
    """Whether it is the second game of a pair between equal players, who cannot change sides."""
    terms: Terms = field(default_factory=Terms)
    name: str = field(default="", compare=False)
    """What the board is called."""

    @cached_property
    def key(self) -> str:
        """A text that no other game has."""
        terms = self.terms
        what = [
            *(self.first, self.second, self.board.m, self.board.n, list(self.board.cells), float(self.seconds)),
            *(self.number, self.again, terms.mode.value, terms.seed),
            *(terms.api, terms.full_time, terms.memory, terms.loader),
            *(["persistent"] * terms.persistent),  # without it as ever: games that are kept keep their keys
        ]
        return sha256(json.dumps(what).encode()).hexdigest()

    @property
    def game_seed(self) -> int:
        """The seed of the game: that of the other game of the pair too, and of the same pair of other players.

        At another time it is another one: players that need less time would repeat their games, and these are counted.
        """
        return Random(f"{self.terms.seed} {self.seconds:g} {self.number}").getrandbits(32)

    def play(self, nursery: Nursery | None = None, on_turn: OnTurn | None = None) -> GameRecord:
        """The record of the game, which is played now."""
        from csp_sudoku.arena.game import play_game

        return play_game(
            self.first,
            self.second,
            self.board,
            seconds=self.seconds,
            seed=self.game_seed,
            nursery=nursery,
            on_turn=on_turn,
            **self.terms.options(),
        )


class Summary(NamedTuple):
    """What tables need to know of a game."""

    score: float
    """1 if the player who moved first has won, 0.5 for a draw, 0 if it has lost."""
    points: tuple[int, int]
    """Those of who moved first, and those of the other."""
    skips: tuple[int, int]

    @staticmethod
    def of(record: GameRecord) -> Summary:
        """The summary of a game."""
        skips = [turn.player for turn in record.turns if turn.outcome is OutcomeKind.SKIPPED]
        return Summary(float(record.result[0]), record.scores, (skips.count(1), skips.count(2)))

    def seen_by(self, *, first: bool) -> Summary:
        """The same with the one who moved first, or the other, in the first place."""
        return self if first else Summary(1 - self.score, self.points[::-1], self.skips[::-1])


def pair(
    one: str, other: str, board: Board, seconds: float, number: int, terms: Terms, name: str = ""
) -> tuple[Fixture, Fixture]:
    """The two games of a pair: the first one is that in which `one` moves first.

    >>> from csp_sudoku.board import Board
    >>> home, away = pair("greedy", "random", Board.empty(2, 2), 0.5, 0, Terms())
    >>> away.first, away.game_seed == home.game_seed
    ('random', True)
    """
    home = Fixture(one, other, board, seconds, number, terms=terms, name=name)
    return home, Fixture(other, one, board, seconds, number, again=one == other, terms=terms, name=name)
