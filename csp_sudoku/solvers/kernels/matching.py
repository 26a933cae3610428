"""The all-different constraint: the members of an N×N relation that lie on some perfect matching (Régin, 1994).

The cells of a region and its values are matched one to one, and so are, for each value, the rows and the columns of
its cells. A candidate on no perfect matching is impossible; without a perfect matching there is no solution. Matching
decides cases at once that no search can finish, such as fifteen values for fourteen cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.backtracking.kernels.state import WIDTH, Tables

ONE = np.uint64(1)

MATCHING: list[tuple[Any, ...]] = [
    ("relation", np.uint32, (WIDTH,)),  # the columns that each row may have
    ("column_of", np.int64, (WIDTH,)),
    ("row_of", np.int64, (WIDTH,)),
    ("parent", np.int64, (WIDTH,)),
    ("waiting", np.int64, (WIDTH,)),
    ("reach", np.uint64, (WIDTH,)),
]
"""The fields that a record needs for matching."""

Record = Any
"""A record with the fields of MATCHING, inside a kernel."""


def new_matching() -> np.ndarray:
    """Return a record for matching, as an array of one."""
    return np.zeros(1, np.dtype(MATCHING))


@part
def augment(c: Record, start: int) -> bool:
    """Match one more row by a shortest alternating path; return false if there is none."""
    reached = np.uint64(0)
    head, tail = 0, 1
    c.waiting[0] = start
    while head < tail:
        row = c.waiting[head]
        head += 1
        fresh = np.uint64(c.relation[row]) & ~reached
        reached |= fresh
        while fresh:
            column = lowest(fresh)
            fresh &= fresh - ONE
            c.parent[column] = row
            if c.row_of[column] < 0:
                while True:
                    row = c.parent[column]
                    before = c.column_of[row]
                    c.column_of[row] = column
                    c.row_of[column] = row
                    if row == start:
                        return True
                    column = before
            c.waiting[tail] = c.row_of[column]
            tail += 1
    return False


@part
def keep_matchable(c: Record, size: int) -> bool:
    """Reduce the relation to the members on a perfect matching; return false if there is no perfect matching."""
    for i in range(size):
        c.column_of[i] = -1
        c.row_of[i] = -1
    for row in range(size):
        if not augment(c, row):
            return False
    # A member (row, column) can be matched if the row that now holds the column can take another one, and so on, until
    # some row takes the column of the first row: that is, if both rows lie on a cycle.
    for row in range(size):
        columns = np.uint64(c.relation[row])
        c.reach[row] = ONE << np.uint64(row)
        while columns:
            c.reach[row] |= ONE << np.uint64(c.row_of[lowest(columns)])
            columns &= columns - ONE
    for middle in range(size):
        for row in range(size):
            if c.reach[row] >> np.uint64(middle) & ONE:
                c.reach[row] |= c.reach[middle]
    for row in range(size):
        columns = np.uint64(c.relation[row])
        while columns:
            column = lowest(columns)
            columns &= columns - ONE
            if not c.reach[c.row_of[column]] >> np.uint64(row) & ONE:
                c.relation[row] &= ~np.uint32(ONE << np.uint64(column))
    return True


@part
def match_regions(g: Tables, c: Record, masks: Any) -> int:
    """Remove the candidates that lie on no perfect matching of a region's cells and values.

    Return the number of cells that lost candidates; -1 if some region has no perfect matching.
    """
    taken = 0
    for r in range(g.regions):
        for i in range(g.size):
            c.relation[i] = masks[g.region_cells[r, i]]
        if not keep_matchable(c, g.size):
            return -1
        for i in range(g.size):
            cell = g.region_cells[r, i]
            if masks[cell] != c.relation[i]:
                masks[cell] = c.relation[i]
                taken += 1
    return taken


@part
def match_values(g: Tables, c: Record, masks: Any) -> int:
    """Remove the candidates that lie on no perfect matching of a value's rows and columns.

    Return the number of removed candidates; -1 if some value has no perfect matching.
    """
    taken = 0
    for value in range(g.size):
        bit = ONE << np.uint64(value)
        for row in range(g.size):
            c.relation[row] = 0
            for column in range(g.size):
                if masks[row * g.size + column] & bit:
                    c.relation[row] |= np.uint32(ONE << np.uint64(column))
        if not keep_matchable(c, g.size):
            return -1
        for row in range(g.size):
            for column in range(g.size):
                cell = row * g.size + column
                if masks[cell] & bit and not c.relation[row] >> np.uint64(column) & ONE:
                    masks[cell] &= ~np.uint32(bit)
                    taken += 1
    return taken


@part
def match_all(g: Tables, c: Record, masks: Any) -> bool:
    """Apply both kinds of matching to a fixpoint; return false if there is no solution."""
    while True:
        regions = match_regions(g, c, masks)
        if regions < 0:
            return False
        values = match_values(g, c, masks)
        if values < 0:
            return False
        if regions + values == 0:
            return True


@kernel
def match(tables: np.ndarray, matchings: np.ndarray, masks: np.ndarray) -> bool:
    """Remove the candidates of a board that lie on no perfect matching; return false if there is no solution."""
    return match_all(tables[0], matchings[0], masks)
