"""The open model: a board as a model of CP-SAT that takes any further constraint and objective of OR-Tools."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.errors import MoveError, SudokuError
from csp_sudoku.moves.engines.cpsat import covered
from csp_sudoku.puzzles.explain import Explanation, Thinned, Thinning, explained
from csp_sudoku.solvers.base import Deadline, Limits, Result, require_countable
from csp_sudoku.solvers.cpsat.model import Candidates, EncodedBoard, build, with_posting
from csp_sudoku.solvers.cpsat.solver import CpSat, Question

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from csp_sudoku.moves.move_map import MoveMap


@dataclass(frozen=True, slots=True)
class Optimum:
    """The value of the objective in the solution that `CpModel.solve` found last."""

    value: float
    """The value of the objective."""
    bound: float
    """The bound on the objective: no solution is larger (if it is maximised) or smaller (if it is minimised)."""
    is_proven: bool
    """Whether it is proven that the solution that was found is the best one."""


class CpModel:
    """The CP-SAT model of a board, with its givens and its constraints, to which anything in OR-Tools can be added.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. Everything that is added to `model` applies
    to all later questions.

    >>> model = CpModel(".... .... .... ....")
    >>> _ = model.model.add(model.cell(0, 0) + model.cell(0, 1) == 7)
    >>> _ = model.model.add_implication(model.literal(0, 0, 3), model.literal(3, 3, 4))
    >>> model.count().solutions
    30
    >>> model.model.maximize(sum(model.cell(row, row) for row in range(4)))
    >>> model.solve().status, model.optimum
    (<Status.SOLVED: 'solved'>, Optimum(value=13.0, bound=13.0, is_proven=True))
    """

    def __init__(self, board: BoardLike) -> None:
        self.board = board = board if isinstance(board, Board) else Board.of(board)
        """The board."""
        self.optimum: Optimum | None = None
        """The value of the objective in the solution that `solve` found last; None without one."""
        self._call: Any = None
        geometry = reduced(board.geometry)
        empty = Candidates.of(Board.trusted(geometry, bytes(geometry.cell_count)))
        encoded = build(replace(empty, geometry=geometry.plain), "boolean")
        assert encoded is not None  # an empty board has candidates
        self._encoded = with_posting(encoded, empty)
        assert self._encoded.posting is not None
        self._posting = self._encoded.posting
        self._givens = [cell for cell, value in enumerate(board.values) if value and board.size > 1]
        self._first_given = len(self.model.proto.constraints)
        for cell in self._givens:
            self._posting.clause([self._posting.literal(cell, board.values[cell])])

    @property
    def model(self) -> cp_model.CpModel:
        """The model of OR-Tools, to which anything can be added."""
        model: cp_model.CpModel = self._encoded.model
        return model

    def cell(self, row: int, column: int) -> cp_model.IntVar:
        """The integer variable that is the value of a cell; `row` and `column` count from 0."""
        cell = self._cell(row, column)
        return self.model.get_int_var_from_proto_index(self._posting.integer(cell))

    def literal(self, row: int, column: int, value: int) -> cp_model.IntVar:
        """The Boolean variable that is true if a cell holds `value`, from 1 to N; `row` and `column` count from 0."""
        cell, size = self._cell(row, column), self.board.size
        if not 1 <= value <= size:
            raise MoveError(f"expected a value from 1 to {size}; found {value}")
        if size == 1:
            return self.model.new_constant(1)
        return self.model.get_bool_var_from_proto_index(self._posting.literal(cell, value))

    def _cell(self, row: int, column: int) -> int:
        size = self.board.size
        if not (0 <= row < size and 0 <= column < size):
            raise MoveError(f"expected a row and a column from 0 to {size - 1}; found {row} and {column}")
        return self.board.geometry.cell(row, column)

    def solve(self, *, time_limit: float | None = None, node_limit: int | None = None, workers: int = 1) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first.

        If the model has an objective, the solution is the best one, or at a limit the best one found so far; `optimum`
        tells the two apart. `time_limit` bounds the time in seconds, and `node_limit` the conflicts; None, the default
        of both, sets no limit. `workers` is the number of threads (default 1).
        """
        question = self._question(Limits(time_limit, node_limit), workers, keeps_objective=True)
        result = question.solved()
        self._call, self.optimum = question.call, None
        if result.solution is not None and self.model.has_objective():
            response = question.call.response()  # type: ignore[union-attr] # a solution comes from a call
            proven = response.objective_value == response.best_objective_bound
            self.optimum = Optimum(response.objective_value, response.best_objective_bound, proven)
        return result

    def value(self, expression: Any) -> int:
        """The value of a variable or a linear expression of OR-Tools in the solution that `solve` found last."""
        if self._call is None or not self._call.response().solution:
            raise SudokuError("expected a solution to be found before its values are read; found none")
        value: int = self._call.solver.value(expression)
        return value

    def solutions(self, *, time_limit: float | None = None) -> Iterator[Board]:
        """Yield every board that is a solution, once; UndecidedError past `time_limit` seconds (default: no limit).

        Two solutions of the model that differ only in further variables are the same board. An objective is ignored.
        """
        yield from self._question(Limits(time_limit)).enumerate()

    def count(
        self, limit: int | None = None, *, time_limit: float | None = None, node_limit: int | None = None
    ) -> Result:
        """Count the boards that are solutions, up to `limit` (default None: all of them). An objective is ignored.

        `time_limit` bounds the time in seconds, and `node_limit` the conflicts (default None: no limit).
        """
        require_countable(limit)
        return self._question(Limits(time_limit, node_limit)).counted(limit)

    def classify_moves(self, time_limit: float | None = None) -> MoveMap:
        """The map of all moves: a move is safe if a solution of the model has it. An objective is ignored.

        `time_limit` bounds the time in seconds (default None: no limit).
        """
        return covered(self.board, self._copy(), Deadline(Limits(time_limit).seconds))

    def explain(self, *, time_limit: float | None = None) -> Explanation | None:
        """A minimal set of givens that admits no solution of the model; None if there is a solution.

        The constraints are kept. `time_limit` bounds the search in seconds (default None: no limit), as in
        `csp_sudoku.explain`.
        """
        return explained(_OpenThinning(self, time_limit), time_limit, time.perf_counter())

    def _question(self, limits: Limits, workers: int = 1, *, keeps_objective: bool = False) -> Question:
        solver = CpSat(parameters="default", workers=workers)
        return Question(solver, self.board, limits, model=self._copy(keeps_objective=keeps_objective))

    def _copy(self, *, keeps_objective: bool = False) -> EncodedBoard:
        """A copy of the current model, which a question can change."""
        copy = self.model.clone()
        if not keeps_objective:
            copy.clear_objective()  # type: ignore[no-untyped-call]
        return replace(self._encoded, model=copy, posting=self._posting.copied(copy))

    def _with_switches(self) -> tuple[EncodedBoard, dict[int, int]]:
        """A copy in which a Boolean variable for each given enforces it, and these variables by cell."""
        copy = self._copy()
        proto, switches = copy.model.proto, {}
        for number, cell in enumerate(self._givens, start=self._first_given):
            switches[cell] = len(proto.variables)
            proto.variables.add().domain.extend((0, 1))
            proto.constraints[number].enforcement_literal.append(switches[cell])
        return copy, switches


class _OpenThinning(Thinning):
    """The search for givens of an open model that can be removed while it still has no solution."""

    def __init__(self, model: CpModel, time_limit: float | None) -> None:
        super().__init__(model.board, (), time_limit)
        self._solving = CpSat(parameters="default")
        self._model, self._switches = model._with_switches()

    def solve(self, cells: Sequence[int]) -> Thinned:
        """Solve the model with only these givens."""
        self.checks += 1
        kept, variables = set(cells), self._model.model.proto.variables
        for cell, switch in self._switches.items():
            domain = variables[switch].domain
            domain.clear()
            domain.extend([int(cell in kept)] * 2)
        result = Question(self._solving, self.only(cells), Limits(self.deadline.left()), model=self._model).solved()
        return Thinned(result.status, result.solution, list(cells))

    def fewer(self, cells: list[int]) -> list[int]:
        """Return all givens, because there is no quick way to find fewer."""
        return cells
