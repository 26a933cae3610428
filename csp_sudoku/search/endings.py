"""All endings of a filling game, valued slice by slice, for its search to look up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.search.kernels import endings as kernels
from csp_sudoku.search.kernels.plies import UNIT, most_left
from csp_sudoku.solvers.kernels.compiled import get_ready

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.search.model import Model

SLICE_VALUES = 1_000_000
"""Values of a slice: some hundredths of a second."""

MOST_REGIONS = 64
"""Regions with empty cells: bits of a word."""

MOST_POINTS = 127
"""What one side can get has to fit a byte."""

MOST_ALIVE = 22
"""Skips that a set of cells has at most: each of their subsets has a value."""

BYTES_OF_SET = 5
"""For each set of cells: its value without skips, and where those with skips begin."""


class Endings:
    """The endings of one game, with all its skips if there is room for that, else with those that are there.

    A game that has no room is left alone. There is room for games without restricted squares of at most 28 cells, all
    of the board's, whose endings fit into `most` bytes.
    """

    def __init__(self, model: Model, most: int, *, all_skips: bool = False, most_alive: int = MOST_ALIVE) -> None:
        self.memory: tuple[NDArray[Any], ...] = kernels.no_memory()
        """What a search looks them up in."""
        self.count = 0
        """How many values there are; 0 if the game has no room."""
        self.valued = 0
        """How many of them are known."""
        self._cells = len(model.cells)
        self._most = most
        self._most_alive = most_alive
        if self._has_room(model.games[0]):
            everything, live = (1 << len(model.skips)) - 1, int(model.position[1])
            _ = (all_skips and self._prepare(model, everything)) or self._prepare(model, live)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to do, any more or at all."""
        return not self.count or int(self.memory[0]["done"][0]) == 1 << self._cells

    def go_on(self) -> int:
        """Value a slice of them; how many that were."""
        count: int = kernels.value_endings(self.memory, SLICE_VALUES)
        self.valued += count
        return count

    def _has_room(self, game: np.void) -> bool:
        """Whether the game is of the kind, and its sets of cells fit."""
        regions = int(game["regions"])
        return (
            not game["restricted"]
            and 0 < self._cells <= kernels.MOST_CELLS
            and BYTES_OF_SET << self._cells <= self._most
            and not game["extra"][:regions].any()
            and regions <= MOST_REGIONS
            and most_left(regions) <= MOST_POINTS * UNIT
        )

    def _prepare(self, model: Model, skips: int) -> bool:
        """Make room for the endings with these skips, if there is."""
        cells = self._cells
        games, game = np.zeros(1, kernels.GAME), model.games[0]
        games["cells"], games["skips"], games["most_alive"] = cells, skips, self._most_alive
        for cell in range(cells):
            games["regions"][0, cell] = sum(1 << int(region) for region in game["regions_of"][cell])
            for skip in range(len(model.skips)):
                games["killers"][0, skip] |= np.uint64((int(game["kills"][cell]) >> skip & 1) << cell)
        halves = np.zeros((2, 1 << kernels.HALF), kernels.HALVES)
        starts = np.empty(1 << cells, np.uint32)
        get_ready(kernels.prepare, games, halves, starts)
        count = kernels.prepare(games, halves, starts)
        if count < 0 or (BYTES_OF_SET << cells) + count > self._most:
            return False
        self.memory = games, halves, starts, np.empty(count, np.int8), np.empty(1 << cells, np.int8)
        self.count = count + (1 << cells)
        get_ready(kernels.value_endings, self.memory, SLICE_VALUES)
        return True


def free_bytes() -> int:
    """Half of the memory that nobody uses, as far as the system tells; else a gigabyte."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return 1 << 30
