"""The filling game and its search: a position is two words, the cells that are empty and the skips that are left.

A move fills a cell, for 0, 1, 3 or 7 points by the number of regions that it completes, or uses up a skip. Filling a
cell removes the skips that it kills. The value of a position is the future points of the side to move minus those of
the other side, if both play their best moves. In the restricted modes each side has squares of its own, and filling one
opens its neighbours to that side; a side without an empty square passes.

The search is negamax with alpha-beta windows and a transposition table of bounds and depths; a value is exact if
no leaf was estimated. Each call searches a bounded number of nodes and keeps its results in the table, so that the next
call continues the search. The search looks up the values of endings that `endings` has computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.search.endings.kernels.endings import UNKNOWN, value_of
from csp_sudoku.search.kernels.climbing import (
    EXACT,
    INFINITE,
    WINDOW,
    add_move,
    climber,
    find,
    look_up,
    mixed,
    new_table,
    slot_of,
    store,
)
from csp_sudoku.search.kernels.plies import (
    OPEN,
    PASSING,
    REGIONS_OF_CELL,
    REWARDS,
    UNIT,
    begin,
    completed_by,
    open_moves,
    praise,
    step_down,
)

__all__ = ["EXACT", "INFINITE", "REWARDS", "UNIT", "new_table"]

MAX_CELLS = 64
MAX_SKIPS = 64
MAX_REGIONS = 192
MAX_PLIES = 2 * (MAX_CELLS + MAX_SKIPS) + 2  # a pass may follow each move
MAX_MOVES = MAX_CELLS + MAX_SKIPS
PASS = 2 * MAX_CELLS  # a move below MAX_CELLS fills a cell; the others use a skip

ZERO = np.uint64(0)
ONE = np.uint64(1)

GAME = np.dtype(
    [
        # The game.
        ("cells", np.int64),
        ("regions", np.int64),
        ("skips", np.int64),
        ("region", np.uint64, (MAX_REGIONS,)),  # the cells of a region that were empty at the beginning
        ("regions_of", np.int16, (MAX_CELLS, REGIONS_OF_CELL)),
        ("extra", np.int16, (MAX_REGIONS,)),  # empty cells of a region that are not part of the game
        ("kills", np.uint64, (MAX_CELLS,)),  # the skips that each filled cell kills
        ("restricted", np.int64),
        ("opens", np.uint64, (MAX_CELLS,)),  # the neighbours of each cell
        ("skip_cell", np.int64, (MAX_SKIPS,)),  # the cell in which each skip is played
        # The search.
        ("cell_width", np.int64),  # numbers of cells and skips considered per position, except in an exact search
        ("skip_width", np.int64),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("stopped", np.int64),
        ("estimates", np.int64),
        ("slots", np.uint64),  # number of slots in the table, minus 1
        ("history", np.int64, (PASS + 1,)),
        ("moves", np.int16, (MAX_PLIES, MAX_MOVES)),
        ("gains", np.int8, (MAX_PLIES, MAX_MOVES)),
        ("keys", np.int32, (MAX_PLIES, MAX_MOVES)),
    ]
)

FRAME = np.dtype(
    [
        ("empty", np.uint64),
        ("skips", np.uint64),
        ("mine", np.uint64),
        ("others", np.uint64),
        ("sides", np.uint64),  # in restricted modes, a digest of both sides' squares and the side to move
        *WINDOW,
    ]
)

Game = Any
"""A record of GAME, inside a kernel."""


def new_frames() -> np.ndarray:
    """Return the frames for the positions from the root to a leaf."""
    return np.zeros(MAX_PLIES, FRAME)


@part
def estimate(g: Game, empty: np.uint64, mine: np.uint64) -> int:
    """Return an estimate of the value: three quarters of the points of the best move."""
    best = 0
    rest = empty & mine
    while rest:
        cell = lowest(rest)
        rest &= rest - ONE
        best = max(best, completed_by(g, empty, cell) & 15)
    return REWARDS[best] * 3 // 4


@part
def list_moves(g: Game, f: Any, ply: int, first: int) -> int:
    """List the moves and return their number.

    The move `first` comes first, then cells that complete a region, other cells that give no region away, skips, and
    cells that give a region away. A search of limited depth considers only the most promising cells, and the
    `skip_width` last skips. If it omits a move, the value counts as an estimate.
    """
    empty, skips, mine = f.empty, f.skips, f.mine
    count = 0
    rest = empty & mine
    while rest:
        cell = lowest(rest)
        rest &= rest - ONE
        found = completed_by(g, empty, cell)
        gain = found & 15
        key = (gain * 64 - found // 16 * 16) * 64 + g.history[cell] // 64
        count = add_move(g, ply, count, cell, gain, key if cell != first else 1 << 24)
    narrow = f.depth < EXACT - MAX_PLIES
    if narrow and count > g.cell_width:
        count = g.cell_width
        g.estimates += 1
    left = skips
    surplus = popcount(skips) - g.skip_width if narrow else 0
    if surplus > 0:
        g.estimates += 1
    while left:
        skip = lowest(left)
        left &= left - ONE
        if surplus > 0 and MAX_CELLS + skip != first:
            surplus -= 1
            continue
        if g.restricted and not mine >> np.uint64(g.skip_cell[skip]) & ONE:
            continue
        move = MAX_CELLS + skip
        key = -4 * 64 + g.history[move] // 64
        count = add_move(g, ply, count, move, 0, key if move != first else 1 << 24)
    return count


@part
def digest(g: Game, empty: np.uint64, mine: np.uint64, others: np.uint64) -> np.uint64:
    """Return a hash of the empty squares open to each side, or 0 if the mode is unrestricted."""
    if not g.restricted:
        return ZERO
    return mixed(mixed((mine & empty) + np.uint64(0x9E3779B97F4A7C15)) ^ (others & empty)) | ONE


@part
def enter(g: Game, frames: Any, memory: Any, ply: int) -> bool:
    """Enter the position of a ply; return true after listing its moves, or false if `best` is already its value."""
    table, endings = memory
    f = frames[ply]
    empty, skips, mine, others = f.empty, f.skips, f.mine, f.others
    found = begin(g, f, ply, PASS)
    if found != OPEN:
        return found == PASSING
    is_open = not g.restricted or empty & mine & others == empty
    if ply and is_open:  # the root needs its best move, not only its value
        known = value_of(endings, empty, skips)
        if known != UNKNOWN:
            f.best = known * UNIT
            return False
    if f.depth <= 0:
        g.estimates += 1
        f.best = estimate(g, empty, mine)
        return False
    f.estimates = g.estimates
    f.sides = digest(g, empty, mine, others)
    f.slot = slot_of(empty, skips, f.sides) & g.slots
    first = look_up(g, f, table, (empty, skips, f.sides))
    if first == -2:
        return False
    open_moves(f, list_moves(g, f, ply, first))
    return True


@part
def descend(g: Game, frames: Any, ply: int) -> None:
    """Set up the position after the next move, one ply further."""
    f, below = frames[ply], frames[ply + 1]
    move = np.int64(g.moves[ply, f.next])
    f.move = move
    gain = np.int64(0)
    below.mine, below.others = f.others, f.mine
    below.empty, below.skips = f.empty, f.skips
    below.depth = f.depth - 1
    if move == PASS:
        below.depth = f.depth
    elif move >= MAX_CELLS:
        below.skips = f.skips & ~(ONE << np.uint64(move - MAX_CELLS))
    else:
        gain = np.int64(g.gains[ply, f.next])
        below.empty = f.empty & ~(ONE << np.uint64(move))
        below.skips = f.skips & ~g.kills[move]
        below.others = f.mine | g.opens[move]
    step_down(f, below, gain)


@part
def leave(g: Game, frames: Any, memory: Any, ply: int) -> None:
    """Store the result of the position of a ply in the transposition table."""
    f = frames[ply]
    if f.chosen == PASS:
        return
    praise(g, f)
    store(g, f, memory[0], (f.empty, f.skips, f.sides))


climb = climber(enter, descend, leave)


@kernel
def search_value(
    games: np.ndarray,
    frames: np.ndarray,
    memory: Any,
    position: np.ndarray,
    alpha: int,
    beta: int,
    depth: int,
    nodes: int,
) -> int:
    """Return the value of a position (empty cells, skips, squares of either side, the mover's first) within a window.

    `memory` is a table and the memory of the game's endings. The value is valid only if the game's `stopped` is 0
    afterwards; it is exact if the game's `estimates` are 0.
    """
    g = games[0]
    g.nodes = g.stopped = g.estimates = 0
    g.node_limit = nodes
    g.slots = np.uint64(len(memory[0]) - 1)
    f = frames[0]
    f.empty, f.skips, f.mine, f.others = position[0], position[1], position[2], position[3]
    f.alpha, f.beta, f.depth = alpha, beta, depth
    f.left = 0
    for r in range(g.regions):
        if g.region[r] & position[0] and g.extra[r] == 0:
            f.left += 1
    return climb(g, frames, memory)


@kernel
def best_known(games: np.ndarray, table: np.ndarray, position: np.ndarray) -> int:
    """Return the best move that the table has for a position; -1 if the table does not have the position."""
    g = games[0]
    sides = digest(g, position[0], position[2], position[3])
    slot = slot_of(position[0], position[1], sides) & np.uint64(len(table) - 1)
    place = find(table, slot, (position[0], position[1], sides))
    return int(table[place].move) if place >= 0 else -1
