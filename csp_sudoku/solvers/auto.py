"""The default solver, which runs a bounded search, then the learning search, then CP-SAT; its answers are exact.

The first stage decides most boards in microseconds: it is the bit-board search for plain 3×3 boards, and the
hand-written search for all others. A board that is undecided after a bound of nodes goes to the learning search, with
the candidates that propagation has left. A board that is still undecided after a bound of conflicts goes to CP-SAT.

A board with constraints goes to CP-SAT at once, unless regions can express all its constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board, stack
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.errors import OptionError, ShapeError, UndecidedError
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.backtracking.solver import Backtracking
from csp_sudoku.solvers.base import (
    NO_LIMITS,
    Deadline,
    Limits,
    Option,
    Result,
    Solver,
    Stats,
    Status,
    options_from,
    require_countable,
)
from csp_sudoku.solvers.components import independent_parts
from csp_sudoku.solvers.cpsat.solver import MOST_WORKERS, CpSat
from csp_sudoku.solvers.learning.solver import Learning
from csp_sudoku.solvers.race import race
from csp_sudoku.solvers.sliced import UNLIMITED, Run

if TYPE_CHECKING:
    from types import ModuleType

    from csp_sudoku.candidates import Masks

NINE = Geometry.standard(3, 3)
"""The geometry whose boards the search on bit boards takes."""

NINE_FACTOR = 100
"""Factor by which the node bound is larger for the bit-board search, because its nodes are that much cheaper."""

LARGEST_PATIENT, LARGE_DIVISOR = 16, 10
"""Beyond 16×16 the node bound is divided by 10: 300 nodes take 1.5 ms on 25×25. The learning search decides most boards
that withstand them in less time than the rest of the bound takes."""

SMOOTH = 10
"""A search on such a board that undoes less than one in so many of its decisions gets the whole bound nevertheless."""

MOST_SEEN = 100_000
"""Maximum number of listed solutions to remember. A later stage starts anew and has to exclude them."""

UNFINISHED = "expected all solutions within the limits; more may exist"
"""The message of the error that ends an unfinished list of solutions."""

FEW = 10
"""Maximum number of solutions that the learning search counts, since each takes a clause; beyond it, CP-SAT counts."""


class Portfolio:
    """Bit boards or the hand-written search within a bound of nodes, then the learning search, then CP-SAT.

    The keyword arguments are the options in `OPTIONS`; `csp-sudoku solvers` lists them with their defaults.

    >>> Portfolio().solve(Board.empty(3, 3)).stats.stage, Portfolio().solve(Board.empty(4, 4)).stats.stage
    ('bit boards', 'search')
    """

    name = "auto"
    OPTIONS: Mapping[str, Option] = {
        "bound": Option(
            3000,
            int,
            f"search nodes before the learning search takes over; {NINE_FACTOR} times as many for plain 3×3, and a "
            f"{LARGE_DIVISOR}th beyond 16×16",
        ),
        "conflicts": Option(
            1_000_000, int, "conflicts of the learning search before CP-SAT takes over; 0 to skip the learning search"
        ),
        "seed": Option(1, int, "the seed of CP-SAT"),
        "jobs": Option(1, int, "threads that search one hard board side by side; also the workers of CP-SAT"),
    }

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = options_from(self.name, self.OPTIONS, options)
        if self.options["bound"] < 1:
            raise OptionError(f"expected auto option bound to be at least 1; found {self.options['bound']}")
        if self.options["conflicts"] < 0:
            raise OptionError(f"expected auto option conflicts to be at least 0; found {self.options['conflicts']}")
        if not 1 <= self.options["jobs"] <= MOST_WORKERS:
            raise OptionError(f"expected auto option jobs to be from 1 to {MOST_WORKERS}; found {self.options['jobs']}")
        self._learning = Learning()
        self._cpsat = CpSat(seed=self.options["seed"], workers=self.options["jobs"])

    def solve(self, board: Board, limits: Limits = NO_LIMITS) -> Result:
        """Find a solution, or prove that there is none; UNKNOWN if a limit ends the search first."""
        at_once = self._at_once(board, limits, 1, counts=False)
        if at_once is not None:
            return at_once
        if board.geometry.constraints:
            solver, same = self._for_constraints(board)
            return self._retold(board, solver.solve(same, limits))
        first = _FirstStage(board, limits, self.options["bound"], 1)
        status = first.advance()
        if status is Status.UNKNOWN and first.may_go_on():
            masks = first.masks()
            if masks is None:
                return Result(Status.UNSOLVABLE, None, first.stats(self)._replace(stage="matching"))
            second = self._learn(board, masks, 1, first.rest())
            spent = [first.stats(self), second.stats]
            if second.status is not Status.UNKNOWN:
                return second._replace(stats=self._sum(spent, "learning"), solutions=None)
            rest = _less(first.rest(), second)
            if _is_over(rest):
                return second._replace(stats=self._sum(spent, "learning"), solutions=None)
            third = self._cpsat.solve(board, rest, candidates=masks.tolist())
            return third._replace(stats=self._sum([*spent, third.stats], "cpsat"))
        return Result(status, first.run.solution() if status is Status.SOLVED else None, first.stats(self))

    def count(self, board: Board, up_to: int | None = None, limits: Limits = NO_LIMITS) -> Result:
        """Count the solutions; the count stops at `up_to` (default None: count all of them).

        A board with several independent parts is counted part by part. Otherwise the first stage continues as long as
        each further bound of nodes finds new solutions. If one finds none, the learning search takes over if `up_to` is
        at most 10, and CP-SAT otherwise.
        """
        require_countable(up_to)
        at_once = self._at_once(board, limits, UNLIMITED if up_to is None else up_to, counts=True)
        if at_once is not None:
            return at_once
        if board.geometry.constraints:
            solver, same = self._for_constraints(board)
            return self._retold(board, solver.count(same, up_to, limits))
        first = _FirstStage(board, limits, self.options["bound"], UNLIMITED if up_to is None else up_to)
        status = first.advance()
        found = first.run.counters().solutions
        if status is Status.UNKNOWN and found and first.may_go_on():
            solution = first.run.first_solution()
            assert solution is not None  # `found` is not 0
            parts = independent_parts(first.root(), solution)
            if parts:
                return self._count_parts(parts, up_to, first)._replace(solution=solution)
        before = 0
        while status is Status.UNKNOWN and first.may_go_on() and found > before:
            before = found
            first.renew()
            status = first.run.advance()
            found = first.run.counters().solutions
        if status is Status.UNKNOWN and first.may_go_on():
            masks = first.masks()
            if masks is None:
                return Result(Status.UNSOLVABLE, None, first.stats(self)._replace(stage="matching"), 0)
            spent, rest = [first.stats(self)], first.rest()
            if up_to is not None and up_to <= FEW:
                second = self._learn(board, masks, up_to, rest)
                spent.append(second.stats)
                if second.status is not Status.UNKNOWN:
                    return second._replace(stats=self._sum(spent, "learning"))
                found, rest = max(found, second.solutions or 0), _less(first.rest(), second)
                if _is_over(rest):
                    return second._replace(solutions=found, stats=self._sum(spent, "learning"))
            last = self._cpsat.count(board, up_to, rest, candidates=masks.tolist())
            most = max(found, last.solutions or 0)
            return last._replace(solutions=most, stats=self._sum([*spent, last.stats], "cpsat"))
        solution = first.run.solution() if status is Status.SOLVED else None
        if status is Status.UNSOLVABLE and found:  # the search is complete, and all solutions are counted
            status, solution = Status.SOLVED, first.run.first_solution()
        return Result(status, solution, first.stats(self), found)

    def _for_constraints(self, board: Board) -> tuple[Solver, Board]:
        """The solver for a board with constraints, and its board: without constraints if regions express them."""
        geometry = reduced(board.geometry)
        if geometry.constraints or geometry.clash(board.values) is not None or not _has_tables(geometry):
            return self._cpsat, board
        return self, Board.trusted(geometry, board.values)

    def _retold(self, board: Board, result: Result) -> Result:
        """The result of the chosen solver under the name of this one, with the solution on the geometry of `board`."""
        found = result.solution
        solution = None if found is None else Board.trusted(board.geometry, found.values)
        return result._replace(solution=solution, stats=self._sum([result.stats], result.stats.stage or "cpsat"))

    def _learn(self, board: Board, masks: Masks, up_to: int, limits: Limits) -> Result:
        """Run the second stage: count up to `up_to` solutions within the bound of conflicts."""
        share = self.options["conflicts"]
        limits = Limits(limits.seconds, share if limits.nodes is None else min(share, limits.nodes))
        if up_to == 1 and self.options["jobs"] > 1 and board.geometry.is_standard:
            return race(self._learning, board, masks, limits, self.options["jobs"])
        return self._learning.counted(self._learning.run(board, limits, solution_limit=up_to, candidates=masks))

    def _count_parts(self, parts: list[Board], up_to: int | None, first: _FirstStage) -> Result:
        """The product of the numbers of solutions of the parts, each of which has at least one."""
        total, status, spent = 1, Status.SOLVED, [first.stats(self)]
        for part in parts:
            if up_to is not None and total >= up_to:
                break
            rest = first.rest()
            if rest.nodes is not None:
                rest = Limits(rest.seconds, max(0, rest.nodes - sum(stats.nodes for stats in spent[1:])))
            result = self.count(part, up_to, rest)
            spent.append(result.stats)
            total *= max(1, result.solutions or 0)
            if result.status is Status.UNKNOWN:
                status = Status.UNKNOWN
        if up_to is not None and total >= up_to:
            total, status = up_to, Status.SOLVED
        return Result(status, None, self._sum(spent, "parts"), total)

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Board]:
        """Yield each solution once; UndecidedError at a limit."""
        if board.geometry.constraints:
            solver, same = self._for_constraints(board)
            for solution in solver.solutions(same, limits):
                yield Board.trusted(board.geometry, solution.values)
            return
        first = _FirstStage(board, limits, self.options["bound"], 1)
        seen: set[bytes] | None = set()
        while (status := first.advance()) is Status.SOLVED:
            solution = first.run.solution()
            yield solution
            first.run.allow_one_more()
            if seen is not None and len(seen) < MOST_SEEN:
                seen.add(solution.values)
                first.renew()
            elif seen is not None:  # too many to remember for a later stage, so the first stage goes on alone
                seen = None
                first.go_on_alone()
        if status is Status.UNKNOWN:
            if seen is None or not first.may_go_on():
                raise UndecidedError(UNFINISHED)
            masks = first.masks()
            if masks is None:
                return
            rest = first.rest()
            if not seen:
                second = self._learn(board, masks, 1, rest)
                if second.status is Status.UNSOLVABLE:
                    return
                if second.solution is not None:
                    seen.add(second.solution.values)
                    yield second.solution
                rest = _less(first.rest(), second)
                if _is_over(rest):
                    raise UndecidedError(UNFINISHED)
            for solution in self._cpsat.solutions(board, rest, candidates=masks.tolist()):
                if solution.values not in seen:
                    yield solution

    def solve_batch(self, boards: Sequence[Board], count_to: int | None = None) -> Iterator[Result]:
        """Answer about many boards of one geometry, and yield the same results as `solve`, or as `count` to `count_to`.

        Plain 3×3 boards are much faster this way, because one kernel call handles many boards.
        """
        if boards[0].geometry is not NINE:
            for board in boards:
                yield self._one(board, count_to)
            return
        from csp_sudoku.solvers.nine.batch import results, search_batch

        limit, counts = count_to or 1, count_to is not None
        batch = search_batch(stack(boards), limit, self.nine_node_limit)
        for board, result in zip(boards, results(batch, self, limit, counts=counts), strict=True):
            yield result if result is not None else self._one(board, count_to)

    def _one(self, board: Board, count_to: int | None) -> Result:
        return self.solve(board) if count_to is None else self.count(board, count_to)

    def _at_once(self, board: Board, limits: Limits, solution_limit: int, *, counts: bool) -> Result | None:
        """The answer for a plain 3×3 board, if one kernel call decides it; None for all other boards."""
        if board.geometry is not NINE or limits.seconds == 0:
            return None
        nodes = self.nine_node_limit if limits.nodes is None else min(self.nine_node_limit, limits.nodes)
        result: Result | None = _direct().answer(board, self, solution_limit, nodes, counts=counts)
        return result

    @property
    def nine_node_limit(self) -> int:
        """The bound of nodes of the search on bit boards."""
        return min(UNLIMITED, int(self.options["bound"]) * NINE_FACTOR)

    def _sum(self, spent: list[Stats], stage: str) -> Stats:
        """The sum of the evidence of several stages."""
        return Stats(
            self.name,
            self.options,
            nodes=sum(stats.nodes for stats in spent),
            backtracks=sum(stats.backtracks for stats in spent),
            propagations=sum(stats.propagations for stats in spent),
            build_seconds=sum(stats.build_seconds for stats in spent),
            solve_seconds=sum(stats.solve_seconds for stats in spent),
            stage=stage,
        )


@cache
def _direct() -> ModuleType:
    """The module `nine.direct`. It loads numba, so it is imported only at the first question."""
    from csp_sudoku.solvers.nine import direct

    return direct


def _has_tables(geometry: Geometry) -> bool:
    """Whether the compiled searches have room for the regions of a geometry."""
    from csp_sudoku.solvers.backtracking.kernels.state import tables

    try:
        tables(geometry)
    except ShapeError:
        return False
    return True


def _less(limits: Limits, spent: Result) -> Limits:
    """The limits minus the conflicts that an answer has spent. The remaining time needs no correction."""
    return limits if limits.nodes is None else Limits(limits.seconds, max(0, limits.nodes - spent.stats.backtracks))


def _is_over(rest: Limits) -> bool:
    """Whether a limit is used up. If so, the next stage is not set up, which takes long for the largest boards."""
    return 0 in (rest.seconds, rest.nodes)


class _FirstStage:
    """The first stage: the run of the bounded search, and the limits that it leaves."""

    def __init__(self, board: Board, limits: Limits, bound: int, solution_limit: int) -> None:
        self._board = board
        self._limits = limits
        self._deadline = Deadline(limits.seconds)
        self._nine = board.geometry is NINE
        self._whole_bound = min(UNLIMITED, bound * NINE_FACTOR if self._nine else bound)
        is_large = board.geometry.size > LARGEST_PATIENT
        self._bound = max(1, bound // LARGE_DIVISOR) if is_large else self._whole_bound
        self.run: Run = self._begin(Limits(limits.seconds, self._within(self._bound)), solution_limit)

    def _within(self, nodes: int) -> int:
        """A number of nodes, or the limit if it is lower."""
        return nodes if self._limits.nodes is None else min(nodes, self._limits.nodes)

    def _begin(self, limits: Limits, solution_limit: int) -> Run:
        if self._nine:
            from csp_sudoku.solvers.nine.run import NineRun

            return NineRun(self._board, limits, solution_limit)
        return Backtracking().run(self._board, limits, solution_limit=solution_limit)

    def advance(self) -> Status:
        """Continue the search, and beyond a small bound as long as it hardly backtracks, as on an empty board."""
        status = self.run.advance()
        spent = self.run.counters()
        is_smooth = spent.nodes < self._whole_bound and SMOOTH * spent.backtracks < spent.nodes
        if status is Status.UNKNOWN and is_smooth and self.may_go_on():
            self.run.limit_nodes(self._within(self._whole_bound))
            status = self.run.advance()
        return status

    def renew(self) -> None:
        """Allow the search to visit another bound of nodes."""
        left = self.rest().nodes
        self.run.limit_nodes(self.run.counters().nodes + (self._bound if left is None else min(left, self._bound)))

    def go_on_alone(self) -> None:
        """Remove the bound of this stage, so that only the limits can end the search."""
        self.run.limit_nodes(UNLIMITED if self._limits.nodes is None else self._limits.nodes)

    def rest(self) -> Limits:
        """The remaining limits."""
        nodes = self._limits.nodes
        return Limits(self._deadline.left(), None if nodes is None else max(0, nodes - self.run.counters().nodes))

    def may_go_on(self) -> bool:
        """Whether the bound of this stage ended the search, not a limit."""
        return not self._deadline.passed() and self.rest().nodes != 0

    def root(self) -> Board:
        """The board with all values that propagation finds without search."""
        return self._at_root()[0]

    def masks(self) -> Masks | None:
        """The candidates that propagation and matchings leave; None if they prove that there is no solution."""
        from csp_sudoku.solvers.matching import matched

        return matched(self._board.geometry, self._at_root()[1])

    def _at_root(self) -> tuple[Board, Masks]:
        run = Backtracking().run(self._board, Limits(nodes=0))
        run.advance()
        return run.reached(), run.candidate_masks()

    def stats(self, solver: Portfolio) -> Stats:
        """The evidence of this stage."""
        return self.run.stats(solver)._replace(stage="bit boards" if self._nine else "search")
