"""Constraints that some groups of cells hold different values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import thirds
from csp_sudoku.constraints.shapes import CageMark, DiagonalMark, Mark, Shade
from csp_sudoku.constraints.value_sets import post_different, prune_different

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """The cells hold different values."""

    name: ClassVar[str] = "different"

    cells: Cells
    """The cells."""

    def validate(self) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require_different(self.cells)

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are more cells than values."""
        super().require_fits(geometry)
        self.require(len(self.cells) <= geometry.size, f"at most {geometry.size} cells", len(self.cells))

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether no two cells hold the same value."""
        return len({values[cell] for cell in self.cells}) == len(self.cells)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Remove the values of settled cells from the others."""
        return prune_different(masks, self.cells)

    def post(self, posting: Posting) -> None:
        """At most one of the cells, or exactly one of N cells, holds each value."""
        post_different(posting, self.cells)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the values of {names_of(geometry, self.cells)} differ"

    def regions(self, geometry: Geometry) -> tuple[Cells, ...] | None:
        """The cells, if they are as many as there are values."""
        return (self.cells,) if len(self.cells) == geometry.size else None

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed cage."""
        return (CageMark(self.cells),)


@dataclass(frozen=True)
class ExtraRegion(AllDifferent):
    """The cells hold different values, as a region does; N cells hold each value once."""

    name: ClassVar[str] = "region"

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the extra region {names_of(geometry, self.cells)} holds no value twice"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """Grey cells."""
        return (Shade(self.cells),)


class RegionsOfBoard(Constraint):
    """Regions of N cells that the geometry determines."""

    @abstractmethod
    def regions(self, geometry: Geometry) -> tuple[Cells, ...]:
        """The regions; a subclass says which."""

    def scope(self, geometry: Geometry) -> Cells:
        """The cells of all regions."""
        return tuple(sorted({cell for region in self.regions(geometry) for cell in region}))

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether each region holds each value once."""
        return all(len({values[cell] for cell in region}) == len(region) for region in self.regions(geometry))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the values of settled cells from the others of their regions."""
        return all(prune_different(masks, region) for region in self.regions(geometry))

    def post(self, posting: Posting) -> None:
        """Exactly one of the cells of each region holds each value."""
        for region in self.regions(posting.geometry):
            post_different(posting, region)


@dataclass(frozen=True)
class Diagonal(RegionsOfBoard):
    """The cells of a long diagonal hold different values."""

    name: ClassVar[str] = "diagonal"

    falling: bool
    """Whether the diagonal leads from the first cell to the last one; the other one rises from the first column."""

    def regions(self, geometry: Geometry) -> tuple[Cells, ...]:
        """The diagonal."""
        size = geometry.size
        return (tuple(row * size + (row if self.falling else size - 1 - row) for row in range(size)),)

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return f"the {'falling' if self.falling else 'rising'} diagonal holds no value twice"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A thin line from corner to corner."""
        return (DiagonalMark(self.falling),)


@dataclass(frozen=True)
class Windoku(RegionsOfBoard):
    """The windows, which lie between the blocks one cell from each border, hold each value once."""

    name: ClassVar[str] = "windoku"

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if the blocks are no rectangles."""
        found = geometry.plain.name
        self.require(bool(geometry.blocks) and geometry.m > 1, "a board with blocks of m rows × n columns", found)

    def regions(self, geometry: Geometry) -> tuple[Cells, ...]:
        """The windows."""
        m, n, size = geometry.m, geometry.n, geometry.size
        return tuple(
            tuple((top + row) * size + left + column for row in range(m) for column in range(n))
            for top in range(1, size - m, m + 1)
            for left in range(1, size - n, n + 1)
        )

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "the windows between the blocks hold no value twice"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """Grey windows."""
        return tuple([Shade(window) for window in self.regions(geometry)])


@dataclass(frozen=True)
class DisjointGroups(RegionsOfBoard):
    """Cells at the same place in their blocks hold different values."""

    name: ClassVar[str] = "disjoint-groups"

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are no blocks."""
        self.require(bool(geometry.blocks), "a board with blocks", geometry.plain.name)

    def regions(self, geometry: Geometry) -> tuple[Cells, ...]:
        """For each place in a block, its cells; the cells of a block are counted in reading order."""
        return tuple(zip(*map(sorted, geometry.blocks), strict=True))

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "cells at the same place in their blocks differ"


@dataclass(frozen=True)
class GlobalEntropy(Constraint):
    """Each 2×2 square of the board has a low, a middle and a high value (three equal ranges)."""

    name: ClassVar[str] = "global-entropy"

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if the values have no three equal ranges."""
        self.require(geometry.size % 3 == 0, "a number of values that 3 divides", geometry.size)

    def scope(self, geometry: Geometry) -> Cells:
        """All cells."""
        return tuple(range(geometry.cell_count))

    def squares(self, geometry: Geometry) -> list[Cells]:
        """The 2×2 squares."""
        size = geometry.size
        corners = [row * size + column for row in range(size - 1) for column in range(size - 1)]
        return [(corner, corner + 1, corner + size, corner + size + 1) for corner in corners]

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether each square has a value of each range."""
        third = geometry.size // 3
        return all(len({(values[cell] - 1) // third for cell in square}) == 3 for square in self.squares(geometry))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Settle the range of the only cell of a square that can hold it."""
        for square in self.squares(geometry):
            for span in thirds(geometry.size):
                able = [cell for cell in square if masks[cell] & span]
                if not able:
                    return False
                if len(able) == 1:
                    masks[able[0]] &= span
        return True

    def post(self, posting: Posting) -> None:
        """At least one cell of each square has each range."""
        of_range = [
            [
                posting.any_of(posting.literal(cell, value) for value in posting.values(cell) if span >> value - 1 & 1)
                for cell in range(posting.geometry.cell_count)
            ]
            for span in thirds(posting.size)
        ]
        for square in self.squares(posting.geometry):
            for literals in of_range:
                posting.clause([literals[cell] for cell in square])

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return "each 2×2 square has a low, a middle and a high value"
