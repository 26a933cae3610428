"""Alpha-beta without recursion, for any game: the fields that all frames share, the transposition table, the search.

The compiler cannot cache recursive functions, so the positions from the root to a leaf are frames in an array. Each
game supplies three functions: `enter` opens a position, `descend` makes its next move, and `leave` stores its result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import popcount
from csp_sudoku.compiled.compilation import part

ONE = np.uint64(1)

INFINITE = 30_000
EXACT = 1000
"""The depth that marks bounds without estimates; it exceeds the depth of every position."""

WINDOW = [
    ("slot", np.uint64),
    ("alpha", np.int64),
    ("beta", np.int64),
    ("reach", np.int64),  # the best value so far, or alpha
    ("depth", np.int64),
    ("left", np.int64),  # number of regions that can still be completed
    ("count", np.int64),
    ("next", np.int64),
    ("best", np.int64),
    ("chosen", np.int64),
    ("move", np.int64),  # the move being searched
    ("points", np.int64),
    ("low", np.int64),
    ("high", np.int64),
    ("estimates", np.int64),
]
"""The fields that every frame has in addition to its position."""

ENTRY = np.dtype(
    [
        ("first", np.uint64),  # three words identify a position; the first has more bits set when more moves are left
        ("second", np.uint64),
        ("third", np.uint64),
        ("low", np.int16),
        ("high", np.int16),
        ("depth", np.int16),
        ("move", np.int16),
    ]
)


def new_table(bits: int) -> np.ndarray:
    """Return an empty transposition table of 2**bits entries."""
    return np.zeros(1 << bits, ENTRY)


@part
def mixed(x: np.uint64) -> np.uint64:
    """Return a hash of a word (the finalizer of splitmix64)."""
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.uint64(x ^ x >> np.uint64(31))


@part
def slot_of(first: np.uint64, second: np.uint64, third: np.uint64) -> np.uint64:
    """Return the hash of a position; the caller masks it to the size of the table."""
    return mixed(first * np.uint64(0x9E3779B97F4A7C15) ^ mixed(second + np.uint64(0x632BE59BD9B4E019)) ^ mixed(third))


@part
def find(table: Any, slot: np.uint64, key: tuple[Any, Any, Any]) -> Any:
    """Return the index of a position's entry, which is in one of its two slots; -1 if neither slot has it."""
    for k in range(2):
        place = slot ^ np.uint64(k)
        e = table[place]
        if e.first == key[0] and e.second == key[1] and e.third == key[2]:
            return np.int64(place)
    return -1


@part
def remember(table: Any, slot: np.uint64, key: tuple[Any, Any, Any], found: tuple[int, int, int, int]) -> None:
    """Store the bounds, depth and best move of a position in one of its two slots."""
    low, high, depth, move = found
    other = slot ^ ONE
    e = table[slot]
    o = table[other]
    if not (e.first == key[0] and e.second == key[1] and e.third == key[2]):
        same = o.first == key[0] and o.second == key[1] and o.third == key[2]
        if same or (popcount(e.first) > popcount(key[0]) and e.depth >= depth):
            slot = other
    e = table[slot]
    e.first, e.second, e.third = key
    e.low, e.high, e.depth, e.move = low, high, depth, move


@part
def look_up(g: Any, f: Any, table: Any, key: tuple[Any, Any, Any]) -> Any:
    """Narrow the window of a frame to the bounds in the table; return the best known move, or -1 if there is none.

    If the bounds decide the position, the function sets `best` to the value and returns -2.
    """
    f.low, f.high = -INFINITE, INFINITE
    place = find(table, f.slot, key)
    if place < 0:
        return -1
    e = table[place]
    if e.depth >= f.depth:
        if e.depth < EXACT:
            g.estimates += 1
        f.low, f.high = e.low, e.high
        if f.low >= f.beta or f.low == f.high:
            f.best = f.low
            return -2
        if f.high <= f.alpha:
            f.best = f.high
            return -2
        f.alpha = max(f.alpha, f.low)
        f.beta = min(f.beta, f.high)
    return np.int64(e.move)


@part
def store(g: Any, f: Any, table: Any, key: tuple[Any, Any, Any]) -> None:
    """Store the bounds that the search found for the position of a frame."""
    if f.best >= f.beta:
        f.low = max(f.low, f.best)
    elif f.best <= f.alpha:
        f.high = min(f.high, f.best)
    else:
        f.low = f.high = f.best
    depth = EXACT if g.estimates == f.estimates else f.depth
    remember(table, f.slot, key, (f.low, f.high, depth, f.chosen))


@part
def add_move(g: Any, ply: int, count: int, move: int, gain: int, key: int) -> int:
    """Insert a move into the list, which is sorted by descending key; return the number of moves."""
    i = count
    while i > 0 and g.keys[ply, i - 1] < key:
        g.keys[ply, i] = g.keys[ply, i - 1]
        g.moves[ply, i] = g.moves[ply, i - 1]
        g.gains[ply, i] = g.gains[ply, i - 1]
        i -= 1
    g.keys[ply, i] = key
    g.moves[ply, i] = move
    g.gains[ply, i] = gain
    return count + 1


@part
def take(f: Any, value: int) -> bool:
    """Update the best value of a frame with that of the last move; return whether it causes a beta cutoff."""
    if value > f.best:
        f.best = value
        f.chosen = f.move
        if value > f.reach:
            f.reach = value
            return bool(value >= f.beta)
    return False


def climber(enter: Any, descend: Any, leave: Any) -> Callable[..., int]:
    """Return the compiled search of a game; it computes the value of the position in frame 0 within the frame's window.

    `enter` returns true if it has listed the moves of a frame, and false if `best` is already the value of the frame.
    The value is invalid if the game is `stopped`.
    """

    @part
    def climb(g: Any, frames: Any, memory: Any) -> int:
        ply = 0
        entering = True
        while True:
            f = frames[ply]
            if entering and enter(g, frames, memory, ply):
                entering = False
            if entering:
                value = f.best
            elif f.next < f.count:
                descend(g, frames, ply)
                ply += 1
                entering = True
                continue
            else:
                leave(g, frames, memory, ply)
                value = f.best
            while True:
                if g.stopped or ply == 0:
                    return int(value)
                ply -= 1
                above = frames[ply]
                if not take(above, above.points - value):
                    break
                leave(g, frames, memory, ply)
                value = above.best
            entering = False

    return climb
