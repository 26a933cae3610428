"""The greedy player plays a random move among those with the highest immediate reward, bombs included.

The idea is that of the player of the same name in the TU/e Competitive Sudoku framework. A move is rewarded for the
regions that it completes. A value that completes a region is no bomb, so the player plays bombs only if no move is
rewarded. With the option `safe` it plays no bombs: it tries the moves in random order, the highest rewards first, and
plays the first safe one. So only the moves up to that one need a proof.
"""

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.baseline import Baseline
from csp_sudoku.players.classic.counters import RegionCounters


class GreedyPlayer(Baseline):
    """A player that takes as many points as it can at once."""

    def ordered(self, state: GameState, shuffled: list[Move]) -> list[Move]:
        """Return the moves with the highest reward first; equal ones stay shuffled."""
        geometry = state.board.geometry
        counters = RegionCounters(geometry, state.board.values)
        return sorted(shuffled, key=lambda move: counters.gain(geometry.cell(move.row, move.col)), reverse=True)


SudokuAI = framework_player(GreedyPlayer)
