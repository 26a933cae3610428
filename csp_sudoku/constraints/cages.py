"""Cages: groups of cells with a sum, a balance or a count of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.bitmasks import from_to, mask_of, sets_by_sum, values_of
from csp_sudoku.constraints.posting import INFINITY
from csp_sudoku.constraints.shapes import CageMark, Mark, NoteMark, Ring
from csp_sudoku.constraints.totals import prune_terms, prune_total
from csp_sudoku.constraints.value_sets import (
    fitting,
    post_different,
    post_inside,
    post_total,
    prune_different,
    prune_sets,
    sets_with,
)

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


class Cage(Constraint):
    """Cells that hold different values, whose set is one of some sets."""

    cells: Cells

    def validate(self) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require_different(self.cells)

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if there are more cells than values."""
        super().require_fits(geometry)
        self.require(len(self.cells) <= geometry.size, f"at most {geometry.size} cells", len(self.cells))


@dataclass(frozen=True)
class Killer(Cage):
    """The cells hold different values, which add up to the `total`, if it is given."""

    name: ClassVar[str] = "killer"

    cells: Cells
    """The cells."""
    total: int | None = None
    """The sum, or None (the default) for any."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the values differ and have the sum."""
        held = [values[cell] for cell in self.cells]
        return len(set(held)) == len(held) and self.total in (None, sum(held))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates that are in no set of values with the sum."""
        if self.total is None:
            return prune_different(masks, self.cells)
        sets = sets_with(geometry.size, len(self.cells), self.total)
        if sets is None:
            return prune_different(masks, self.cells) and prune_total(geometry, masks, self.cells, self.total)
        return prune_sets(masks, self.cells, sets)

    def post(self, posting: Posting) -> None:
        """The values differ, and their set is one of those with the sum."""
        post_different(posting, self.cells)
        if self.total is None:
            return
        sets = sets_with(posting.size, len(self.cells), self.total)
        if sets is None:
            posting.sum(((1, cell) for cell in self.cells), (self.total, self.total))
            return
        possible = fitting(posting.masks, self.cells, sets)
        if not possible:
            posting.clause(())
            return
        post_total(posting, post_inside(posting, self.cells, possible), self.total, possible)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        told = f"the values of {names_of(geometry, self.cells)} differ"
        return told if self.total is None else f"{told} and add up to {self.total}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed cage with its sum."""
        return (CageMark(self.cells, "" if self.total is None else str(self.total)),)


@dataclass(frozen=True)
class EqualityCage(Cage):
    """The cells hold different values, as many even as odd ones, and as many low as high ones.

    The value in the middle, if N is odd, is neither low nor high, so it is not in the cage.
    """

    name: ClassVar[str] = "equality-cage"

    cells: Cells
    """The cells."""

    def validate(self) -> None:
        """Raise ConstraintError if the number of cells is odd."""
        super().validate()
        self.require(len(self.cells) % 2 == 0, "an even number of cells", len(self.cells))

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the values differ, and half of them are even, low and high."""
        held = mask_of(values[cell] for cell in self.cells)
        halves = [(held & kind).bit_count() for kind in _kinds(geometry.size)]
        return held.bit_count() == len(self.cells) and halves == [len(self.cells) // 2] * 3

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates that are in no balanced set."""
        balanced = _balanced(geometry.size, len(self.cells))
        return prune_different(masks, self.cells) if balanced is None else prune_sets(masks, self.cells, balanced)

    def post(self, posting: Posting) -> None:
        """The values differ, and half of them are even, low and high."""
        post_different(posting, self.cells)
        half = len(self.cells) // 2
        for kind in _kinds(posting.size):
            literals = [posting.literal(cell, value) for cell in self.cells for value in values_of(kind)]
            posting.count([(1, literal) for literal in literals], (half, half))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        named = names_of(geometry, self.cells)
        return f"{named} hold different values, as many even as odd ones, and as many low as high ones"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed cage with an equals sign."""
        return (CageMark(self.cells, "="),)


def _kinds(size: int) -> tuple[int, int, int]:
    """The masks of the low, the high and the even values."""
    return from_to(1, size // 2), from_to((size + 1) // 2 + 1, size), mask_of(range(2, size + 1, 2))


@lru_cache(maxsize=64)
def _balanced(size: int, count: int) -> tuple[int, ...] | None:
    """The sets of `count` values with as many even as odd, and as many low as high; None if they are too many."""
    by_sum, kinds = sets_by_sum(size, count), _kinds(size)
    if by_sum is None:
        return None
    return tuple(
        one for sets in by_sum.values() for one in sets if all((one & kind).bit_count() == count // 2 for kind in kinds)
    )


RELATIONS = ("==", "!=", "<=", ">=", "<", ">")
"""The relations in which a `Sum` can stand to a number."""

SIGNS = {"==": " ", "!=": "≠", "<=": "≤", ">=": "≥", "<": "<", ">": ">"}
"""The signs of the relations in a drawing."""


@dataclass(frozen=True)
class Sum(Constraint):
    """The sum of the values, each times its coefficient, stands in a relation to the `total`."""

    name: ClassVar[str] = "sum"

    cells: Cells
    """The cells."""
    total: int
    """The number that the sum is compared with."""
    relation: str = "=="
    """The relation of the sum to `total`: one of == (the default), !=, <=, >=, < and >."""
    coefficients: tuple[int, ...] = ()
    """The coefficient of each cell; empty, the default, stands for 1 for each."""

    def validate(self) -> None:
        """Raise ConstraintError for an unknown relation, or a wrong number of coefficients."""
        self.require(self.relation in RELATIONS, f"a relation among {', '.join(RELATIONS)}", repr(self.relation))
        given = len(self.coefficients)
        self.require(given in (0, len(self.cells)), f"{len(self.cells)} coefficients, or none", given)
        large = max(map(abs, self.coefficients), default=1)
        self.require(large <= 10**6, "coefficients up to 1,000,000", large)
        self.require(abs(self.total) <= 10**9, "a total up to 1,000,000,000", self.total)

    @property
    def terms(self) -> list[tuple[int, int]]:
        """The coefficients and their cells."""
        return list(zip(self.coefficients or (1,) * len(self.cells), self.cells, strict=True))

    @property
    def domain(self) -> tuple[int, ...]:
        """The allowed values of the sum, as bounds of intervals."""
        total = self.total
        return {
            "==": (total, total),
            "!=": (-INFINITY, total - 1, total + 1, INFINITY),
            "<=": (-INFINITY, total),
            ">=": (total, INFINITY),
            "<": (-INFINITY, total - 1),
            ">": (total + 1, INFINITY),
        }[self.relation]

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the sum stands in the relation to the total."""
        found = sum(coefficient * values[cell] for coefficient, cell in self.terms)
        return any(low <= found <= high for low, high in zip(self.domain[::2], self.domain[1::2], strict=True))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Remove candidates with which no allowed sum can be reached."""
        return prune_terms(masks, self.terms, self.domain)

    def post(self, posting: Posting) -> None:
        """A linear relation of the integer variables of the cells."""
        posting.sum(self.terms, self.domain)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        told = [
            f"{names_of(geometry, [cell])}" if coefficient == 1 else f"{coefficient}·{names_of(geometry, [cell])}"
            for coefficient, cell in self.terms
        ]
        return f"{' + '.join(told)} {self.relation} {self.total}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed cage with the sum, and the coefficients in its cells."""
        cage = CageMark(self.cells, f"Σ{SIGNS[self.relation]}{self.total}")
        factors = [NoteMark((cell,), f"×{coefficient}") for coefficient, cell in self.terms if coefficient != 1]
        return (cage, *factors)


@dataclass(frozen=True)
class CountingCircles(Constraint):
    """A value in one of the cells is the number of these cells that hold it."""

    name: ClassVar[str] = "counting-circles"

    cells: Cells
    """The cells."""

    def validate(self) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require_different(self.cells)

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether each value among the cells is there as often as it says."""
        return all(value == count for value, count in Counter(values[cell] for cell in self.cells).items())

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove values for which too few cells are left, or that enough cells hold already."""
        for value in range(1, geometry.size + 1):
            bit = 1 << value - 1
            able = [cell for cell in self.cells if masks[cell] & bit]
            settled = sum(masks[cell] == bit for cell in able)
            if settled > value or (settled and len(able) < value):
                return False
            if len(able) < value or (settled == value < len(able)):
                for cell in able:
                    if masks[cell] != bit:
                        masks[cell] &= ~bit
            elif settled and len(able) == value:
                for cell in able:
                    masks[cell] = bit
        return all(masks[cell] for cell in self.cells)

    def post(self, posting: Posting) -> None:
        """Each value occurs as often as it says, or not at all; the occurring values add up to the number of cells."""
        used = []
        for value in range(1, posting.size + 1):
            literals = [posting.literal(cell, value) for cell in self.cells]
            is_used = posting.any_of(literals)
            used.append((value, is_used))
            posting.count([*[(1, literal) for literal in literals], (-value, is_used)], (0, 0))
        posting.count(used, (len(self.cells), len(self.cells)))

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"a value in {names_of(geometry, self.cells)} says how many of these cells hold it"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """Circles around the values."""
        return (Ring(self.cells, is_hollow=True),)
