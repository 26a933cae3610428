"""Kind `solvers`: every solver and preset with random options, against the reference: status, count, list, batches."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random
from typing import Any

from csp_sudoku import Limits, Status, UndecidedError, get_solver, solve_many
from csp_sudoku.solvers.backtracking.solver import PRUNINGS, VALUE_ORDERS, VARIABLE_ORDERS
from csp_sudoku.solvers.incremental import Incremental
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, SpentError, expect, expect_equal
from tests.fuzz.reference import completions, first_solution, is_solution, some_solutions, with_values

NODES = 4000
"""The nodes of each search of the product; of conflicts for those that learn."""

MOST = 60
"""The solutions that are counted or listed at most."""


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([one_board, many_boards, assumptions], [8, 1, 2])[0](random, budget)


def one_board(random: Random, budget: Budget) -> None:
    """Some solvers on one board: a solution, the count, or the list."""
    sample = random_sample(random)
    known = Known(sample, budget)
    for name in random.sample([*SOLVERS, *PRESETS], 4):
        options = random_options(name, random)
        question = random.choice([_solve, _solve, _count, _list])
        question(known, name, options, random)
    known.require_some()


class Known:
    """What is known of a board: solutions, whether these are all, and who said that there are none.

    The solutions are the reference's and, once its budget is spent, also those that a solver has given and that have
    been checked; so the solvers are held against each other where the reference alone does not suffice.
    """

    def __init__(self, sample: Sample, budget: Budget) -> None:
        self.sample = sample
        self.solutions: set[tuple] = set()
        self.is_all = False
        self._refuted_by = ""
        try:
            for solution in islice(completions(sample.regions, sample.cells, budget), MOST):
                self.solutions.add(solution)
            self.is_all = len(self.solutions) < MOST
        except SpentError:
            pass

    def expect_status(self, who: str, status: Status, *, decided: bool = False) -> None:
        """Raise unless a status is right; UNKNOWN is, unless the solver had no limits."""
        name = self.sample.name
        expect(not decided or status is not Status.UNKNOWN, f"{name}: {who} is undecided without limits")
        if status is Status.UNSOLVABLE:
            expect(not self.solutions, f"{name}: {who} says unsolvable, there is the solution {self.solutions}")
            self._refuted_by = who
        elif status is Status.SOLVED:
            expect(not self.is_all or bool(self.solutions), f"{name}: {who} says solved, reference unsolvable")

    def expect_count(self, who: str, count: int, up_to: int, *, exact: bool) -> None:
        """Raise unless a number of solutions is possible, or is the one that a count up to a limit gives."""
        least = len(self.solutions)
        if self.is_all:
            right = count == min(least, up_to) if exact else count <= least
        else:
            right = count >= min(least, up_to) or not exact
        more = "" if self.is_all else " or more"
        expect(right, f"{self.sample.name}: {who} counts {count} up to {up_to}, reference counts {least}{more}")

    def expect_solution(self, who: str, cells: tuple[int, ...]) -> None:
        """Raise unless this is a completion of the board."""
        sample = self.sample
        expect(is_solution(sample.regions, cells, sample.cells), f"{sample.name}: {who} gives no completion: {cells}")
        expect(not self._refuted_by, f"{sample.name}: {who} says solved, {self._refuted_by} unsolvable")
        if not self.is_all:
            self.solutions.add(cells)

    def require_some(self) -> None:
        """SpentError if nothing at all is known of the board."""
        if not (self.solutions or self.is_all):
            raise SpentError


def random_options(name: str, random: Random) -> Mapping[str, Any]:
    """Options for a solver, or for a preset, whose own ones stay."""
    if name == "auto":
        return {"bound": random.choice([1, 5, 3000]), "conflicts": random.choice([0, 20, 200_000])}
    if name == "cpsat":
        return {
            "encoding": random.choice(["boolean", "boolean", "integer"]),
            "propagate": random.random() < 0.7,
            "parameters": random.choice(["tuned", "default"]),
            "seed": random.randint(0, 5),
        }
    if name == "learning":
        return {"check": random.random() < 0.2}
    if name != "backtracking" or random.random() < 0.3:
        return {}
    prunings = random.sample([pruning for pruning in PRUNINGS if pruning != "none"], random.randint(0, 5))
    return {
        "variables": random.choice(VARIABLE_ORDERS),
        "values": random.choice(VALUE_ORDERS),
        "branching": random.choice(["cells", "places"]),
        "pruning": "+".join(prunings) or "none",
        "when": random.choice(["never", "before", "during"]),
        "restarts": random.choice([0, 1, 100]),
        "seed": random.randint(0, 1000),
    }


def _told(name: str, options: Mapping[str, Any]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in options.items())])


def _solve(known: Known, name: str, options: Mapping[str, Any], random: Random) -> None:
    """A solution or the proof that there is none; without limits on small boards, by the default solver."""
    unlimited = name == "auto" and known.sample.size <= 9
    limits = Limits() if unlimited else Limits(nodes=random.choice([0, 1, 10, NODES]))
    result = get_solver(name, **options).solve(known.sample.board, limits)
    who = _told(name, options)
    known.expect_status(who, result.status, decided=unlimited)
    expect_equal(f"{known.sample.name}: {who} has a solution", result.solution is not None, result.status == "solved")
    if result.solution is not None:
        known.expect_solution(who, result.solution.cells)


def _count(known: Known, name: str, options: Mapping[str, Any], random: Random) -> None:
    """The number of solutions up to a limit."""
    up_to = random.choice([1, 2, 3, MOST])
    result = get_solver(name, **options).count(known.sample.board, up_to, Limits(nodes=NODES))
    who = _told(name, options)
    known.expect_status(who, result.status)
    if result.solutions is not None:
        known.expect_count(who, result.solutions, up_to, exact=result.status is not Status.UNKNOWN)
    if result.solution is not None:
        known.expect_solution(who, result.solution.cells)


def _list(known: Known, name: str, options: Mapping[str, Any], random: Random) -> None:
    """The solutions one by one: each a completion, none twice, all of them unless the limits come first."""
    most = random.choice([1, 5, MOST])
    found, who, is_whole = [], _told(name, options), True
    every = get_solver(name, **options).solutions(known.sample.board, Limits(nodes=NODES))
    try:
        found.extend(solution.cells for solution in islice(every, most))
    except UndecidedError:
        is_whole = False
    for cells in found:
        known.expect_solution(who, cells)
    expect_equal(f"{known.sample.name}: the number of different solutions by {who}", len(set(found)), len(found))
    known.expect_count(f"the list of {who}", len(found), most, exact=is_whole)


def many_boards(random: Random, budget: Budget) -> None:
    """A stream of boards through `solve_many`: in order, and each answer right."""
    samples = [random_sample(random, random.choice([4, 9, 9, 16])) for _ in range(random.randint(1, 40))]
    name = random.choice(["auto", "backtracking", "learning", "exact-cover"])
    asked: dict[str, Any] = {"solver": name, "node_limit": random.choice([None, NODES]) if name == "auto" else NODES}
    if random.random() < 0.4:
        asked |= {"count": random.choice([1, 2, 10]), "node_limit": NODES}
    boards = [sample.board for sample in samples]
    if random.random() < 0.3:
        with ThreadPoolExecutor(2) as executor:
            results = list(solve_many(boards, executor, **asked))
    else:
        results = list(solve_many(iter(boards), **asked))
    expect_equal("the number of results of solve_many", len(results), len(samples))
    for number, (sample, result) in enumerate(zip(samples, results, strict=True)):
        who = f"solve_many {asked} of {len(samples)} boards, number {number},"
        if result.solution is not None:
            expect(is_solution(sample.regions, result.solution.cells, sample.cells), f"{who} gives no completion")
        elif result.status is Status.UNSOLVABLE:
            solution = first_solution(sample.regions, sample.cells, budget)
            expect(solution is None, f"{sample.name}: {who} says unsolvable, reference solved")
        if "count" in asked and result.status is not Status.UNKNOWN:
            count = len(some_solutions(sample.regions, sample.cells, asked["count"], budget))
            expect_equal(f"{sample.name}: the count of {who}", result.solutions, count)


def assumptions(random: Random, budget: Budget) -> None:
    """`Incremental`: questions about one board, each under assumptions; cores admit no completion."""
    sample = random_sample(random, 16, styles=("holes", "perturbed", "without values", "few holes"))
    asked = Incremental(sample.board, check=random.random() < 0.3)
    cells = range(len(sample.cells))
    for _ in range(random.randint(1, 8)):
        some = random.sample(cells, random.randint(0, 5))
        assumed = [
            (cell, sample.solution[cell] if random.random() < 0.6 else random.randint(1, sample.size)) for cell in some
        ]
        answer = asked.ask(assumed, Limits(nodes=NODES))
        who = f"{sample.name}: incremental, assuming {assumed},"
        if answer.status is Status.SOLVED:
            found = answer.solution.cells if answer.solution is not None else ()
            expect(is_solution(sample.regions, found, sample.cells), f"{who} gives no completion")
            expect(all(found[cell] == value for cell, value in assumed), f"{who} gives a completion without these")
        elif answer.status is Status.UNSOLVABLE:
            expect(set(answer.core) <= set(assumed), f"{who} names a core that was not assumed: {answer.core}")
            _expect_refuted(sample, answer.core, budget, who)


def _expect_refuted(sample: Sample, core: tuple, budget: Budget, who: str) -> None:
    """Raise unless a board has no completion with these values."""
    contradicts = any(sample.cells[cell] not in (0, value) for cell, value in core)
    if not contradicts and len({cell for cell, _ in core}) == len(core):
        solution = first_solution(sample.regions, with_values(sample.cells, core), budget)
        expect(solution is None, f"{who} says that {core} admit no completion, reference finds one")
