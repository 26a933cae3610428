"""The search with the faults that its authors had."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from csp_sudoku.players.counters import REWARDS
from csp_sudoku.players.filling import Filling
from csp_sudoku.players.monte_carlo import MonteCarlo, Node, Worth


class FaultyMonteCarlo(MonteCarlo):
    """Monte Carlo tree search with some of these faults:

    playouts   a playout scores by the counts where it started, not by those that it has changed since
    side       what a move brings is counted for the opponent of who makes it
    root       the points before the search are those of player 1 less those of player 2, whoever searches
    """

    def __init__(
        self, position: Filling, rng: Random, *, exploration: float, worth: Worth, faults: Collection[str] = ()
    ) -> None:
        super().__init__(position, rng, exploration=exploration, worth=worth)
        self.faults = faults
        self._shift = position.balance - position.lead(position.player) if "root" in faults else 0

    def result(self) -> float:
        """What a random end of the game from here is worth to the player who searches, or so it thinks."""
        balance = self._playout() if "playouts" in self.faults else self.position.playout(self.rng)
        return self.worth((-balance if self.player else balance) + self._shift)

    def credit(self, node: Node, worth: float) -> float:
        """The same to the player who moves at a node, or to the other one."""
        right = super().credit(node, worth)
        return -right if "side" in self.faults else right

    def _playout(self) -> int:
        """The balance at the end of a random game whose points come from the counts at its start."""
        position = self.position
        cells = [cell for cell in position.order if not position.is_filled[cell]]
        self.rng.shuffle(cells)
        balance, sign = position.balance, -1 if position.player else 1
        for cell in cells:  # whose turn it is does not depend on open squares either: the authors had none
            balance += sign * REWARDS[sum(position.empty[region] == 1 for region in position.regions_of[cell])]
            sign = -sign
        return balance
