"""The steps that the games on cells and regions share at each ply: points, values without search, the next position.

The frames of a game have a set of `empty` cells, a set of squares open to the side to move (`mine`), and a set of
squares open to the other side (`others`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import popcount
from csp_sudoku.compiled.compilation import part
from csp_sudoku.search.kernels.climbing import INFINITE

REGIONS_OF_CELL = 3

UNIT = 16
"""The value of one point: values are integers, and estimates are finer than points."""

REWARDS = np.array([0, 1, 3, 7], np.int64) * UNIT

SETTLED, PASSING, OPEN = range(3)
"""The results of `begin`: the value is known, the only move is a pass, or the position must be searched."""

ZERO = np.uint64(0)
ONE = np.uint64(1)


@part
def most_left(left: int) -> int:
    """Return an upper bound for the points that one side can gain by completing `left` regions."""
    return left // 3 * REWARDS[3] + REWARDS[left % 3]


@part
def completed_by(g: Any, empty: np.uint64, cell: int) -> int:
    """Return the number of regions that a cell completes, plus 16 for each that it leaves with one empty cell."""
    found = 0
    rest_of_board = empty & ~(ONE << np.uint64(cell))
    for k in range(REGIONS_OF_CELL):
        r = g.regions_of[cell, k]
        rest = g.region[r] & rest_of_board
        extra = g.extra[r]
        if rest == ZERO:
            found += 1 if extra == 0 else 16 if extra == 1 else 0
        elif extra == 0 and rest & (rest - ONE) == ZERO:
            found += 16
    return found


@part
def begin(g: Any, f: Any, ply: int, pass_move: int) -> int:
    """Count a node and settle it if possible without search: `best` is then its value, or a bound outside the window.

    If the only move is a pass, the function lists the pass.
    """
    g.nodes += 1
    if g.nodes >= g.node_limit:
        g.stopped = 1
    f.best = 0
    if g.stopped or f.empty == ZERO:
        return SETTLED
    most = most_left(f.left)
    if most <= f.alpha or -most >= f.beta:
        f.best = most if most <= f.alpha else -most
        return SETTLED
    if not g.restricted:
        if f.empty & (f.empty - ONE) == ZERO:
            f.best = REWARDS[f.left]  # with one empty cell left, a skip gains nothing
            return SETTLED
        return OPEN
    if f.empty & f.mine:
        return OPEN
    if f.empty & f.others == ZERO:
        return SETTLED
    g.moves[ply, 0] = pass_move
    g.gains[ply, 0] = 0
    open_moves(f, 1)
    return PASSING


@part
def open_moves(f: Any, count: int) -> None:
    """Prepare a frame to try `count` moves from the first one on."""
    f.count = count
    f.next = 0
    f.best = -INFINITE
    f.reach = f.alpha
    f.chosen = -1


@part
def step_down(f: Any, below: Any, gain: Any) -> None:
    """Set the window of the next frame, after a move that completes `gain` regions."""
    f.points = REWARDS[gain]
    below.left = f.left - gain
    below.alpha = f.points - f.beta
    below.beta = f.points - f.reach
    f.next += 1


@part
def praise(g: Any, f: Any) -> None:
    """Raise the history score of a move that caused a beta cutoff, so that other nodes try it earlier."""
    if f.best >= f.beta:
        g.history[f.chosen] = min(g.history[f.chosen] + popcount(f.empty), 64 * 60)
