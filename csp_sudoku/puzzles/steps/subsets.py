"""Subsets: k cells of a region that share k values, as pairs and triples.

A **naked** subset is k cells whose candidates are k values together: they take these values, and no other cell of the
region does. A **hidden** subset is k values whose places in a region are k cells together: these cells take no other
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.puzzles.steps.marks import PencilMarks, cell_set, cells_of, values_of
from csp_sudoku.puzzles.steps.step import Step, cell_names, eliminating, listed

SIZES = {2: "pair", 3: "triple"}
"""The names of the subsets, by the number k of their cells."""


def naked_subsets(marks: PencilMarks, count: int) -> Iterator[Step]:
    """Yield a step for each naked subset of `count` cells with a conclusion."""
    geometry = marks.geometry
    for number, region in enumerate(geometry.regions):
        open_cells = [cell for cell in region if 2 <= marks.masks[cell].bit_count() <= count]
        for chosen in _subsets([marks.masks[cell] for cell in open_cells], count):
            cells = [open_cells[at] for at in chosen]
            values = values_of(_union([marks.masks[cell] for cell in cells]))
            others = marks.regions[number] & ~cell_set(cells)
            gone = [(value, list(cells_of(marks.places[value] & others))) for value in values]
            if any(places for _, places in gone):
                because = (
                    f"in {geometry.region_name(number)}, {cell_names(geometry, sorted(cells))} "
                    f"take {listed(map(str, values))} between them"
                )
                yield eliminating(f"naked {SIZES[count]}", geometry, (cells, values, [number]), gone, because)


def hidden_subsets(marks: PencilMarks, count: int) -> Iterator[Step]:
    """Yield a step for each hidden subset of `count` values with a conclusion."""
    geometry = marks.geometry
    for number, region in enumerate(marks.regions):
        all_places = [(value, marks.places[value] & region) for value in marks.all_values]
        few = [(value, places) for value, places in all_places if 2 <= places.bit_count() <= count]
        for chosen in _subsets([places for _, places in few], count):
            values = [few[at][0] for at in chosen]
            inside = _union([few[at][1] for at in chosen])
            others = (value for value in marks.all_values if value not in values)
            gone = [(value, list(cells_of(marks.places[value] & inside))) for value in others]
            if any(places for _, places in gone):
                cells = list(cells_of(inside))
                because = (
                    f"in {geometry.region_name(number)}, {listed(map(str, values))} "
                    f"must be in {cell_names(geometry, cells)}"
                )
                yield eliminating(f"hidden {SIZES[count]}", geometry, (cells, values, [number]), gone, because)


def _union(sets: Sequence[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union


def _subsets(sets: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Yield the indices of each `count` sets that have `count` elements together.

    >>> list(_subsets([0b011, 0b110, 0b011, 0b101], 2)), list(_subsets([0b011, 0b110, 0b101], 3))
    ([(0, 2)], [(0, 1, 2)])
    >>> list(_subsets([0b011, 0b011, 0b011], 3))
    []
    """
    return _extended(sets, count, (), 0)


def _extended(sets: Sequence[int], count: int, chosen: tuple[int, ...], union: int) -> Iterator[tuple[int, ...]]:
    """Yield the subsets that begin with the indices `chosen`, whose sets have the elements `union`.

    A choice that has more than `count` elements is not continued.
    """
    if len(chosen) == count:
        if union.bit_count() == count:
            yield chosen
        return
    for at in range(chosen[-1] + 1 if chosen else 0, len(sets)):
        together = union | sets[at]
        if together.bit_count() <= count:
            yield from _extended(sets, count, (*chosen, at), together)
