"""Cells with different values of which only the set matters: propagation and posting.

The cells hold different values, and the set of these values must be one of some sets, which are masks. `inside` has a
literal for each value that is true if and only if the value is in the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from csp_sudoku.constraints.bitmasks import sets_by_sum, values_of
from csp_sudoku.constraints.posting import TRUE

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Literal, Posting

MOST_CHOICES = 300
"""Maximum number of sets among which a model chooses with a literal for each."""


def sets_with(size: int, count: int, total: int | None) -> tuple[int, ...] | None:
    """The sets of `count` values that add up to `total`, or all sets for None; None if they are too many to list."""
    by_sum = sets_by_sum(size, count)
    if by_sum is None:
        return None
    return tuple([mask for masks in by_sum.values() for mask in masks]) if total is None else by_sum.get(total, ())


def fitting(masks: Sequence[int], cells: Iterable[int], sets: Iterable[int]) -> list[int]:
    """The sets that the candidates of the cells do not exclude: each value has a cell, and each cell a value."""
    of_cells = [masks[cell] for cell in cells]
    union = 0
    for mask in of_cells:
        union |= mask
    outside = ~union
    narrow = [mask for mask in set(of_cells) if mask != union]
    return [one for one in sets if not one & outside and all(one & mask for mask in narrow)]


def prune_different(masks: list[int], cells: Sequence[int]) -> bool:
    """Remove the values of cells with one candidate from the others; False if two such cells have the same value."""
    queue = [cell for cell in cells if not masks[cell] & masks[cell] - 1]
    while queue:
        settled = queue.pop()
        bit = masks[settled]
        for cell in cells:
            if cell != settled and masks[cell] & bit:
                left = masks[cell] ^ bit
                if not left:
                    return False
                masks[cell] = left
                if not left & left - 1:
                    queue.append(cell)
    return True


def prune_sets(masks: list[int], cells: Sequence[int], sets: Iterable[int]) -> bool:
    """Remove candidates that are in no fitting set, and settle values of all fitting sets that have one cell left."""
    possible = fitting(masks, cells, sets)
    if not possible:
        return False
    allowed, required = 0, possible[0]
    for one in possible:
        allowed |= one
        required &= one
    once = twice = 0
    for cell in cells:
        mask = masks[cell] = masks[cell] & allowed
        twice |= once & mask
        once |= mask
    single = required & once & ~twice
    if single:
        for cell in cells:
            found = masks[cell] & single
            if found & found - 1:
                return False
            if found:
                masks[cell] = found
    return prune_different(masks, cells)


def post_different(posting: Posting, cells: Sequence[int]) -> None:
    """The cells hold different values; of as many cells as there are values, exactly one holds each value."""
    union = 0
    for cell in cells:
        union |= posting.masks[cell]
    for value in values_of(union):
        literals = [posting.literal(cell, value) for cell in cells]
        if len(cells) == posting.size:
            posting.exactly_one(literals)
        else:
            posting.at_most_one(literals)


def post_inside(posting: Posting, cells: Sequence[int], possible: Sequence[int]) -> dict[int, Literal]:
    """The literals of the values that the cells hold, if their set of values is one of the possible ones."""
    allowed, required = 0, -1
    for one in possible:
        allowed |= one
        required &= one
    inside = {}
    for cell in cells:
        for value in values_of(posting.masks[cell] & ~allowed):
            posting.clause([~posting.literal(cell, value)])
    for value in values_of(allowed):
        literals = [posting.literal(cell, value) for cell in cells]
        if required >> value - 1 & 1:
            posting.clause(literals)
            inside[value] = TRUE
        else:
            inside[value] = posting.any_of(literals)
    return inside


def post_members(
    posting: Posting, cells: Sequence[int], values: Sequence[int], is_inside: Sequence[Literal]
) -> Mapping[int, Literal]:
    """For each of the values, a literal that is true if and only if the value is in a cell inside.

    Each value is in one of the cells, and `is_inside` has a literal for each cell that is true if the cell is inside.
    """
    inside = {value: posting.new_literal() for value in values}
    for cell, here in zip(cells, is_inside, strict=True):
        for value, literal in inside.items():
            held = posting.literal(cell, value)
            posting.clause((~held, ~here, literal))
            posting.clause((~held, here, ~literal))
    return inside


def post_choice(posting: Posting, inside: Mapping[int, Literal], sets: Sequence[int]) -> None:
    """The values whose literal in `inside` is true are one of the sets; a value without a literal is in none."""
    if len(sets) == 1:
        for value, literal in inside.items():
            posting.clause([literal if sets[0] >> value - 1 & 1 else ~literal])
        return
    chosen = {one: posting.new_literal() for one in sets}
    posting.exactly_one(chosen.values())
    for value, literal in inside.items():
        bit = 1 << value - 1
        holding = [choice for one, choice in chosen.items() if one & bit]
        posting.clause([~literal, *holding])
        for choice in holding:
            posting.clause((~choice, literal))


def post_total(posting: Posting, inside: Mapping[int, Literal], total: int, sets: Sequence[int] | None) -> None:
    """The values whose literal in `inside` is true add up to `total`.

    `sets` are the sets that can be chosen, if they were listed; then the model chooses one, unless they are too many.
    """
    if sets is not None and len(sets) <= MOST_CHOICES:
        post_choice(posting, inside, sets)
    else:
        posting.count(((value, literal) for value, literal in inside.items()), (total, total))
