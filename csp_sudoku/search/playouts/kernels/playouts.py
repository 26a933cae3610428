"""Monte Carlo tree search of a filling game: playouts, which are games played to their end, estimate the moves.

A playout takes points if it can; else it fills a cell that gives no region away, or uses a skip; else it uses a skip;
else it fills the cell that gives the fewest regions away. One move in ten is drawn uniformly instead. The tree grows
towards the moves with the highest upper bounds. Each node holds the mean of the points that the side to move gained on
the rest of the games through it; the mean does not include the lead, so all paths to a position share one node. The
moves of a node are tried in the order of the exact search, and the number of moves considered grows with its visits
(progressive widening).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.search.filling.kernels.filling import FRAME, MAX_CELLS, MAX_PLIES, MAX_REGIONS, digest, list_moves
from csp_sudoku.search.kernels.climbing import EXACT, slot_of
from csp_sudoku.search.kernels.plies import REWARDS, UNIT
from csp_sudoku.search.playouts.kernels.tallies import Words, fill, tally, worth

SLIPS = 10
"""One in this many moves of a playout is drawn uniformly from all moves."""

SKIPS = 4
"""Maximum number of skips among the moves of a node. Skips differ only in the cells that kill them."""

ZERO = np.uint64(0)
ONE = np.uint64(1)

NODE = np.dtype(
    [
        ("empty", np.uint64),  # the position, as in the table of the exact search
        ("skips", np.uint64),
        ("sides", np.uint64),
        ("visits", np.int32),
        ("count", np.int32),  # number of moves; 0 until they are listed
        ("first", np.int32),  # index of the first move
        ("mean", np.float32),  # mean of the future points of the side to move minus those of the other side
    ]
)

EDGE = np.dtype([("node", np.int32), ("move", np.int16), ("gain", np.int8), ("sign", np.int8)])
"""The node that a move leads to (-1 until tried), the move, the regions it completes, and -1 if the turn passes."""

SETTINGS = np.dtype(
    [
        ("nodes", np.int64),  # number of nodes in use
        ("edges", np.int64),
        ("root", np.int64),  # the node of the position in which the playouts begin
        ("random", np.uint64),
        ("exploration", np.float64),  # in points
        ("width", np.float64),  # exponent of progressive widening: visits**width + 2 moves are considered
    ]
)

Position = Any
"""Empty cells, skips, the mover's and the other's squares, the lead of the side to move, and 1 or -1 for that side."""


@part
def draw_number(p: Any, below: int) -> Any:
    """Return a random number from 0 to `below` - 1 (xorshift64*, Vigna, 2014)."""
    x = p.random
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    p.random = x
    return np.int64((x * np.uint64(2685821657736338717) >> np.uint64(33)) % np.uint64(below))


@part
def bit_of(bits: np.uint64, number: int) -> Any:
    """Return the position of the set bit with this number; set bits are counted from 0 at the lowest."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        lower = popcount(bits & ((ONE << np.uint64(width)) - ONE))
        if number >= lower:
            number -= lower
            place += width
            bits >>= np.uint64(width)
    return place


@part
def moved(g: Any, position: Position, move: int, completed: int) -> Position:
    """Return the position after a move, and after the pass that follows if the other side has no open square."""
    empty, skips, mine, others, lead, side = position
    if move >= MAX_CELLS:
        skips &= ~(ONE << np.uint64(move - MAX_CELLS))
    else:
        empty &= ~(ONE << np.uint64(move))
        skips &= ~g.kills[move]
        mine |= g.opens[move]
        lead += REWARDS[completed]
    if g.restricted and empty & others == ZERO:
        return empty, skips, mine, others, lead, side
    return empty, skips, others, mine, -lead, -side


@part
def is_over(position: Position) -> bool:
    """Return whether no empty cell is open to either side."""
    return bool(position[0] & (position[2] | position[3]) == ZERO)


@part
def usable(g: Any, skips: np.uint64, mine: np.uint64) -> np.uint64:
    """Return the skips whose squares are open to the side to move."""
    if not g.restricted:
        return skips
    found = ZERO
    rest = skips
    while rest:
        skip = lowest(rest)
        rest &= rest - ONE
        if mine >> np.uint64(g.skip_cell[skip]) & ONE:
            found |= ONE << np.uint64(skip)
    return found


@part
def choose(p: Any, cells: np.uint64, usable_skips: np.uint64, g: Any, left: Any, words: Words) -> int:
    """Choose the next move of a playout among the open cells and the usable skips."""
    choices = popcount(usable_skips)
    if draw_number(p, SLIPS) == 0:
        number = draw_number(p, popcount(cells) + choices)
        return MAX_CELLS + bit_of(usable_skips, number) if number < choices else bit_of(cells, number - choices)
    gains, gives = words
    quiet = cells & ~gains & ~gives
    if cells & gains:
        rest = cells & gains
    elif quiet:
        number = draw_number(p, popcount(quiet) + choices)
        return MAX_CELLS + bit_of(usable_skips, number) if number < choices else bit_of(quiet, number - choices)
    elif choices:
        return MAX_CELLS + bit_of(usable_skips, draw_number(p, choices))
    else:
        rest = cells
    best, chosen, count = -1000, -1, 0
    while rest:
        cell = lowest(rest)
        rest &= rest - ONE
        found = worth(g, left, cell)
        value = found // 16 * 8 - (found & 15)
        if value > best:
            best, chosen, count = value, cell, 1
        elif value == best:
            count += 1
            if draw_number(p, count) == 0:
                chosen = cell
    return chosen


@part
def play_to_the_end(g: Any, p: Any, position: Position, left: Any) -> Any:
    """Play a game to its end; return the number of moves, and the final lead of the side with the sign 1."""
    words = tally(g, position[0], left)
    plies = 0
    while not is_over(position):
        empty, skips, mine = position[0], position[1], position[2]
        move, completed = choose(p, empty & mine, usable(g, skips, mine), g, left, words), 0
        if move < MAX_CELLS:
            completed, words = fill(g, empty & ~(ONE << np.uint64(move)), left, move, words)
        position = moved(g, position, move, completed)
        plies += 1
    return plies, position[4] * position[5]


@part
def find_slot(nodes: Any, slots: Any, empty: np.uint64, skips: np.uint64, sides: np.uint64) -> Any:
    """Return the slot of a position's node, or the empty slot where the node belongs."""
    mask = np.uint64(len(slots) - 1)
    slot = slot_of(empty, skips, sides) & mask
    while slots[slot]:
        n = nodes[slots[slot] - 1]
        if n.empty == empty and n.skips == skips and n.sides == sides:
            break
        slot = (slot + ONE) & mask
    return slot


@part
def node_of(g: Any, p: Any, nodes: Any, slots: Any, position: Position) -> Any:
    """Return the node of a position, and add it if it is new; -1 if there is no room."""
    empty, skips, mine, others = position[0], position[1], position[2], position[3]
    sides = digest(g, empty, mine, others)
    slot = find_slot(nodes, slots, empty, skips, sides)
    if slots[slot]:
        return np.int64(slots[slot] - 1)
    if p.nodes == len(nodes):
        return -1
    n = nodes[p.nodes]
    n.empty, n.skips, n.sides = empty, skips, sides
    n.visits, n.count, n.first, n.mean = 0, 0, 0, 0.0
    p.nodes += 1
    slots[slot] = p.nodes
    return p.nodes - 1


@part
def expand(g: Any, p: Any, nodes: Any, edges: Any, node: int, position: Position, frame: Any) -> bool:
    """List the moves of a node; return false if there is no room for them."""
    frame.empty, frame.skips, frame.mine, frame.depth = position[0], position[1], position[2], EXACT
    count = list_moves(g, frame, 0, -1)
    if p.edges + count > len(edges):
        return False
    nodes[node].first = p.edges
    skips = 0
    for i in range(count):
        skips += g.moves[0, i] >= MAX_CELLS
        if g.moves[0, i] >= MAX_CELLS and skips > SKIPS:
            continue
        edge = edges[p.edges]
        edge.node = -1
        edge.move = g.moves[0, i]
        edge.gain = g.gains[0, i]
        edge.sign = 0
        p.edges += 1
    nodes[node].count = p.edges - nodes[node].first
    return True


@part
def select(p: Any, nodes: Any, edges: Any, node: int) -> int:
    """Select an edge: the first untried one considered, if there is room for a node, else the highest upper bound."""
    n = nodes[node]
    spread = p.exploration * np.sqrt(np.log(n.visits + 1.0))
    best, chosen = -1e9, int(n.first)
    for i in range(n.first, n.first + min(n.count, 2 + int(n.visits**p.width))):
        edge = edges[i]
        if edge.node < 0:
            if p.nodes < len(nodes):
                return i
            continue
        child = nodes[edge.node]
        bound = REWARDS[edge.gain] / UNIT + edge.sign * child.mean + spread / np.sqrt(child.visits)
        if bound > best:
            best, chosen = bound, i
    return chosen


@kernel
def plant(nodes: np.ndarray, count: int, slots: np.ndarray) -> None:
    """Enter the first `count` nodes into their slots. Before the call, all slots must be empty."""
    for i in range(count):
        n = nodes[i]
        slots[find_slot(nodes, slots, n.empty, n.skips, n.sides)] = i + 1


@kernel
def play_out(
    games: np.ndarray,
    settings: np.ndarray,
    tree: tuple[np.ndarray, np.ndarray, np.ndarray],
    start: np.ndarray,
    count: int,
) -> int:
    """Play `count` games from a position in which the side to move has an open square; return their number of plies.

    `tree` holds the nodes, the edges, and the hash table that maps a position to its node: nodes are numbered from 1,
    and 0 is an empty slot.
    """
    g, p = games[0], settings[0]
    nodes, edges, slots = tree
    frames = np.zeros(1, FRAME)
    path = np.empty(MAX_PLIES, np.int64)
    leads = np.empty(MAX_PLIES, np.int64)
    sides = np.empty(MAX_PLIES, np.int64)
    left = np.empty(MAX_REGIONS, np.int64)
    plies = 0
    for _ in range(count):
        position = (start[0], start[1], start[2], start[3], np.int64(0), np.int64(1))
        node, length = node_of(g, p, nodes, slots, position), 0
        p.root = node
        while node >= 0:
            path[length], leads[length], sides[length] = node, position[4], position[5]
            length += 1
            n = nodes[node]
            is_new = n.count == 0 and n.visits == 0 and length > 1
            if (
                is_over(position)
                or is_new
                or (n.count == 0 and not expand(g, p, nodes, edges, node, position, frames[0]))
            ):
                break
            edge = edges[select(p, nodes, edges, node)]
            position = moved(g, position, edge.move, edge.gain)
            if edge.node < 0:
                edge.node = node_of(g, p, nodes, slots, position)
                edge.sign = position[5] * sides[length - 1]
            node = np.int64(edge.node)
        played, lead = play_to_the_end(g, p, position, left)
        plies += length + played
        for i in range(length):
            n = nodes[path[i]]
            n.visits += 1
            n.mean += ((lead * sides[i] - leads[i]) / UNIT - n.mean) / n.visits
    return plies
