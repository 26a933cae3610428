"""Arrows and other lines on which groups of cells have equal or given sums."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.sequences import Sequential
from csp_sudoku.constraints.shapes import ArrowMark, Label, LineMark, Mark, Ring
from csp_sudoku.constraints.totals import post_equal, prune_equal, prune_terms

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


def _steps(geometry: Geometry, cell: int, other: int) -> int:
    """The number of king's moves from one cell to another."""
    places = zip(geometry.row_column(cell), geometry.row_column(other), strict=True)
    return max(abs(one - two) for one, two in places)


class EqualSums(Constraint):
    """Groups of cells have the same sum."""

    @abstractmethod
    def groups(self, geometry: Geometry) -> list[Cells]:
        """The groups."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the sums are equal."""
        return len({sum(values[cell] for cell in cells) for cells in self.groups(geometry)}) <= 1

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates with which the sums cannot be equal."""
        groups = self.groups(geometry)
        return len(groups) < 2 or prune_equal(geometry, masks, groups)

    def post(self, posting: Posting) -> None:
        """The groups share a sum."""
        groups = self.groups(posting.geometry)
        if len(groups) > 1:
            post_equal(posting, groups)


@dataclass(frozen=True)
class Arrow(EqualSums):
    """The values on the shaft add up to the number in the circle."""

    name: ClassVar[str] = "arrow"

    circle: Cells
    """The cells of the circle, one to three. Several are read as the digits of one number, the first cell first."""
    shaft: Cells
    """The cells of the shaft, without the circle."""

    def validate(self) -> None:
        """Raise ConstraintError unless there are a circle and a shaft."""
        self.require(1 <= len(self.circle) <= 3, "one to three cells in the circle", len(self.circle))
        self.require(len(self.shaft) >= 1, "at least 1 cell on the shaft", 0)
        self.require_different(self.circle)

    def named_cells(self) -> Cells:
        """The circle and the shaft."""
        return self.circle + self.shaft

    @property
    def terms(self) -> list[tuple[int, int]]:
        """The coefficients and cells whose sum is 0."""
        tens = [10 ** (len(self.circle) - 1 - at) for at in range(len(self.circle))]
        return [*zip(tens, self.circle, strict=True), *[(-1, cell) for cell in self.shaft]]

    def groups(self, geometry: Geometry) -> list[Cells]:  # noqa: ARG002 - the same on every board
        """The circle and the shaft."""
        return [self.circle, self.shaft]

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the shaft adds up to the number in the circle."""
        return sum(coefficient * values[cell] for coefficient, cell in self.terms) == 0

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates with which the sum and the number cannot be equal."""
        if len(self.circle) == 1:
            return super().prune(geometry, masks)
        return prune_terms(masks, self.terms, (0, 0))

    def post(self, posting: Posting) -> None:
        """The circle and the shaft share a sum; a number of several digits makes a linear equation."""
        if len(self.circle) == 1:
            super().post(posting)
        else:
            posting.sum(self.terms, (0, 0))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        number = "the number in " if len(self.circle) > 1 else ""
        return f"{names_of(geometry, self.shaft)} add up to {number}{names_of(geometry, self.circle)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """An arrow that begins at a circle."""
        nearest = min(self.circle, key=lambda cell: _steps(geometry, cell, self.shaft[0]))
        return (ArrowMark((nearest, *self.shaft), self.circle),)


@dataclass(frozen=True)
class DoubleArrow(EqualSums):
    """The values between the two ends of the line add up to the sum of the ends."""

    name: ClassVar[str] = "double-arrow"
    least_cells: ClassVar[int] = 3

    cells: Cells
    """The cells of the line, in its order, with both ends."""

    def groups(self, geometry: Geometry) -> list[Cells]:  # noqa: ARG002 - the same on every board
        """The two ends, and the cells between them."""
        return [(self.cells[0], self.cells[-1]), self.cells[1:-1]]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the cells between the ends of {names_of(geometry, self.cells)} add up to the sum of the ends"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A thin grey line between two circles."""
        return (LineMark(self.cells, width=0.06), Ring((self.cells[0], self.cells[-1]), is_hollow=True))


@dataclass(frozen=True)
class RegionSumLine(EqualSums):
    """The line has the same sum in every block; each separate stay in a block counts on its own."""

    name: ClassVar[str] = "region-sum-line"

    cells: Cells
    """The cells of the line, in its order."""

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are no blocks."""
        super().require_fits(geometry)
        self.require(bool(geometry.blocks), "a board with blocks", geometry.plain.name)

    def groups(self, geometry: Geometry) -> list[Cells]:
        """The parts of the line, each in one block."""
        return [tuple(part) for _, part in groupby(self.cells, geometry.block_of.__getitem__)]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} has the same sum in every block"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A blue line."""
        return (LineMark(self.cells, "blue"),)


@dataclass(frozen=True)
class Zipper(EqualSums):
    """Cells equally far from the centre of the line add up to the same sum; a cell in the centre is that sum."""

    name: ClassVar[str] = "zipper"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order."""

    def groups(self, geometry: Geometry) -> list[Cells]:  # noqa: ARG002 - the same on every board
        """The pairs, and the centre if there is one."""
        half, odd = divmod(len(self.cells), 2)
        pairs: list[Cells] = [(self.cells[at], self.cells[-1 - at]) for at in range(half)]
        return [*pairs, (self.cells[half],)] if odd else pairs

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"cells equally far from the centre of {names_of(geometry, self.cells)} have the same sum"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A violet line."""
        return (LineMark(self.cells, "violet"),)


@dataclass(frozen=True)
class SumLine(Sequential):
    """The line falls into runs of cells, each of which adds up to the `total`, N + 1 unless it is given.

    A line that ends in the cell in which it begins is a loop, whose runs may begin anywhere. A state is a set of pairs
    of numbers: what a run that began before the first cell had added up to, and what the present run has added up to.
    """

    name: ClassVar[str] = "sum-line"

    cells: Cells
    """The cells of the line, in its order."""
    total: int | None = None
    """The sum; None, the default, stands for N + 1, which is 10 on 9×9."""

    def validate(self) -> None:
        """Raise ConstraintError if no run can have the sum."""
        self.require(self.total is None or self.total >= 1, "a sum of at least 1", self.total)

    def of_run(self, size: int) -> int:
        """The sum of each run."""
        return size + 1 if self.total is None else self.total

    @property
    def is_loop(self) -> bool:
        """Whether the line ends where it begins."""
        return len(self.cells) > 1 and self.cells[0] == self.cells[-1]

    def read(self) -> Cells:
        """The cells, each once."""
        return self.cells[:-1] if self.is_loop else self.cells

    def initial(self) -> frozenset[tuple[int, int]]:
        """The state before the first cell, which stands for every state in which a run can begin there."""
        return frozenset()

    def step(self, size: int, state: Any, value: int) -> frozenset[tuple[int, int]] | None:
        """Add a value to the present run; None if it becomes too large."""
        total = self.of_run(size)
        before = state or {(added, added) for added in range(total if self.is_loop else 1)}
        after = frozenset((first, (added + value) % total) for first, added in before if added + value <= total)
        return after or None

    def accepts(self, size: int, state: Any) -> bool:  # noqa: ARG002 - the state suffices
        """Whether the present run is complete, or goes on in the one that began before the first cell."""
        return any(first == added for first, added in state)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.read())} falls into runs that add up to {self.of_run(geometry.size)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A red line."""
        line = LineMark(self.cells, "red")
        return (line,) if self.total is None else (line, Label(self.cells[:2], f"Σ {self.total}", 0.22))
