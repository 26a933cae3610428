"""Trial: if no technique applies, the values of a cell have to be tried, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.coordinates import cell_name, move_name
from csp_sudoku.puzzles.steps.marks import PencilMarks, values_of
from csp_sudoku.puzzles.steps.step import Step, listed

TRIAL = "trial"


def trials(marks: PencilMarks) -> Iterator[Step]:
    """Yield the step that names the empty cell with the fewest candidates; it has no conclusion yet."""
    empty = [cell for cell, mask in enumerate(marks.masks) if mask]
    if not empty:
        return
    cell = min(empty, key=lambda cell: marks.masks[cell].bit_count())
    square, values = marks.geometry.row_column(cell), values_of(marks.masks[cell])
    tried = listed(map(str, values), "or")
    sentence = f"no technique applies, and {cell_name(*square)} can be {tried}, which has to be found by trial."
    yield Step(TRIAL, (square,), tuple(values), (), (), (), sentence)


def decided(step: Step, solution: bytes, size: int) -> Step:
    """The trial with its result: the value that the only solution of a board with `size` rows has in its cell."""
    (row, column) = step.cells[0]
    entry = (row, column, solution[row * size + column])
    tried = listed(map(str, step.values), "or")
    sentence = (
        f"no technique applies, and {cell_name(row, column)} can be {tried}: "
        f"only {move_name(*entry)} leads to the solution."
    )
    return Step(step.technique, step.cells, step.values, (), (entry,), (), sentence)
