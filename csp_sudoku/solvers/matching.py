"""Removes the candidates that no perfect matching contains, before any search, with the kernel `kernels.matching`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.backtracking.kernels.state import tables
from csp_sudoku.solvers.kernels import matching

if TYPE_CHECKING:
    from csp_sudoku.candidates import Masks


def matched(geometry: Geometry, masks: Masks) -> Masks | None:
    """The candidates that some perfect matching contains in every region and for every value.

    `masks` are the candidates of each cell. None if some region or value has no perfect matching, which proves that
    there is no solution.
    """
    kept = masks.copy()
    arguments = tables(geometry), matching.new_matching(), kept
    get_ready(matching.match, *arguments)
    return kept if matching.match(*arguments) else None
