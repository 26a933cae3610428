"""Searching in slices of a bounded number of nodes, so that a search checks deadlines and lets other searches run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from csp_sudoku.search.kernels.climbing import INFINITE
from csp_sudoku.search.kernels.plies import UNIT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.solvers.base import Deadline

SLICE_NODES = 300_000
"""Number of nodes in the first slice; they take some hundredths of a second in the filling game."""


class SlicedSearch(ABC):
    """The search of a game in slices.

    Each slice starts at the root again. The results of earlier slices are in the transposition table, so the new slice
    quickly reaches the point where the last one stopped.
    """

    def __init__(self) -> None:
        self.nodes = 0
        """The number of nodes visited so far."""
        self.first_nodes = SLICE_NODES
        """The number of nodes in the first slice of a search."""

    @abstractmethod
    def search(self, position: NDArray[np.uint64], depth: int, alpha: int, beta: int, nodes: int) -> int:
        """The value of a position within the window, in units; valid only if the game is not `stopped` afterwards.

        `depth` is counted in moves. `alpha` and `beta` bound the window in units; one point is `UNIT` units. `nodes` is
        the maximum number of nodes to visit in this call.
        """

    @property
    @abstractmethod
    def game(self) -> np.void:
        """The kernel's record of the game, which has fields `nodes` and `stopped`."""

    def value(
        self, position: NDArray[np.uint64], depth: int, deadline: Deadline, at_most: float | None = None
    ) -> float | None:
        """The value of a position in points, by a search of `depth` moves; None if the deadline passes first.

        With `at_most`, the search only decides whether the value is at most this number of points. The result is then
        an upper bound that is at most `at_most`, or a lower bound that exceeds it.
        """
        if deadline.passed():
            return None
        for found in self.slices(position, depth, at_most):
            if found is not None or deadline.passed():
                return found
        raise AssertionError  # unreachable: the last slice yields the value

    def slices(self, position: NDArray[np.uint64], depth: int, at_most: float | None = None) -> Iterator[float | None]:
        """Yield None for each slice that does not finish the search, and at last the value, as `value` returns it.

        Each slice has 1.5 times as many nodes as the slice before it.
        """
        alpha, beta = -INFINITE, INFINITE
        if at_most is not None:
            alpha = round(at_most * UNIT)
            beta = alpha + 1
        nodes = self.first_nodes
        while True:
            value = self.search(position, depth, alpha, beta, nodes)
            self.nodes += int(self.game["nodes"])
            if not self.game["stopped"]:
                yield value / UNIT
                return
            yield None
            nodes += nodes // 2
