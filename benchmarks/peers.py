"""The peers: pip-installable solvers that a Python user would choose, with one adapter for each.

An adapter imports its package and returns a function from a puzzle to its model. Calling the model returns the values
of a solution, or None. Both steps are measured separately; a peer is charged for building its model, since its users
need that time too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from .models import Candidate, Cells, PeerPuzzle, candidates, clauses, completed, exact_cover, regions

Solve = Callable[[], Cells | None]
Build = Callable[[PeerPuzzle], Solve]


class Peer(NamedTuple):
    """A peer: its label in the tables, its package on PyPI, the module to import, and the adapter."""

    label: str
    package: str
    module: str
    load: Callable[[], Build]

    def is_installed(self) -> bool:
        """Return whether the package is installed, without importing it."""
        return find_spec(self.module) is not None


def _sat(name: str) -> Callable[[], Build]:
    """Return the adapter of a solver of python-sat, on the CNF over the candidates that the givens leave."""

    def load() -> Build:
        from pysat import solvers

        kind = getattr(solvers, name)

        def build(puzzle: PeerPuzzle) -> Solve:
            formula, meanings = clauses(puzzle)
            solver = kind(bootstrap_with=formula)

            def solve() -> Cells | None:
                with solver:
                    if not solver.solve():
                        return None
                    chosen = [meanings[literal - 1] for literal in solver.get_model() if literal > 0]
                return completed(puzzle, chosen)

            return solve

        return build

    return load


def _exact_cover() -> Build:
    """Load exact-cover: Algorithm X in C, on a dense matrix."""
    import exact_cover as package
    import numpy as np
    from exact_cover.error import NoSolution

    def build(puzzle: PeerPuzzle) -> Solve:
        options, item_count, meanings = exact_cover(puzzle)
        matrix = np.zeros((len(options), item_count), dtype=np.bool_)
        matrix[np.arange(len(options))[:, None], options] = True

        def solve() -> Cells | None:
            try:
                rows = package.get_exact_cover(matrix)
            except NoSolution:
                return None
            return completed(puzzle, [meanings[row] for row in rows.tolist()])

        return solve

    return build


def _xcover() -> Build:
    """Load xcover: Knuth's dancing cells, compiled by numba; its `algorithm_c` takes the sparse matrix."""
    import numpy as np
    import xcover

    def build(puzzle: PeerPuzzle) -> Solve:
        options, item_count, meanings = exact_cover(puzzle)
        items = np.array(options, dtype=np.uint32).ravel()
        starts = np.arange(0, len(items) + 1, 4, dtype=np.uint32)
        covers = xcover.algorithm_c(items, starts, np.zeros(len(items), dtype=np.uint32), item_count, 0)

        def solve() -> Cells | None:
            rows = next(covers, None)
            return None if rows is None else completed(puzzle, [meanings[row] for row in rows])

        return solve

    return build


def _py_sudoku() -> Build:
    """Load py-sudoku, and use it as its README shows."""
    from sudoku import Sudoku
    from sudoku.sudoku import UnsolvableSudoku

    def build(puzzle: PeerPuzzle) -> Solve:
        size, cells = puzzle.size, puzzle.cells
        model = Sudoku(
            puzzle.n, puzzle.m, board=[list(cells[start : start + size]) for start in range(0, size * size, size)]
        )

        def solve() -> Cells | None:
            try:
                solution = model.solve(assert_solvable=True)
            except UnsolvableSudoku:
                return None
            return [value for row in solution.board for value in row]

        return solve

    return build


def _constraint() -> Build:
    """Load python-constraint2 with its default solver: a variable per empty cell, all-different in each region."""
    from constraint import AllDifferentConstraint, Problem

    def build(puzzle: PeerPuzzle) -> Solve:
        problem = Problem()
        domains = candidates(puzzle)
        for cell, values in domains.items():
            problem.addVariable(cell, values)
        for region in regions(puzzle.m, puzzle.n):
            scope = [cell for cell in region if cell in domains]
            if len(scope) > 1:
                problem.addConstraint(AllDifferentConstraint(), scope)

        def solve() -> Cells | None:
            found = problem.getSolution()
            return None if found is None else completed(puzzle, found.items())

        return solve

    return build


def _cpmpy() -> Build:
    """Load CPMpy's own sudoku example, solved by its OR-Tools solver with one worker."""
    import cpmpy
    import numpy as np

    def build(puzzle: PeerPuzzle) -> Solve:
        size, m, n = puzzle.size, puzzle.m, puzzle.n
        given = np.array(puzzle.cells).reshape(size, size)
        cells = cpmpy.intvar(1, size, shape=given.shape)
        model = cpmpy.Model(
            [cpmpy.AllDifferent(row) for row in cells],
            [cpmpy.AllDifferent(column) for column in cells.T],
            [
                cpmpy.AllDifferent(cells[top : top + m, left : left + n])
                for top in range(0, size, m)
                for left in range(0, size, n)
            ],
            cells[given != 0] == given[given != 0],
        )

        def solve() -> Cells | None:
            if not model.solve(solver="ortools", num_search_workers=1):
                return None
            return [int(value) for value in cells.value().ravel()]

        return solve

    return build


PLAIN = {"cp_model_presolve": False, "linearization_level": 0, "symmetry_level": 0}


def _cpsat(
    build: Callable[[Any, PeerPuzzle], Callable[[Any], list[Candidate]]], parameters: Mapping[str, Any]
) -> Callable[[], Build]:
    """Return the adapter of CP-SAT with one worker on a model that `build` makes.

    `build` returns the function that reads the chosen candidates.
    """

    def load() -> Build:
        from ortools.sat.python import cp_model

        def built(puzzle: PeerPuzzle) -> Solve:
            model, solver = cp_model.CpModel(), cp_model.CpSolver()
            read = build(model, puzzle)
            solver.parameters.num_workers = 1
            for name, value in parameters.items():
                setattr(solver.parameters, name, value)

            def solve() -> Cells | None:
                if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                    return None
                return completed(puzzle, read(solver))

            return solve

        return built

    return load


def _integer(model: Any, puzzle: PeerPuzzle) -> Callable[[Any], list[Candidate]]:
    """Model a puzzle with an integer per empty cell, all-different in each region."""
    from ortools.sat.python.cp_model import Domain

    variables = {
        cell: model.new_int_var_from_domain(Domain.from_values(values), "")
        for cell, values in candidates(puzzle).items()
    }
    for region in regions(puzzle.m, puzzle.n):
        model.add_all_different([variables[cell] for cell in region if cell in variables])
    return lambda solver: [(cell, solver.value(variable)) for cell, variable in variables.items()]


def _boolean(model: Any, puzzle: PeerPuzzle) -> Callable[[Any], list[Candidate]]:
    """Model a puzzle with a Boolean per candidate, exactly one of each item of the exact cover."""
    options, item_count, meanings = exact_cover(puzzle)
    variables = [model.new_bool_var("") for _ in options]
    members: list[list[Any]] = [[] for _ in range(item_count)]
    for variable, items in zip(variables, options, strict=True):
        for item in items:
            members[item].append(variable)
    for group in members:
        model.add_exactly_one(group)
    return lambda solver: [
        meaning for variable, meaning in zip(variables, meanings, strict=True) if solver.boolean_value(variable)
    ]


PEERS: Mapping[str, Peer] = {
    "minisat22": Peer("python-sat MiniSat 2.2", "python-sat", "pysat", _sat("Minisat22")),
    "glucose4": Peer("python-sat Glucose 4", "python-sat", "pysat", _sat("Glucose4")),
    "cadical153": Peer("python-sat CaDiCaL 1.5.3", "python-sat", "pysat", _sat("Cadical153")),
    "exact-cover": Peer("exact-cover", "exact-cover", "exact_cover", _exact_cover),
    "xcover": Peer("xcover", "xcover", "xcover", _xcover),
    "py-sudoku": Peer("py-sudoku", "py-sudoku", "sudoku", _py_sudoku),
    "python-constraint2": Peer("python-constraint2", "python-constraint2", "constraint", _constraint),
    "cpmpy": Peer("CPMpy, OR-Tools", "cpmpy", "cpmpy", _cpmpy),
    "cpsat-integer": Peer("CP-SAT integer, defaults", "ortools", "ortools", _cpsat(_integer, {})),
    "cpsat-integer-plain": Peer("CP-SAT integer, presolve off", "ortools", "ortools", _cpsat(_integer, PLAIN)),
    "cpsat-boolean": Peer("CP-SAT Boolean, defaults", "ortools", "ortools", _cpsat(_boolean, {})),
    "cpsat-boolean-plain": Peer("CP-SAT Boolean, presolve off", "ortools", "ortools", _cpsat(_boolean, PLAIN)),
}

PACKAGES = tuple(sorted({peer.package for peer in PEERS.values()}))
"""The packages on PyPI of all peers."""
