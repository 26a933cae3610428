"""Incremental counts of the empty cells of each region, and the cells that complete a region or give one away.

In a region with one empty cell, that cell completes the region; in a region with two empty cells, filling one gives the
other to the opponent. Two words hold the sets of these cells: those in regions with one empty cell, and those in
regions with two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import part
from csp_sudoku.search.kernels.plies import REGIONS_OF_CELL

ZERO = np.uint64(0)
ONE = np.uint64(1)

Words = Any
"""The set of cells that complete a region, and the set of cells of regions with two empty cells."""


@part
def tally(g: Any, empty: np.uint64, left: Any) -> Words:
    """Count the empty cells of all regions into `left`; return the two words."""
    gains, gives = ZERO, ZERO
    for r in range(g.regions):
        rest = g.region[r] & empty
        left[r] = popcount(rest) + g.extra[r]
        if left[r] == 1:
            gains |= rest
        elif left[r] == 2:
            gives |= rest
    return gains, gives


@part
def fill(g: Any, empty: np.uint64, left: Any, cell: int, words: Words) -> Any:
    """Fill a cell, which `empty` no longer contains; return the number of completed regions, and the new words."""
    gains, gives = words
    completed = 0
    loose = ZERO
    for k in range(REGIONS_OF_CELL):
        r = g.regions_of[cell, k]
        rest = g.region[r] & empty
        count = left[r] - 1
        left[r] = count
        if count == 2:
            gives |= rest
        elif count == 1:
            gains |= rest
            loose |= rest
        elif count == 0:
            completed += 1
    while loose:  # these cells are no longer in this region with two empty cells, but may be in another one
        other = lowest(loose)
        bit = loose & (~loose + ONE)
        loose ^= bit
        if worth(g, left, other) & 15 == 0:
            gives &= ~bit
    return completed, (gains & empty, gives & empty)


@part
def worth(g: Any, left: Any, cell: int) -> Any:
    """Return the number of regions that a cell gives away, plus 16 for each region that it completes."""
    found = 0
    for k in range(REGIONS_OF_CELL):
        count = left[g.regions_of[cell, k]]
        if count == 1:
            found += 16
        elif count == 2:
            found += 1
    return found
