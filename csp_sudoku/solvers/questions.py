"""The questions of the public API, each a short function that asks a solver.

In all of them, `solver` is the name of a solver or preset (default "auto"), and further keyword arguments are its
options. `time_limit` bounds the time in seconds, and None, the default, sets no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.errors import UndecidedError
from csp_sudoku.solvers.base import Limits, Result, Status
from csp_sudoku.solvers.registry import get_solver


def solve(
    board: Board,
    solver: str = "auto",
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    **options: Any,
) -> Result:
    """Find a solution of a board, or prove that there is none; UNKNOWN if a limit ends the search first.

    `solver` is the name of a solver or preset (default "auto"), and further keyword arguments are its options.
    `time_limit` (in seconds) and `node_limit` (in search nodes or conflicts) bound the search; None, the default of
    both, sets no limit.

    >>> result = solve(Board.parse("1... ..2. .3.. ...4"))
    >>> result.status, result.solution.format("line")
    (<Status.SOLVED: 'solved'>, '1243342143122134')
    >>> solve(Board.parse("12.. .... ..3. ..4."), "cpsat").status
    <Status.UNSOLVABLE: 'unsolvable'>
    """
    return get_solver(solver, **options).solve(board, Limits(time_limit, node_limit))


def count_solutions(
    board: Board, limit: int | None = None, solver: str = "auto", *, time_limit: float | None = None, **options: Any
) -> int:
    """The number of solutions, or `limit` if there are at least that many; UndecidedError past the time limit.

    `limit` is None by default, which counts all solutions. All other parameters have the same meaning as in `solve`.

    >>> count_solutions(Board.empty(2, 2)), count_solutions(Board.empty(5, 5), limit=2)
    (288, 2)
    """
    result = get_solver(solver, **options).count(board, limit, Limits(time_limit))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected the count {_within(time_limit)}; found {result.solutions} solutions so far")
    assert result.solutions is not None
    return result.solutions


def is_solvable(board: Board, solver: str = "auto", *, time_limit: float | None = None, **options: Any) -> bool:
    """Whether a board has a completion; UndecidedError past the time limit.

    The parameters have the same meaning as in `solve`.

    >>> is_solvable(Board.empty(4, 4))
    True
    """
    result = get_solver(solver, **options).solve(board, Limits(time_limit))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected an answer {_within(time_limit)}; found none")
    return result.status is Status.SOLVED


def is_unique(board: Board, solver: str = "auto", *, time_limit: float | None = None, **options: Any) -> bool:
    """Whether a board has exactly one completion; UndecidedError past the time limit.

    The parameters have the same meaning as in `solve`.

    >>> is_unique(Board.empty(2, 2)), is_unique(Board.parse("1... ..2. .3.. ...4"))
    (False, True)
    """
    return count_solutions(board, 2, solver, time_limit=time_limit, **options) == 1


def solutions(
    board: Board, solver: str = "auto", *, time_limit: float | None = None, **options: Any
) -> Iterator[Board]:
    """Yield every solution once, as the solver finds it; UndecidedError past the time limit.

    The parameters have the same meaning as in `solve`.

    >>> len(set(solutions(Board.empty(2, 2))))
    288
    """
    return get_solver(solver, **options).solutions(board, Limits(time_limit))


def _within(time_limit: float | None) -> str:
    return "within the solver's own limits" if time_limit is None else f"within {time_limit} s"
