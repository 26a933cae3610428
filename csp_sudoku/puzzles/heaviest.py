"""A solution that maximises, or minimises, a weight for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.errors import OptionError, UndecidedError
from csp_sudoku.puzzles.optimum import Best, OnProgress, Optimising
from csp_sudoku.solvers.cpsat.model import Candidates, build

LARGEST_WEIGHT = 10**9
"""Upper bound for the absolute value of weights."""


def heaviest(
    board: BoardLike,
    weights: Sequence[Sequence[Any]],
    *,
    lightest: bool = False,
    time_limit: float | None = None,
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Best | None:
    """The solution of a board with the greatest weight; None if there is no solution.

    `board` is a `Board`, or what `Board.of` makes one of. `weights` are N rows of N entries, whole numbers up to
    1,000,000,000: a number is multiplied by the value of the cell, and N numbers are the weights of the values 1 to N
    there. With `lightest` (default False), the weight is minimised. `time_limit` bounds the time in seconds (default
    None: no limit); at the limit, the best solution so far is returned, and UndecidedError is raised if there is none.
    `workers` is the number of threads (default 1), and `on_progress` is called with each better value and bound.

    >>> best = heaviest(".... .... .... ....", [[1, 10, 0, 0], [0] * 4, [0] * 4, [0, 0, 0, [0, 0, 5, 0]]])
    >>> best.value, best.is_proven, best.board[0, 1], best.board[3, 3]
    (48, True, 4, 3)
    """
    board = board if isinstance(board, Board) else Board.of(board)
    table = _table(board, weights)
    optimising = Optimising(time_limit, workers, on_progress)
    geometry = reduced(board.geometry)
    if geometry.clash(board.values) is not None:
        return None
    candidates = Candidates.of(Board.trusted(geometry, board.values))
    if not candidates.propagate():
        return None
    if not candidates.open_count:
        values = candidates.values()
        weight = _weight(table, values)
        return None if geometry.violated(values) is not None else Best(_filled(board, values), weight, weight)
    encoded = build(candidates, "boolean")
    if encoded is None:
        return None
    assert encoded.values is not None
    model, settled = encoded.model, _weight(table, encoded.given)
    literals = [model.get_bool_var_from_proto_index(number) for number in range(len(encoded.cells))]
    pairs = zip(literals, encoded.cells, encoded.values, strict=True)
    total = sum(table[cell][value] * literal for literal, cell, value in pairs) + settled
    (model.minimize if lightest else model.maximize)(total)
    solution, bound, is_infeasible = optimising.run(model, optimising.tell)
    if is_infeasible:
        return None
    if not solution or bound is None:
        raise UndecidedError("expected a solution within the time limit; found none")
    values = encoded.decode(solution)
    weight = _weight(table, values)
    optimising.tell(weight, bound)
    return Best(_filled(board, values), weight, bound)


def _filled(board: Board, values: bytes) -> Board:
    """The solution as a board, checked independently of the model; RuntimeError if it is wrong."""
    solution, geometry = Board.trusted(board.geometry, values), board.geometry
    is_valid = solution.is_full and geometry.clash(values) is None and solution.extends(board)
    if not is_valid or geometry.violated(values) is not None:
        raise RuntimeError(f"expected a completion of {board!r} from CP-SAT; found {list(values)}")
    return solution


def _weight(table: Sequence[Sequence[int]], values: Sequence[int]) -> int:
    """The weight of the values; an empty cell, 0, has no weight."""
    return sum(weights[value] for weights, value in zip(table, values, strict=True))


def _table(board: Board, weights: Sequence[Sequence[Any]]) -> list[list[int]]:
    """For each cell, the weights of the values from 0, which weighs nothing, to N; OptionError if they do not fit."""
    size = board.size
    rows = list(weights)
    if len(rows) != size or any(len(row) != size for row in rows):
        raise OptionError(
            f"expected weights as {size} rows of {size} entries; found {len(rows)} rows of {_lengths(rows)}"
        )
    return [_of_cell(entry, size) for row in rows for entry in row]


def _lengths(rows: Sequence[Sequence[Any]]) -> str:
    return ", ".join(map(str, sorted({len(row) for row in rows}))) or "0"


def _of_cell(entry: Any, size: int) -> list[int]:
    """The weights of the values of a cell, from 0 to N."""
    if hasattr(entry, "__len__"):
        if len(entry) != size:
            raise OptionError(f"expected {size} weights for the values of a cell; found {len(entry)}")
        return [0, *map(_whole, entry)]
    factor = _whole(entry)
    return [factor * value for value in range(size + 1)]


def _whole(weight: Any) -> int:
    try:
        found = index(weight)
    except TypeError:
        raise OptionError(f"expected whole numbers as weights; found {weight!r}") from None
    if abs(found) > LARGEST_WEIGHT:
        raise OptionError(f"expected weights up to {LARGEST_WEIGHT:,}; found {found}")
    return found
