"""Converts constraints that are equivalent to regions into regions of the geometry, which every solver supports."""

from __future__ import annotations

from functools import lru_cache

from csp_sudoku.geometry import Geometry


@lru_cache(maxsize=256)
def reduced(geometry: Geometry) -> Geometry:
    """A geometry with the same solutions, in which extra regions replace the constraints that are equivalent to them.

    >>> from csp_sudoku.constraints.regions import Diagonal
    >>> given = Geometry.standard(2, 2).with_constraints(Diagonal(falling=True), Diagonal(falling=False))
    >>> reduced(given).constraints, reduced(given).extra == Geometry.diagonal(2, 2).extra
    ((), True)
    """
    plain, left, extra = geometry.plain, [], {}
    known = set(map(frozenset, plain.regions))
    for constraint in geometry.constraints:
        regions = constraint.regions(plain)
        if regions is None:
            left.append(constraint)
        else:
            extra.update({frozenset(region): region for region in regions if frozenset(region) not in known})
    if len(left) == len(geometry.constraints):
        return geometry
    name = f"{plain.name} with regions"
    made = Geometry(plain.m, plain.n, plain.blocks, (*plain.extra, *extra.values()), name) if extra else plain
    return made.with_constraints(*left)
