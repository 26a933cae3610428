"""Lines whose set of values is what matters, and lines whose ends bound the values between them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import from_to, mask_of, values_of
from csp_sudoku.constraints.pairwise import Link, Pairwise, far_apart, post_link
from csp_sudoku.constraints.shapes import Label, LineMark, Mark, Ring
from csp_sudoku.constraints.value_sets import fitting, post_choice, post_different, post_inside, prune_sets

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class Renban(Constraint):
    """The cells hold different values that are consecutive, in any order."""

    name: ClassVar[str] = "renban"

    cells: Cells
    """The cells of the line. A cell that is named again, as at the end of a loop, counts once."""

    @property
    def distinct(self) -> Cells:
        """The cells, each once."""
        return tuple(dict.fromkeys(self.cells))

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are more cells than values."""
        super().require_fits(geometry)
        self.require(len(self.distinct) <= geometry.size, f"at most {geometry.size} cells", len(self.distinct))

    def runs(self, size: int) -> list[int]:
        """The sets of consecutive values of that length, as masks."""
        count = len(self.distinct)
        return [from_to(low, low + count - 1) for low in range(1, size - count + 2)]

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the values are a run without repetition."""
        return mask_of(values[cell] for cell in self.distinct) in self.runs(geometry.size)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates that are in no run that fits."""
        return prune_sets(masks, self.distinct, self.runs(geometry.size))

    def post(self, posting: Posting) -> None:
        """The values differ, and their set is one of the runs."""
        cells = self.distinct
        possible = fitting(posting.masks, cells, self.runs(posting.size))
        if not possible:
            posting.clause(())
            return
        post_different(posting, cells)
        post_choice(posting, post_inside(posting, cells, possible), possible)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.distinct)} hold consecutive values in any order"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A pink line."""
        return (LineMark(self.cells, "pink"),)


@dataclass(frozen=True)
class Nabner(Pairwise):
    """The cells hold different values, no two of which are consecutive."""

    name: ClassVar[str] = "nabner"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line. A cell that is named again, as at the end of a loop, counts once."""

    def links(self, geometry: Geometry) -> Iterable[Link]:
        """Every two cells differ by at least 2."""
        apart = far_apart(geometry.size, 2)
        return [(first, second, apart) for first, second in combinations(dict.fromkeys(self.cells), 2)]

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"no two values of {names_of(geometry, dict.fromkeys(self.cells))} are equal or consecutive"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A yellow line."""
        return (LineMark(self.cells, "yellow"),)


class Bounded(Constraint):
    """A line whose two ends determine which values may lie between them."""

    cells: Cells

    @abstractmethod
    def allowed(self, size: int, first: int, last: int) -> int | None:
        """The mask of the values that may lie between ends with these values; None if the ends clash."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the ends allow the values between them."""
        allowed = self.allowed(geometry.size, values[self.cells[0]], values[self.cells[-1]])
        return allowed is not None and all(allowed >> values[cell] - 1 & 1 for cell in self.cells[1:-1])

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the values of the ends that leave a cell between them no value, and the values that no ends allow."""
        first, *inner, last = self.cells
        between = {masks[cell] for cell in inner}
        firsts = lasts = union = 0
        for low in values_of(masks[first]):
            for high in values_of(masks[last]):
                allowed = self.allowed(geometry.size, low, high)
                if allowed is not None and all(mask & allowed for mask in between):
                    firsts |= 1 << low - 1
                    lasts |= 1 << high - 1
                    union |= allowed
        masks[first] &= firsts
        masks[last] &= lasts
        for cell in inner:
            masks[cell] &= union
        return all(masks[cell] for cell in self.cells)


@dataclass(frozen=True)
class Between(Bounded):
    """The values on the line lie strictly between those of its two ends."""

    name: ClassVar[str] = "between"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order, with both ends."""

    def allowed(self, size: int, first: int, last: int) -> int | None:  # noqa: ARG002 - the ends suffice
        """The values strictly between the ends."""
        return from_to(min(first, last) + 1, max(first, last) - 1)

    def post(self, posting: Posting) -> None:
        """Each value between the ends: one end is less, and the other one is greater."""
        for cell, value, below, above in _sides(posting, self.cells):
            held = ~posting.literal(cell, value)
            for smaller, larger in zip(below, reversed(above), strict=True):
                posting.clause((held, ~smaller, larger))
                posting.clause((held, smaller, ~larger))
            for smaller, larger in zip(below, above, strict=True):
                posting.clause((held, smaller, larger))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the values between the ends of {names_of(geometry, self.cells)} lie strictly between those of the ends"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A grey line between two circles."""
        return (LineMark(self.cells, width=0.12), Ring((self.cells[0], self.cells[-1]), is_hollow=True))


@dataclass(frozen=True)
class Lockout(Bounded):
    """The ends differ by at least the `difference`, and no value between them lies in the closed range of the ends."""

    name: ClassVar[str] = "lockout"
    least_cells: ClassVar[int] = 2

    cells: Cells
    """The cells of the line, in its order, with both ends."""
    difference: int | None = None
    """The least difference of the ends; None, the default, stands for (N - 1) // 2, which is 4 on 9×9."""

    def least(self, size: int) -> int:
        """The least difference of the ends."""
        return (size - 1) // 2 if self.difference is None else self.difference

    def allowed(self, size: int, first: int, last: int) -> int | None:
        """The values outside the range of the ends."""
        if abs(first - last) < self.least(size):
            return None
        return from_to(1, size) & ~from_to(min(first, last), max(first, last))

    def post(self, posting: Posting) -> None:
        """The ends are far apart; beside each value between them, both are less, or both are greater."""
        if self.cells[0] != self.cells[-1]:
            post_link(posting, self.cells[0], self.cells[-1], far_apart(posting.size, self.least(posting.size)))
        elif self.least(posting.size) > 0:
            posting.clause(())
        for cell, value, below, above in _sides(posting, self.cells):
            held = ~posting.literal(cell, value)
            for sides in (below, above):
                posting.clause((held, ~sides[0], sides[1]))
                posting.clause((held, sides[0], ~sides[1]))
            for smaller, larger in zip(below, above, strict=True):
                posting.clause((held, smaller, larger))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named = names_of(geometry, self.cells)
        return (
            f"the ends of {named} differ by at least {self.least(geometry.size)}, "
            "and the values between them lie outside the range of the ends"
        )

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A blue line between two diamonds."""
        ends = Ring((self.cells[0], self.cells[-1]), "diamond", is_hollow=True)
        marks = LineMark(self.cells, "blue", width=0.12), ends
        return marks if self.difference is None else (*marks, Label(self.cells[:2], f"≥{self.difference}", 0.22))


def _sides(posting: Posting, cells: Sequence[int]) -> Iterable[tuple[int, int, list[int], list[int]]]:
    """For each inner cell and value: whether each end holds less than the value, and whether it holds more."""
    first, *inner, last = cells
    values = sorted({value for cell in inner for value in posting.values(cell)})
    below = {value: [~posting.at_least(end, value) for end in (first, last)] for value in values}
    above = {value: [posting.at_least(end, value + 1) for end in (first, last)] for value in values}
    return [(cell, value, below[value], above[value]) for cell in inner for value in posting.values(cell)]
