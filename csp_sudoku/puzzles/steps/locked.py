"""Locked candidates: all places of a value in one region are in a second region, too.

The value of the first region is then in the intersection, so the rest of the second region cannot hold it. From a block
to a line this is known as pointing, from a line to a block as claiming. It holds for any two regions, so also for
jigsaw pieces and diagonals.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.puzzles.steps.marks import PencilMarks, cells_of
from csp_sudoku.puzzles.steps.step import Step, cell_names, eliminating

LOCKED_CANDIDATES = "locked candidates"


def locked_candidates(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each value, region and other region where the value is locked in the intersection."""
    geometry = marks.geometry
    for number, region in enumerate(marks.regions):
        for value in marks.all_values:
            places = marks.places[value] & region
            if not places & places - 1:  # no place, or a hidden single
                continue
            for other in geometry.regions_of[places.bit_length() - 1]:
                gone = marks.places[value] & marks.regions[other] & ~places
                if other == number or places & ~marks.regions[other] or not gone:
                    continue
                cells = list(cells_of(places))
                because = (
                    f"in {geometry.region_name(number)}, {value} must be in {cell_names(geometry, cells, 'or')}, "
                    f"{'both' if len(cells) == 2 else 'all'} in {geometry.region_name(other)}"
                )
                reason = (cells, [value], [number, other])
                yield eliminating(LOCKED_CANDIDATES, geometry, reason, [(value, cells_of(gone))], because)
