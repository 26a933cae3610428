"""Mirror images: positions of a game on an empty board that differ by a turn of the board and by names of values only.

A **turn** permutes rows within bands, bands, columns within stacks and stacks, and may exchange rows with columns. Of
all the turned and renamed images of a position one is its key in the table; near the end of a game, where looking for
it would take longer than the search, the image is that of no turn, with the values named as they come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.solvers.kernels.bits import lowest, popcount
from csp_sudoku.solvers.kernels.compiled import part

ZERO = np.uint64(0)
ONE = np.uint64(1)

ALL_TURNS_FROM = 9
"""Empty cells from which all turns are looked at."""
NAMES_FROM = 5
"""Empty cells from which values are renamed."""

NO_NAME = 15

HALF = 32


@part
def name_values(g: Any, word: np.uint64, odd: np.uint64, turn: int) -> np.uint64:
    """The new names of values after a turn, four bits each: in the order of the board, then of the bombs."""
    width = np.uint64(g.width)
    ones = (ONE << width) - ONE
    names = ~ZERO
    given = np.uint64(0)
    for cell in range(g.cells):
        code = word >> width * np.uint64(g.turned_from[turn, cell]) & ones
        if code != ones and names >> np.uint64(4) * code & np.uint64(NO_NAME) == np.uint64(NO_NAME):
            names ^= (np.uint64(NO_NAME) ^ given) << np.uint64(4) * code
            given += ONE
    while given < np.uint64(g.size):
        least = ~ZERO
        chosen = ZERO
        for value in range(g.size):
            code = np.uint64(value)
            if names >> np.uint64(4) * code & np.uint64(NO_NAME) != np.uint64(NO_NAME):
                continue
            plane = ZERO
            rest = odd & g.of_value[value]
            while rest:
                bomb = lowest(rest)
                rest &= rest - ONE
                plane |= ONE << np.uint64(g.turned_to[turn, g.cell[bomb]])
            if plane < least:
                least = plane
                chosen = code
        names ^= (np.uint64(NO_NAME) ^ given) << np.uint64(4) * chosen
        given += ONE
    return names


@part
def new_name(names: np.uint64, code: int) -> Any:
    """The new name of a value."""
    return np.int64(names >> np.uint64(4 * code) & np.uint64(NO_NAME))


@part
def image_of_candidate(g: Any, candidate: int, turn: int, names: np.uint64) -> Any:
    """What a candidate becomes; on an empty board they are numbered cell by cell, and value by value in each."""
    cell, code = candidate // g.size, candidate % g.size
    return np.int64(g.turned_to[turn, cell] * g.size + new_name(names, code))


@part
def origin_of_candidate(g: Any, candidate: int, turn: int, names: np.uint64) -> Any:
    """The candidate that becomes this one."""
    cell, name = candidate // g.size, candidate % g.size
    code = 0
    while new_name(names, code) != name:
        code += 1
    return np.int64(g.turned_from[turn, cell] * g.size + code)


@part
def image_of_word(g: Any, word: np.uint64, turn: int, names: np.uint64) -> np.uint64:
    """What a board becomes."""
    width = np.uint64(g.width)
    ones = (ONE << width) - ONE
    image = ZERO
    for cell in range(g.cells):
        code = word >> width * np.uint64(g.turned_from[turn, cell]) & ones
        if code != ones:
            code = names >> np.uint64(4) * code & np.uint64(NO_NAME)
        image |= code << width * np.uint64(cell)
    return image


@part
def image_of_bombs(g: Any, odd: np.uint64, turn: int, names: np.uint64) -> np.uint64:
    """What a set of candidates becomes."""
    image = ZERO
    while odd:
        bomb = lowest(odd)
        odd &= odd - ONE
        image |= ONE << np.uint64(image_of_candidate(g, bomb, turn, names))
    return image


@part
def image_of_sides(g: Any, sides: np.uint64, turn: int) -> np.uint64:
    """What the squares of both sides become: one has the lower half of the word, the other the upper."""
    image = ZERO
    while sides:
        place = lowest(sides)
        sides &= sides - ONE
        image |= ONE << np.uint64(place // HALF * HALF + g.turned_to[turn, place % HALF])
    return image


@part
def find_key(g: Any, f: Any) -> None:
    """Write the key of a frame's position to it, the turn that leads there, and the names of its values."""
    f.key_word, f.key_odd, f.key_sides, f.turn, f.names = f.word, f.odd, f.sides, -1, ZERO
    left = popcount(f.empty)
    if g.turns == 0 or left < NAMES_FROM:
        return
    for turn in range(g.turns if left >= ALL_TURNS_FROM else 1):
        names = name_values(g, f.word, f.odd, turn)
        word = image_of_word(g, f.word, turn, names)
        if turn > 0 and word > f.key_word:
            continue
        odd = image_of_bombs(g, f.odd, turn, names)
        if turn > 0 and word == f.key_word and odd > f.key_odd:
            continue
        sides = image_of_sides(g, f.sides, turn)
        if turn == 0 or word < f.key_word or odd < f.key_odd or sides < f.key_sides:
            f.key_word, f.key_odd, f.key_sides, f.turn, f.names = word, odd, sides, turn, names


@part
def to_image(g: Any, f: Any, move: Any, bombs_from: int) -> Any:
    """What a move of a frame's position becomes in that of its key."""
    if f.turn < 0 or move < 0:
        return move
    kind = move // bombs_from * bombs_from
    return kind + image_of_candidate(g, move - kind, f.turn, f.names)


@part
def from_image(g: Any, f: Any, move: Any, bombs_from: int) -> Any:
    """The move of a frame's position that becomes this one in that of its key."""
    if f.turn < 0 or move < 0:
        return move
    kind = move // bombs_from * bombs_from
    return kind + origin_of_candidate(g, move - kind, f.turn, f.names)
