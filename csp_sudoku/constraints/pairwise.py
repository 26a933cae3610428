"""The common part of constraints that consist of relations between two cells each.

A **relation** defines which pairs of values are allowed. It is a table with a mask for each value of the first cell:
the values that the second cell may hold then.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.bitmasks import from_to, mask_of, values_of

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class Relation:
    """A relation of two values.

    >>> values_of(differ_by(4, (1,)).forward[2])
    (1, 3)
    """

    forward: tuple[int, ...]
    """For each value of the first cell, the mask of the values that the second one may hold; entry 0 is not used."""
    backward: tuple[int, ...]
    """The same from the second cell to the first one."""

    def is_allowed(self, first: int, second: int) -> bool:
        """Whether the pair of values is allowed."""
        return bool(self.forward[first] >> second - 1 & 1)


def relation(size: int, is_allowed: Callable[[int, int], bool]) -> Relation:
    """The relation of the values from 1 to `size` that a function describes."""
    values = range(1, size + 1)
    return Relation(
        (0, *(mask_of(b for b in values if is_allowed(a, b)) for a in values)),
        (0, *(mask_of(a for a in values if is_allowed(a, b)) for b in values)),
    )


@cache
def differ(size: int) -> Relation:
    """The two values are different."""
    return relation(size, lambda a, b: a != b)


@cache
def equal(size: int) -> Relation:
    """The two values are equal."""
    return relation(size, lambda a, b: a == b)


@cache
def less(size: int) -> Relation:
    """The first value is less than the second one."""
    return relation(size, lambda a, b: a < b)


@cache
def at_most(size: int) -> Relation:
    """The first value is at most the second one."""
    return relation(size, lambda a, b: a <= b)


@cache
def differ_by(size: int, differences: tuple[int, ...]) -> Relation:
    """The two values differ by one of the numbers."""
    return relation(size, lambda a, b: abs(a - b) in differences)


@cache
def far_apart(size: int, difference: int) -> Relation:
    """The two values differ by at least a number."""
    return relation(size, lambda a, b: abs(a - b) >= difference)


@cache
def have_ratio(size: int, ratios: tuple[int, ...]) -> Relation:
    """One of the two values is the other one times one of the numbers."""
    return relation(size, lambda a, b: any(a == ratio * b or b == ratio * a for ratio in ratios))


@cache
def add_up(size: int, totals: tuple[int, ...]) -> Relation:
    """The two values add up to one of the numbers."""
    return relation(size, lambda a, b: a + b in totals)


@cache
def not_both(size: int, value: int) -> Relation:
    """The two cells do not both hold `value`."""
    return relation(size, lambda a, b: not a == b == value)


@cache
def complement(of: Relation) -> Relation:
    """The relation that allows what another one forbids."""
    full = from_to(1, len(of.forward) - 1)
    forward, backward = ((0, *(full & ~mask for mask in masks[1:])) for masks in (of.forward, of.backward))
    return Relation(forward, backward)


Link = tuple[int, int, Relation]
"""Two cells and their relation."""


class Pairwise(Constraint):
    """A constraint that holds if each of its links does."""

    @abstractmethod
    def links(self, geometry: Geometry) -> Iterable[Link]:
        """The links of the constraint on boards of this `geometry`."""

    def linked(self, geometry: Geometry) -> tuple[Link, ...]:
        """The links as a tuple, which is computed once for each geometry."""
        return _links(self, geometry.plain)

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether every link is satisfied."""
        return all(of.is_allowed(values[first], values[second]) for first, second, of in self.linked(geometry))

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove each value without a partner in a linked cell, to a fixpoint."""
        links = self.linked(geometry)
        narrowed = set(self.scope(geometry))
        while narrowed:
            before, narrowed = narrowed, set()
            for first, second, of in links:
                if first not in before and second not in before and first not in narrowed and second not in narrowed:
                    continue
                mask, other = masks[first], masks[second]
                kept_other = other & _partners(of.forward, mask)
                kept = mask & _partners(of.backward, kept_other)
                if not kept:
                    return False
                if kept != mask:
                    masks[first] = kept
                    narrowed.add(first)
                if kept_other != other:
                    masks[second] = kept_other
                    narrowed.add(second)
        return True

    def post(self, posting: Posting) -> None:
        """For each link and value: the other cell holds a partner of the value, if this cell holds the value."""
        for first, second, of in self.linked(posting.geometry):
            post_link(posting, first, second, of)


def post_link(posting: Posting, first: int, second: int, of: Relation) -> None:
    """Add a link to a model: for each value, a clause on its partners, or on the only candidate that is not one."""
    conflicts = set()
    for cell, other, partners in ((first, second, of.forward), (second, first, of.backward)):
        candidates = posting.masks[other]
        for value, literal in posting.literals(cell).items():
            allowed = candidates & partners[value]
            refused = candidates ^ allowed
            if refused and not refused & refused - 1 and allowed:
                partner = refused.bit_length()
                if (cell, partner, value) not in conflicts:
                    posting.forbid(literal, posting.literal(other, partner))
                    conflicts.add((other, value, partner))
            elif refused:
                posting.clause([~literal, *[posting.literal(other, partner) for partner in values_of(allowed)]])


def in_order(cells: Sequence[int], of: Relation) -> Iterator[Link]:
    """The links between neighbours on a line, in its order."""
    return ((first, second, of) for first, second in pairwise(cells))


def neighbours(geometry: Geometry, moves: Iterable[tuple[int, int]] = ((0, 1), (1, 0))) -> Iterator[tuple[int, int]]:
    """All pairs of cells a move apart, each once; a move is (rows down, columns right), by default one step.

    >>> from csp_sudoku import Geometry
    >>> list(neighbours(Geometry.latin(2)))
    [(0, 1), (0, 2), (1, 3), (2, 3)]
    """
    steps, size = tuple(moves), geometry.size
    for row in range(size):
        for column in range(size):
            for down, right in steps:
                if 0 <= row + down < size and 0 <= column + right < size:
                    yield row * size + column, (row + down) * size + column + right


@lru_cache(maxsize=1 << 16)
def _partners(table: tuple[int, ...], mask: int) -> int:
    """The mask of the values that are a partner of one of the values of `mask`."""
    found = 0
    for value in values_of(mask):
        found |= table[value]
    return found


@lru_cache(maxsize=1 << 10)
def _links(constraint: Pairwise, geometry: Geometry) -> tuple[Link, ...]:
    return tuple(constraint.links(geometry))
