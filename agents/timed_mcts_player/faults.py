"""The Monte Carlo tree search with the faults of its authors."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from csp_sudoku.players.classic.counters import REWARDS
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.players.classic.monte_carlo import MonteCarlo, TreeNode, Worth


class FaultyMonteCarlo(MonteCarlo):
    """Monte Carlo tree search with some of these faults:

    playouts   a playout computes points from the counts at its start, and does not update them
    side       the result of a move is counted for the opponent of the player who makes it
    root       the points before the search are always those of player 1 less those of player 2

    `faults` names the faults (default none). The other parameters are the same as of MonteCarlo.
    """

    def __init__(
        self, position: Filling, rng: Random, *, exploration: float, worth: Worth, faults: Collection[str] = ()
    ) -> None:
        super().__init__(position, rng, exploration=exploration, worth=worth)
        self.faults = faults
        self._shift = position.balance - position.lead(position.player) if "root" in faults else 0

    def result(self) -> float:
        """Return the value of a random end of the game from here for the player who searches, with the faults."""
        balance = self._playout() if "playouts" in self.faults else self.position.playout(self.rng)
        return self.worth((-balance if self.player else balance) + self._shift)

    def credit(self, node: TreeNode, worth: float) -> float:
        """Return the value for the player to move at a node, or with the fault `side`, for the opponent.

        `worth` is the value for the player who searches.
        """
        right = super().credit(node, worth)
        return -right if "side" in self.faults else right

    def _playout(self) -> int:
        """Return the balance at the end of a random game, with points computed from the counts at its start."""
        position = self.position
        cells = [cell for cell in position.order if not position.is_filled[cell]]
        self.rng.shuffle(cells)
        balance, sign = position.balance, -1 if position.player else 1
        for cell in cells:  # the authors had no play modes, so open squares do not decide the turn
            balance += sign * REWARDS[sum(position.empty[region] == 1 for region in position.regions_of[cell])]
            sign = -sign
        return balance
