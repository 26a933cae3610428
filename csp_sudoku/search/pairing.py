"""Skips that cancel one another out: who uses one of two that are alike is answered with the other.

Two skips that the same cells kill are worth nothing to either side, and two that nearly the same cells kill nearly
nothing. So the balance of many skips is that of the few that have no partner: of one, or none, if all are alike. To
search a game without its pairs is another game, but one that is understood many times as deeply.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from csp_sudoku.search.model import Model


def without_pairs(model: Model, most: int) -> tuple[Model, int | None]:
    """The game with at most so many skips: those that are most alike are taken out, two by two.

    With it comes a skip whose partner is the most like it, the one of the two that dies sooner; None if none was taken
    out. If one is to be left, but their number is even, none is. In the restricted modes not every skip answers every
    other, so there all are left.
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
