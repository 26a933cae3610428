"""Isomorphs: boards that permutations make from a board; their solutions correspond to its solutions.

The permutations exchange values, rows within bands, bands, columns within stacks, and stacks. A search takes another
course on an isomorph, and may finish much sooner.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from csp_sudoku.board import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.candidates import Masks
    from csp_sudoku.geometry import Geometry


def permuted(m: int, n: int, random: Random) -> tuple[list[int], list[int]]:
    """Random permutations of the cells and of the values of m×n boards under which the rules stay the same.

    The first list has, for each cell of an isomorph, the cell of the board that it comes from. The second has, for each
    value of the board, the value in the isomorph; 0 (empty) stays 0. `random` is the source of randomness.
    """
    size = m * n
    values = [0, *random.sample(range(1, size + 1), size)]
    rows, columns = _lines(n, m, random), _lines(m, n, random)
    return [row * size + column for row in rows for column in columns], values


def _lines(groups: int, length: int, random: Random) -> list[int]:
    """The lines of the groups in random order."""
    return [
        group * length + line
        for group in random.sample(range(groups), groups)
        for line in random.sample(range(length), length)
    ]


class Isomorphism:
    """A random mapping from the boards of a plain geometry to isomorphs, and from their solutions back.

    `geometry` is the geometry of the boards, and `random` the source of the permutations.

    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> isomorphism = Isomorphism(board.geometry, Random(1))
    >>> other = isomorphism.of(board)
    >>> other == board, isomorphism.back(other) == board
    (False, True)
    """

    def __init__(self, geometry: Geometry, random: Random) -> None:
        self.geometry = geometry
        self._cells, self._values = permuted(geometry.m, geometry.n, random)

    def of(self, board: Board) -> Board:
        """The isomorph of a board."""
        return Board.trusted(self.geometry, bytes([self._values[board.values[cell]] for cell in self._cells]))

    def masks(self, masks: Masks) -> Masks:
        """The candidates of the isomorph for the candidates of its board."""
        import numpy as np

        moved = masks[np.array(self._cells)]
        found: Masks = np.zeros_like(moved)
        for value in range(1, self.geometry.size + 1):
            found |= (moved >> np.uint32(value - 1) & np.uint32(1)) << np.uint32(self._values[value] - 1)
        return found

    def origins(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each cell of an isomorph the cell of the board, and for each value, from 0, the value of the board."""
        import numpy as np

        return np.array(self._cells), np.argsort(np.array(self._values[1:]))

    def back(self, isomorph: Board) -> Board:
        """The board that an isomorph comes from; for a solution of the isomorph, the solution of the board."""
        original = {image: value for value, image in enumerate(self._values)}
        values = bytearray(self.geometry.cell_count)
        for cell, value in zip(self._cells, isomorph.values, strict=True):
            values[cell] = original[value]
        return Board.trusted(self.geometry, bytes(values))
