"""Plays any legal move that is not taboo, all of them equally likely, bombs included.

The idea is that of the player of the same name that comes with the TU/e Competitive Sudoku framework. With the option
`safe` it plays no bombs: of the moves in random order, it plays the first one that is safe, which only that one needs
proof for.
"""

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.baseline import Baseline


class RandomPlayer(Baseline):
    """Any move that does not lose."""

    def ordered(self, state: GameState, shuffled: list[Move]) -> list[Move]:  # noqa: ARG002 - all moves are equal
        """Just as they come."""
        return shuffled


SudokuAI = framework_player(RandomPlayer)
