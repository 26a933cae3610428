"""Baseline: a player that plays the first move of an order, or the first safe one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, ClassVar

from csp_sudoku.agent import Agent
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.solvers.base import Option


class Baseline(Agent):
    """A player that orders its moves; a subclass must define `ordered`.

    With the option `safe`, it plays the first safe move; only the moves up to that one need a proof.
    """

    OPTIONS: ClassVar = {"safe": Option(False, bool, "whether it avoids bombs")}

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        if self.options["safe"]:
            Referee.warm_up()  # Each turn is played by a copy of this process.

    @abstractmethod
    def ordered(self, state: GameState, shuffled: list[Move]) -> Iterable[Move]:
        """Return the legal moves that are not taboo, the best ones first; `shuffled` holds them in random order."""

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield the move to play."""
        moves = state.moves()
        self.rng.shuffle(moves)
        referee = Referee()
        for move in self.ordered(state, moves):
            if not self.options["safe"] or referee.is_safe(state.board, move):
                yield move
                return
