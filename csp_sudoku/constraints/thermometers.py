"""Lines and groups whose values grow, or repeat, in the order of the cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, names_of
from csp_sudoku.constraints.pairwise import Link, Pairwise, at_most, equal, in_order, less
from csp_sudoku.constraints.shapes import LineMark, Mark, Shade

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class Thermometer(Pairwise):
    """The values grow strictly along the line."""

    name: ClassVar[str] = "thermometer"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order: the bulb first."""

    def validate(self) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require_different(self.cells)

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Each cell holds less than the next one."""
        return in_order(self.cells, less(geometry.size))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the values grow along {names_of(geometry, self.cells)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A thermometer."""
        return (LineMark(self.cells, width=0.3, bulb=0.38),)


@dataclass(frozen=True)
class SlowThermometer(Pairwise):
    """The values never fall along the line."""

    name: ClassVar[str] = "slow-thermometer"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order: the bulb first."""

    def validate(self) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require_different(self.cells)

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Each cell holds at most what the next one holds."""
        return in_order(self.cells, at_most(geometry.size))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the values never fall along {names_of(geometry, self.cells)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A teal thermometer."""
        return (LineMark(self.cells, "teal", width=0.3, bulb=0.38),)


@dataclass(frozen=True)
class Palindrome(Pairwise):
    """The line reads the same in both directions."""

    name: ClassVar[str] = "palindrome"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Cells equally far from the two ends are equal."""
        same = equal(geometry.size)
        half = len(self.cells) // 2
        return [
            (self.cells[at], self.cells[-1 - at], same) for at in range(half) if self.cells[at] != self.cells[-1 - at]
        ]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} reads the same in both directions"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A grey line."""
        return (LineMark(self.cells),)


@dataclass(frozen=True)
class Clone(Pairwise):
    """Two groups of cells hold the same values, cell by cell."""

    name: ClassVar[str] = "clone"

    cells: Cells
    """The cells of the first group."""
    copies: Cells
    """The cells of the second group, in the same order."""

    def validate(self) -> None:
        """Raise ConstraintError if the groups have different sizes."""
        self.require(len(self.cells) == len(self.copies), f"{len(self.cells)} copies", len(self.copies))

    def named_cells(self) -> Cells:
        """The cells of both groups."""
        return self.cells + self.copies

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Each cell is equal to its copy."""
        same = equal(geometry.size)
        return [(cell, copy, same) for cell, copy in zip(self.cells, self.copies, strict=True) if cell != copy]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} hold the same values as {names_of(geometry, self.copies)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """Grey cells."""
        return (Shade(self.named_cells()),)
