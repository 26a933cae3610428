"""CP-SAT, the solver of OR-Tools, with two encodings of a board; it knows every constraint.

By default it has one worker. Enumeration with several workers is wrong: the 4×4 board has 288 solutions, but version
9.15 returned only 213 to 274 of them with two or more workers and still reported OPTIMAL. So the option `workers` is
for single solutions and proofs, and listing and counting always use one. Results of several workers are not
reproducible.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.compiled.loading import loading
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.errors import OptionError, SudokuError, UndecidedError
from csp_sudoku.solvers.base import NO_LIMITS, Deadline, Limits, Option, Result, Stats, Status, options_from
from csp_sudoku.solvers.cpsat.model import Candidates, EncodedBoard, build

if TYPE_CHECKING:
    from csp_sudoku.solvers.cpsat.search import CpSatCall, OnSolution, Read

MOST_WORKERS = 64
"""Maximum number of workers; more only compete for memory."""

ALWAYS: Mapping[str, Any] = {
    "num_workers": 1,  # see the docstring of this module; the option `workers` sets another number
    "catch_sigint_signal": False,  # the caller handles Ctrl-C
}
"""The parameters of CP-SAT that apply with every choice of the option `parameters`."""

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
            "boolean",
            ("boolean", "integer"),
            "Boolean candidates with exactly-one constraints, or integers that are all different",
        ),
        "propagate": Option(True, bool, "fill singles, and prune by constraints, before the model is built"),
        "parameters": Option("tuned", ("tuned", "default"), "parameters tuned for sudoku, or CP-SAT's defaults"),
        "seed": Option(0, int, "seed that shuffles the model's variables; 0 for reading order"),
        "workers": Option(1, int, "threads that search for one solution or a proof; counting and listing use one"),
    }

    def __init__(self, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)
        require_workers(self.options["workers"])

    # The methods solve, count and solutions take the `candidates` that an earlier propagation has left: a bit mask per
    # cell, in which bit v - 1 stands for the value v. Every solution must agree with them.

    def solve(self, board: Board, limits: Limits = NO_LIMITS, *, candidates: Iterable[int] | None = None) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first."""
        return Question(self, board, limits, candidates).solved()

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
        return Question(self, board, limits, candidates).counted(up_to)

    def solutions(
        self, board: Board, limits: Limits = NO_LIMITS, *, candidates: Iterable[int] | None = None
    ) -> Iterator[Board]:
        """Yield each solution once; UndecidedError at a limit.

        The time between two calls of the iterator counts towards the time limit as well.
        """
        yield from Question(self, board, limits, candidates).enumerate()


def require_workers(workers: int) -> None:
    """Raise OptionError unless `workers` is a number of workers that CP-SAT can have."""
    if not 1 <= workers <= MOST_WORKERS:
        raise OptionError(f"expected cpsat option workers to be from 1 to {MOST_WORKERS}; found {workers}")


class Question:
    """One question about a board, with its limits and its evidence.

    `solver` has the options. `candidates` are masks that an earlier propagation has left (default None: there was
    none). `model` is the model of the board (default None: it is built).
    """

    def __init__(
        self,
        solver: CpSat,
        board: Board,
        limits: Limits,
        candidates: Iterable[int] | None = None,
        model: EncodedBoard | None = None,
    ) -> None:
        with loading():  # OR-Tools, before the clock for building the model starts
            from csp_sudoku.solvers.cpsat import search as cpsat_search

        self._tools = cpsat_search
        self._board = board
        self._deadline = Deadline(limits.seconds)
        self._conflicts = limits.nodes
        self._solver = solver
        self.call: CpSatCall | None = None
        """The last call of CP-SAT."""
        self._response: Any = None
        self._work = (0, 0, 0)
        self._solve_seconds = 0.0
        self.was_cut = False
        """Whether a limit has ended the listing of solutions one by one."""
        self.status = Status.UNKNOWN
        self.solution: Board | None = None
        started = time.perf_counter()
        geometry = reduced(board.geometry) if board.geometry.constraints else board.geometry
        self.model: EncodedBoard | None = model
        """The model; None if propagation alone answers the question."""
        if model is not None:
            pass
        elif geometry is not board.geometry and geometry.clash(board.values) is not None:
            self.model, self.status = None, Status.UNSOLVABLE
        else:
            self.model = self._build(Candidates.of(Board.trusted(geometry, board.values), candidates))
        self._build_seconds = time.perf_counter() - started

    def _build(self, candidates: Candidates) -> EncodedBoard | None:
        """The model of the board; None if propagation alone answers the question."""
        options = self._solver.options
        model = None
        if not options["propagate"] or candidates.propagate():
            if not candidates.open_count:
                values = candidates.values()
                if candidates.geometry.violated(values) is None:
                    self._accept(values)
                else:
                    self.status = Status.UNSOLVABLE
                return None
            model = build(candidates, options["encoding"], options["seed"])
        if model is None:
            self.status = Status.UNSOLVABLE
        return model

    def solved(self) -> Result:
        """Find a solution, or prove that there is none."""
        if self.model is not None:
            self.search()
        return self.result()

    def counted(self, up_to: int | None = None) -> Result:
        """Count the solutions, up to a number."""
        if self.model is None:
            return self.result(found=int(self.status is Status.SOLVED))
        found, is_complete = 0, False
        if self.model.is_determined:

            def note(_: Read) -> bool:
                nonlocal found
                found += 1
                return found != up_to

            is_complete = self.search(note)
        else:
            for _ in self.one_by_one():
                found += 1
                if found == up_to:
                    break
            else:
                is_complete = not self.was_cut
            self.status = Status.SOLVED if found else self.status
        if not is_complete and found != up_to:
            self.status = Status.UNKNOWN
        return self.result(found)

    def search(self, on_solution: OnSolution | None = None) -> bool:
        """Run CP-SAT, and return whether it completed its search.

        The search is incomplete if a limit or `on_solution` ended it.
        """
        assert self.model is not None
        if self._deadline.passed():
            return False
        started = time.perf_counter()
        search = self._tools.CpSatCall(self.model.model, self._parameters(every=on_solution is not None), on_solution)
        self.call = search
        self._note(response := search.finish())
        self._solve_seconds += time.perf_counter() - started
        if response.solution:
            self._accept(self.model.decode(response.solution))
        elif self._tools.is_complete(response):
            self.status = Status.UNSOLVABLE
        return self._tools.is_complete(response)

    def one_by_one(self) -> Iterator[Board]:
        """Yield the solutions; a separate search finds each of them and excludes the earlier ones.

        This suits a model in which a solution of the board corresponds to several solutions of the model. At the end,
        `was_cut` states whether a limit ended the listing.
        """
        assert self.model is not None
        while not self.was_cut:
            self.was_cut = not self.search()
            if self.was_cut or not self._response.solution:
                return
            values = self.model.decode(self._response.solution)
            yield self._verified(values)
            self.model.exclude(values)

    def enumerate(self) -> Iterator[Board]:
        """Yield the solutions in the order in which CP-SAT finds them; UndecidedError if the search is incomplete."""
        if self.model is None:
            if self.solution is not None:
                yield self.solution
            return
        if not self.model.is_determined:
            yield from self.one_by_one()
            if self.was_cut:
                raise UndecidedError("expected all solutions within the limits; more may exist")
            return
        enumeration = self._tools.Enumeration(self.model.model, self._parameters(every=True))
        for solution in enumeration:
            yield self._verified(self.model.decode(solution))
        if not self._tools.is_complete(enumeration.response()):
            raise UndecidedError("expected all solutions within the limits; more may exist")

    def _parameters(self, *, every: bool) -> dict[str, Any]:
        parameters = {**ALWAYS, "enumerate_all_solutions": every}
        if not every:
            parameters["num_workers"] = self._solver.options["workers"]
        if self._solver.options["parameters"] == "tuned":
            parameters |= TUNED
        left = self._deadline.left()
        if left is not None:
            parameters["max_time_in_seconds"] = left
        if self._conflicts is not None:
            parameters["max_number_of_conflicts"] = max(0, self._conflicts - self._work[1])
        return parameters

    def _note(self, response: Any) -> None:
        """Keep a response, and add its work to that of the earlier ones."""
        self._response = response
        nodes, conflicts, propagations = self._work
        self._work = (
            nodes + response.num_branches,
            conflicts + response.num_conflicts,
            propagations + response.num_binary_propagations,
        )

    def _accept(self, values: bytes) -> None:
        self.solution = self._verified(values)
        self.status = Status.SOLVED

    def _verified(self, values: bytes) -> Board:
        """The solution as a board, checked independently of CP-SAT and of the model; RuntimeError if it is wrong."""
        board, geometry = self._board, self._board.geometry
        solution = Board.trusted(geometry, values)
        is_valid = solution.is_full and geometry.clash(values) is None and solution.extends(board)
        if not is_valid or (geometry.constraints and geometry.violated(values) is not None):
            raise RuntimeError(f"expected a completion of {board!r} from CP-SAT; found {list(values)}")
        return solution

    def result(self, found: int | None = None) -> Result:
        """The answer with its evidence; `found` is the number of solutions if they were counted."""
        nodes, conflicts, propagations = self._work
        stats = Stats(
            self._solver.name,
            self._solver.options,
            nodes=nodes,
            backtracks=conflicts,
            propagations=propagations,
            build_seconds=self._build_seconds,
            solve_seconds=self._solve_seconds,
        )
        return Result(self.status, self.solution, stats, found)
