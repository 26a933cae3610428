"""Mirror images: positions of a game on an empty board that differ only by a turn of the board and the names of values.

A **turn** permutes rows within bands, bands, columns within stacks and stacks, and may exchange rows with columns. One
of the turned and renamed images of a position is its key in the transposition table. Near the end of a game the search
for this image would take longer than the game-tree search. There the key is the position itself, with or without
renamed values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import part

ZERO = np.uint64(0)
ONE = np.uint64(1)

ALL_TURNS_FROM = 9
"""Minimum number of empty cells for which all turns are compared."""
NAMES_FROM = 5
"""Minimum number of empty cells for which values are renamed."""

NO_NAME = 15

HALF = 32


@part
def name_values(g: Any, word: np.uint64, odd: np.uint64, turn: int) -> np.uint64:
    """Return the new names of the values after a turn, four bits each, in the order of the board, then of the bombs."""
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
    """Return the new name of a value."""
    return np.int64(names >> np.uint64(4 * code) & np.uint64(NO_NAME))


@part
def image_of_candidate(g: Any, candidate: int, turn: int, names: np.uint64) -> Any:
    """Return the image of a candidate; on an empty board candidates are numbered by cell, then by value."""
    cell, code = candidate // g.size, candidate % g.size
    return np.int64(g.turned_to[turn, cell] * g.size + new_name(names, code))


@part
def origin_of_candidate(g: Any, candidate: int, turn: int, names: np.uint64) -> Any:
    """Return the candidate of which this one is the image."""
    cell, name = candidate // g.size, candidate % g.size
    code = 0
    while new_name(names, code) != name:
        code += 1
    return np.int64(g.turned_from[turn, cell] * g.size + code)


@part
def image_of_word(g: Any, word: np.uint64, turn: int, names: np.uint64) -> np.uint64:
    """Return the image of the word that describes a board."""
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
    """Return the image of a set of candidates."""
    image = ZERO
    while odd:
        bomb = lowest(odd)
        odd &= odd - ONE
        image |= ONE << np.uint64(image_of_candidate(g, bomb, turn, names))
    return image


@part
def image_of_sides(g: Any, sides: np.uint64, turn: int) -> np.uint64:
    """Return the image of the squares of both sides: each half of the word belongs to one side."""
    image = ZERO
    while sides:
        place = lowest(sides)
        sides &= sides - ONE
        image |= ONE << np.uint64(place // HALF * HALF + g.turned_to[turn, place % HALF])
    return image


@part
def find_key(g: Any, f: Any) -> None:
    """Write to a frame the key of its position, the turn that leads to the key, and the new names of the values."""
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
    """Return the move in the key that corresponds to a move in a frame's position."""
    if f.turn < 0 or move < 0:
        return move
    kind = move // bombs_from * bombs_from
    return kind + image_of_candidate(g, move - kind, f.turn, f.names)


@part
def from_image(g: Any, f: Any, move: Any, bombs_from: int) -> Any:
    """Return the move in a frame's position that corresponds to a move in its key."""
    if f.turn < 0 or move < 0:
        return move
    kind = move // bombs_from * bombs_from
    return kind + origin_of_candidate(g, move - kind, f.turn, f.names)
