"""Marks between two neighbours, and what their absence means."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, names_of
from csp_sudoku.constraints.pairwise import (
    Link,
    Pairwise,
    Relation,
    add_up,
    complement,
    differ_by,
    have_ratio,
    less,
    neighbours,
)
from csp_sudoku.constraints.shapes import Angle, DotMark, Label, Mark

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry

LETTERS = {10: "X", 5: "V"}
"""The letters that stand for sums of two neighbours."""

Pairs = tuple[tuple[int, int], ...]
"""Pairs of cells."""


class TwoCells(Pairwise):
    """A constraint on two cells."""

    cells: Cells

    def validate(self) -> None:
        """Raise ConstraintError unless there are two cells."""
        self.require(len(self.cells) == 2, "2 cells", len(self.cells))
        self.require_different(self.cells)


class Dot(TwoCells):
    """A relation of two cells that holds in both directions."""

    @abstractmethod
    def relation(self, size: int) -> Relation:
        """The relation of the two values."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """The two cells and their relation."""
        return [(*self.cells, self.relation(geometry.size))]  # type: ignore[list-item] # there are two cells


@dataclass(frozen=True)
class Difference(Dot):
    """The two values differ by the `difference`."""

    name: ClassVar[str] = "difference"

    cells: Cells
    """The two cells."""
    difference: int = 1
    """The difference (default 1)."""

    def relation(self, size: int) -> Relation:
        """The relation of the two values."""
        return differ_by(size, (self.difference,))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} differ by {self.difference}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A white dot, with the difference unless it is 1."""
        return (_dot(self.cells, self.difference, 1),)


@dataclass(frozen=True)
class Ratio(Dot):
    """One of the two values is the other one times the `ratio`."""

    name: ClassVar[str] = "ratio"

    cells: Cells
    """The two cells."""
    ratio: int = 2
    """The ratio (default 2)."""

    def relation(self, size: int) -> Relation:
        """The relation of the two values."""
        return have_ratio(size, (self.ratio,))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"one of {names_of(geometry, self.cells)} is {self.ratio} times the other"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A black dot, with the ratio unless it is 2."""
        return (_dot(self.cells, self.ratio, 2, is_filled=True),)


@dataclass(frozen=True)
class PairSum(Dot):
    """The two values add up to the `total`: 10 for X, 5 for V."""

    name: ClassVar[str] = "pair-sum"

    cells: Cells
    """The two cells."""
    total: int
    """The sum."""

    def relation(self, size: int) -> Relation:
        """The relation of the two values."""
        return add_up(size, (self.total,))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} add up to {self.total}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """X for 10, V for 5, or the sum."""
        return (Label(self.cells, LETTERS.get(self.total, str(self.total))),)


@dataclass(frozen=True)
class Greater(TwoCells):
    """The first value is greater than the second one."""

    name: ClassVar[str] = "greater"

    cells: Cells
    """The two cells."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """The second value is less than the first one."""
        first, second = self.cells
        return [(second, first, less(geometry.size))]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{' > '.join(names_of(geometry, [cell]) for cell in self.cells)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """An angle whose tip is at the smaller value."""
        return (Angle(self.cells),)


class Unmarked(Pairwise):
    """Neighbours in a row or a column never stand in a relation, except for marked pairs of cells."""

    marked: Pairs = ()

    def validate(self) -> None:
        """Raise ConstraintError unless all marked pairs are pairs."""
        for pair in self.marked:
            self.require(isinstance(pair, tuple) and len(pair) == 2, "pairs of cells", pair)

    def named_cells(self) -> Cells:
        """The cells of the marked pairs."""
        return tuple([cell for pair in self.marked for cell in pair])

    def scope(self, geometry: Geometry) -> Cells:
        """All cells."""
        return tuple(range(geometry.cell_count))

    @abstractmethod
    def forbidden(self, size: int) -> Relation:
        """The relation in which unmarked neighbours do not stand."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """The unmarked pairs of neighbours."""
        marked, other = set(map(frozenset, self.marked)), complement(self.forbidden(geometry.size))
        return [(*pair, other) for pair in neighbours(geometry) if frozenset(pair) not in marked]

    def _told(self, rule: str) -> str:
        """A sentence about all neighbours, with the number of exceptions."""
        count = len(self.marked)
        return f"no neighbours {rule}" + (f", except for {count} marked pair{'s' * (count > 1)}" if count else "")


@dataclass(frozen=True)
class NonConsecutive(Unmarked):
    """Neighbours in a row or a column never hold consecutive values."""

    name: ClassVar[str] = "non-consecutive"

    def forbidden(self, size: int) -> Relation:
        """The values are consecutive."""
        return differ_by(size, (1,))

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return self._told("are consecutive")


@dataclass(frozen=True)
class NoDifference(Unmarked):
    """Neighbours in a row or a column never differ by one of `differences`, except for the marked pairs."""

    name: ClassVar[str] = "no-difference"

    marked: Pairs = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    differences: tuple[int, ...] = (1,)
    """The forbidden differences (default: 1)."""

    def forbidden(self, size: int) -> Relation:
        """The values differ by one of the numbers."""
        return differ_by(size, self.differences)

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return self._told(f"differ by {_either(self.differences)}")


@dataclass(frozen=True)
class NoRatio(Unmarked):
    """Of neighbours in a row or a column, none is one of `ratios` times the other, except for the marked pairs."""

    name: ClassVar[str] = "no-ratio"

    marked: Pairs = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    ratios: tuple[int, ...] = (2,)
    """The forbidden ratios (default: 2)."""

    def forbidden(self, size: int) -> Relation:
        """One value is one of the numbers times the other."""
        return have_ratio(size, self.ratios)

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return self._told(f"have the ratio {_either(self.ratios)}")


@dataclass(frozen=True)
class NoPairSum(Unmarked):
    """Neighbours in a row or a column never add up to one of `totals`, except for the marked pairs."""

    name: ClassVar[str] = "no-pair-sum"

    marked: Pairs = ()
    """The pairs of cells that are marked, and so left out (default: none)."""
    totals: tuple[int, ...] = (5, 10)
    """The forbidden sums (default: 5 and 10)."""

    def forbidden(self, size: int) -> Relation:
        """The values add up to one of the numbers."""
        return add_up(size, self.totals)

    def describe(self, geometry: Geometry) -> str:  # noqa: ARG002 - it is the same on every board
        """The constraint as a short sentence."""
        return self._told(f"add up to {_either(self.totals)}")


def _dot(cells: Cells, number: int, usual: int, *, is_filled: bool = False) -> DotMark:
    """A dot with a number, unless that is the usual one."""
    if number == usual:
        return DotMark(cells, is_filled)
    return DotMark(cells, is_filled, str(number), radius=0.17)


def _either(numbers: Iterable[int]) -> str:
    return " or ".join(map(str, numbers))
