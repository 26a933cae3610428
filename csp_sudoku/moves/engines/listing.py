"""The move map of boards with up to four values: all their completions, in plain Python.

A plain board has at most 288 completions. Listing them takes up to ten milliseconds, which is less than loading a
compiled search, so the command `moves` lists them. Once a compiled search is loaded, it is faster.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks

if TYPE_CHECKING:
    from csp_sudoku.board import Board

MAX_SIZE = 4
"""Maximum number of values of a board for which listing is the fastest way."""


def classify(board: Board) -> MoveMap:
    """The move map of a board by all its completions; it is fast enough to need no time limit."""
    started = time.perf_counter()
    legal = legal_masks(board)
    found = np.array([list(values) for values in completions(board)], np.uint8).reshape(-1, board.geometry.cell_count)
    bit_of = np.array([0, *(1 << value for value in range(board.size))], np.uint32)
    safe = np.bitwise_or.reduce(bit_of[found], axis=0) & legal if len(found) else np.zeros_like(legal)
    effort = Effort("listing", time.perf_counter() - started, len(found))
    return MoveMap(board, legal, safe, legal & ~safe, solvable=len(found) > 0, effort=effort, witnesses=found)


def completions(board: Board) -> Iterator[bytes]:
    """Yield all completions of a board, by trying the candidates of the cell that has the fewest.

    >>> from csp_sudoku.board import Board
    >>> len(list(completions(Board.empty(2, 2)))), len(set(completions(Board.parse("12.. .... ...4 ...."))))
    (288, 6)
    """
    geometry, values = board.geometry, board.values
    masks = candidate_masks(geometry, values)
    empty = [cell for cell, value in enumerate(values) if not value]
    if not empty:
        yield values
        return
    cell = min(empty, key=lambda cell: masks[cell].bit_count())
    for bit in bits(masks[cell]):
        filled = bytearray(values)
        filled[cell] = bit.bit_length()
        yield from completions(type(board).trusted(geometry, bytes(filled)))
