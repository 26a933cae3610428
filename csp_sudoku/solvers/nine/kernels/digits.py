"""The propagation on bit boards: one word per digit and band, with a bit for each of the 27 cells.

A digit stands once in each row and each box of a band, so it takes one cell in each of three of the band's nine
*minirows* (three cells of a row in a box), and these three are a permutation of rows and boxes. `PERMUTED` maps
each set of minirows where the digit is still possible to those of them that are part of such a permutation. Bands
and minicolumns of a stack are related in the same way, so the one table of 512 entries removes, from a digit, each
candidate that hidden singles, locked candidates and placed values rule out within rows, columns and boxes. A bitwise
sum over the nine digits finds the naked singles. When these rules find nothing more, `triads` counts digits: three of
them share each minirow and each *minicolumn* (three cells of a column in a box). `propagate_simply` does without this,
and solves most easy boards a little sooner.
"""

from __future__ import annotations

from functools import reduce
from itertools import permutations
from operator import and_, or_
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

WORDS = 68
POSSIBLE, FORCED = 32, 50
"""The words of a position: by digit · 3 + band its cells, then the solved cells of each band (27 to 29), and the digit
that was tried last (31). From POSSIBLE on, a word for each digit holds the minirows where it is possible, by band · 9 +
row · 3 + box, and nine more its minicolumns, by stack · 9 + band · 3 + column. From FORCED on, the same for those where
it must stand.
"""


def _minirows(row: int) -> int:
    """Return the nonempty minirows of a row of nine cells, as three bits."""
    return sum(1 << box for box in range(3) if row >> 3 * box & 7)


def _permutations_within(present: int) -> list[int]:
    """Return the permutations within a 3×3 set, each as a set."""
    orders = [sum(1 << (3 * row + column) for row, column in enumerate(order)) for order in permutations(range(3))]
    return [order for order in orders if present & order == order]


def _permuted(present: int) -> int:
    """Return the members of a 3×3 set that are part of a permutation within the set."""
    return reduce(or_, _permutations_within(present), 0)


def _forced(present: int) -> int:
    """Return the members of a 3×3 set that are part of every permutation within the set; none without permutations."""
    found = _permutations_within(present)
    return reduce(and_, found) if found else 0


def _within_minirow(minirow: int) -> int:
    """Return the cells of a band that a digit may take if it stands in this minirow."""
    row, box = divmod(minirow, 3)
    cells = [r * 9 + c for r in range(3) for c in range(9) if (r == row) == (c // 3 == box)]
    return sum(1 << cell for cell in cells)


def _minicolumn(number: int, width: int) -> int:
    """Return the cells of a minicolumn in its band; with `width` 3, all cells of its box."""
    stack, column = number // 9, number % 3
    columns = [3 * stack + column] if width == 1 else range(3 * stack, 3 * stack + 3)
    return sum(1 << r * 9 + c for r in range(3) for c in columns)


def _cells_of(minirows: int) -> int:
    """Return the cells of a band that lie in these minirows."""
    return sum(7 << 3 * i for i in range(9) if minirows >> i & 1)


def _kept(bit: int) -> int:
    """Return the cells of a band that remain for a digit at `bit`: `bit`, and the cells in other rows and boxes."""
    row, column = divmod(bit, 9)
    shares = [r * 9 + c for r in range(3) for c in range(9) if r == row or c // 3 == column // 3]
    return ALL & ~sum(1 << other for other in shares) | 1 << bit


MINIROWS = np.array([_minirows(row) for row in range(512)], np.uint32)
PERMUTED = np.array([_permuted(present) for present in range(512)], np.uint32)
LEFT_BY_ROWS = np.array([_cells_of(_permuted(present)) for present in range(512)], np.uint32)
PERMUTATIONS = np.array([len(_permutations_within(present)) for present in range(512)], np.uint8)
FORCED_IN = np.array([_forced(present) for present in range(512)], np.uint32)
WITHIN_MINIROW = np.array([_within_minirow(number % 9) for number in range(27)], np.uint32)
MINIROW = np.array([_cells_of(1 << number % 9) for number in range(27)], np.uint32)
MINICOLUMN = np.array([_minicolumn(number, 1) for number in range(27)], np.uint32)
BOX_OF_MINICOLUMN = np.array([_minicolumn(number, 3) for number in range(27)], np.uint32)
KEPT = np.array([_kept(bit) for bit in range(27)], np.uint32)
BOXES = np.array([0o7007007 << 3 * box for box in range(3)], np.uint32)

U = np.uint32
ONE = np.uint32(1)
NINE_BITS = np.uint32(511)
SEVEN = np.uint32(7)
FULL = np.uint32(ALL)
REPEAT = np.uint32(ROW_REPEAT)


@part
def minirows(x: Any) -> Any:
    """Return the minirows in which a digit is possible in a band."""
    return MINIROWS[x & NINE_BITS] | MINIROWS[(x >> U(9)) & NINE_BITS] << U(3) | MINIROWS[x >> U(18)] << U(6)


@part
def columns(x: Any) -> Any:
    """Return the columns in which a digit is possible in a band."""
    return U((x | x >> U(9) | x >> U(18)) & NINE_BITS)


@part
def in_stack(i: Any, j: Any, k: Any, shift: int) -> Any:
    """Return the minicolumns of the stack that begins at column `shift`, from the columns in the three bands."""
    return (i >> U(shift)) & SEVEN | ((j >> U(shift)) & SEVEN) << U(3) | ((k >> U(shift)) & SEVEN) << U(6)


@part
def settle(p: Any, d: int, notes_triads: bool) -> bool:
    """Propagate one digit through rows, boxes and columns to a fixpoint; return false on a contradiction.

    With `notes_triads`, record the minirows and the minicolumns in which the digit is possible or forced.
    """
    x, y, z = p[3 * d], p[3 * d + 1], p[3 * d + 2]
    while True:
        top, centre, bottom = minirows(x), minirows(y), minirows(z)
        a, b, c = U(x & LEFT_BY_ROWS[top]), U(y & LEFT_BY_ROWS[centre]), U(z & LEFT_BY_ROWS[bottom])
        if a == 0 or b == 0 or c == 0:
            return False
        i, j, k = columns(a), columns(b), columns(c)
        left, middle, right = in_stack(i, j, k, 0), in_stack(i, j, k, 3), in_stack(i, j, k, 6)
        l, m, r = PERMUTED[left], PERMUTED[middle], PERMUTED[right]
        x = a & (l & SEVEN | (m & SEVEN) << U(3) | (r & SEVEN) << U(6)) * REPEAT
        y = b & (l >> U(3) & SEVEN | (m >> U(3) & SEVEN) << U(3) | (r >> U(3) & SEVEN) << U(6)) * REPEAT
        z = c & (l >> U(6) | (m >> U(6)) << U(3) | (r >> U(6)) << U(6)) * REPEAT
        if a == x and b == y and c == z:  # if the columns remove nothing, the rows remove nothing either
            break
        x, y, z = U(x), U(y), U(z)
    p[3 * d], p[3 * d + 1], p[3 * d + 2] = x, y, z
    if notes_triads:
        p[POSSIBLE + d] = PERMUTED[top] | PERMUTED[centre] << U(9) | PERMUTED[bottom] << U(18)
        p[POSSIBLE + 9 + d] = l | m << U(9) | r << U(18)
        p[FORCED + d] = FORCED_IN[top] | FORCED_IN[centre] << U(9) | FORCED_IN[bottom] << U(18)
        p[FORCED + 9 + d] = FORCED_IN[left] | FORCED_IN[middle] << U(9) | FORCED_IN[right] << U(18)
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
    """Place the last digits of cells; return the placed digits as bits, or -1 if a cell has no digit left."""
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
def put_within(p: Any, d: int, way: int, number: int) -> None:
    """Restrict a digit to the positions in which it stands in a minirow (`way` 0) or in a minicolumn (`way` 9)."""
    if way == 0:
        p[3 * d + number // 9] &= WITHIN_MINIROW[number]
    else:
        own = 3 * d + number % 9 // 3
        kept = p[own] & (MINICOLUMN[number] | ~BOX_OF_MINICOLUMN[number])
        for band in range(3):
            p[3 * d + band] &= ~MINICOLUMN[number]
        p[own] = kept


@part
def keep_out(p: Any, d: int, way: int, number: int) -> None:
    """Remove a digit from a minirow (`way` 0) or from a minicolumn (`way` 9)."""
    if way == 0:
        p[3 * d + number // 9] &= ~MINIROW[number]
    else:
        p[3 * d + number % 9 // 3] &= ~MINICOLUMN[number]


@part
def triads(p: Any) -> int:
    """Let three digits share each minirow and minicolumn; return the digits that lost cells, -1 on a contradiction.

    If only three are possible, they are forced to be there; if three are forced, no other is possible.
    """
    dirty = 0
    for way in range(0, 18, 9):
        p1, p2, p3, p4 = U(0), U(0), U(0), U(0)  # the places where at least one, two, … digits are possible, and forced
        f1, f2, f3, f4 = U(0), U(0), U(0), U(0)
        for d in range(way, way + 9):
            x, y = p[POSSIBLE + d], p[FORCED + d]
            p4 |= p3 & x
            p3 |= p2 & x
            p2 |= p1 & x
            p1 |= x
            f4 |= f3 & y
            f3 |= f2 & y
            f2 |= f1 & y
            f1 |= y
        if p3 != FULL or f4:
            return -1
        only = p3 & ~p4
        if only == f3:
            continue
        for d in range(9):
            open_ones = p[POSSIBLE + way + d] & ~p[FORCED + way + d]
            forced, excluded = open_ones & only, open_ones & f3
            if forced & excluded:
                return -1
            if forced | excluded:
                dirty |= 1 << d
            while forced:
                put_within(p, d, way, lowest(forced))
                forced &= forced - ONE
            while excluded:
                keep_out(p, d, way, lowest(excluded))
                excluded &= excluded - ONE
    return dirty


@part
def propagate_simply(p: Any, dirty: int, info: Any) -> bool:
    """Propagate to a fixpoint from the changed digits `dirty`, without triads; return false on a contradiction."""
    while True:
        while dirty:
            d = lowest(dirty)
            dirty &= dirty - 1
            info[PROPAGATIONS] += 1
            if not settle(p, d, False):
                return False
            dirty |= claim(p, d)
        dirty = naked_singles(p)
        if dirty <= 0:
            return dirty == 0


@part
def propagate_nine(p: Any, dirty: int, info: Any) -> bool:
    """Propagate to a fixpoint from the changed digits `dirty`, with triads; return false on a contradiction."""
    while True:
        while dirty:
            d = lowest(dirty)
            dirty &= dirty - 1
            info[PROPAGATIONS] += 1
            if not settle(p, d, True):
                return False
            dirty |= claim(p, d)
        dirty = naked_singles(p)
        if dirty == 0:
            dirty = triads(p)
            if dirty == 0:
                return True
        if dirty < 0:
            return False


@part
def begin_nine(p: Any, info: Any) -> bool:
    """Propagate a position that has been set up; return false on a contradiction."""
    return propagate_simply(p, 511, info) and (is_solved(p) or propagate_nine(p, 511, info))


@part
def is_solved(p: Any) -> bool:
    """Return whether every cell is solved."""
    return p[27] & p[28] & p[29] == FULL


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
