"""The search for plain 3×3 boards, on bit boards.

The batch kernel searches many boards in one call; a slice of work may end in the middle of a board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.nine.kernels.digits import (
    BACKTRACKS,
    CELLS,
    COMPLETE,
    COUNT,
    FORCED,
    KEPT,
    NINE_BITS,
    NODES,
    ONE,
    PERMUTATIONS,
    POSSIBLE,
    WORDS,
    U,
    begin_nine,
    is_solved,
    keep_out,
    propagate_nine,
    put_within,
    set_up,
    write_solution,
)

IDLE, CLIMBING, BRANCHING = range(3)

NINE = np.dtype(
    [
        ("index", np.int64),  # the current board
        ("active", np.int64),  # IDLE before the search of this board, else its next step
        ("level", np.int64),
        ("digits", np.uint32, (CELLS + 1, WORDS)),  # per level: a position, as `digits` describes it
    ]
)


def new_state() -> np.ndarray:
    """Return an empty state, as an array of one record."""
    return np.zeros(1, NINE)


@part
def branch(s: Any, info: Any, candidate: int) -> bool:
    """Try a candidate one level deeper, and remove it from the level above; return false on a contradiction.

    A candidate is digit · 128 + band · 32 + bit.
    """
    p = s.digits[s.level]
    below = s.digits[s.level + 1]
    for i in range(WORDS):
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
def choose_within(p: Any) -> int:
    """Return the digit, and the minirow or minicolumn, to branch on: digit · 64 + way + number · 2 with `way` 0 or 1.

    The function takes the band or stack whose nine digits have the fewest permutations left, and in it a digit with the
    fewest.
    """
    best, fewest_in_all = -1, 1000
    for way in range(2):
        for start in range(0, 27, 9):
            in_all, fewest, chosen = 0, 7, -1
            for d in range(9):
                left = PERMUTATIONS[p[POSSIBLE + 9 * way + d] >> U(start) & NINE_BITS]
                in_all += left
                if 1 < left < fewest:
                    fewest, chosen = left, d
            if chosen >= 0 and in_all < fewest_in_all:
                fewest_in_all = in_all
                open_ones = p[POSSIBLE + 9 * way + chosen] & ~p[FORCED + 9 * way + chosen]
                number = start + lowest(open_ones >> U(start) & NINE_BITS)
                best = chosen * 64 + number * 2 + way
    return best


@part
def branch_within(s: Any, info: Any, choice: int) -> bool:
    """Restrict a digit to a minirow or minicolumn one level deeper, and exclude it from there in the level above.

    Return false on a contradiction. `choice` is what `choose_within` returned.
    """
    p = s.digits[s.level]
    below = s.digits[s.level + 1]
    for i in range(WORDS):
        below[i] = p[i]
    d, number, way = choice >> 6, choice >> 1 & 31, 9 * (choice & 1)
    keep_out(p, d, way, number)
    put_within(below, d, way, number)
    below[31] = d
    s.level += 1
    info[NODES] += 1
    return propagate_nine(below, 1 << d, info)


@part
def climb(s: Any, info: Any) -> bool:
    """Backtrack one level, where the tried choice is already removed; return false on a contradiction."""
    d = s.digits[s.level, 31]
    s.level -= 1
    info[BACKTRACKS] += 1
    return propagate_nine(s.digits[s.level], 1 << d, info)


@part
def search_nine(s: Any, cells: Any, solution: Any, info: Any, limit: int, node_limit: int, slice_end: int) -> bool:
    """Search one board up to `limit` solutions, its end, or the node limit; return false if the slice ended first.

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
        fine = begin_nine(s.digits[0], info)
    while True:
        p = s.digits[s.level]
        if fine and is_solved(p):
            info[COUNT] += 1
            if info[COUNT] in (1, limit):
                write_solution(p, solution)
            if info[COUNT] >= limit:
                return True
            fine = False
        if fine:
            if 0 <= node_limit <= info[NODES]:
                return True
            fine = branch_within(s, info, choose_within(p))
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
    """Search the boards, from the current one on, for up to `limit` solutions each; return false if `work` ran out.

    `work` counts branches and backtracks, plus a few units for each board.
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
