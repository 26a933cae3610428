"""CP-SAT, the solver of OR-Tools, with two encodings of a board and always with one worker.

Enumeration with several workers is wrong: the 4×4 board has 288 solutions, but version 9.15 returned only 213 to 274 of
them with two or more workers and still reported OPTIMAL. Results of several workers are not reproducible either.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.base import NO_LIMITS, Deadline, Limits, Option, Result, Stats, Status, options_from
from csp_sudoku.solvers.cpsat.model import Candidates, EncodedBoard, build

if TYPE_CHECKING:
    from csp_sudoku.solvers.cpsat.search import OnSolution, Read

ALWAYS: Mapping[str, Any] = {
    "num_workers": 1,  # the docstring of this module says why
    "catch_sigint_signal": False,  # the caller handles Ctrl-C
}
"""The parameters of CP-SAT that apply whatever the option `parameters` is."""

TUNED: Mapping[str, Any] = {
    "cp_model_presolve": False,
    "linearization_level": 0,
    "symmetry_level": 0,
    "use_sat_inprocessing": False,
    "use_phase_saving": False,
    "also_bump_variables_in_conflict_reasons": True,
    "variable_activity_decay": 0.95,
    "glucose_max_decay": 0.99,
    "clause_cleanup_period": 3000,
    "clause_cleanup_lbd_bound": 2,
}
"""The parameters that were measured to be fastest; benchmarks/cpsat.md reports the effect of each."""


class CpSat:
    """A solver that uses a CP-SAT model. `Limits.nodes` bounds conflicts, because CP-SAT has no limit on branches.

    The keyword arguments are the options in `OPTIONS`; `csp-sudoku solvers` lists them with their defaults.

    >>> CpSat().count(Board.empty(2, 2)).solutions
    288
    >>> CpSat(encoding="integer").solve(Board.parse("12.. ..3. .... ...4")).status
    <Status.UNSOLVABLE: 'unsolvable'>
    """

    name = "cpsat"
    OPTIONS: Mapping[str, Option] = {
        "encoding": Option(
            "boolean", ("boolean", "integer"), "exactly one of Boolean candidates, or all-different integers"
        ),
        "propagate": Option(True, bool, "fill naked and hidden singles before the model is built"),
        "parameters": Option("tuned", ("tuned", "default"), "those measured for sudokus, or CP-SAT's own"),
        "seed": Option(0, int, "shuffles the model's variables; 0 for reading order"),
    }

    def __init__(self, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)

    # The methods solve, count and solutions take the `candidates` that an earlier propagation has left: a bit mask per
    # cell, in which bit v - 1 stands for the value v. Every solution must agree with them.

    def solve(self, board: Board, limits: Limits = NO_LIMITS, *, candidates: Iterable[int] | None = None) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first."""
        task = _Question(self, board, limits, candidates)
        if task.model is not None:
            task.search()
        return task.result()

    def count(
        self,
        board: Board,
        up_to: int | None = None,
        limits: Limits = NO_LIMITS,
        *,
        candidates: Iterable[int] | None = None,
    ) -> Result:
        """Count the solutions; the count stops at `up_to` (default None: count all of them)."""
        if up_to is not None and up_to < 1:
            raise SudokuError(f"expected to count up to at least 1 solution; found {up_to}")
        task = _Question(self, board, limits, candidates)
        if task.model is None:
            return task.result(found=int(task.status is Status.SOLVED))
        found = 0

        def note(_: Read) -> bool:
            nonlocal found
            found += 1
            return found != up_to

        is_complete = task.search(note)
        if not is_complete and found != up_to:
            task.status = Status.UNKNOWN
        return task.result(found)

    def solutions(
        self, board: Board, limits: Limits = NO_LIMITS, *, candidates: Iterable[int] | None = None
    ) -> Iterator[Board]:
        """Yield each solution once; UndecidedError at a limit.

        The time between two calls of the iterator counts towards the time limit as well.
        """
        task = _Question(self, board, limits, candidates)
        if task.model is not None:
            yield from task.enumerate()
        elif task.solution is not None:
            yield task.solution


class _Question:
    """One question about a board, with its limits and its evidence.

    `model` is None if propagation alone answers the question.
    """

    def __init__(self, solver: CpSat, board: Board, limits: Limits, candidates: Iterable[int] | None) -> None:
        from csp_sudoku.solvers.cpsat import (
            search as cpsat_search,  # loads OR-Tools before the clock for building the model starts
        )

        self._tools = cpsat_search
        self._board = board
        self._deadline = Deadline(limits.seconds)
        self._conflicts = limits.nodes
        self._solver = solver
        self._response: Any = None
        self._solve_seconds = 0.0
        self.status = Status.UNKNOWN
        self.solution: Board | None = None
        started = time.perf_counter()
        self.model = self._build(Candidates.of(board, candidates))
        self._build_seconds = time.perf_counter() - started

    def _build(self, candidates: Candidates) -> EncodedBoard | None:
        """The model of the board; None if propagation alone answers the question."""
        options = self._solver.options
        model = None
        if not options["propagate"] or candidates.fill_singles():
            if not candidates.open_count:
                self._accept(candidates.values())
                return None
            model = build(candidates, options["encoding"], options["seed"])
        if model is None:
            self.status = Status.UNSOLVABLE
        return model

    def search(self, on_solution: OnSolution | None = None) -> bool:
        """Run CP-SAT, and return whether it completed its search.

        The search is incomplete if a limit or `on_solution` ended it.
        """
        assert self.model is not None
        if self._deadline.passed():
            return False
        started = time.perf_counter()
        search = self._tools.CpSatCall(self.model.model, self._parameters(every=on_solution is not None), on_solution)
        self._response = response = search.finish()
        self._solve_seconds = time.perf_counter() - started
        if response.solution:
            self._accept(self.model.decode(response.solution))
        elif self._tools.is_complete(response):
            self.status = Status.UNSOLVABLE
        return self._tools.is_complete(response)

    def enumerate(self) -> Iterator[Board]:
        """Yield the solutions in the order in which CP-SAT finds them; UndecidedError if the search is incomplete."""
        assert self.model is not None
        enumeration = self._tools.Enumeration(self.model.model, self._parameters(every=True))
        for solution in enumeration:
            yield self._verified(self.model.decode(solution))
        if not self._tools.is_complete(enumeration.response()):
            raise UndecidedError("expected all solutions within the limits; more may exist")

    def _parameters(self, *, every: bool) -> dict[str, Any]:
        parameters = {**ALWAYS, "enumerate_all_solutions": every}
        if self._solver.options["parameters"] == "tuned":
            parameters |= TUNED
        left = self._deadline.left()
        if left is not None:
            parameters["max_time_in_seconds"] = left
        if self._conflicts is not None:
            parameters["max_number_of_conflicts"] = self._conflicts
        return parameters

    def _accept(self, values: bytes) -> None:
        self.solution = self._verified(values)
        self.status = Status.SOLVED

    def _verified(self, values: bytes) -> Board:
        """The solution as a board, checked independently of CP-SAT and of the model; RuntimeError if it is wrong."""
        board, geometry = self._board, self._board.geometry
        solution = Board.trusted(geometry, values)
        if not solution.is_full or geometry.clash(values) is not None or not solution.extends(board):
            raise RuntimeError(f"expected a completion of {board!r} from CP-SAT; found {list(values)}")
        return solution

    def result(self, found: int | None = None) -> Result:
        """The answer with its evidence; `found` is the number of solutions if they were counted."""
        response = self._response
        stats = Stats(
            self._solver.name,
            self._solver.options,
            nodes=response.num_branches if response else 0,
            backtracks=response.num_conflicts if response else 0,
            propagations=response.num_binary_propagations if response else 0,
            build_seconds=self._build_seconds,
            solve_seconds=self._solve_seconds,
        )
        return Result(self.status, self.solution, stats, found)
