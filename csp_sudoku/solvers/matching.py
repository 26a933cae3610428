"""Removes the candidates that no perfect matching contains, before any search, with the kernel `kernels.matching`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.backtracking.kernels.state import tables
from csp_sudoku.solvers.kernels import matching


def matched(geometry: Geometry, masks: Sequence[int]) -> list[int] | None:
    """The candidates that some perfect matching contains in every region and for every value.

    `masks` are the candidates of each cell, bit v - 1 for the value v. None if a matching is missing, which proves that
    there is no solution.
    """
    kept = np.array(masks, np.uint32)
    arguments = tables(geometry), matching.new_matching(), kept
    get_ready(matching.match, *arguments)
    if not matching.match(*arguments):
        return None
    left: list[int] = kept.tolist()
    return left
