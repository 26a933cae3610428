"""Candidates: the values that a cell can still take, as a bit mask; and whether a completion fits a board.

In a mask, bit v - 1 stands for the value v. The candidates of a board are one mask for each cell: a list of integers in
Python code, and an array of uint32 from the propagation to the learning search.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.geometry import Geometry

    Masks = NDArray[np.uint32]
    """One mask for each cell."""

_FILLED = bytes([0] + [255] * 255)
"""Translates the values of a board to 255 for each filled cell and 0 for each empty one."""


def candidate_masks(geometry: Geometry, values: bytes) -> list[int]:
    """For each cell, the mask of the values that no peer holds; a filled cell has its value as its only candidate.

    `values` are the values of the cells, 0 for empty.

    >>> from csp_sudoku.geometry import Geometry
    >>> values = bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4])
    >>> [bin(mask) for mask in candidate_masks(Geometry.standard(2, 2), values)[:4]]
    ['0b1', '0b1010', '0b1100', '0b100']
    """
    held = []
    for region in geometry.regions:
        mask = 0
        for cell in region:
            mask |= 1 << values[cell]
        held.append(mask >> 1)  # drops bit 0, which stands for empty cells
    full = (1 << geometry.size) - 1
    masks = []
    for cell, value in enumerate(values):
        if value:
            masks.append(1 << value - 1)
        else:
            mask = 0
            for number in geometry.regions_of[cell]:
                mask |= held[number]
            masks.append(full & ~mask)
    return masks


def bits(mask: int) -> Iterator[int]:
    """Yield each set bit of a mask as a mask of its own, the lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class Given:
    """The values of a board, for comparison with many completions.

    The values are one long integer, so a comparison takes a microsecond even on 25×25. `values` are the values of the
    cells, 0 for empty.

    >>> Given(bytes([1, 0, 0, 4])).fits(bytes([1, 2, 3, 4])), Given(bytes([1, 0, 0, 4])).fits(bytes([1, 2, 3, 3]))
    (True, False)
    """

    __slots__ = ("_filled", "_length", "_number")

    def __init__(self, values: bytes) -> None:
        self._length = len(values)
        self._number = int.from_bytes(values)
        self._filled = int.from_bytes(values.translate(_FILLED))

    def fits(self, completion: bytes) -> bool:
        """Return whether a completion has each of these values; False for one of another size."""
        return len(completion) == self._length and int.from_bytes(completion) & self._filled == self._number
