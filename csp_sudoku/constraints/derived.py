"""Constraints that follow from others together with the regions: sums of the few cells that cages leave of some houses.

N different values add up to N·(N + 1)/2, so k rows, columns or blocks that share no cell add up to k times as much.
Cells with a known sum that lie in these houses, or reach beyond them, then give the sum of the cells that are left: the
uncovered cells of the houses, the *innies*, and the cells outside that the sums cover, the *outies*. Every board that
satisfies the constraints satisfies these, so solvers may use them to see more, and nothing else knows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from csp_sudoku.constraints.base import Cells, Constraint
from csp_sudoku.constraints.cages import Killer, Sum
from csp_sudoku.constraints.outside import LittleKiller
from csp_sudoku.geometry import Geometry, Region, Rule

MOST_CELLS = 3
"""The largest number of cells of a derived sum. With longer ones CP-SAT takes fewer conflicts, and more time."""
MOST_HOUSES = 4
"""The largest number of houses that are taken together."""

KnownSum = tuple[frozenset[int], int]
"""Cells, and the sum of their values."""


@lru_cache(maxsize=256)
def derived(geometry: Geometry) -> tuple[Constraint, ...]:
    """The constraints that follow from those of a `geometry`.

    >>> given = Geometry.latin(4).with_constraints(Killer([0, 1, 4], 8), Killer([2, 3], 5))
    >>> [constraint.describe(given) for constraint in derived(given)[:2]]
    ['the values of r1c1 r1c2 differ and add up to 5', 'r2c1 add up to 3']
    """
    plain = geometry.plain
    known = list(_known_sums(geometry.constraints))
    if not known:
        return ()
    told = {frozenset(cells) for cells, _ in known}
    found: dict[frozenset[int], Constraint] = {}
    for houses in _groups(plain):
        for outies, innies, total in _rests(plain, houses, known):
            cells = outies | innies
            if not cells or len(cells) > MOST_CELLS or cells in told or cells in found:
                continue
            found[cells] = _constraint(plain, tuple(sorted(outies)), tuple(sorted(innies)), total)
    return tuple(found.values())


@lru_cache(maxsize=256)
def strengthened(geometry: Geometry) -> tuple[Rule, ...]:
    """The constraints of a geometry and those that follow from them."""
    return (*geometry.constraints, *derived(geometry))


def _known_sums(constraints: Iterable[object]) -> Iterator[KnownSum]:
    """Yield the sums that constraints say, each of cells that are named once."""
    for one in constraints:
        is_sum = isinstance(one, Sum) and one.relation == "==" and not set(one.coefficients) - {1}
        if isinstance(one, Killer | LittleKiller) or is_sum:
            total: int | None = one.total  # type: ignore[attr-defined] # each of the three has one
            cells: tuple[int, ...] = one.cells  # type: ignore[attr-defined]
            if total is not None and len(set(cells)) == len(cells):
                yield frozenset(cells), total


def _groups(geometry: Geometry) -> Iterator[list[Region]]:
    """Yield groups of houses that share no cell: rows or columns side by side, and blocks."""
    size = geometry.size
    for first in (0, size):
        lines = geometry.regions[first : first + size]
        for count in range(1, min(MOST_HOUSES, size - 1) + 1):
            for at in range(size - count + 1):
                yield list(lines[at : at + count])
    for block in chain(geometry.blocks, geometry.extra):
        yield [block]


def _rests(
    geometry: Geometry, houses: Sequence[Region], known: Sequence[KnownSum]
) -> Iterator[tuple[frozenset[int], frozenset[int], int]]:
    """Yield cells to add, cells to subtract, and the total: for the sums within the houses, and all that touch them."""
    area = frozenset(chain.from_iterable(houses))
    total = len(houses) * geometry.size * (geometry.size + 1) // 2
    inside, touching = _disjoint(known, area.issuperset), _disjoint(known, lambda cells: not area.isdisjoint(cells))
    covered = frozenset[int]().union(*(cells for cells, _ in inside))
    if inside:
        yield area - covered, frozenset(), total - sum(amount for _, amount in inside)
    covered = frozenset[int]().union(*(cells for cells, _ in touching))
    if len(touching) > len(inside):
        yield covered - area, area - covered, sum(amount for _, amount in touching) - total


def _disjoint(known: Sequence[KnownSum], is_wanted: Callable[[frozenset[int]], bool]) -> list[KnownSum]:
    """The sums that are wanted, without those that share a cell with one before; longer ones come first."""
    chosen: list[KnownSum] = []
    covered: set[int] = set()
    for cells, amount in sorted(known, key=lambda one: (-len(one[0]), sorted(one[0]))):
        if is_wanted(cells) and covered.isdisjoint(cells):
            chosen.append((cells, amount))
            covered |= cells
    return chosen


def _constraint(geometry: Geometry, outies: Cells, innies: Cells, total: int) -> Constraint:
    """The sum of the first cells minus that of the second ones is the total."""
    if innies and outies:
        return Sum((*outies, *innies), total, "==", (*[1] * len(outies), *[-1] * len(innies)))
    cells, amount = (outies, total) if outies else (innies, -total)
    if len(cells) > 1 and any(set(cells) <= set(region) for region in geometry.regions):
        return Killer(cells, amount)
    return LittleKiller(cells, amount)
