"""Every ending of a filling game, valued from the last cell backwards: it is worth what its moves lead to.

An ending is a set of empty cells, and with it a set of skips that are left. Which skips there can be follows from the
cells: those that no filled cell has killed. So the values of a set of cells stand side by side, one for each subset of
these skips, and a set of cells, read as a number, comes after all that it can become. Sets with very many skips have no
value but that without skips; a search that comes to them goes on by itself.

In restricted modes the open squares belong to a position, too, so this is not for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.solvers.kernels.bits import lowest, popcount
from csp_sudoku.solvers.kernels.compiled import kernel, part

MOST_CELLS = 28

MOST_SKIPS = 64

HALF = MOST_CELLS // 2

LOW = np.uint64((1 << HALF) - 1)

NOWHERE = 0xFFFFFFFF
"""Where the values of sets with more skips begin."""

UNKNOWN = -128

POINTS = np.array([0, 1, 3, 7], np.int64)

ZERO = np.uint64(0)
ONE = np.uint64(1)

GAME = np.dtype(
    [
        ("cells", np.int64),
        ("skips", np.uint64),
        ("most_alive", np.int64),  # skips of a set of cells that has values
        ("killers", np.uint64, (MOST_SKIPS,)),  # the cells that kill a skip
        ("regions", np.uint64, (MOST_CELLS,)),  # of a cell
        ("done", np.uint64),  # sets of cells that are valued: those that are smaller, as numbers
    ]
)

HALVES = np.dtype([("killed", np.uint64), ("any", np.uint64), ("several", np.uint64)])
"""For a set of the lower or upper cells: the skips that they kill, the regions with any, and those with several."""

Memory = Any
"""The game's record, the halves, where the values of each set of cells begin, these values, and those without skips."""


def no_memory() -> tuple[np.ndarray, ...]:
    """That of no game: no set of cells is valued."""
    return (
        np.zeros(1, GAME),
        np.zeros((2, 0), HALVES),
        np.zeros(0, np.uint32),
        np.zeros(0, np.int8),
        np.zeros(0, np.int8),
    )


@part
def alive(g: Any, halves: Any, empty: np.uint64) -> np.uint64:
    """The skips that no filled cell has killed."""
    filled = (ONE << np.uint64(g.cells)) - ONE & ~empty
    return np.uint64(g.skips & ~(halves[0, filled & LOW].killed | halves[1, filled >> np.uint64(HALF)].killed))


@part
def alone(halves: Any, empty: np.uint64) -> np.uint64:
    """The regions that have one empty cell."""
    low, high = halves[0, empty & LOW], halves[1, empty >> np.uint64(HALF)]
    return np.uint64((low.any ^ high.any) & ~(low.several | high.several))


@kernel
def prepare(games: np.ndarray, halves: np.ndarray, starts: np.ndarray) -> int:
    """Fill in the halves, and where the values of each set of cells begin; how many there are, or -1 if too many."""
    g = games[0]
    for half in range(2):
        for i in range(min(HALF, max(g.cells - half * HALF, 0))):
            cell = half * HALF + i
            kills = ZERO
            for skip in range(MOST_SKIPS):
                kills |= (g.killers[skip] >> np.uint64(cell) & ONE) << np.uint64(skip)
            for others in range(1 << i):
                both, rest = halves[half, others | 1 << i], halves[half, others]
                both.killed = rest.killed | kills
                both.any = rest.any | g.regions[cell]
                both.several = rest.several | (rest.any & g.regions[cell])
    count = 0
    for empty in range(1 << g.cells):
        skips = popcount(alive(g, halves, np.uint64(empty)))
        starts[empty] = count
        if skips > g.most_alive:
            starts[empty] = NOWHERE
        elif skips:
            count += 1 << skips
            if count >= NOWHERE:
                return -1
    return count


@part
def list_kept(g: Any, here: np.uint64, empty: np.uint64, kept: np.ndarray) -> None:
    """Note for each empty cell which skips are left when it is filled: as bits of the subsets' numbers."""
    rest = empty
    while rest:
        kept[lowest(rest)] = (1 << popcount(here)) - 1
        rest &= rest - ONE
    bit = 1
    while here:
        rest = g.killers[lowest(here)] & empty
        while rest:
            kept[lowest(rest)] ^= bit
            rest &= rest - ONE
        bit <<= 1
        here &= here - ONE


@part
def fill_cell(values: Any, start: Any, count: int, after: Any, kept: int, points: int) -> None:
    """Compare values with those of filling a cell, which begin at `after` and are of the skips that are kept."""
    if kept == count - 1:
        for s in range(count):
            values[start + s] = max(values[start + s], points - values[after + s])
        return
    killed = count - 1 ^ kept
    left = 0
    while True:
        value = points - values[after]
        after += 1
        gone = 0
        while True:
            s = start + (left | gone)
            values[s] = max(values[s], value)
            gone = gone - killed & killed  # the next subset of them
            if gone == 0:
                break
        left = left - kept & kept
        if left == 0:
            return


@part
def use_skips(values: Any, start: Any, count: int) -> None:
    """Compare values with those of using a skip: fewer skips, the same cells."""
    for s in range(1, count):
        best = values[start + s]
        rest = s
        while rest:
            others = rest & (rest - 1)
            best = max(best, -values[start + (s ^ rest ^ others)])
            rest = others
        values[start + s] = best


@kernel
def value_endings(memory: Memory, budget: int) -> int:
    """Value the next sets of cells, about so many values; how many it was."""
    games, halves, starts, values, plain = memory
    g = games[0]
    kept = np.empty(MOST_CELLS, np.int64)
    spent = 0
    while g.done < ONE << np.uint64(g.cells) and spent < budget:
        empty = g.done
        here = alive(g, halves, empty)
        single = alone(halves, empty)
        start = np.int64(starts[empty])
        best = -128 if empty else 0
        rest = empty
        while rest:
            others = rest & (rest - ONE)
            points = POINTS[popcount(single & g.regions[lowest(rest)])]
            best = max(best, points - plain[empty ^ rest ^ others])
            rest = others
        plain[empty] = best
        spent += 1
        if here and start != NOWHERE:
            count = 1 << popcount(here)
            spent += count
            values[start : start + count] = -128
            list_kept(g, here, empty, kept)
            rest = empty
            while rest:
                cell = lowest(rest)
                others = rest & (rest - ONE)
                after = empty ^ rest ^ others
                rest = others
                points = POINTS[popcount(single & g.regions[cell])]
                if kept[cell]:
                    fill_cell(values, start, count, np.int64(starts[after]), kept[cell], points)
                else:
                    value = points - plain[after]
                    for s in range(start, start + count):
                        values[s] = max(values[s], value)
            use_skips(values, start, count)
        g.done += ONE
    return spent


@part
def value_of(memory: Memory, empty: np.uint64, skips: np.uint64) -> Any:
    """The value of an ending in points; UNKNOWN if there is none."""
    games, halves, starts, values, plain = memory
    g = games[0]
    if empty >= g.done or skips & ~g.skips:
        return UNKNOWN
    if skips == ZERO:
        return np.int64(plain[empty])
    start = np.int64(starts[empty])
    if start == NOWHERE:
        return UNKNOWN
    place, bit = 0, 1
    here = alive(g, halves, empty)
    while here:
        if skips & here & ~(here - ONE):
            place |= bit
        bit <<= 1
        here &= here - ONE
    return np.int64(values[start + place])
