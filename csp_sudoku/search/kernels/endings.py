"""Every ending of a filling game, valued from the last cell backwards: it is worth what its moves lead to.

An ending is a set of empty cells, and with it a set of skips that no filled cell has killed. For each set of skips
there are those sets of cells that have all cells that kill one of them; what may be filled besides is a number, so the
endings of a set of skips stand side by side, and come after those with fewer skips and fewer cells.

Six cells, the *low* ones, are those that kill the fewest skips. All their 64 subsets make a block: sets of cells that
differ in nothing else, which are compared with the block of another move 64 at a time, by the processor's instructions
for many bytes at once. Within a block a skip may be dead; then the value is that without it.

In restricted modes the open squares belong to a position, too; so there these are the endings in which every empty
square is open to both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.solvers.kernels.bits import lowest, popcount
from csp_sudoku.solvers.kernels.compiled import kernel, part

MOST_CELLS = 28

MOST_SKIPS = 20
"""Each of their subsets has a block at least."""

LOW = 6
BLOCK = 1 << LOW

WORD = 64
"""Skips of a game, and regions with empty cells: bits of a word."""

HALF = MOST_CELLS // 2
HALF_BITS = np.uint64((1 << HALF) - 1)

QUARTER = (MOST_CELLS - LOW) // 2
"""Of the high cells half."""
QUARTER_BITS = np.uint64((1 << QUARTER) - 1)

UNKNOWN = -128

NONE = np.int8(127)
"""What is worse than any move."""

EIGHT = 8

ZERO = np.uint64(0)
ONE = np.uint64(1)

GAME = np.dtype(
    [
        ("high", np.int64),  # cells that are not low
        ("known", np.uint64),  # the skips, as those of the game
        ("number", np.int8, (WORD,)),  # theirs, of those of the game
        (
            "place",
            np.uint32,
            (2, 1 << HALF),
        ),  # sets of cells of the game: high ones in bits from LOW on, the low ones below
        ("killers", np.uint32, (MOST_SKIPS,)),  # high cells that kill a skip
        ("kills", np.uint32, (MOST_CELLS,)),  # skips that a high cell kills
        (
            "dead",
            np.int8,
            (MOST_SKIPS, BLOCK),
        ),  # NONE for the sets of low cells in which a skip is dead, else the least
        ("regions_of", np.uint64, (MOST_CELLS,)),  # of the low cells, then of the high ones
        ("empty", np.int8, (WORD, BLOCK)),  # 1 for the sets without any of a region's low cells
        ("last", np.int8, (LOW, WORD, BLOCK)),  # 1 for the sets in which a low cell is the only one of a region
        ("any", np.uint64, (2, 1 << QUARTER)),  # regions with high cells of a set of the lower or the upper ones
        ("several", np.uint64, (2, 1 << QUARTER)),  # regions with more than one
        # How far the work is.
        ("done", np.int64),  # blocks
        ("set", np.int64),  # of skips, that is worked on
    ]
)

WAY = np.dtype([("move", np.int64), ("first", np.int64), ("gaps", np.uint64), ("ones", np.uint64)])
"""A move to a set with fewer skips: the high cell or the skip, that set's first block, and which of them it is."""

Memory = Any
"""The game's record; for each set of skips the high cells that kill one, and its first block; the blocks."""


def no_memory() -> tuple[np.ndarray, ...]:
    """That of no game: no ending is valued."""
    return np.zeros(1, GAME), np.zeros(1, np.uint32), np.zeros(1, np.int64), np.zeros((0, BLOCK), np.int8)


@kernel
def prepare(games: np.ndarray, unions: np.ndarray, starts: np.ndarray) -> int:
    """Fill in what kills a set of skips, and where its blocks begin; how many blocks there are."""
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
    """The bits that are not in `gone`, moved together."""
    while gone:
        below = (gone & (~gone + ONE)) - ONE
        bits = (bits & below) | (bits >> ONE & ~below)
        gone = gone >> ONE & ~below
    return bits


@part
def follow(best: np.ndarray, block: np.ndarray) -> None:
    """Compare what is best, for the other side, with what a move without points leads to."""
    for i in range(BLOCK):
        value, least = block[i], best[i]
        best[i] = min(least, value)


@part
def follow_for(best: np.ndarray, block: np.ndarray, points: np.ndarray) -> None:
    """The same for a move that brings points, each set of low cells its own."""
    for i in range(BLOCK):
        value, least = np.int8(block[i] - points[i]), best[i]
        best[i] = min(least, value)


@part
def follow_alive(best: np.ndarray, block: np.ndarray, dead: np.ndarray) -> None:
    """The same for a skip, where it is not dead."""
    for i in range(BLOCK):
        value, least = block[i], best[i]
        value = max(dead[i], value)
        best[i] = min(least, value)


@part
def add(counts: np.ndarray, ones: np.ndarray) -> None:
    """Add."""
    for i in range(BLOCK):
        counts[i] += ones[i]


@part
def reward(counts: np.ndarray) -> None:
    """Turn the numbers of completed regions into points: 0, 1, 3, 7."""
    for i in range(BLOCK):
        counts[i] = np.int8((1 << counts[i]) - 1)


@part
def settle(block: np.ndarray, points: np.ndarray) -> None:
    """Compare the values of a block with those of filling low cells, which are in it, too: small sets first."""
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
    """Of a set of high cells, the regions with none of them, and those with one."""
    low, high = cells & QUARTER_BITS, cells >> np.uint64(QUARTER)
    some, others = g.any[0, low], g.any[1, high]
    return ~(some | others), (some ^ others) & ~(g.several[0, low] | g.several[1, high])


@part
def low_points(g: Any, without_high: np.uint64, points: np.ndarray, is_zero: np.ndarray) -> None:
    """What filling each low cell brings, where these regions have no high cells."""
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
    """What filling the only high cell of these regions brings, for each set of low cells."""
    counts[:] = 0
    while regions:
        add(counts, g.empty[lowest(regions)])
        regions &= regions - ONE
    reward(counts)


@part
def spread(bits: np.uint64, gaps: np.uint64) -> np.uint64:
    """The bits moved up, so that those of `gaps` are free."""
    while gaps:
        bit = gaps & (~gaps + ONE)
        gaps ^= bit
        bits += bits & ~(bit - ONE)
    return bits


@part
def look_around(g: Any, unions: np.ndarray, starts: np.ndarray, skips: int, ways: Any) -> int:
    """List where a set of skips comes to with fewer of them: by filling a high cell that kills some, or by using one.

    A block of that set has the number of this one's, spread by the gaps, and with ones. Returns how many cells that is.
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
    """Value the next blocks, about so many values; how many it was."""
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
    """The value of an ending in points; UNKNOWN if there is none."""
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
