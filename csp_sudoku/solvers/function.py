"""A solver that calls a function from a board to its answer: a solution, a `Result`, or None for no solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from csp_sudoku import notation
from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.base import NO_LIMITS, Deadline, Limits, Result, Stats, Status, require_countable

Answer: TypeAlias = "Result | BoardLike | None"
"""The values that the function may return: a result, a solution in any form of `Board.of`, or None for no solution."""


class FunctionSolver:
    """A solver that asks a function, one board at a time.

    `function` takes a `Board`. A solution that it returns is checked: it must be full, without clashes, extend the
    board, and satisfy its constraints. None means that the board has no solution; this cannot be checked. To find
    further solutions, the solver asks about boards that exclude the known ones: for each empty cell, the board with the
    known values of the earlier cells and another value in this cell.

    A function cannot be interrupted. So the time limit is checked between calls, and the node limit bounds the number
    of calls, which is also the number of nodes in the statistics.

    >>> from csp_sudoku.solvers.registry import get_solver
    >>> def mine(board):
    ...     return get_solver("brute-force").solve(board).solution
    >>> result = FunctionSolver(mine).count(Board.empty(2, 2), 3)
    >>> result.stats.solver, result.solutions
    ('mine', 3)
    """

    def __init__(self, function: Callable[[Board], Answer]) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self.options: Mapping[str, Any] = {}

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """Ask the function, and return its own `Result` unchanged; UNKNOWN if the limits allow no call."""
        started = time.perf_counter()
        search = _Search(self, limits)
        answer = search.ask(board)
        if isinstance(answer, Result):
            return answer
        status = Status.UNKNOWN if search.was_cut else Status.SOLVED if answer is not None else Status.UNSOLVABLE
        return Result(status, answer, self._stats(search, started))

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """Count the solutions; the count stops at `up_to` (default None: all of them)."""
        require_countable(up_to)
        started = time.perf_counter()
        search = _Search(self, limits)
        first, found = None, 0
        for solution in search.run(board):
            first, found = first or solution, found + 1
            if found == up_to:
                break
        proven = Status.SOLVED if found else Status.UNSOLVABLE
        status = Status.UNKNOWN if search.was_cut and found != up_to else proven
        return Result(status, first, self._stats(search, started), found)

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """Yield each solution once; UndecidedError at a limit."""
        search = _Search(self, limits)
        yield from search.run(board)
        if search.was_cut:
            raise UndecidedError("expected all solutions within the limits; more may exist")

    def _stats(self, search: _Search, started: float) -> Stats:
        return Stats(self.name, self.options, search.calls, solve_seconds=time.perf_counter() - started)


class _Search:
    """The calls of the function that one question takes."""

    def __init__(self, solver: FunctionSolver, limits: Limits) -> None:
        self._solver = solver
        self._limits = limits
        self._deadline = Deadline(limits.seconds)
        self.calls = 0
        self.was_cut = False
        """Whether a limit, or an answer UNKNOWN, has ended the search."""

    def ask(self, board: Board) -> Result | Board | None:
        """The function's own result, its solution, or None; also None if a limit allows no call."""
        if self._deadline.passed() or self.calls == self._limits.nodes:
            self.was_cut = True
            return None
        self.calls += 1
        answer = self._solver.function(board)
        if isinstance(answer, Result):
            if answer.solution is not None:
                self._checked(board, answer.solution)
            return answer
        return None if answer is None else self._checked(board, answer)

    def run(self, board: Board) -> Iterator[Board]:
        """The solutions of a board, until a limit is reached."""
        answer = self.ask(board)
        if isinstance(answer, Result):
            self.was_cut = self.was_cut or answer.status is Status.UNKNOWN
            answer = answer.solution
        if answer is None:
            return
        yield answer
        prefix = board
        for cell in board.empty_cells():
            row, column = board.geometry.row_column(cell)
            known = answer.values[cell]
            for value in prefix.candidates(row, column):
                if value != known and not self.was_cut:
                    yield from self.run(prefix.place(row, column, value))
            prefix = prefix.place(row, column, known)

    def _checked(self, board: Board, answer: BoardLike) -> Board:
        """The answer as a board; SudokuError if it is no solution of `board`."""
        name = self._solver.name
        try:
            if isinstance(answer, Board):
                solution = answer
            elif isinstance(answer, str):
                solution = Board.of(answer, shape=(board.m, board.n))
                solution = Board(board.geometry, solution.values) if board.geometry.constraints else solution
            else:
                solution = Board(board.geometry, notation.values_of(answer)[1])
        except SudokuError as error:
            raise SudokuError(
                f"expected {name} to return a solution, a Result or None; found a wrong one: {error}"
            ) from None
        if not (solution.is_full and solution.extends(board)):
            found = "another board" if solution.is_full else f"a board with {solution.empty_count} empty cells"
            raise SudokuError(f"expected {name} to return a full board with all the values of its board; found {found}")
        violated = board.geometry.violated(solution.values)
        if violated is not None:
            said = violated.describe(board.geometry)
            raise SudokuError(
                f"expected {name} to return a board that satisfies its constraints; found that not: {said}"
            )
        return solution
