"""The pencil marks of a person: the candidates of each empty cell, from which techniques infer more.

A **cell set** is an integer in which bit c stands for the cell c: on 25×25 it has 625 bits, and the intersection of two
of them takes 50 ns. The marks are kept twice: as the mask of the candidates of each cell, and as the cell set of the
places of each value. So a technique finds the places of a value in a region by one intersection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.coordinates import cell_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.geometry import Geometry
    from csp_sudoku.puzzles.steps.step import Step


def cell_set(cells: Iterable[int]) -> int:
    """The set of these cells.

    >>> bin(cell_set([0, 3]))
    '0b1001'
    """
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_of(cell_set: int) -> Iterator[int]:
    """Yield the cells of a set in ascending order.

    >>> list(cells_of(0b1001))
    [0, 3]
    """
    return (bit.bit_length() - 1 for bit in bits(cell_set))


def values_of(mask: int) -> list[int]:
    """The values of a mask in ascending order.

    >>> values_of(0b1001)
    [1, 4]
    """
    return [bit.bit_length() for bit in bits(mask)]


@lru_cache(maxsize=64)
def _tables(geometry: Geometry) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cell set of each region, and the cell set of the peers of each cell."""
    regions = tuple(map(cell_set, geometry.regions))
    peers = []
    for cell, numbers in enumerate(geometry.regions_of):
        seen = 0
        for number in numbers:
            seen |= regions[number]
        peers.append(seen & ~(1 << cell))
    return regions, tuple(peers)


class PencilMarks:
    """The values of a board and the remaining candidates of its empty cells; a step changes them.

    At first the candidates of a cell of `board` are the values that no peer holds.

    >>> from csp_sudoku.board import Board
    >>> marks = PencilMarks(Board.parse("12.. .... ...3 ...."))
    >>> values_of(marks.masks[2]), list(cells_of(marks.places[3] & marks.regions[0]))
    ([3, 4], [2])
    """

    __slots__ = ("filled", "geometry", "masks", "peers", "places", "regions", "values")

    def __init__(self, board: Board) -> None:
        self.geometry = board.geometry
        self.regions, self.peers = _tables(board.geometry)
        """The cell set of each region, and that of the peers of each cell."""
        self.values = bytearray(board.values)
        """The value of each cell, 0 for empty."""
        masks = candidate_masks(board.geometry, board.values)
        self.masks = [0 if value else mask for value, mask in zip(board.values, masks, strict=True)]
        """The mask of the candidates of each empty cell; 0 for filled cells."""
        self.places = [0] * (board.size + 1)
        """For each value, the cell set of the empty cells that have it as a candidate."""
        self.filled = [0] * (board.size + 1)
        """For each value, the cell set of the cells that hold it."""
        for cell, value in enumerate(board.values):
            if value:
                self.filled[value] |= 1 << cell
            for candidate in values_of(self.masks[cell]):
                self.places[candidate] |= 1 << cell

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return 0 not in self.values

    @property
    def all_values(self) -> range:
        """The values from 1 to N."""
        return range(1, self.geometry.size + 1)

    def place(self, cell: int, value: int) -> None:
        """Fill an empty cell, and cross the value out in its peers.

        A value that is no candidate of the cell leaves the cell without candidates, which is a contradiction.
        """
        if self.values[cell]:
            return
        is_candidate = self.masks[cell] >> value - 1 & 1
        for other in values_of(self.masks[cell]):
            self.eliminate(cell, other)
        if is_candidate:
            self.values[cell] = value
            self.filled[value] |= 1 << cell
            for peer in cells_of(self.places[value] & self.peers[cell]):
                self.eliminate(peer, value)

    def eliminate(self, cell: int, value: int) -> None:
        """Cross a candidate out."""
        self.masks[cell] &= ~(1 << value - 1)
        self.places[value] &= ~(1 << cell)

    def apply(self, step: Step) -> None:
        """Apply the conclusions of a step."""
        for row, column, value in step.placements:
            self.place(self.geometry.cell(row, column), value)
        for row, column, value in step.eliminations:
            self.eliminate(self.geometry.cell(row, column), value)

    def contradiction(self) -> str:
        """The first contradiction for people: a cell without a candidate, or a region without a place for a value.

        The text is empty if there is none.
        """
        for cell, mask in enumerate(self.masks):
            if not (mask or self.values[cell]):
                return f"{cell_name(*self.geometry.row_column(cell))} can take no value"
        for number, region in enumerate(self.regions):
            for value in self.all_values:
                if not (self.places[value] | self.filled[value]) & region:
                    return f"{self.geometry.region_name(number)} has no place for {value}"
        return ""
