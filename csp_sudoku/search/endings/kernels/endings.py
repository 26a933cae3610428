"""The values of all endings of a filling game, computed backwards from the last cell (retrograde analysis).

An ending is a set of empty cells together with a set of skips that no filled cell has killed. With a given set of live
skips, every cell that kills one of them is empty. Each other cell is empty or filled; one bit for each of them makes
the number of an ending. The endings of one set of skips are stored side by side, each after those that its moves lead
to.

The six *low* cells are those that kill the fewest skips; the other cells are *high*. The 64 sets of cells that differ
in low cells only form a block. A move compares a whole block with another one, 64 values at a time, with the vector
instructions of the processor. In some sets of a block a skip is dead; the value of such a set is its value without that
skip.

In restricted modes the open squares are part of a position, too; the values then hold for the endings in which every
empty square is open to both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part

MOST_CELLS = 28

MOST_SKIPS = 20
"""Maximum number of skips: each subset of the skips takes at least one block of memory."""

LOW = 6
BLOCK = 1 << LOW

WORD = 64
"""Maximum number of skips, and of regions with empty cells: each is a bit of a word."""

HALF = MOST_CELLS // 2
HALF_BITS = np.uint64((1 << HALF) - 1)

QUARTER = (MOST_CELLS - LOW) // 2
"""Half of the high cells: the tables of regions are indexed by either half of a set of them."""
QUARTER_BITS = np.uint64((1 << QUARTER) - 1)

UNKNOWN = -128

NONE = np.int8(127)
"""A value above that of every move, so that each move replaces it in a minimum."""

EIGHT = 8

ZERO = np.uint64(0)
ONE = np.uint64(1)

GAME = np.dtype(
    [
        ("high", np.int64),  # number of high cells
        ("known", np.uint64),  # the skips that the endings cover, as a set of skips of the game
        ("number", np.int8, (WORD,)),  # the number in the endings of each skip of the game
        (
            "place",
            np.uint32,
            (2, 1 << HALF),
        ),  # for each half of a set of cells: low cells in bits below LOW, high ones from LOW on
        ("killers", np.uint32, (MOST_SKIPS,)),  # the high cells that kill each skip
        ("kills", np.uint32, (MOST_CELLS,)),  # the skips that each high cell kills
        (
            "dead",
            np.int8,
            (MOST_SKIPS, BLOCK),
        ),  # NONE for the sets of low cells in which a skip is dead, else the lowest value
        ("regions_of", np.uint64, (MOST_CELLS,)),  # the regions of the low cells, then of the high ones
        ("empty", np.int8, (WORD, BLOCK)),  # 1 for the sets that contain none of a region's low cells
        ("last", np.int8, (LOW, WORD, BLOCK)),  # 1 for the sets in which a low cell is the only low one of a region
        ("any", np.uint64, (2, 1 << QUARTER)),  # regions that contain a cell of a half set of high cells
        ("several", np.uint64, (2, 1 << QUARTER)),  # regions that contain several cells of it
        # The progress of the valuation.
        ("done", np.int64),  # number of valued blocks
        ("set", np.int64),  # the set of skips in progress
    ]
)

WAY = np.dtype([("move", np.int64), ("first", np.int64), ("gaps", np.uint64), ("ones", np.uint64)])
"""A move to a set with fewer skips: the high cell or skip, that set's first block, and masks that compute the block."""

Memory = Any
"""The game's record; the killers of each set of skips among the high cells; the first block of each set; all blocks."""


def no_memory() -> tuple[np.ndarray, ...]:
    """Return the memory of no game, which contains no ending."""
    return np.zeros(1, GAME), np.zeros(1, np.uint32), np.zeros(1, np.int64), np.zeros((0, BLOCK), np.int8)


@kernel
def prepare(games: np.ndarray, unions: np.ndarray, starts: np.ndarray) -> int:
    """Compute the killers and the first block of each set of skips; return the number of blocks."""
    g = games[0]
    count = 0
    for skips in range(len(unions)):
        if skips:
            unions[skips] = unions[skips & (skips - 1)] | g.killers[lowest(np.uint64(skips))]
        starts[skips] = count
        count += 1 << (g.high - popcount(unions[skips]))
    return count


@part
def without(bits: np.uint64, gone: np.uint64) -> np.uint64:
    """Return the bits that are not in `gone`, shifted down so that no gaps remain."""
    while gone:
        below = (gone & (~gone + ONE)) - ONE
        bits = (bits & below) | (bits >> ONE & ~below)
        gone = gone >> ONE & ~below
    return bits


@part
def follow(best: np.ndarray, block: np.ndarray) -> None:
    """Lower `best`, the values for the other side, to the values of the block that a move without points leads to."""
    for i in range(BLOCK):
        value, least = block[i], best[i]
        best[i] = min(least, value)


@part
def follow_for(best: np.ndarray, block: np.ndarray, points: np.ndarray) -> None:
    """Do the same as `follow` for a move with points, which differ between the sets of low cells."""
    for i in range(BLOCK):
        value, least = np.int8(block[i] - points[i]), best[i]
        best[i] = min(least, value)


@part
def follow_alive(best: np.ndarray, block: np.ndarray, dead: np.ndarray) -> None:
    """Do the same as `follow` for the use of a skip, in the sets of low cells in which the skip is not dead."""
    for i in range(BLOCK):
        value, least = block[i], best[i]
        value = max(dead[i], value)
        best[i] = min(least, value)


@part
def add(counts: np.ndarray, ones: np.ndarray) -> None:
    """Add `ones` to `counts`, element by element."""
    for i in range(BLOCK):
        counts[i] += ones[i]


@part
def reward(counts: np.ndarray) -> None:
    """Convert the numbers of completed regions to points: 0, 1, 3, 7."""
    for i in range(BLOCK):
        counts[i] = np.int8((1 << counts[i]) - 1)


@part
def settle(block: np.ndarray, points: np.ndarray) -> None:
    """Raise the values of a block to the results of filling a low cell, which leads to another set of the block."""
    for eight in range(EIGHT):
        at = np.uint64(EIGHT * eight)
        for j in range(3):
            if eight >> j & 1:
                after = np.uint64(EIGHT * (eight ^ 1 << j))
                for i in range(EIGHT):
                    value, best = (
                        np.int8(points[3 + j, at + np.uint64(i)] - block[after + np.uint64(i)]),
                        block[at + np.uint64(i)],
                    )
                    block[at + np.uint64(i)] = max(best, value)
        for i in range(1, EIGHT):
            best = block[at + np.uint64(i)]
            for j in range(3):
                if i >> j & 1:
                    value = np.int8(points[j, at + np.uint64(i)] - block[at + np.uint64(i ^ 1 << j)])
                    best = max(best, value)
            block[at + np.uint64(i)] = best


@part
def counted(g: Any, cells: np.uint64) -> Any:
    """Return the regions that contain none of a set of high cells, and those that contain exactly one."""
    low, high = cells & QUARTER_BITS, cells >> np.uint64(QUARTER)
    some, others = g.any[0, low], g.any[1, high]
    return ~(some | others), (some ^ others) & ~(g.several[0, low] | g.several[1, high])


@part
def low_points(g: Any, without_high: np.uint64, points: np.ndarray, is_zero: np.ndarray) -> None:
    """Compute the points for filling each low cell if the regions `without_high` have no empty high cells."""
    for low in range(LOW):
        regions = without_high & g.regions_of[low]
        if not is_zero[low]:
            points[low, :] = 0
        is_zero[low] = not regions
        if regions:
            while regions:
                add(points[low], g.last[low, lowest(regions)])
                regions &= regions - ONE
            reward(points[low])


@part
def high_points(g: Any, regions: np.uint64, counts: np.ndarray) -> None:
    """Compute the points for filling the only empty high cell of these regions, for each set of low cells."""
    counts[:] = 0
    while regions:
        add(counts, g.empty[lowest(regions)])
        regions &= regions - ONE
    reward(counts)


@part
def spread(bits: np.uint64, gaps: np.uint64) -> np.uint64:
    """Return the bits shifted up so that the positions in `gaps` are free: the inverse of `without`."""
    while gaps:
        bit = gaps & (~gaps + ONE)
        gaps ^= bit
        bits += bits & ~(bit - ONE)
    return bits


@part
def look_around(g: Any, unions: np.ndarray, starts: np.ndarray, skips: int, ways: Any) -> int:
    """List the moves to a set with fewer skips: a high cell that kills some of them is filled, or a skip is used.

    The number of the block that a move leads to is this block's number, spread by `gaps`, with `ones` added. Return the
    number of such cells.
    """
    killers = np.uint64(unions[skips])
    count = cells = 0
    left, rest = killers, skips
    while left or rest:
        way = ways[count]
        bit = ZERO
        if left:
            way.move = lowest(left)
            bit = ONE << np.uint64(way.move)
            left ^= bit
            fewer = skips & ~np.int64(g.kills[way.move])
            cells += 1
        else:
            way.move = lowest(np.uint64(rest))
            rest &= rest - 1
            fewer = skips ^ 1 << way.move
        others = np.uint64(unions[fewer])
        way.first = starts[fewer]
        way.gaps = without(killers & ~others, others)
        way.ones = without(killers & ~others & ~bit, others)
        count += 1
    return cells


@kernel
def value_endings(memory: Memory, budget: int) -> int:
    """Compute about `budget` further values, in whole blocks; return the number of values computed."""
    games, unions, starts, values = memory
    g = games[0]
    best, counts = np.empty(BLOCK, np.int8), np.empty(BLOCK, np.int8)
    points, is_zero = np.zeros((LOW, BLOCK), np.int8), np.ones(LOW, np.bool_)
    ways, free = np.zeros(MOST_CELLS + MOST_SKIPS, WAY), np.zeros(MOST_CELLS, np.int64)
    begun = g.done
    while g.done < len(values) and (g.done - begun) * BLOCK < budget:
        skips, first = g.set, starts[g.set]
        killers = np.uint64(unions[skips])
        fatal = look_around(g, unions, starts, skips, ways)
        size = g.high - fatal
        rest = ((ONE << np.uint64(g.high)) - ONE) & ~killers
        for place in range(size):
            free[place] = lowest(rest)
            rest &= rest - ONE
        while g.done - first < 1 << size and (g.done - begun) * BLOCK < budget:
            number = np.uint64(g.done - first)
            cells, bits = killers, number
            while bits:
                cells |= ONE << np.uint64(free[lowest(bits)])
                bits &= bits - ONE
            none, single = counted(g, cells)
            best[:] = NONE
            bits = number
            while bits:
                bit = bits & (~bits + ONE)
                block = values[first + np.int64(number ^ bit)]
                regions = single & g.regions_of[LOW + free[lowest(bits)]]
                if regions:
                    high_points(g, regions, counts)
                    follow_for(best, block, counts)
                else:
                    follow(best, block)
                bits ^= bit
            for i in range(fatal + popcount(np.uint64(skips))):
                way = ways[i]
                block = values[way.first + np.int64(spread(number, way.gaps) | way.ones)]
                regions = single & g.regions_of[LOW + way.move] if i < fatal else ZERO
                if i >= fatal:
                    follow_alive(best, block, g.dead[way.move])
                elif regions:
                    high_points(g, regions, counts)
                    follow_for(best, block, counts)
                else:
                    follow(best, block)
            if cells == ZERO:
                best[0] = 0
            mine = values[g.done]
            for i in range(BLOCK):
                mine[i] = -best[i]
            low_points(g, none, points, is_zero)
            settle(mine, points)
            g.done += 1
        g.set += g.done - first == 1 << size
    return (g.done - begun) * BLOCK


@part
def value_of(memory: Memory, empty: np.uint64, skips: np.uint64) -> Any:
    """Return the value of an ending in points; UNKNOWN if it has not been computed."""
    games, unions, starts, values = memory
    g = games[0]
    if skips & ~g.known or g.done == 0:
        return UNKNOWN
    left = 0
    while skips:
        left |= 1 << g.number[lowest(skips)]
        skips &= skips - ONE
    place = g.place[0, empty & HALF_BITS] | g.place[1, empty >> np.uint64(HALF)]
    cells = np.uint64(place >> LOW)
    block = starts[left] + np.int64(without(cells, np.uint64(unions[left])))
    if block >= g.done:
        return UNKNOWN
    return np.int64(values[block, place & (BLOCK - 1)])
