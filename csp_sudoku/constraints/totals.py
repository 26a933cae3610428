"""Sums of cells whose values may repeat: propagation by sets of reachable sums, and posting of equal sums.

A set of sums is an integer whose bit t stands for the sum t.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

from csp_sudoku.candidates import bits
from csp_sudoku.constraints.bitmasks import sets_by_sum, values_of
from csp_sudoku.constraints.posting import FALSE, TRUE
from csp_sudoku.constraints.value_sets import fitting, prune_sets

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Domain, Literal, Posting
    from csp_sudoku.geometry import Geometry

MOST_CLAUSES = 1500
"""Maximum number of clauses for an equality of sums; beyond it, the equality becomes a linear equation."""

MOST_LOOKED_AT = 500
"""Maximum number of sets of values that propagation considers for a part of a sum."""

LARGEST_SPAN = 100_000
"""Maximum range of a sum with coefficients that propagation considers."""

Term = tuple[int, int]
"""A coefficient and a cell."""


def only(total: int, masks: Sequence[int], cells: Sequence[int]) -> int:
    """The set of the one sum `total`; empty if it is below 0 or above what the candidates of the cells can reach."""
    return 1 << total if 0 <= total <= sum(masks[cell].bit_length() for cell in cells) else 0


def reachable(masks: Sequence[int], cells: Sequence[int]) -> int:
    """The sums that the candidates of the cells can have.

    >>> bin(reachable([0b11, 0b101], [0, 1]))
    '0b111100'
    """
    sums = 1
    for cell in cells:
        sums = _shifted(sums, masks[cell])
    return sums


def _shifted(sums: int, mask: int) -> int:
    """The sums that one more cell with these candidates makes of some sums."""
    found = 0
    for value in values_of(mask):
        found |= sums << value
    return found


@lru_cache(maxsize=1 << 12)
def parts_of(geometry: Geometry, cells: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cells in parts, each of cells that are peers of one another and so hold different values.

    >>> from csp_sudoku import Geometry
    >>> parts_of(Geometry.standard(2, 2), (0, 5, 10, 15))
    ((0, 5), (10, 15))
    """
    parts: list[list[int]] = []
    for cell in cells:
        peers = set(geometry.peers[cell])
        fitting_part = next((part for part in parts if peers.issuperset(part)), None)
        if fitting_part is None:
            parts.append([cell])
        else:
            fitting_part.append(cell)
    return tuple(map(tuple, parts))


def _sets_of_part(masks: Sequence[int], part: Sequence[int], size: int) -> dict[int, list[int]] | None:
    """The sets of values that the cells of a part can hold, by their sum; None if there are too many to look at."""
    if comb(size, len(part)) > MOST_LOOKED_AT:
        return None
    by_sum = sets_by_sum(size, len(part))
    assert by_sum is not None
    found = {total: fitting(masks, part, sets) for total, sets in by_sum.items()}
    return {total: sets for total, sets in found.items() if sets}


class _Part:
    """Some cells of a sum that hold different values: the sums that they can have, and the sets that make each."""

    def __init__(self, masks: Sequence[int], cells: Sequence[int], size: int) -> None:
        self.cells = cells
        self._sets = _sets_of_part(masks, cells, size) if len(cells) > 1 else None
        self.sums = reachable(masks, cells) if self._sets is None else sum(1 << total for total in self._sets)

    def prune(self, masks: list[int], allowed: int) -> bool:
        """Remove the candidates with which the cells have no allowed sum."""
        if self._sets is not None:
            return prune_sets(
                masks, self.cells, [s for total, sets in self._sets.items() if allowed >> total & 1 for s in sets]
            )
        return prune_cells(masks, self.cells, allowed)


def prune_cells(masks: list[int], cells: Sequence[int], allowed: int) -> bool:
    """Remove candidates with which the sum of the cells cannot be one of the `allowed` ones."""
    before = [1]
    for cell in cells[:-1]:
        before.append(_shifted(before[-1], masks[cell]))
    after = allowed  # the sums of the cells up to here that can still become an allowed one
    for cell, sums in zip(reversed(cells), reversed(before), strict=True):
        kept = earlier = 0
        for value in values_of(masks[cell]):
            if sums & after >> value:
                kept |= 1 << value - 1
                earlier |= after >> value
        if not kept:
            return False
        masks[cell] = kept
        after = earlier
    return True


def prune_total(geometry: Geometry, masks: list[int], cells: Sequence[int], total: int) -> bool:
    """Remove candidates with which the cells cannot add up to `total`."""
    return _prune_parts(masks, _parts(geometry, masks, cells), only(total, masks, cells))


def prune_equal(geometry: Geometry, masks: list[int], groups: Sequence[Sequence[int]]) -> bool:
    """Remove candidates with which the groups of cells cannot have the same sum."""
    split = [_parts(geometry, masks, cells) for cells in groups]
    common = -1
    for parts in split:
        common &= _joined(part.sums for part in parts)
    return bool(common) and all(_prune_parts(masks, parts, common) for parts in split)


def _parts(geometry: Geometry, masks: Sequence[int], cells: Sequence[int]) -> list[_Part]:
    return [_Part(masks, part, geometry.size) for part in parts_of(geometry.plain, tuple(cells))]


def _joined(sums: Iterable[int]) -> int:
    """The sums that parts with these sums can have together."""
    found = 1
    for of_part in sums:
        found = _sum_of_shifts(found, _totals(of_part))
    return found


def _prune_parts(masks: list[int], parts: Sequence[_Part], allowed: int) -> bool:
    """Remove candidates with which the sum of the parts cannot be one of the `allowed` ones."""
    before = [1]
    for part in parts[:-1]:
        before.append(_sum_of_shifts(before[-1], _totals(part.sums)))
    after = allowed
    for part, sums in zip(reversed(parts), reversed(before), strict=True):
        kept = earlier = 0
        for total in _totals(part.sums):
            if sums & after >> total:
                kept |= 1 << total
                earlier |= after >> total
        if not kept or (kept != part.sums and not part.prune(masks, kept)):
            return False
        after = earlier
    return True


def _totals(sums: int) -> list[int]:
    """The members of a set of sums."""
    return [at for at in range(sums.bit_length()) if sums >> at & 1]


def prune_terms(masks: list[int], terms: Sequence[Term], domain: Domain) -> bool:
    """Remove candidates with which the sum of the terms cannot be in the domain."""
    lowest = 0
    choices: list[dict[int, int]] = []  # for each term, how much more than the least each value adds
    for coefficient, cell in terms:
        added = {value: coefficient * value for value in values_of(masks[cell])}
        if not added:
            return False
        base = min(added.values())
        lowest += base
        choices.append({value: amount - base for value, amount in added.items()})
    span = sum(max(added.values()) for added in choices)
    if span > LARGEST_SPAN:
        return True
    allowed = 0
    for bound, end in zip(domain[::2], domain[1::2], strict=True):
        low, high = max(0, bound - lowest), min(span, end - lowest)
        if low <= high:
            allowed |= (1 << high + 1) - (1 << low)
    before = [1]
    for added in choices[:-1]:
        before.append(_sum_of_shifts(before[-1], added.values()))
    after = allowed
    for (_, cell), sums, added in zip(reversed(terms), reversed(before), reversed(choices), strict=True):
        kept = earlier = 0
        for value, amount in added.items():
            if sums & after >> amount:
                kept |= 1 << value - 1
                earlier |= after >> amount
        masks[cell] &= kept
        if not masks[cell]:
            return False
        after = earlier
    return True


def _sum_of_shifts(sums: int, amounts: Iterable[int]) -> int:
    found = 0
    for amount in amounts:
        found |= sums << amount
    return found


def post_equal(posting: Posting, groups: Sequence[Sequence[int]]) -> None:
    """The groups of cells have the same sum."""
    common = -1
    for cells in groups:
        common &= reachable(posting.masks, cells)
    if not common:
        posting.clause(())
        return
    plans = [_layers(posting.masks, cells, common) for cells in groups]
    if sum(map(_clauses, plans)) > MOST_CLAUSES:
        first, *others = groups
        for cells in others:
            posting.sum([*[(1, cell) for cell in first], *[(-1, cell) for cell in cells]], (0, 0))
        return
    single = next((cells[0] for cells in groups if len(cells) == 1), None)
    totals = _totals(common)
    if single is not None:
        shared: dict[int, Literal] = {total: posting.literal(single, total) for total in totals}
    else:
        shared = {total: posting.new_literal() for total in totals}
        posting.exactly_one(shared.values())
    for cells, plan in zip(groups, plans, strict=True):
        _post_layers(posting, cells, plan, shared)


def post_sum(posting: Posting, cells: Sequence[int], total: int) -> None:
    """The cells add up to `total`."""
    allowed = only(total, posting.masks, cells)
    plan = _layers(posting.masks, cells, allowed)
    if not allowed or not plan[-1]:
        posting.clause(())
    elif _clauses(plan) > MOST_CLAUSES:
        posting.sum([(1, cell) for cell in cells], (total, total))
    else:
        _post_layers(posting, cells, plan, {total: TRUE})


def _layers(masks: Sequence[int], cells: Sequence[int], allowed: int) -> list[int]:
    """For each number of cells from 1, the sums of the first cells that can still become an allowed one."""
    sums = []
    current = 1
    for cell in cells:
        current = _shifted(current, masks[cell])
        sums.append(current)
    after = allowed
    for at in range(len(cells) - 1, -1, -1):
        sums[at] &= after
        earlier = 0
        for value in values_of(masks[cells[at]]):
            earlier |= sums[at] >> value
        after = earlier
    return sums


def _clauses(plan: Sequence[int]) -> int:
    """The approximate number of clauses for the layers."""
    counts = [sums.bit_count() for sums in plan]
    return sum(before * after + 9 * (before + after) for before, after in pairwise(counts))


def _post_layers(posting: Posting, cells: Sequence[int], plan: Sequence[int], shared: Mapping[int, Literal]) -> None:
    """The sum of the cells is the one whose literal in `shared` is true, by a literal for each partial sum."""
    before: Mapping[int, Literal] = posting.literals(cells[0])
    if len(cells) == 1:
        for value, literal in before.items():
            if literal != shared.get(value):
                posting.equal(literal, shared.get(value, FALSE))
        for total, literal in shared.items():
            if total not in before:
                posting.clause([~literal])
        return
    for at, cell in enumerate(cells[1:], start=1):
        if at == len(cells) - 1:
            after: Mapping[int, Literal] = shared
        else:
            sums = [bit.bit_length() - 1 for bit in bits(plan[at])]
            made = {total: posting.new_literal() for total in sums}
            posting.exactly_one(made.values())
            after = made
        _post_addition(posting, before, posting.literals(cell), after)
        before = after


def _post_addition(
    posting: Posting, first: Mapping[int, Literal], second: Mapping[int, Literal], total: Mapping[int, Literal]
) -> None:
    """One number plus another one is a third one, of each of which exactly one literal is true.

    Any two of them determine the third one.
    """
    for one, literal in first.items():
        for other, beside in second.items():
            posting.clause((~literal, ~beside, total.get(one + other, FALSE)))
        for result, above in total.items():
            posting.clause((~literal, ~above, second.get(result - one, FALSE)))
    for other, beside in second.items():
        for result, above in total.items():
            posting.clause((~beside, ~above, first.get(result - other, FALSE)))
