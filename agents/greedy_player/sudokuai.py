"""Plays a move with the highest immediate reward, any of them, bombs included.

The idea is that of the player of the same name that comes with the TU/e Competitive Sudoku framework. A reward is for
the regions that a move completes; the last value of a region is no bomb, so bombs are played only where no move has a
reward. With the option `safe` they are not played at all: of the moves in random order, the highest rewards first, it
plays the first one that is safe, which only that one needs proof for.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players import Agent
from csp_sudoku.solvers.base import Option


class GreedyPlayer(Agent):
    """As many points as there are to be had at once."""

    OPTIONS: ClassVar = {"safe": Option(False, bool, "whether bombs are left out")}

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        if self.options["safe"]:
            Referee.warm_up()  # each turn is played by a copy of this process

    def proposals(self, state: GameState) -> Iterator[Move]:
        """One move."""
        board = state.board
        geometry = board.geometry
        empty = [sum(not board.values[cell] for cell in region) for region in geometry.regions]

        def gain(move: Move) -> int:
            """The points for a move: for the regions whose only empty cell it fills."""
            return reward(sum(empty[region] == 1 for region in geometry.regions_of[geometry.cell(move.row, move.col)]))

        moves = state.moves()
        self.rng.shuffle(moves)
        referee = Referee()
        for move in sorted(moves, key=gain, reverse=True):  # equal ones stay shuffled
            if not self.options["safe"] or referee.is_safe(board, move):
                yield move
                return


SudokuAI = framework_player(GreedyPlayer)
