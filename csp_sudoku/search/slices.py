"""Searching in slices: a bounded number of nodes per call, so that deadlines are seen, and searches can take turns."""

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
"""Nodes of the first slice: some hundredths of a second, where nodes are quick."""


class SlicedSearch(ABC):
    """The search of a game. What a slice has found is in a table, so the next one is soon where that one stopped."""

    def __init__(self) -> None:
        self.nodes = 0
        """All that were visited so far."""
        self.first_nodes = SLICE_NODES
        """Those of the first slice."""

    @abstractmethod
    def search(self, position: NDArray[np.uint64], depth: int, alpha: int, beta: int, nodes: int) -> int:
        """The value of a position within a window, in units, if the game is not `stopped` afterwards."""

    @property
    @abstractmethod
    def game(self) -> np.void:
        """The kernel's record, with fields `nodes` and `stopped`."""

    def value(
        self, position: NDArray[np.uint64], depth: int, deadline: Deadline, at_most: float | None = None
    ) -> float | None:
        """The value of a position, so many moves ahead; None if the time ends first.

        With `at_most`, only whether it is at most that: what is returned is then a bound on the right side.
        """
        if deadline.passed():
            return None
        for found in self.slices(position, depth, at_most):
            if found is not None or deadline.passed():
                return found
        raise AssertionError  # the slices end with the value

    def slices(self, position: NDArray[np.uint64], depth: int, at_most: float | None = None) -> Iterator[float | None]:
        """The value of a position, as above, after None for each slice that has not sufficed for it."""
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
