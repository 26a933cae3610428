"""Marks on single cells and on corners."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import mask_of
from csp_sudoku.constraints.pairwise import Link, Pairwise, less, neighbours
from csp_sudoku.constraints.shapes import Angle, DotMark, Mark, NoteMark, Ring, Shade

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


class Limited(Constraint):
    """The value of one cell is one of some values."""

    cell: int

    @abstractmethod
    def allowed(self, size: int) -> int:
        """The mask of the allowed values."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the value is allowed."""
        return bool(self.allowed(geometry.size) >> values[self.cell] - 1 & 1)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the other values."""
        masks[self.cell] &= self.allowed(geometry.size)
        return bool(masks[self.cell])

    def post(self, posting: Posting) -> None:
        """The cell holds no other value."""
        allowed = self.allowed(posting.size)
        for value, literal in posting.literals(self.cell).items():
            if not allowed >> value - 1 & 1:
                posting.clause([~literal])


@dataclass(frozen=True)
class Odd(Limited):
    """The value is odd."""

    name: ClassVar[str] = "odd"

    cell: int
    """The cell."""

    def allowed(self, size: int) -> int:
        """The odd values."""
        return mask_of(range(1, size + 1, 2))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, [self.cell])} is odd"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A grey circle."""
        return (Ring((self.cell,)),)


@dataclass(frozen=True)
class Even(Limited):
    """The value is even."""

    name: ClassVar[str] = "even"

    cell: int
    """The cell."""

    def allowed(self, size: int) -> int:
        """The even values."""
        return mask_of(range(2, size + 1, 2))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, [self.cell])} is even"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A grey square."""
        return (Ring((self.cell,), "square"),)


@dataclass(frozen=True)
class OneOf(Limited):
    """The value is one of the `values`."""

    name: ClassVar[str] = "one-of"

    cell: int
    """The cell."""
    values: tuple[int, ...]
    """The allowed values."""

    def validate(self) -> None:
        """Raise ConstraintError for a value below 1."""
        self.require(min(self.values, default=1) >= 1, "values of at least 1", min(self.values, default=1))

    def allowed(self, size: int) -> int:
        """The values that the board has among them."""
        return mask_of(value for value in self.values if value <= size)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, [self.cell])} is one of {' '.join(map(str, self.values))}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """Small digits in the cell."""
        return (NoteMark((self.cell,), " ".join(map(str, self.values))),)


class Extreme(Pairwise):
    """Marked cells that hold less, or more, than all their neighbours that are not marked."""

    cells: Cells

    def pairs(self, geometry: Geometry) -> list[tuple[int, int]]:
        """Each marked cell with each neighbour that is not marked."""
        marked = set(self.cells)
        pairs = list(neighbours(geometry))
        pairs += [(second, first) for first, second in pairs]
        return [(cell, other) for cell, other in pairs if cell in marked and other not in marked]

    def scope(self, geometry: Geometry) -> Cells:
        """The marked cells and their neighbours."""
        return tuple(sorted({cell for pair in self.pairs(geometry) for cell in pair} | set(self.cells)))


@dataclass(frozen=True)
class Minimum(Extreme):
    """Each of the cells holds less than each neighbour in its row and column that is not among the cells."""

    name: ClassVar[str] = "minimum"

    cells: Cells
    """All marked cells of the board."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Each marked cell holds less than its neighbours."""
        return [(cell, other, less(geometry.size)) for cell, other in self.pairs(geometry)]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} hold less than their neighbours"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """Grey cells, with angles whose tips are at the smaller values."""
        return (Shade(self.cells), *[Angle((other, cell)) for cell, other in self.pairs(geometry)])


@dataclass(frozen=True)
class Maximum(Extreme):
    """Each of the cells holds more than each neighbour in its row and column that is not among the cells."""

    name: ClassVar[str] = "maximum"

    cells: Cells
    """All marked cells of the board."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Each marked cell holds more than its neighbours."""
        return [(other, cell, less(geometry.size)) for cell, other in self.pairs(geometry)]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} hold more than their neighbours"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """Grey cells, with angles whose tips are at the smaller values."""
        return (Shade(self.cells), *[Angle((cell, other)) for cell, other in self.pairs(geometry)])


@dataclass(frozen=True)
class Quadruple(Constraint):
    """The cells hold the values, among others; a value that is given twice occurs twice."""

    name: ClassVar[str] = "quadruple"

    cells: Cells
    """The cells around a corner."""
    values: tuple[int, ...]
    """The values."""

    def validate(self) -> None:
        """Raise ConstraintError for more values than cells."""
        self.require_different(self.cells)
        self.require(len(self.values) <= len(self.cells), f"at most {len(self.cells)} values", len(self.values))

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError for a value that the board does not have."""
        super().require_fits(geometry)
        for value in self.values:
            self.require(1 <= value <= geometry.size, f"values from 1 to {geometry.size}", value)

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether each value is there as often as it is given."""
        return Counter(self.values) <= Counter(values[cell] for cell in self.cells)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Settle values that have no place to spare; if the values fill all cells, remove the others."""
        if len(self.values) == len(self.cells):
            for cell in self.cells:
                masks[cell] &= mask_of(self.values)
        for value, count in Counter(self.values).items():
            bit = 1 << value - 1
            able = [cell for cell in self.cells if masks[cell] & bit]
            if len(able) < count:
                return False
            if len(able) == count:
                for cell in able:
                    masks[cell] = bit
        return all(masks[cell] for cell in self.cells)

    def post(self, posting: Posting) -> None:
        """At least as many cells hold each value as it is given."""
        for value, count in Counter(self.values).items():
            literals = [posting.literal(cell, value) for cell in self.cells]
            if count == 1:
                posting.clause(literals)
            else:
                posting.count([(1, literal) for literal in literals], (count, len(self.cells)))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{' '.join(map(str, self.values))} are among the values of {names_of(geometry, self.cells)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A circle with the values."""
        half = (len(self.values) + 1) // 2 if len(self.values) > 2 else len(self.values)
        words = [" ".join(map(str, part)) for part in (self.values[:half], self.values[half:]) if part]
        return (DotMark(self.cells, text="\n".join(words), radius=0.27),)
