"""Cells whose value says where something stands, in a row, a column, a block, or any list of cells."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import values_of
from csp_sudoku.constraints.shapes import Mark, Shade

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


class Pointer(Constraint):
    """A cell whose value v says that the cell at place v of a list holds a certain value."""

    @abstractmethod
    def pointer(self) -> int:
        """The cell that points."""

    @abstractmethod
    def places(self, geometry: Geometry) -> Cells:
        """The cells that it can point to: place 1 is the first."""

    @abstractmethod
    def sought(self, geometry: Geometry) -> int:
        """The value that stands where the cell points."""

    def scope(self, geometry: Geometry) -> Cells:
        """The cell, and all that it can point to."""
        return tuple(sorted({self.pointer(), *self.places(geometry)}))

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the value stands where the cell points."""
        return values[self.places(geometry)[values[self.pointer()] - 1]] == self.sought(geometry)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the places where the value cannot stand; if one place is left, settle it."""
        places, bit, cell = self.places(geometry), 1 << self.sought(geometry) - 1, self.pointer()
        kept = 0
        for value in values_of(masks[cell]):
            if masks[places[value - 1]] & bit:
                kept |= 1 << value - 1
        masks[cell] = kept
        if kept and not kept & kept - 1:
            masks[places[kept.bit_length() - 1]] &= bit
        return bool(kept)

    def post(self, posting: Posting) -> None:
        """Each value of the cell implies the value where it points."""
        places, sought = self.places(posting.geometry), self.sought(posting.geometry)
        for value, literal in posting.literals(self.pointer()).items():
            posting.clause((~literal, posting.literal(places[value - 1], sought)))


@dataclass(frozen=True)
class RowIndexer(Pointer):
    """A value v in row r says that r stands in row v of the same column."""

    name: ClassVar[str] = "row-indexer"

    cell: int
    """The cell."""

    def pointer(self) -> int:
        """The cell."""
        return self.cell

    def places(self, geometry: Geometry) -> Cells:
        """The cells of its column, from the top."""
        return geometry.regions[geometry.size + self.cell % geometry.size]

    def sought(self, geometry: Geometry) -> int:
        """The number of its row."""
        return self.cell // geometry.size + 1

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named, row = names_of(geometry, [self.cell]), self.sought(geometry)
        return f"{named} is the number of the row in which {row} stands in its column"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A green cell."""
        return (Shade((self.cell,), "green"),)


@dataclass(frozen=True)
class ColumnIndexer(Pointer):
    """A value v in column c says that c stands in column v of the same row."""

    name: ClassVar[str] = "column-indexer"

    cell: int
    """The cell."""

    def pointer(self) -> int:
        """The cell."""
        return self.cell

    def places(self, geometry: Geometry) -> Cells:
        """The cells of its row, from the left."""
        return geometry.regions[self.cell // geometry.size]

    def sought(self, geometry: Geometry) -> int:
        """The number of its column."""
        return self.cell % geometry.size + 1

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named, column = names_of(geometry, [self.cell]), self.sought(geometry)
        return f"{named} is the number of the column in which {column} stands in its row"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A red cell."""
        return (Shade((self.cell,), "red"),)


@dataclass(frozen=True)
class BoxIndexer(Pointer):
    """A value v at place p of a block says that p stands at place v of the same block."""

    name: ClassVar[str] = "box-indexer"

    cell: int
    """The cell."""

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are no blocks."""
        super().require_fits(geometry)
        self.require(bool(geometry.blocks), "a board with blocks", geometry.plain.name)

    def pointer(self) -> int:
        """The cell."""
        return self.cell

    def places(self, geometry: Geometry) -> Cells:
        """The cells of its block, in reading order."""
        return tuple(sorted(geometry.blocks[geometry.block_of[self.cell]]))

    def sought(self, geometry: Geometry) -> int:
        """The place of the cell in its block, counted from 1."""
        return self.places(geometry).index(self.cell) + 1

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named, place = names_of(geometry, [self.cell]), self.sought(geometry)
        return f"{named} is the place in its block where {place} stands"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A blue cell."""
        return (Shade((self.cell,), "blue"),)
