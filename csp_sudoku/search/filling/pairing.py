"""Pairs of skips that cancel each other out: a side answers the use of one skip by using its partner.

Two skips that the same cells kill are worth nothing to either side, and two that nearly the same cells kill are worth
nearly nothing. So a game with many skips has about the value of the game that keeps only the few skips without a
partner; if all skips are alike, one skip or none. The game without pairs is a different game, but its search reaches
many times the depth.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from csp_sudoku.search.filling.model import FillingModel


def without_pairs(model: FillingModel, most: int) -> tuple[FillingModel, int | None]:
    """The game with at most `most` live skips: the most similar skips are removed, pair by pair.

    The second value is a skip of the most similar pair (the one that more cells kill), or None if no pair was removed.
    If `most` is odd but the number of skips is even, one skip less remains. A restricted game keeps all its skips,
    because there not every skip can answer every other skip.
    """
    game, live = model.games[0], int(model.position[1])
    left = [skip for skip in range(len(model.skips)) if live >> skip & 1]
    if len(left) <= most or game["restricted"]:
        return model, None
    kills = game["kills"][: len(model.cells), None] >> np.array(left, np.uint64) & np.uint64(1)
    killed = kills.astype(np.float32)
    sizes = killed.sum(axis=0)
    unlike = sizes[:, None] + sizes - 2 * killed.T @ killed
    ones, others = np.triu_indices(len(left), 1)
    is_left = [True] * len(left)
    count, spare = len(left), None
    for pair in np.argsort(unlike[ones, others], kind="stable"):
        one, other = int(ones[pair]), int(others[pair])
        if is_left[one] and is_left[other]:
            is_left[one] = is_left[other] = False
            count -= 2
            if spare is None:
                spare = left[one if sizes[one] > sizes[other] else other]
            if count <= most:
                break
    position = model.position.copy()
    position[1] = sum(1 << skip for skip, stays in zip(left, is_left, strict=True) if stays)
    return replace(model, position=position), spare
