"""Clues outside the board about a row, a column or a diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import sets_by_sum, subsets_by_sum, values_of
from csp_sudoku.constraints.indexing import Pointer
from csp_sudoku.constraints.ordering import post_less
from csp_sudoku.constraints.posting import FALSE, TRUE
from csp_sudoku.constraints.shapes import CageMark, Mark, Outside
from csp_sudoku.constraints.totals import post_sum, prune_total
from csp_sudoku.constraints.value_sets import fitting, post_members, post_total, prune_sets, sets_with
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


def seen_from(geometry: Geometry, row: int, column: int) -> Cells:
    """The cells of a row or a column in the order in which a clue outside the board sees them.

    `row` and `column` are the place of the clue: one of them is -1 or N, and the other from 0 to N - 1.

    >>> from csp_sudoku import Geometry
    >>> seen_from(Geometry.standard(2, 2), 1, 4)
    (7, 6, 5, 4)
    """
    size = geometry.size
    if row in (-1, size) and 0 <= column < size:
        cells = [geometry.cell(r, column) for r in range(size)]
        return tuple(cells if row < 0 else cells[::-1])
    if column in (-1, size) and 0 <= row < size:
        cells = [geometry.cell(row, c) for c in range(size)]
        return tuple(cells if column < 0 else cells[::-1])
    raise ConstraintError(
        f"expected a clue beside a row or a column, with -1 or {size} as its column or row; found {(row, column)}"
    )


def diagonal_from(geometry: Geometry, cell: int, down: int, right: int) -> Cells:
    """The cells of a diagonal from `cell` to the border.

    `down` and `right` are its direction, each 1 or -1: -1 leads up, or to the left.

    >>> from csp_sudoku import Geometry
    >>> diagonal_from(Geometry.standard(2, 2), 1, 1, 1)
    (1, 6, 11)
    """
    row, column = geometry.row_column(cell)
    cells = []
    while 0 <= row < geometry.size and 0 <= column < geometry.size:
        cells.append(geometry.cell(row, column))
        row, column = row + down, column + right
    return tuple(cells)


@dataclass(frozen=True)
class LittleKiller(Constraint):
    """The values along a diagonal add up to the `total`; they may repeat."""

    name: ClassVar[str] = "little-killer"

    cells: Cells
    """The cells of the diagonal, from the clue on."""
    total: int
    """The sum."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the values have the sum."""
        return sum(values[cell] for cell in self.cells) == self.total

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates with which the sum cannot be reached."""
        return prune_total(geometry, masks, self.cells, self.total)

    def post(self, posting: Posting) -> None:
        """The cells have the sum."""
        post_sum(posting, self.cells, self.total)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{names_of(geometry, self.cells)} add up to {self.total}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """A number outside with an arrow."""
        row, column = geometry.row_column(self.cells[0])
        ways = [(1 if row == 0 else -1, 1 if column == 0 else -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
        for down, right in ways:
            place = row - down, column - right
            is_outside = not all(0 <= at < geometry.size for at in place)
            if is_outside and diagonal_from(geometry, self.cells[0], down, right) == self.cells:
                return (Outside(*place, str(self.total), (down, right)),)
        return (CageMark(self.cells, f"Σ {self.total}"),)  # no diagonal from the border


class LineClue(Constraint):
    """A clue about a row or a column."""

    cells: Cells

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError unless the cells are a row or a column, from either end."""
        super().require_fits(geometry)
        lines = geometry.regions[: 2 * geometry.size]
        is_line = self.cells in lines or self.cells[::-1] in lines
        self.require(is_line, "the cells of a row or a column, in order", names_of(geometry, self.cells))

    def named(self, geometry: Geometry) -> str:
        """The row or the column and the end from which it is seen, as text."""
        step = self.cells[-1] - self.cells[0]
        kind = "row" if abs(step) < geometry.size else "column"
        row, column = geometry.row_column(self.cells[0])
        number = (row if kind == "row" else column) + 1
        ends = ("left", "right") if kind == "row" else ("top", "bottom")
        return f"{kind} {number} from the {ends[step < 0]}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """A number outside."""
        number = getattr(self, fields(self)[1].name)
        (row, column), step = geometry.row_column(self.cells[0]), self.cells[-1] - self.cells[0]
        down, right = (0, 1) if abs(step) < geometry.size else (1, 0)
        sign = 1 if step > 0 else -1
        return (Outside(row - sign * down, column - sign * right, str(number)),)


@dataclass(frozen=True)
class Sandwich(LineClue):
    """The values between 1 and N add up to the `total`."""

    name: ClassVar[str] = "sandwich"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    total: int
    """The sum."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the values between 1 and N have the sum."""
        held = [values[cell] for cell in self.cells]
        if not {1, geometry.size} <= set(held):
            return False
        first, last = sorted((held.index(1), held.index(geometry.size)))
        return sum(held[first + 1 : last]) == self.total

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove 1 and N where the other is nowhere at a distance that allows the sum."""
        size = geometry.size
        if size < 2:
            return self.total == 0
        one, top = 1, 1 << size - 1
        sets_of_gap = _sets_between(size, self.total)
        gaps = [gap for gap, sets in enumerate(sets_of_gap) if sets is None or sets]
        for bit, partner in ((one, top), (top, one)):
            able = [bool(masks[cell] & partner) for cell in self.cells]
            for at, cell in enumerate(self.cells):
                if masks[cell] & bit and not any(
                    0 <= other < size and able[other] for gap in gaps for other in (at - gap - 1, at + gap + 1)
                ):
                    masks[cell] ^= bit
                    if not masks[cell]:
                        return False
        ends = sorted(at for at, cell in enumerate(self.cells) if masks[cell] in (one, top))
        if len(ends) == 2 and ends[1] - ends[0] > 1:
            between = self.cells[ends[0] + 1 : ends[1]]
            sets = sets_of_gap[len(between)]
            return sets is None or prune_sets(masks, between, sets)
        return True

    def post(self, posting: Posting) -> None:
        """A cell is between 1 and N if exactly one of them stands before it; the values there have the sum."""
        size = posting.size
        if size < 2:
            posting.clause([] if self.total else [TRUE])
            return
        between, before = [], [FALSE, FALSE]
        for cell in self.cells:
            either, both = posting.any_of(before), posting.all_of(before)
            between.append(posting.all_of((either, ~both)))
            before = [
                posting.any_of((seen, posting.literal(cell, end))) for seen, end in zip(before, (1, size), strict=True)
            ]
        inside = post_members(posting, self.cells, range(2, size), between)
        subsets = subsets_by_sum(2, size - 1)
        sets = None if subsets is None else subsets.get(self.total, ())
        post_total(posting, inside, self.total, sets)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the values between 1 and {geometry.size} in {self.named(geometry)} add up to {self.total}"


@lru_cache(maxsize=1 << 10)
def _sets_between(size: int, total: int) -> tuple[list[int] | None, ...]:
    """For each number of cells from 0 to N - 2: the sets of so many values from 2 to N - 1 that add up to `total`.

    None in place of sets that are too many to list.
    """
    found: list[list[int] | None] = []
    for count in range(size - 1):
        by_sum = sets_by_sum(size - 2, count)
        found.append(None if by_sum is None else [mask << 1 for mask in by_sum.get(total - count, ())])
    return tuple(found)


@dataclass(frozen=True)
class XSum(LineClue):
    """The first X values add up to the `total`, where X is the first of them."""

    name: ClassVar[str] = "x-sum"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    total: int
    """The sum."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the first values have the sum."""
        return sum(values[cell] for cell in self.cells[: values[self.cells[0]]]) == self.total

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the first values with which the sum cannot be reached."""
        first = self.cells[0]
        kept, only_sets = 0, None
        for value in values_of(masks[first]):
            sets = _sets_from(geometry.size, value, self.total)
            left = None if sets is None else [one ^ 1 << value - 1 for one in fitting(masks, self.cells[:value], sets)]
            rest = self.cells[1:value]
            if left is None or (fitting(masks, rest, left) if rest else left):
                kept |= 1 << value - 1
                only_sets = left
        masks[first] = kept
        if not kept:
            return False
        rest = self.cells[1 : kept.bit_length()]
        if kept & kept - 1 or only_sets is None or not rest:
            return True
        return prune_sets(masks, rest, only_sets)

    def post(self, posting: Posting) -> None:
        """A cell belongs to the sum if the first value is at least its place; the values there have the sum."""
        size, first = posting.size, self.cells[0]
        belongs = [posting.at_least(first, place) for place in range(1, size + 1)]
        inside = post_members(posting, self.cells, range(1, size + 1), belongs)
        subsets = subsets_by_sum(1, size)
        sets = None
        if subsets is not None:
            counts = posting.values(first)
            sets = [
                one
                for one in subsets.get(self.total, ())
                if one.bit_count() in counts and one >> one.bit_count() - 1 & 1
            ]
        post_total(posting, inside, self.total, sets)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the first X values of {self.named(geometry)} add up to {self.total}, where X is the first of them"


@lru_cache(maxsize=1 << 12)
def _sets_from(size: int, first: int, total: int) -> list[int] | None:
    """The sets of `first` values with `first` among them that add up to `total`; None if they are too many to list."""
    sets = sets_with(size, first, total)
    return None if sets is None else [one for one in sets if one >> first - 1 & 1]


@dataclass(frozen=True)
class Skyscraper(LineClue):
    """The `count` is the number of values that are seen: each is higher than all before it."""

    name: ClassVar[str] = "skyscraper"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    count: int
    """How many values are seen."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether so many values are higher than all before them."""
        highest = seen = 0
        for cell in self.cells:
            if values[cell] > highest:
                highest = values[cell]
                seen += 1
        return seen == self.count

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the values that are too high for so many to be seen; a clue of 1 says that N comes first."""
        size = geometry.size
        for place, cell in enumerate(self.cells):
            highest = size + 1 + place - self.count
            if highest < size:
                masks[cell] &= (1 << max(0, highest)) - 1
        if self.count == 1:
            masks[self.cells[0]] &= 1 << size - 1
        return all(masks[cell] for cell in self.cells)

    def post(self, posting: Posting) -> None:
        """A value is seen if no higher one stands before it; so many are seen."""
        size = posting.size
        higher = dict.fromkeys(range(1, size + 1), FALSE)  # for each value: whether a higher one stands before
        seen = []
        for cell in self.cells:
            is_seen = posting.new_literal()
            seen.append((1, is_seen))
            for value, held in posting.literals(cell).items():
                posting.clause((~held, ~is_seen, ~higher[value]))
                posting.clause((~held, is_seen, higher[value]))
            for value in range(1, size):
                higher[value] = posting.any_of((higher[value], posting.at_least(cell, value + 1)))
        posting.count(seen, (self.count, self.count))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{self.count} values of {self.named(geometry)} are higher than all before them"


@dataclass(frozen=True)
class NumberedRoom(LineClue, Pointer):
    """The value at place X is the given `value`, where X is the first value."""

    name: ClassVar[str] = "numbered-room"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    value: int
    """The value."""

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError for a value that the board does not have."""
        super().require_fits(geometry)
        self.require(1 <= self.value <= geometry.size, f"a value from 1 to {geometry.size}", self.value)

    def pointer(self) -> int:
        """The first cell."""
        return self.cells[0]

    def places(self, geometry: Geometry) -> Cells:  # noqa: ARG002 - the same on every board
        """All cells of the line."""
        return self.cells

    def sought(self, geometry: Geometry) -> int:  # noqa: ARG002 - the same on every board
        """The value."""
        return self.value

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"the value at place X of {self.named(geometry)} is {self.value}, where X is the first value"


@dataclass(frozen=True)
class FullRank(LineClue):
    """Among the 4·N numbers that the rows and columns show from both ends, this one has the given `rank`.

    The digits of a number are the values in the order in which they are seen. No other number equals this one.
    """

    name: ClassVar[str] = "full-rank"

    cells: Cells
    """The cells of a row or a column, in the order in which they are seen from the clue."""
    rank: int
    """The place of the number when all are sorted, counted from 1."""

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there is no such rank."""
        super().require_fits(geometry)
        highest = 4 * geometry.size
        self.require(1 <= self.rank <= highest, f"a rank from 1 to {highest}", self.rank)

    def scope(self, geometry: Geometry) -> Cells:
        """All cells."""
        return tuple(range(geometry.cell_count))

    def others(self, geometry: Geometry) -> list[Cells]:
        """The cells of the other numbers."""
        lines = geometry.regions[: 2 * geometry.size]
        return [line for line in (*lines, *[line[::-1] for line in lines]) if line != self.cells]

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether so many numbers are less, and none is equal."""
        own = [values[cell] for cell in self.cells]
        others = [[values[cell] for cell in line] for line in self.others(geometry)]
        return own not in others and sum(other < own for other in others) == self.rank - 1

    def first_value(self) -> int:
        """The first value: each value comes first in four of the numbers, one for each side of the board."""
        return (self.rank - 1) // 4 + 1

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Settle the first value."""
        masks[self.cells[0]] &= 1 << self.first_value() - 1
        return bool(masks[self.cells[0]])

    def post(self, posting: Posting) -> None:
        """Of the three other numbers that begin with the same value, so many are less."""
        value = self.first_value()
        posting.clause([posting.literal(self.cells[0], value)])
        less = []
        for line in self.others(posting.geometry):
            begins = posting.literal(line[0], value)
            less.append((1, post_less(posting, line, self.cells, begins)))
        posting.count(less, ((self.rank - 1) % 4,) * 2)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"{self.named(geometry)} is number {self.rank} in the order of all rows and columns"
