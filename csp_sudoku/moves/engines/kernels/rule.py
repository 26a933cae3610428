"""The rule of `csp_sudoku.moves.engines.rule` on all values at once, for the moves that can make it apply.

A *line* is a row, a *crossing* a column, or the other way round for the twin. `blocks[b, i, k]` is the cell of block b
in its i-th line and its k-th crossing.
"""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.compilation import kernel, part

U = np.uint64
ONE = np.uint64(1)


@part
def line_of(cell: int, size: int, by_columns: bool) -> int:
    """Return the number of the cell's line."""
    return cell % size if by_columns else cell // size


@part
def held_by_others(in_line: np.ndarray, blocks: np.ndarray, by_columns: bool, b: int, i: int, but: int) -> np.uint64:
    """Return the values that occur in every line through a block, except its i-th and its `but`-th."""
    height, size = blocks.shape[1], blocks.shape[0]
    values = (ONE << U(size)) - ONE
    for other in range(height):
        if other not in (i, but):
            values &= in_line[line_of(blocks[b, other, 0], size, by_columns)]
    return values


@part
def out_of_reach(
    values: np.ndarray, in_crossing: np.ndarray, blocks: np.ndarray, by_columns: bool, b: int, i: int, but: int
) -> np.uint64:
    """Return the values that are in the crossing of every empty cell of a block's i-th line, except the `but`-th."""
    size = blocks.shape[0]
    reached = (ONE << U(size)) - ONE
    for k in range(blocks.shape[2]):
        cell = blocks[b, i, k]
        if k != but and values[cell] == 0:
            reached &= in_crossing[line_of(cell, size, not by_columns)]
    return reached


@kernel
def apply_rule(values: np.ndarray, blocks: np.ndarray, by_columns: bool, legal: np.ndarray, bombs: np.ndarray) -> bool:
    """Write the legal moves after which the rule applies; return whether it applies already, before any move."""
    size, height, width = blocks.shape
    full = (ONE << U(size)) - ONE
    in_line, in_crossing, missing = np.zeros(size, U), np.zeros(size, U), np.full(size, full, U)
    for b in range(size):
        for i in range(height):
            for k in range(width):
                cell = blocks[b, i, k]
                if values[cell]:
                    bit = ONE << U(values[cell] - 1)
                    in_line[line_of(cell, size, by_columns)] |= bit
                    in_crossing[line_of(cell, size, not by_columns)] |= bit
                    missing[b] &= ~bit
    # A move puts its value into a line, a crossing and a block, and fills a cell. So it can make the rule apply
    # to its value in other blocks on the line, to its value in other blocks on the crossing where these have an empty
    # cell on it, and to other values in its own block, on its own line.
    # values without a place in a block once they are in its i-th line elsewhere
    by_line = np.zeros((size, height), U)
    by_crossing = np.zeros((size, width), U)  # the same for its k-th crossing
    for b in range(size):
        for i in range(height):
            others = held_by_others(in_line, blocks, by_columns, b, i, -1) & missing[b]
            gaps = out_of_reach(values, in_crossing, blocks, by_columns, b, i, -1)
            if others & gaps:
                bombs[:] = legal
                return True
            for line in range(height):
                if line != i:
                    by_line[b, line] |= held_by_others(in_line, blocks, by_columns, b, i, line) & missing[b] & gaps
            for k in range(width):
                cell = blocks[b, i, k]
                if values[cell] == 0:
                    left = others & out_of_reach(values, in_crossing, blocks, by_columns, b, i, k)
                    by_crossing[b, k] |= left
                    if left & (left - ONE):
                        bombs[cell] = np.uint32(full)
                    elif left:
                        bombs[cell] = np.uint32(full & ~left)
    for b in range(size):
        first = blocks[b, 0, 0]
        for other in range(size):
            cell = blocks[other, 0, 0]
            on_line = line_of(cell, size, by_columns) == line_of(first, size, by_columns)
            on_crossing = line_of(cell, size, not by_columns) == line_of(first, size, not by_columns)
            if on_line == on_crossing:
                continue
            for i in range(height):
                for k in range(width):
                    bombs[blocks[b, i, k]] |= np.uint32(by_line[other, i] if on_line else by_crossing[other, k])
    for cell in range(len(bombs)):
        bombs[cell] &= legal[cell]
    return False
