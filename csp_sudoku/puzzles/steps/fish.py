"""X-wings: in two rows a value has its only two places in the same two columns, or with rows and columns exchanged.

Whichever places it takes in the two rows, both columns have it there, so their other cells cannot hold it.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.puzzles.steps.marks import PencilMarks, cells_of
from csp_sudoku.puzzles.steps.step import Step, eliminating

X_WING = "X-wing"


def x_wings(marks: PencilMarks) -> Iterator[Step]:
    """Yield a step for each X-wing with a conclusion."""
    geometry, size = marks.geometry, marks.geometry.size
    for value in marks.all_values:
        for by_rows in (True, False):
            lines_by_cover: dict[tuple[int, int], int] = {}  # the two crossing lines, and the line that they cross
            for line in range(size) if by_rows else range(size, 2 * size):
                places = marks.places[value] & marks.regions[line]
                if places.bit_count() != 2:
                    continue
                crossed = [size + cell % size if by_rows else cell // size for cell in cells_of(places)]
                cover = (crossed[0], crossed[1])
                first = lines_by_cover.setdefault(cover, line)
                corners = (marks.places[value] & marks.regions[first]) | places
                crossing = marks.regions[cover[0]] | marks.regions[cover[1]]
                gone = marks.places[value] & crossing & ~corners
                if first != line and gone:
                    names = [geometry.region_name(number) for number in (first, line, *cover)]
                    because = (
                        f"in {names[0]} and in {names[1]}, {value} has its only places in {names[2]} and {names[3]}"
                    )
                    reason = (cells_of(corners), [value], [first, line, *cover])
                    yield eliminating(X_WING, geometry, reason, [(value, cells_of(gone))], because)
