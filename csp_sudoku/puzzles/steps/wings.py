"""XY-wings: a cell with the candidates a and b sees a cell with a and c, and a cell with b and c.

Whichever value the first cell, the **pivot**, takes, one of the other two, the **pincers**, is c. So a cell that sees
both pincers cannot be c.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.coordinates import cell_name
from csp_sudoku.puzzles.steps.marks import PencilMarks, cell_set, cells_of, values_of
from csp_sudoku.puzzles.steps.step import Step, eliminating

XY_WING = "XY-wing"


def xy_wings(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each XY-wing with a conclusion."""
    bivalue = cell_set(cell for cell, mask in enumerate(marks.masks) if mask.bit_count() == 2)
    for pivot in cells_of(bivalue):
        low, high = values_of(marks.masks[pivot])
        seen = list(cells_of(bivalue & marks.peers[pivot]))
        with_low = [cell for cell in seen if _third(marks, cell, low, high)]
        with_high = [cell for cell in seen if _third(marks, cell, high, low)]
        for one in with_low:
            third = _third(marks, one, low, high)
            for other in with_high:
                if _third(marks, other, high, low) != third:
                    continue
                gone = marks.places[third] & marks.peers[one] & marks.peers[other]
                if gone:
                    yield _step(marks, pivot, (one, other), third, gone)


def _third(marks: PencilMarks, cell: int, held: int, missing: int) -> int:
    """The other candidate of a cell with two, one of which is `held`; 0 if there is none, or if it is `missing`."""
    mask = marks.masks[cell]
    if not mask >> held - 1 & 1:
        return 0
    other = (mask & ~(1 << held - 1)).bit_length()
    return 0 if other == missing else other


def _step(marks: PencilMarks, pivot: int, pincers: tuple[int, int], third: int, gone: int) -> Step:
    geometry = marks.geometry
    low, high = values_of(marks.masks[pivot])
    centre, one, other = (cell_name(*geometry.row_column(cell)) for cell in (pivot, *pincers))
    because = f"if {centre} is {low}, then {one} is {third}, and if {centre} is {high}, then {other} is {third}"
    reason = ((pivot, *pincers), (low, high, third), ())
    return eliminating(XY_WING, geometry, reason, [(third, cells_of(gone))], because)
