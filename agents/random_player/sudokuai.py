"""Plays any legal move that is not taboo, all of them equally likely, bombs included.

The idea is that of the player of the same name that comes with the TU/e Competitive Sudoku framework. With the option
`safe` it plays no bombs: of the moves in random order, it plays the first one that is safe, which only that one needs
proof for.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players import Agent
from csp_sudoku.solvers.base import Option


class RandomPlayer(Agent):
    """Any move that does not lose."""

    OPTIONS: ClassVar = {"safe": Option(False, bool, "whether bombs are left out")}

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        if self.options["safe"]:
            Referee.warm_up()  # each turn is played by a copy of this process

    def proposals(self, state: GameState) -> Iterator[Move]:
        """One move."""
        moves = state.moves()
        self.rng.shuffle(moves)
        referee = Referee()
        for move in moves:
            if not self.options["safe"] or referee.is_safe(state.board, move):
                yield move
                return


SudokuAI = framework_player(RandomPlayer)
