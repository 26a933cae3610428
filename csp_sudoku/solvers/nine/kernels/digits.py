"""The propagation on bit boards: 27 cells of a band per word, a word per digit and band.

A digit stands once in each row and each box of a band, so it takes one cell in each of three of the band's nine
*minirows* (three cells of a row in a box), and these three are a permutation of rows and boxes. `PERMUTED` maps
each set of minirows where the digit is still possible to those of them that are part of such a permutation. Bands
and minicolumns of a stack are related in the same way, so the one table of 512 entries removes, from a digit, each
candidate that hidden singles, locked candidates and placed values rule out within rows, columns and boxes. A bitwise
sum over the nine digits finds the naked singles.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import part

CELLS = 81
ALL = (1 << 27) - 1
ROW_REPEAT = 0o1001001  # 1 in each of the three rows of a band

# Columns of the `info` that a batch writes per board.
COUNT, COMPLETE, NODES, BACKTRACKS, PROPAGATIONS = range(5)
INFO = 5


def _minirows(row: int) -> int:
    """Return which of the three minirows of a row of nine cells are not empty, as bits."""
    return sum(1 << box for box in range(3) if row >> 3 * box & 7)


def _permuted(present: int) -> int:
    """Return the members of a 3×3 set that are part of a permutation within the set."""
    found = 0
    for order in permutations(range(3)):
        wanted = sum(1 << (3 * row + column) for row, column in enumerate(order))
        if present & wanted == wanted:
            found |= wanted
    return found


def _cells_of(minirows: int) -> int:
    """Return the cells of a band that lie in these minirows."""
    return sum(7 << 3 * i for i in range(9) if minirows >> i & 1)


def _kept(bit: int) -> int:
    """Return the cells of a band that a digit at `bit` leaves to itself: `bit`, and those in other rows and boxes."""
    row, column = divmod(bit, 9)
    shares = [r * 9 + c for r in range(3) for c in range(9) if r == row or c // 3 == column // 3]
    return ALL & ~sum(1 << other for other in shares) | 1 << bit


MINIROWS = np.array([_minirows(row) for row in range(512)], np.uint32)
PERMUTED = np.array([_permuted(present) for present in range(512)], np.uint32)
LEFT_BY_ROWS = np.array([_cells_of(_permuted(present)) for present in range(512)], np.uint32)
KEPT = np.array([_kept(bit) for bit in range(27)], np.uint32)
BOXES = np.array([0o7007007 << 3 * box for box in range(3)], np.uint32)

U = np.uint32
ONE = np.uint32(1)
NINE_BITS = np.uint32(511)
SEVEN = np.uint32(7)
FULL = np.uint32(ALL)
REPEAT = np.uint32(ROW_REPEAT)


@part
def by_rows(x: Any) -> Any:
    """Return the cells of a digit in a band that its rows and boxes allow; 0 on a contradiction."""
    present = MINIROWS[x & NINE_BITS] | MINIROWS[(x >> U(9)) & NINE_BITS] << U(3) | MINIROWS[x >> U(18)] << U(6)
    return U(x & LEFT_BY_ROWS[present])


@part
def columns(x: Any) -> Any:
    """Return the columns in which a digit is possible in a band."""
    return U((x | x >> U(9) | x >> U(18)) & NINE_BITS)


@part
def settle(p: Any, d: int) -> bool:
    """Propagate one digit through rows, boxes and columns to a fixpoint; return false on a contradiction."""
    x, y, z = p[3 * d], p[3 * d + 1], p[3 * d + 2]
    while True:
        a, b, c = by_rows(x), by_rows(y), by_rows(z)
        if a == 0 or b == 0 or c == 0:
            return False
        i, j, k = columns(a), columns(b), columns(c)
        left = PERMUTED[i & SEVEN | (j & SEVEN) << U(3) | (k & SEVEN) << U(6)]
        middle = PERMUTED[i >> U(3) & SEVEN | (j >> U(3) & SEVEN) << U(3) | (k >> U(3) & SEVEN) << U(6)]
        right = PERMUTED[i >> U(6) | (j >> U(6)) << U(3) | (k >> U(6)) << U(6)]
        x = a & (left & SEVEN | (middle & SEVEN) << U(3) | (right & SEVEN) << U(6)) * REPEAT
        y = b & (left >> U(3) & SEVEN | (middle >> U(3) & SEVEN) << U(3) | (right >> U(3) & SEVEN) << U(6)) * REPEAT
        z = c & (left >> U(6) | (middle >> U(6)) << U(3) | (right >> U(6)) << U(6)) * REPEAT
        if a == x and b == y and c == z:  # if the columns remove nothing, the rows remove nothing either
            break
        x, y, z = U(x), U(y), U(z)
    p[3 * d], p[3 * d + 1], p[3 * d + 2] = x, y, z
    return True


@part
def claim(p: Any, d: int) -> int:
    """Remove the other digits from cells that are a digit's only place in a box; return the digits that lost cells."""
    dirty = 0
    for band in range(3):
        x = p[3 * d + band]
        found = U(0)
        for box in range(3):
            places = x & BOXES[box]
            if places & (places - ONE) == 0:
                found |= places
        found &= ~p[27 + band]
        if found:
            p[27 + band] |= found
            for e in range(9):
                if e != d and p[3 * e + band] & found:
                    p[3 * e + band] &= ~found
                    dirty |= 1 << e
    return dirty


@part
def naked_singles(p: Any) -> int:
    """Place the digits of cells with a single one; return the placed digits as bits, or -1 if a cell has none."""
    dirty = 0
    for band in range(3):
        once, twice = U(0), U(0)
        for d in range(9):
            x = p[3 * d + band]
            twice |= once & x
            once |= x
        if once != FULL:
            return -1
        single = once & ~twice & ~p[27 + band]
        if single:
            for d in range(9):
                cells = p[3 * d + band] & single
                while cells:
                    p[3 * d + band] &= KEPT[lowest(cells)]
                    dirty |= 1 << d
                    cells &= cells - ONE
    return dirty


@part
def propagate_nine(p: Any, dirty: int, info: Any) -> bool:
    """Propagate to a fixpoint from the changed digits `dirty`; return false on a contradiction."""
    while True:
        while dirty:
            d = lowest(dirty)
            dirty &= dirty - 1
            info[PROPAGATIONS] += 1
            if not settle(p, d):
                return False
            dirty |= claim(p, d)
        dirty = naked_singles(p)
        if dirty <= 0:
            return dirty == 0


@part
def set_up(p: Any, own: Any, cells: Any) -> None:
    """Set up the digits that the givens of a board leave. `own` is scratch space for the givens, digit by digit."""
    for i in range(30):
        p[i] = FULL
        own[i] = U(0)
    for band in range(3):
        filled = U(0)
        for bit in range(27):
            value = cells[27 * band + bit]
            if value:
                i = 3 * value - 3 + band
                p[i] &= KEPT[bit]
                own[i] |= ONE << U(bit)
                filled |= ONE << U(bit)
        for d in range(9):
            p[3 * d + band] &= ~filled | own[3 * d + band]
        p[27 + band] = U(0)


@part
def write_solution(p: Any, solution: Any) -> None:
    """Write the digits of a solved position as the values of its cells."""
    for d in range(9):
        for band in range(3):
            x = p[3 * d + band]
            while x:
                solution[27 * band + lowest(x)] = d + 1
                x &= x - ONE
