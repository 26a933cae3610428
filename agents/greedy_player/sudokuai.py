"""Plays a move with the highest immediate reward, any of them, bombs included.

The idea is that of the player of the same name that comes with the TU/e Competitive Sudoku framework. A reward is for
the regions that a move completes; the last value of a region is no bomb, so bombs are played only where no move has a
reward. With the option `safe` they are not played at all: of the moves in random order, the highest rewards first, it
plays the first one that is safe, which only that one needs proof for.
"""

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.baseline import Baseline
from csp_sudoku.players.counters import Counters


class GreedyPlayer(Baseline):
    """As many points as there are to be had at once."""

    def ordered(self, state: GameState, shuffled: list[Move]) -> list[Move]:
        """Those with the highest reward first; equal ones stay shuffled."""
        geometry = state.board.geometry
        counters = Counters(geometry, state.board.values)
        return sorted(shuffled, key=lambda move: counters.gain(geometry.cell(move.row, move.col)), reverse=True)


SudokuAI = framework_player(GreedyPlayer)
