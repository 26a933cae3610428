"""Constraints that cells a given way apart hold different values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint
from csp_sudoku.constraints.pairwise import Link, Pairwise, differ, neighbours

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry

KNIGHT = ((1, -2), (1, 2), (2, -1), (2, 1))
"""The moves of a knight downwards, as (rows, columns)."""
KING = ((1, -1), (1, 1))
"""The moves of a king downwards to cells that are in another row and another column."""


class AntiMove(Pairwise):
    """Cells a move apart hold different values."""

    @abstractmethod
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves, as (rows down, columns right)."""

    def scope(self, geometry: Geometry) -> Cells:
        """All cells."""
        return tuple(range(geometry.cell_count))

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """The pairs of cells a move apart."""
        return ((first, second, differ(geometry.size)) for first, second in neighbours(geometry, self.moves()))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the value of each settled cell from the cells a move away."""
        away = _linked_cells(self, geometry.plain)
        queue = [cell for cell, mask in enumerate(masks) if not mask & mask - 1]
        while queue:
            cell = queue.pop()
            bit = masks[cell]
            for other in away[cell]:
                if masks[other] & bit:
                    left = masks[other] ^ bit
                    if not left:
                        return False
                    masks[other] = left
                    if not left & left - 1:
                        queue.append(other)
        return True

    def post(self, posting: Posting) -> None:
        """No value is in both cells of a pair."""
        literals = [posting.literals(cell) for cell in range(posting.geometry.cell_count)]
        for first, others in enumerate(_linked_cells(self, posting.geometry.plain)):
            for second in others:
                if second > first:
                    for value in sorted(literals[first].keys() & literals[second].keys()):
                        posting.forbid(literals[first][value], literals[second][value])


@lru_cache(maxsize=64)
def _linked_cells(constraint: AntiMove, geometry: Geometry) -> list[list[int]]:
    """For each cell, the cells a move away."""
    away: list[list[int]] = [[] for _ in range(geometry.cell_count)]
    for first, second in neighbours(geometry, constraint.moves()):
        away[first].append(second)
        away[second].append(first)
    return away


@dataclass(frozen=True)
class AntiKnight(AntiMove):
    """Cells a knight's move apart hold different values."""

    name: ClassVar[str] = "anti-knight"

    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves of a knight."""
        return KNIGHT

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "cells a knight's move apart differ"


@dataclass(frozen=True)
class AntiKing(AntiMove):
    """Cells a king's move apart hold different values."""

    name: ClassVar[str] = "anti-king"

    def moves(self) -> tuple[tuple[int, int], ...]:
        """The diagonal moves of a king; the other ones stay in a row or a column."""
        return KING

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "cells a king's move apart differ"


@dataclass(frozen=True)
class SelfTaxicab(Constraint):
    """No two cells that hold the same value v are v steps apart, counted in rows plus columns."""

    name: ClassVar[str] = "self-taxicab"

    def scope(self, geometry: Geometry) -> Cells:
        """All cells."""
        return tuple(range(geometry.cell_count))

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether no value is repeated as many steps away as it says."""
        return not any(
            values[other] == values[cell]
            for cell in range(geometry.cell_count)
            for other in at_distance(geometry.plain, cell, values[cell])
        )

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the value of each settled cell from the cells that many steps away."""
        for cell, mask in enumerate(masks):
            if mask and not mask & mask - 1:
                for other in at_distance(geometry.plain, cell, mask.bit_length()):
                    masks[other] &= ~mask
                    if not masks[other]:
                        return False
        return True

    def post(self, posting: Posting) -> None:
        """No two cells v steps apart both hold v."""
        geometry = posting.geometry.plain
        for cell in range(geometry.cell_count):
            for value, literal in posting.literals(cell).items():
                for other in at_distance(geometry, cell, value):
                    if other > cell and posting.masks[other] >> value - 1 & 1:
                        posting.forbid(literal, posting.literal(other, value))

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "no two cells with the same value are as many steps apart as the value says"


@lru_cache(maxsize=1 << 14)
def at_distance(geometry: Geometry, cell: int, distance: int) -> Cells:
    """The cells of other rows and columns that are `distance` steps away, counted in rows plus columns.

    >>> from csp_sudoku import Geometry
    >>> at_distance(Geometry.latin(3), 0, 3)
    (5, 7)
    """
    row, column = geometry.row_column(cell)
    found = []
    for other in range(geometry.cell_count):
        down, right = (abs(a - b) for a, b in zip(geometry.row_column(other), (row, column), strict=True))
        if down and right and down + right == distance:
            found.append(other)
    return tuple(found)
