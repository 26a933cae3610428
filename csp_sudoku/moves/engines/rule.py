"""The move map by a rule of an earlier system ("Algorithm 1"), and by its transpose: fast, sound, far from complete.

The rule considers the cells that a block shares with a row. Suppose that the block misses a value, that every other row
through the block holds this value, and that the column of each empty cell among those cells holds it as well. Then the
value has no place in the block, and the board has no completion. The transposed rule exchanges rows and columns. A move
after which the rule applies is a bomb; the rule leaves all other moves unknown.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.errors import ShapeError
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.engines.kernels.rule import apply_rule
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.solvers.base import Deadline


def classify(board: Board, deadline: Deadline) -> MoveMap:  # noqa: ARG001 - the rule needs no deadline
    """The move map of a board by the original rule, for the rows of blocks; the rule is fast and ignores `deadline`."""
    return _classify(board, "rule", by_columns=False)


def classify_by_columns(board: Board, deadline: Deadline) -> MoveMap:  # noqa: ARG001 - the rule needs no deadline
    """The move map of a board by the transposed rule, for the columns of blocks; it ignores `deadline`."""
    return _classify(board, "rule-columns", by_columns=True)


def _classify(board: Board, engine: str, *, by_columns: bool) -> MoveMap:
    blocks = _block_lines(board.geometry, by_columns=by_columns)
    legal = legal_masks(board)
    bombs = np.zeros_like(legal)
    arguments = np.frombuffer(board.values, np.uint8), blocks, by_columns, legal, bombs
    get_ready(apply_rule, *arguments)
    started = time.perf_counter()
    is_impossible = apply_rule(*arguments)
    effort = Effort(engine, time.perf_counter() - started)
    solvable = True if board.is_full else False if is_impossible else None
    return MoveMap(board, legal, np.zeros_like(legal), bombs, solvable=solvable, effort=effort)


@lru_cache(maxsize=64)
def _block_lines(geometry: Geometry, *, by_columns: bool) -> NDArray[np.int16]:
    """The cells of each block, arranged by its rows or by its columns."""
    if not geometry.is_standard:
        raise ShapeError(f"expected a plain m×n board for the rule; found {geometry!r}")
    blocks = np.array(geometry.blocks, np.int16).reshape(-1, geometry.m, geometry.n)
    return np.ascontiguousarray(blocks.swapaxes(1, 2)) if by_columns else blocks
