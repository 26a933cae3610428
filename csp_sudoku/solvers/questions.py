"""The questions of the public API, each a short function that asks a solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import UndecidedError, keyword_error
from csp_sudoku.solvers.base import NO_LIMITS, Limits, Result, Solver, Status
from csp_sudoku.solvers.registry import SolverLike, get_solver, option_names


def solve(
    board: BoardLike,
    solver: SolverLike = "auto",
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    **options: Any,
) -> Result:
    """Find a solution of a board, or prove that there is none; UNKNOWN if a limit ends the search first.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `solver` is the name of a solver or preset
    (default "auto"), a solver, or a function from a `Board` to its answer; see `get_solver`. `time_limit` bounds the
    time in seconds, without compiling and loading, and `node_limit` the number of search nodes or conflicts; None, the
    default of both, sets no limit. `options` are the options of a solver that is named, as keyword arguments.

    >>> result = solve("1... ..2. .3.. ...4")
    >>> result.status, result.solution.format("line")
    (<Status.SOLVED: 'solved'>, '1243342143122134')
    >>> solve(Board.parse("12.. .... ..3. ..4."), "cpsat").status
    <Status.UNSOLVABLE: 'unsolvable'>
    >>> solve("1... ..2. .3.. ...4", timeout=1)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.KeywordError: expected a parameter of solve or an option of auto among board, solver, \
time_limit, node_limit, bound, conflicts, seed, jobs; found 'timeout': did you mean time_limit?
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    asked = _asked("solve", _SOLVE, solver, options)
    return asked.solve(board, _limits(time_limit, node_limit))


def count_solutions(
    board: BoardLike,
    limit: int | None = None,
    solver: SolverLike = "auto",
    *,
    time_limit: float | None = None,
    **options: Any,
) -> int:
    """The number of solutions, or `limit` if there are at least that many; UndecidedError past the time limit.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `limit` is the number at which counting
    stops; None, the default, counts all solutions. `solver` is the name of a solver or preset (default "auto"), a
    solver, or a function from a `Board` to its answer; see `get_solver`. `time_limit` bounds the time in seconds
    (default None: no limit). `options` are the options of a solver that is named, as keyword arguments.

    >>> count_solutions(Board.empty(2, 2)), count_solutions(Board.empty(5, 5), limit=2)
    (288, 2)
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    asked = _asked("count_solutions", _COUNT, solver, options)
    result = asked.count(board, limit, _limits(time_limit))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected the count {_within(time_limit)}; found {result.solutions} solutions so far")
    assert result.solutions is not None
    return result.solutions


def is_solvable(
    board: BoardLike, solver: SolverLike = "auto", *, time_limit: float | None = None, **options: Any
) -> bool:
    """Whether a board has a completion; UndecidedError past the time limit.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `solver` is the name of a solver or preset
    (default "auto"), a solver, or a function from a `Board` to its answer; see `get_solver`. `time_limit` bounds the
    time in seconds (default None: no limit). `options` are the options of a solver that is named, as keyword arguments.

    >>> is_solvable(Board.empty(4, 4))
    True
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    asked = _asked("is_solvable", _ASK, solver, options)
    result = asked.solve(board, _limits(time_limit))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected an answer {_within(time_limit)}; found none")
    return result.status is Status.SOLVED


def is_unique(
    board: BoardLike, solver: SolverLike = "auto", *, time_limit: float | None = None, **options: Any
) -> bool:
    """Whether a board has exactly one completion; UndecidedError past the time limit.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `solver` is the name of a solver or preset
    (default "auto"), a solver, or a function from a `Board` to its answer; see `get_solver`. `time_limit` bounds the
    time in seconds (default None: no limit). `options` are the options of a solver that is named, as keyword arguments.

    >>> is_unique(Board.empty(2, 2)), is_unique("1... ..2. .3.. ...4")
    (False, True)
    """
    asked = _asked("is_unique", _ASK, solver, options)
    return count_solutions(board, 2, asked, time_limit=time_limit) == 1


def solutions(
    board: BoardLike, solver: SolverLike = "auto", *, time_limit: float | None = None, **options: Any
) -> Iterator[Board]:
    """Yield every solution once, as the solver finds it; UndecidedError past the time limit.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `solver` is the name of a solver or preset
    (default "auto"), a solver, or a function from a `Board` to its answer; see `get_solver`. `time_limit` bounds the
    time in seconds (default None: no limit). `options` are the options of a solver that is named, as keyword arguments.

    >>> len(set(solutions(Board.empty(2, 2))))
    288
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    asked = _asked("solutions", _ASK, solver, options)
    return asked.solutions(board, _limits(time_limit))


_ASK = ("board", "solver", "time_limit")
_SOLVE = (*_ASK, "node_limit")
_COUNT = ("board", "limit", "solver", "time_limit")


def _asked(function: str, parameters: tuple[str, ...], solver: SolverLike, options: Mapping[str, Any]) -> Solver:
    """The solver with these options; KeywordError for an option that neither the function nor the solver has."""
    if not options:
        return _default() if solver == "auto" else get_solver(solver)
    require_keywords(function, parameters, solver, options)
    return get_solver(solver, **options)


@cache
def _default() -> Solver:
    """The default solver. It is kept, because making it takes as long as solving a board."""
    return get_solver()


def _limits(seconds: float | None, nodes: int | None = None) -> Limits:
    return NO_LIMITS if seconds is None and nodes is None else Limits(seconds, nodes)


def require_keywords(
    function: str, parameters: tuple[str, ...], solver: SolverLike, options: Mapping[str, Any]
) -> None:
    """Raise KeywordError for an option that the solver does not have.

    `function` is the name of the function that was called, and `parameters` are the names of its own parameters, for
    the message. An unknown solver is left to `get_solver`.
    """
    known = option_names(solver)
    if isinstance(solver, str) and not known:
        get_solver(solver)  # raises OptionError for an unknown name
    for name in options:
        if name not in known:
            label = solver if isinstance(solver, str) else ""
            raise keyword_error(function, name, [*parameters, *known], label)


def _within(time_limit: float | None) -> str:
    return "within the solver's own limits" if time_limit is None else f"within {time_limit} s"
