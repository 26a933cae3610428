"""The random player plays a legal move that is not taboo; all of them are equally likely, bombs included.

The idea is that of the player of the same name in the TU/e Competitive Sudoku framework. With the option `safe` it
plays no bombs: it tries the moves in random order, and plays the first safe one. So only the moves up to that one need
a proof.
"""

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.baseline import Baseline


class RandomPlayer(Baseline):
    """A player that plays any move that does not lose at once."""

    def ordered(self, state: GameState, shuffled: list[Move]) -> list[Move]:  # noqa: ARG002 - all moves are equal
        """Return the moves in their random order."""
        return shuffled


SudokuAI = framework_player(RandomPlayer)
