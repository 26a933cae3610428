"""The search for plain 3×3 boards, on bit boards.

The batch kernel works through many boards in one call; a slice may end in the middle of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.nine.kernels.digits import (
    BACKTRACKS,
    CELLS,
    COMPLETE,
    COUNT,
    FULL,
    KEPT,
    NODES,
    ONE,
    U,
    propagate_nine,
    set_up,
    write_solution,
)

IDLE, CLIMBING, BRANCHING = range(3)

NINE = np.dtype(
    [
        ("index", np.int64),  # the board under way
        ("active", np.int64),  # IDLE before its search has begun, else what it does next
        ("level", np.int64),
        ("digits", np.uint32, (CELLS + 1, 32)),  # per level: digit · 3 + band, then the solved cells per band
    ]
)


def new_state() -> np.ndarray:
    """Return an empty state, as an array of one record."""
    return np.zeros(1, NINE)


@part
def choose_nine_cell(p: Any) -> int:
    """Return the cell to branch on, as band · 32 + bit.

    The choice is the first cell with two digits left in the band with the most such cells; if there is none, a cell
    with more digits. This choice was faster than the first band, the fewest digits, and the digits that meet most
    others.
    """
    best = 0
    best_band = 0
    most = -1
    for band in range(3):
        once, twice, thrice = U(0), U(0), U(0)
        for d in range(9):
            x = p[3 * d + band]
            thrice |= twice & x
            twice |= once & x
            once |= x
        two = twice & ~thrice
        count = popcount(two)
        if count > most and twice:
            most = count
            best_band = band
            best = lowest(two or thrice)
    return best_band * 32 + best


@part
def first_digit(p: Any, cell: int) -> int:
    """Return the lowest digit of a cell (band · 32 + bit) as a candidate: digit · 128 + cell."""
    band, bit = cell >> 5, U(cell & 31)
    d = 0
    while not p[3 * d + band] >> bit & ONE:
        d += 1
    return d * 128 + cell


@part
def branch(s: Any, info: Any, candidate: int) -> bool:
    """Try a candidate one level deeper, and remove it from the level above; return false on a contradiction.

    A candidate is digit · 128 + band · 32 + bit.
    """
    p = s.digits[s.level]
    below = s.digits[s.level + 1]
    for i in range(30):
        below[i] = p[i]
    d, band, bit = candidate >> 7, (candidate >> 5) & 3, candidate & 31
    mask = ONE << U(bit)
    p[3 * d + band] &= ~mask
    below[3 * d + band] &= KEPT[bit]
    below[27 + band] |= mask
    below[31] = d
    dirty = 1 << d
    for e in range(9):
        if e != d and below[3 * e + band] & mask:
            below[3 * e + band] &= ~mask
            dirty |= 1 << e
    s.level += 1
    info[NODES] += 1
    return propagate_nine(below, dirty, info)


@part
def climb(s: Any, info: Any) -> bool:
    """Backtrack one level, where the tried candidate is already removed; return false on a contradiction."""
    d = s.digits[s.level, 31]
    s.level -= 1
    info[BACKTRACKS] += 1
    return propagate_nine(s.digits[s.level], 1 << d, info)


@part
def search_nine(s: Any, cells: Any, solution: Any, info: Any, limit: int, node_limit: int, slice_end: int) -> bool:
    """Search one board until `limit` solutions, the end, or the node limit; return false if the slice ended before.

    The search writes the first solution, and then the one that reaches `limit`.
    """
    if s.active:
        fine = s.active == BRANCHING
        s.active = CLIMBING
    else:
        s.active = CLIMBING
        s.level = 0
        info[:] = 0
        set_up(s.digits[0], s.digits[1], cells)
        fine = propagate_nine(s.digits[0], 511, info)
    while True:
        p = s.digits[s.level]
        if fine and p[27] & p[28] & p[29] == FULL:
            info[COUNT] += 1
            if info[COUNT] in (1, limit):
                write_solution(p, solution)
            if info[COUNT] >= limit:
                return True
            fine = False
        if fine:
            if 0 <= node_limit <= info[NODES]:
                return True
            fine = branch(s, info, first_digit(p, choose_nine_cell(p)))
        elif s.level == 0:
            info[COMPLETE] = 1
            return True
        elif info[NODES] + info[BACKTRACKS] >= slice_end:
            return False
        else:
            fine = climb(s, info)


@kernel
def solve_nines(
    states: np.ndarray,
    boards: np.ndarray,
    solutions: np.ndarray,
    info: np.ndarray,
    limit: int,
    node_limit: int,
    work: int,
) -> bool:
    """Search boards, from the one under way on, for up to `limit` solutions each; false if `work` ended it before.

    `work` counts branches and steps back, and a few for each board.
    """
    s = states[0]
    while s.index < boards.shape[0] and work > 0:
        i = s.index
        before = info[i, NODES] + info[i, BACKTRACKS] if s.active else 0
        if not search_nine(s, boards[i], solutions[i], info[i], limit, node_limit, before + work):
            return False
        work -= info[i, NODES] + info[i, BACKTRACKS] - before + 5
        s.active = IDLE
        s.index += 1
    return s.index >= boards.shape[0]
