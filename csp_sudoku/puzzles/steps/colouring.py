"""Simple colouring: one value, and the regions in which it has two places.

One of the two places holds the value, and the other does not. Such places form chains, whose cells get two colours in
turn: either all cells of one colour hold the value, or all of the other. Two rules follow. A colour that a region has
twice is the wrong one. A cell outside that sees both colours cannot hold the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from csp_sudoku.puzzles.steps.marks import PencilMarks, cells_of
from csp_sudoku.puzzles.steps.step import Step, cell_names, eliminating

SIMPLE_COLOURING = "simple colouring"


class Colours(NamedTuple):
    """The cells of connected chains, as two cell sets: the value is in all cells of one of them, and in no other."""

    first: int
    second: int
    regions: tuple[int, ...]
    """The regions with two places, from which the chains are built."""


def simple_colouring(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each set of chains with a conclusion, by the first rule or else by the second."""
    for value in marks.all_values:
        for colours in _coloured(marks, value):
            step = _twice(marks, value, colours) or _sees_both(marks, value, colours)
            if step is not None:
                yield step


def _coloured(marks: PencilMarks, value: int) -> Iterator[Colours]:
    """Yield the connected chains of a value, except chains that contradict themselves."""
    links: dict[int, dict[int, int]] = {}  # for each cell, the cells at the other ends, and the region of the link
    for number, region in enumerate(marks.regions):
        places = marks.places[value] & region
        if places.bit_count() == 2:
            one, other = cells_of(places)
            links.setdefault(one, {}).setdefault(other, number)
            links.setdefault(other, {}).setdefault(one, number)
    seen = 0
    for start in sorted(links):
        if seen >> start & 1:
            continue
        sets, regions, waiting = [1 << start, 0], set(), [(start, 0)]
        while waiting:
            cell, colour = waiting.pop()
            for other, number in links[cell].items():
                regions.add(number)
                if not sets[1 - colour] >> other & 1:
                    sets[1 - colour] |= 1 << other
                    waiting.append((other, 1 - colour))
        seen |= sets[0] | sets[1]
        if not sets[0] & sets[1]:
            yield Colours(sets[0], sets[1], tuple(sorted(regions)))


def _twice(marks: PencilMarks, value: int, colours: Colours) -> Step | None:
    """The step of the first rule: a region would hold the value twice."""
    geometry = marks.geometry
    for wrong in (colours.first, colours.second):
        for number, region in enumerate(marks.regions):
            if (wrong & region).bit_count() > 1:
                because = (
                    f"{_either(marks, value, colours)}; {cell_names(geometry, cells_of(wrong & region))} "
                    f"are both in {geometry.region_name(number)}"
                )
                return _step(marks, value, colours, wrong, because)
    return None


def _sees_both(marks: PencilMarks, value: int, colours: Colours) -> Step | None:
    """The step of the second rule: cells outside see both colours."""
    outside = marks.places[value] & ~(colours.first | colours.second)
    gone = [
        cell for cell in cells_of(outside) if marks.peers[cell] & colours.first and marks.peers[cell] & colours.second
    ]
    if not gone:
        return None
    verb = "sees cells" if len(gone) == 1 else "see cells"
    because = f"{_either(marks, value, colours)}; {cell_names(marks.geometry, gone)} {verb} of both kinds"
    return _step(marks, value, colours, sum(1 << cell for cell in gone), because)


def _either(marks: PencilMarks, value: int, colours: Colours) -> str:
    """The first clause: which cells hold the value together."""
    one, other = (cell_names(marks.geometry, cells_of(cells)) for cells in (colours.first, colours.second))
    verbs = ["is" if cells.bit_count() == 1 else "are" for cells in (colours.first, colours.second)]
    return f"either {one} {verbs[0]} {value}, or {other} {verbs[1]}"


def _step(marks: PencilMarks, value: int, colours: Colours, gone: int, because: str) -> Step:
    reason = (cells_of(colours.first | colours.second), [value], colours.regions)
    return eliminating(SIMPLE_COLOURING, marks.geometry, reason, [(value, cells_of(gone))], because)
