"""Baseline: a player that plays the first move of an order, or the first one that is no bomb."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, ClassVar

from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.agent import Agent
from csp_sudoku.solvers.base import Option


class Baseline(Agent):
    """A player by an order of its moves: `ordered` is what it must have. Only what it plays needs proof to be safe."""

    OPTIONS: ClassVar = {"safe": Option(False, bool, "whether bombs are left out")}

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        if self.options["safe"]:
            Referee.warm_up()  # each turn is played by a copy of this process

    @abstractmethod
    def ordered(self, state: GameState, shuffled: list[Move]) -> Iterable[Move]:
        """The legal moves that are not taboo, which come in random order, the best ones first."""

    def proposals(self, state: GameState) -> Iterator[Move]:
        """One move."""
        moves = state.moves()
        self.rng.shuffle(moves)
        referee = Referee()
        for move in self.ordered(state, moves):
            if not self.options["safe"] or referee.is_safe(state.board, move):
                yield move
                return
