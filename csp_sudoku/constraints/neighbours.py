"""Lines on which every two neighbours, or every few cells in a row, stand in a relation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, names_of
from csp_sudoku.constraints.pairwise import Link, Pairwise, Relation, complement, far_apart, in_order, relation
from csp_sudoku.constraints.shapes import Label, LineMark, Mark

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class Whispers(Pairwise):
    """Neighbours on the line differ by at least the `difference`, which is 5 on 9×9 unless it is given."""

    name: ClassVar[str] = "whispers"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""
    difference: int | None = None
    """The least difference; None, the default, stands for (N + 1) // 2, which is 5 on 9×9."""

    def least(self, geometry: Geometry) -> int:
        """The least difference on boards of this geometry."""
        return (geometry.size + 1) // 2 if self.difference is None else self.difference

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Neighbours are far apart."""
        return in_order(self.cells, far_apart(geometry.size, self.least(geometry)))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"neighbours along {names_of(geometry, self.cells)} differ by at least {self.least(geometry)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A green line."""
        line = LineMark(self.cells, "green")
        return (line,) if self.difference is None else (line, Label(self.cells[:2], f"≥{self.difference}", 0.22))


def _in_windows(cells: Cells, length: int, same: Relation) -> list[Link]:
    """Cells fewer than `length` steps apart on the line are of different classes, and cells as far apart of the same.

    `same` is the relation of the values of one class, of which there are `length`.
    """
    other = complement(same)
    links = [
        (cells[at], cells[at + step], other if step < length else same)
        for at in range(len(cells))
        for step in range(1, length + 1)
        if at + step < len(cells)
    ]
    return [link for link in links if link[0] != link[1] or link[2] is other]


@dataclass(frozen=True)
class Entropic(Pairwise):
    """Every three cells in a row on the line hold a low, a middle and a high value (three equal ranges).

    The two cells of a line of two hold values of different ranges.
    """

    name: ClassVar[str] = "entropic"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if the values have no three equal ranges."""
        super().require_fits(geometry)
        self.require(geometry.size % 3 == 0, "a number of values that 3 divides", geometry.size)

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Cells one and two steps apart have different ranges, and cells three steps apart the same."""
        return _in_windows(self.cells, 3, _same_class(geometry.size, 0, geometry.size // 3))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return (
            f"every three cells in a row along {names_of(geometry, self.cells)} have a low, a middle and a high value"
        )

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """An orange line."""
        return (LineMark(self.cells, "orange"),)


@dataclass(frozen=True)
class Modular(Pairwise):
    """Every `modulus` cells in a row on the line hold values with different remainders."""

    name: ClassVar[str] = "modular"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""
    modulus: int = 3
    """The modulus, at least 2 (default 3)."""

    def validate(self) -> None:
        """Raise ConstraintError if there is no such modulus."""
        self.require(self.modulus >= 2, "a modulus of at least 2", self.modulus)

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Cells less than the modulus apart have different remainders, and cells as far apart the same."""
        return _in_windows(self.cells, self.modulus, _same_class(geometry.size, self.modulus, 1))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named = names_of(geometry, self.cells)
        return f"every {self.modulus} cells in a row along {named} differ modulo {self.modulus}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A teal line."""
        line = LineMark(self.cells, "teal")
        return (line,) if self.modulus == 3 else (line, Label(self.cells[:2], f"mod {self.modulus}", 0.22))


@lru_cache(maxsize=64)
def _same_class(size: int, modulus: int, width: int) -> Relation:
    """Both values have the same remainder, or with modulus 0 both are in the same range of `width` values."""

    def class_of(value: int) -> int:
        return value % modulus if modulus else (value - 1) // width

    return relation(size, lambda a, b: class_of(a) == class_of(b))


@dataclass(frozen=True)
class Neighbours(Pairwise):
    """Every two neighbours on the line, in its order, hold one of the pairs of values.

    >>> Neighbours.where([0, 1, 2], 4, lambda a, b: a + b == 5).pairs
    ((1, 4), (2, 3), (3, 2), (4, 1))
    """

    name: ClassVar[str] = "neighbours"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""
    pairs: tuple[tuple[int, int], ...]
    """The allowed pairs (value, next value)."""

    @classmethod
    def where(cls, cells: Iterable[int], size: int, is_allowed: Callable[[int, int], bool]) -> Neighbours:
        """The constraint whose pairs of values from 1 to `size` are those that a function allows."""
        values = range(1, size + 1)
        return cls(tuple(cells), tuple((a, b) for a in values for b in values if is_allowed(a, b)))

    def validate(self) -> None:
        """Raise ConstraintError unless all pairs are pairs."""
        for pair in self.pairs:
            self.require(isinstance(pair, tuple) and len(pair) == 2, "pairs of values", pair)

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Neighbours hold an allowed pair."""
        return in_order(self.cells, _one_of(geometry.size, self.pairs))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"neighbours along {names_of(geometry, self.cells)} hold one of {len(self.pairs)} pairs of values"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed line."""
        return (LineMark(self.cells, width=0.08, is_dashed=True),)


@lru_cache(maxsize=64)
def _one_of(size: int, pairs: tuple[tuple[int, int], ...]) -> Relation:
    allowed = set(pairs)
    return relation(size, lambda a, b: (a, b) in allowed)
