"""Masks of values: bit v - 1 stands for the value v."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from math import comb

MOST_SETS = 20_000
"""Maximum number of sets of values to list."""


def mask_of(values: Iterable[int]) -> int:
    """The mask of some values.

    >>> bin(mask_of([1, 4]))
    '0b1001'
    """
    mask = 0
    for value in values:
        mask |= 1 << value - 1
    return mask


@lru_cache(maxsize=1 << 16)
def values_of(mask: int) -> tuple[int, ...]:
    """The values of a mask, in ascending order.

    >>> values_of(0b1001)
    (1, 4)
    """
    return tuple([at + 1 for at in range(mask.bit_length()) if mask >> at & 1])


def least(mask: int) -> int:
    """The smallest value of a mask that is not 0."""
    return (mask & -mask).bit_length()


def most(mask: int) -> int:
    """The largest value of a mask; 0 if it is empty."""
    return mask.bit_length()


def from_to(low: int, high: int) -> int:
    """The mask of the values from `low`, at least 1, to `high`; 0 if there are none.

    >>> bin(from_to(2, 3))
    '0b110'
    """
    return (1 << high) - (1 << low - 1) if high >= low else 0


@cache
def sets_by_sum(size: int, count: int) -> dict[int, tuple[int, ...]] | None:
    """The sets of `count` of the values from 1 to `size`, as masks, by their sum; None if they are too many to list.

    >>> [values_of(mask) for mask in sets_by_sum(9, 2)[4]]
    [(1, 3)]
    """
    if comb(size, count) > MOST_SETS:
        return None
    found: dict[int, list[int]] = {}
    for values in combinations(range(1, size + 1), count):
        found.setdefault(sum(values), []).append(mask_of(values))
    return {total: tuple(masks) for total, masks in found.items()}


MOST_SUBSETS = 12
"""Maximum number of values for which all sets are listed."""


@cache
def subsets_by_sum(low: int, high: int) -> dict[int, tuple[int, ...]] | None:
    """All sets of the values from `low` to `high`, as masks, by their sum; None if they are too many to list.

    >>> [values_of(mask) for mask in subsets_by_sum(2, 5)[7]]
    [(3, 4), (2, 5)]
    """
    if high - low >= MOST_SUBSETS:
        return None
    sets = [(0, 0)]
    for value in range(low, high + 1):
        sets += [(total + value, mask | 1 << value - 1) for total, mask in sets]
    found: dict[int, list[int]] = {}
    for total, mask in sets:
        found.setdefault(total, []).append(mask)
    return {total: tuple(masks) for total, masks in found.items()}


@cache
def thirds(size: int) -> tuple[int, int, int]:
    """The masks of the low, the middle and the high values from 1 to `size`, which 3 must divide.

    >>> [values_of(mask) for mask in thirds(6)]
    [(1, 2), (3, 4), (5, 6)]
    """
    third = size // 3
    return from_to(1, third), from_to(third + 1, 2 * third), from_to(2 * third + 1, size)
