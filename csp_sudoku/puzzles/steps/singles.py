"""Singles: a cell with one candidate (naked), and a region with one place for a value (hidden)."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.puzzles.steps.marks import PencilMarks
from csp_sudoku.puzzles.steps.step import Step, placing

NAKED_SINGLE = "naked single"
HIDDEN_SINGLE = "hidden single"


def naked_singles(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each empty cell with one candidate."""
    for cell, mask in enumerate(marks.masks):
        if mask and not mask & mask - 1:
            yield placing(NAKED_SINGLE, marks.geometry, cell, mask.bit_length(), "the cell can take no other value")


def hidden_singles(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each region in which a value has one place."""
    for number, region in enumerate(marks.regions):
        for value in marks.all_values:
            places = marks.places[value] & region
            if places and not places & places - 1:
                because = f"{marks.geometry.region_name(number)} has no other place for {value}"
                yield placing(HIDDEN_SINGLE, marks.geometry, places.bit_length() - 1, value, because, [number])
