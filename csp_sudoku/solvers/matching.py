"""What permutations alone rule out, before any search: `kernels.matching` for a board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.kernels import matching
from csp_sudoku.solvers.kernels.compiled import get_ready
from csp_sudoku.solvers.kernels.state import tables


def matched(geometry: Geometry, masks: Sequence[int]) -> list[int] | None:
    """The candidates that lie on a matching in every region and for every value; None if there is no solution."""
    kept = np.array(masks, np.uint32)
    arguments = tables(geometry), matching.new_matching(), kept
    get_ready(matching.match, *arguments)
    if not matching.match(*arguments):
        return None
    left: list[int] = kept.tolist()
    return left
