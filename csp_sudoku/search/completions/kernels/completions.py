"""The game on a board with several completions, and its exact search: the values of the cells matter in this game.

A *candidate* is an empty cell with a value that is legal at the beginning; candidates are numbered cell by cell. A word
with a field for each cell, and the set of candidates that were played as bombs, identify a position. The completions
that agree with all placed values decide which candidates are safe: they are a bit set that shrinks with each placement.

Two bombs are equivalent if the same safe candidates make them illegal, and they stay equivalent. Two equivalent bombs
are worth as much as none, because the opponent answers the use of one with the other. So a position records for each
kind only whether the number of its bombs is odd. In the restricted modes a bomb may be open to one player only, and no
two bombs are equivalent: a bomb's value has places in each region of its cell, so different candidates make two bombs
of one cell illegal.

Values that no move has used and that are not on the board are interchangeable, so the search tries only the lowest of
them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.search.completions.kernels.mirroring import find_key, from_image, to_image
from csp_sudoku.search.kernels.climbing import EXACT, WINDOW, add_move, climber, find, look_up, slot_of, store
from csp_sudoku.search.kernels.plies import (
    OPEN,
    PASSING,
    REGIONS_OF_CELL,
    begin,
    completed_by,
    open_moves,
    praise,
    step_down,
)

MAX_CELLS = 32
MAX_CANDIDATES = 64
MAX_WORDS = 64
MAX_REGIONS = 96
MAX_TURNS = 128
MAX_PLIES = 2 * (MAX_CELLS + MAX_CANDIDATES) + 2  # a pass may follow each move
MAX_MOVES = 2 * MAX_CANDIDATES
PASS = MAX_MOVES  # a move below MAX_CANDIDATES places a candidate; the others play one as a bomb

ZERO = np.uint64(0)
ONE = np.uint64(1)
HALF = np.uint64(32)

GAME = np.dtype(
    [
        # The game.
        ("cells", np.int64),
        ("candidates", np.int64),
        ("words", np.int64),  # number of words in a set of completions
        ("restricted", np.int64),
        ("regions", np.int64),
        ("region", np.uint64, (MAX_REGIONS,)),  # the cells of a region that were empty at the beginning
        ("regions_of", np.int16, (MAX_CELLS, REGIONS_OF_CELL)),
        ("extra", np.int16, (MAX_REGIONS,)),  # always 0: every empty cell is part of the game
        ("opens", np.uint64, (MAX_CELLS,)),  # the neighbours of each cell
        ("of_cell", np.uint64, (MAX_CELLS,)),  # the candidates of each cell
        ("cell", np.int16, (MAX_CANDIDATES,)),
        ("value", np.uint64, (MAX_CANDIDATES,)),  # the value of each candidate, as a bit
        ("kills", np.uint64, (MAX_CANDIDATES,)),  # the candidates that a placed one makes illegal, itself included
        ("clears", np.uint64, (MAX_CANDIDATES,)),  # the bits of the board's word that a placed one clears
        ("shows", np.uint64, (MAX_CANDIDATES, MAX_WORDS)),  # the completions that contain it
        ("size", np.int64),  # number of values
        ("width", np.int64),  # bits per cell in the board's word, on an empty board
        ("turns", np.int64),  # number of symmetries of the game on an empty board; 0 for other boards
        ("turned_to", np.int16, (MAX_TURNS, MAX_CELLS)),  # the place to which a turn moves each cell
        ("turned_from", np.int16, (MAX_TURNS, MAX_CELLS)),
        ("of_value", np.uint64, (MAX_CELLS,)),  # the candidates of each value, on an empty board
        ("fresh", np.uint64),  # values that are interchangeable until a move names them
        # The search.
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("stopped", np.int64),
        ("estimates", np.int64),
        ("slots", np.uint64),  # number of slots in the table, minus 1
        ("history", np.int64, (PASS + 1,)),
        ("moves", np.int16, (MAX_PLIES, MAX_MOVES)),
        ("gains", np.int8, (MAX_PLIES, MAX_MOVES)),
        ("keys", np.int32, (MAX_PLIES, MAX_MOVES)),
        ("sets", np.uint64, (MAX_PLIES, MAX_WORDS)),
        ("kinds", np.uint64, (MAX_CANDIDATES,)),
        ("kind_of", np.int64, (MAX_CANDIDATES,)),
    ]
)

POSITION = [
    ("empty", np.uint64),
    ("word", np.uint64),  # a field per cell: all ones if it is empty, else the number of its candidate
    ("legal", np.uint64),  # the legal candidates
    ("safe", np.uint64),  # the safe candidates; until the position is entered, those of its parent
    ("used", np.uint64),  # candidates played as bombs, or equivalent ones
    ("mine", np.uint64),
    ("others", np.uint64),
    ("named", np.uint64),  # the values that moves have used
]

KEY = [
    ("odd", np.uint64),  # the useful bombs
    ("sides", np.uint64),  # the open squares of both sides
    ("key_word", np.uint64),  # `word` in the mirror image that is the key
    ("key_odd", np.uint64),
    ("key_sides", np.uint64),
    ("turn", np.int64),  # the turn that leads to the image; -1 if there is none
    ("names", np.uint64),  # the new names of the values in the image
]

FRAME = np.dtype([*POSITION, *KEY, *WINDOW])

Game = Any
"""A record of GAME, inside a kernel."""


def new_game() -> np.ndarray:
    """Return an empty game, as an array of one record."""
    return np.zeros(1, GAME)


def new_frames() -> np.ndarray:
    """Return the frames for the positions from the root to a leaf."""
    return np.zeros(MAX_PLIES, FRAME)


@part
def see_what_is_safe(g: Game, f: Any, ply: int) -> None:
    """Reduce the safe candidates to the legal ones that some remaining completion contains."""
    safe = ZERO
    rest = f.safe & f.legal
    while rest:
        candidate = lowest(rest)
        rest &= rest - ONE
        for w in range(g.words):
            if g.shows[candidate, w] & g.sets[ply, w]:
                safe |= ONE << np.uint64(candidate)
                break
    f.safe = safe


@part
def odd_bombs(g: Game, f: Any) -> np.uint64:
    """Return the useful bombs: the lowest bomb of each kind of which an odd number is left, played or not."""
    rest = f.legal & ~f.safe
    if g.restricted:
        return np.uint64(rest & ~f.used)
    odd = ZERO
    kinds = 0
    while rest:
        bomb = lowest(rest)
        rest &= rest - ONE
        killers = g.kills[bomb] & f.safe
        kind = 0
        while kind < kinds and g.kinds[kind] != killers:
            kind += 1
        if kind == kinds:
            g.kinds[kind] = killers
            g.kind_of[kind] = bomb
            kinds += 1
        if not f.used >> np.uint64(bomb) & ONE:
            odd ^= ONE << np.uint64(g.kind_of[kind])
    return odd


@part
def is_named(g: Game, f: Any, candidate: int) -> bool:
    """Return whether a candidate's value is already used, or is the lowest of the interchangeable values."""
    unnamed = g.fresh & ~f.named
    value = g.value[candidate]
    return value & unnamed == ZERO or value == unnamed & (~unnamed + ONE)


@part
def list_moves(g: Game, f: Any, ply: int, first: int) -> int:
    """List the moves and return their number.

    The move `first` comes first, then cells that complete a region, other cells that give no region away, bombs, and
    cells that give a region away.
    """
    count = 0
    rest = f.empty & f.mine
    while rest:
        cell = lowest(rest)
        rest &= rest - ONE
        found = completed_by(g, f.empty, cell)
        gain = found & 15
        values = f.safe & g.of_cell[cell]
        while values:
            candidate = lowest(values)
            values &= values - ONE
            if is_named(g, f, candidate):
                key = (gain * 64 - found // 16 * 16) * 64 + g.history[candidate] // 64
                count = add_move(g, ply, count, candidate, gain, key if candidate != first else 1 << 24)
    rest = f.odd
    while rest:
        bomb = lowest(rest)
        rest &= rest - ONE
        if not f.mine >> np.uint64(g.cell[bomb]) & ONE or not is_named(g, f, bomb):
            continue
        move = MAX_CANDIDATES + bomb
        key = -4 * 64 + g.history[move] // 64
        count = add_move(g, ply, count, move, 0, key if move != first else 1 << 24)
    return count


@part
def sides_of(g: Game, f: Any) -> np.uint64:
    """Return the empty squares open to each side as one word, or 0 if the mode is unrestricted."""
    if not g.restricted:
        return ZERO
    return np.uint64((f.mine & f.empty) | (f.others & f.empty) << HALF)


@part
def enter(g: Game, frames: Any, table: Any, ply: int) -> bool:
    """Enter the position of a ply; return true after listing its moves, or false if `best` is already its value."""
    f = frames[ply]
    found = begin(g, f, ply, PASS)
    if found != OPEN:
        return found == PASSING
    see_what_is_safe(g, f, ply)
    f.odd = odd_bombs(g, f)
    f.sides = sides_of(g, f)
    find_key(g, f)
    f.slot = slot_of(f.key_word, f.key_odd, f.key_sides) & g.slots
    first = look_up(g, f, table, (f.key_word, f.key_odd, f.key_sides))
    if first == -2:
        return False
    first = from_image(g, f, first, MAX_CANDIDATES)
    f.estimates = g.estimates
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
    below.empty, below.word, below.legal, below.safe = f.empty, f.word, f.legal, f.safe
    below.used, below.named = f.used, f.named
    below.depth = f.depth
    words = g.words
    if move < MAX_CANDIDATES:
        gain = np.int64(g.gains[ply, f.next])
        cell = np.int64(g.cell[move])
        below.empty = f.empty & ~(ONE << np.uint64(cell))
        below.word = f.word & ~g.clears[move]
        below.legal = f.legal & ~g.kills[move]
        below.others = f.mine | g.opens[cell]
        below.named = f.named | g.value[move]
        for w in range(words):
            g.sets[ply + 1, w] = g.sets[ply, w] & g.shows[move, w]
    else:
        if move != PASS:
            bomb = move - MAX_CANDIDATES
            below.used = f.used ^ ONE << np.uint64(bomb)
            below.named = f.named | g.value[bomb]
        for w in range(words):
            g.sets[ply + 1, w] = g.sets[ply, w]
    step_down(f, below, gain)


@part
def leave(g: Game, frames: Any, table: Any, ply: int) -> None:
    """Store the result of the position of a ply in the transposition table."""
    f = frames[ply]
    if f.chosen == PASS:
        return
    praise(g, f)
    f.chosen = to_image(g, f, f.chosen, MAX_CANDIDATES)
    store(g, f, table, (f.key_word, f.key_odd, f.key_sides))


climb = climber(enter, descend, leave)


@part
def set_up(g: Game, f: Any, position: Any) -> None:
    """Put a position in the first frame."""
    f.empty, f.word, f.legal, f.safe = position[0], position[1], position[2], position[3]
    f.used, f.mine, f.others, f.named = position[4], position[5], position[6], position[7]
    for w in range(g.words):
        g.sets[0, w] = position[8 + w]


@kernel
def search_completions(
    games: np.ndarray, frames: np.ndarray, table: np.ndarray, position: np.ndarray, alpha: int, beta: int, nodes: int
) -> int:
    """Return the value of a position (the fields of POSITION, and its completions) within a window.

    The value is valid only if the game's `stopped` is 0 afterwards.
    """
    g = games[0]
    g.nodes = g.stopped = g.estimates = 0
    g.node_limit = nodes
    g.slots = np.uint64(len(table) - 1)
    f = frames[0]
    set_up(g, f, position)
    f.alpha, f.beta, f.depth = alpha, beta, EXACT
    f.left = 0
    for r in range(g.regions):
        if g.region[r] & f.empty:
            f.left += 1
    return climb(g, frames, table)


@kernel
def best_known_completion(games: np.ndarray, frames: np.ndarray, table: np.ndarray, position: np.ndarray) -> int:
    """Return the best move that the table has for a position; -1 if the table does not have the position."""
    g, f = games[0], frames[0]
    set_up(g, f, position)
    see_what_is_safe(g, f, 0)
    f.odd = odd_bombs(g, f)
    f.sides = sides_of(g, f)
    find_key(g, f)
    slot = slot_of(f.key_word, f.key_odd, f.key_sides) & np.uint64(len(table) - 1)
    place = find(table, slot, (f.key_word, f.key_odd, f.key_sides))
    return from_image(g, f, np.int64(table[place].move), MAX_CANDIDATES) if place >= 0 else -1
