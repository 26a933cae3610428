"""The table of solvers and presets, which maps names to classes and loads a class when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import OptionError, expect_name
from csp_sudoku.solvers.base import Option, Result, Solver


@dataclass(frozen=True, slots=True)
class SolverEntry:
    """An entry of the table: the location and the description of a solver, and the options that a preset fixes."""

    module: str
    """The full name of the module that defines the solver."""
    class_name: str
    """The name of the solver's class in that module."""
    help: str
    """The description of the solver, as the command line shows it."""
    preset: Mapping[str, Any] | None = None
    """The options that a preset fixes; None for a solver."""

    def load(self) -> Any:
        """Import the module of the solver, and return its class."""
        return getattr(import_module(self.module), self.class_name)

    def option_table(self) -> Mapping[str, Option]:
        """The solver's options, by name."""
        table: Mapping[str, Option] = self.load().OPTIONS
        return table


def _preset(help: str, **options: Any) -> SolverEntry:
    return SolverEntry("csp_sudoku.solvers.backtracking.solver", "Backtracking", help, options)


SOLVERS: Mapping[str, SolverEntry] = {
    "auto": SolverEntry(
        "csp_sudoku.solvers.auto", "Portfolio", "a bounded search, then one that learns, then CP-SAT; always exact"
    ),
    "cpsat": SolverEntry(
        "csp_sudoku.solvers.cpsat.solver", "CpSat", "the OR-Tools CP-SAT model, which knows every constraint"
    ),
    "backtracking": SolverEntry(
        "csp_sudoku.solvers.backtracking.solver",
        "Backtracking",
        "the hand-written search, with its heuristics as options",
    ),
    "learning": SolverEntry(
        "csp_sudoku.solvers.learning.solver", "Learning", "conflict-driven clause learning, specialised for sudoku"
    ),
    "exact-cover": SolverEntry(
        "csp_sudoku.solvers.exact_cover.solver", "ExactCover", "Knuth's Algorithm X with dancing links"
    ),
}
"""The solvers."""

PRESETS: Mapping[str, SolverEntry] = {
    "brute-force": _preset(
        "003's first solver: cells in reading order, values ascending, no pruning",
        variables="static", values="ascending", pruning="none", when="never", restarts=0,
    ),
    "most-constrained": _preset(
        "003's heuristics: most constrained cell, ties by most constraining, least constraining value first",
        variables="mrv+degree", values="lcv-count", pruning="forward", when="during", restarts=0,
    ),
    "lookup-table": _preset(
        "003's best solver: the same with candidate sets, and forced cells filled before the search",
        variables="mrv+degree", values="lcv-count", pruning="forward+naked", when="during", restarts=0,
    ),
    "fighter": _preset(
        "004's Sudoku Fighter: mrv, lcv by largest smallest domain, its pruning mixture before and during search",
        variables="mrv", values="lcv-domain", pruning="forward+naked+hidden+pairs", when="during", restarts=0,
    ),
    "single-guess": _preset(
        "001's solver: forced cells, then a guess of a random value in the first empty cell",
        variables="static", values="random", pruning="forward+naked", when="during", restarts=0,
    ),
}  # fmt: skip
"""The presets: solvers of earlier systems, as settings of `backtracking`."""


SolverLike: TypeAlias = str | Solver | Callable[[Board], Result | BoardLike | None]
"""Everything that `get_solver` accepts: a name, a solver, or a function from a board to its answer."""


def get_solver(solver: SolverLike = "auto", /, **options: Any) -> Solver:
    """The solver that `solver` stands for, with these options; OptionError for an unknown name.

    `solver` is the name of a solver or preset (default "auto"); or an object with the methods of `Solver`, which is
    returned unchanged; or a function that takes a `Board`, and returns a solution, a `Result`, or None if there is no
    solution (see `csp_sudoku.solvers.function`). `options` are the options of a solver given by name; their defaults
    are those that `csp-sudoku solvers` lists.

    >>> get_solver("fighter").options["values"]
    'lcv-domain'
    >>> get_solver("simplex")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a solver among auto, backtracking, brute-force, cpsat, exact-cover, \
fighter, learning, lookup-table, most-constrained, single-guess; found 'simplex'
    """
    if not isinstance(solver, str):
        return _given(solver, options)
    expect_name("solver", solver, [*SOLVERS, *PRESETS])
    entry = SOLVERS.get(solver) or PRESETS[solver]
    made: Solver = entry.load()(**{**(entry.preset or {}), **options})
    return made


def option_names(solver: SolverLike) -> list[str]:
    """The names of the options that `get_solver` accepts for a solver; only solvers given by name have options."""
    entry = (SOLVERS.get(solver) or PRESETS.get(solver)) if isinstance(solver, str) else None
    return [] if entry is None else list(entry.option_table())


def _given(solver: object, options: Mapping[str, Any]) -> Solver:
    """The solver for an object or a function."""
    if isinstance(solver, Solver) and not isinstance(solver, type):
        if options:
            found = ", ".join(options)
            raise OptionError(f"expected options only with the name of a solver; found {found} with a solver object")
        return solver
    if not callable(solver) or isinstance(solver, type):
        found = f"the class {solver.__name__}" if isinstance(solver, type) else repr(solver)
        raise OptionError(
            f"expected the name of a solver, an object with solve, count and solutions, or a function; found {found}"
        )
    if options:
        found = ", ".join(options)
        raise OptionError(f"expected options only with the name of a solver; found {found} with a function")
    from csp_sudoku.solvers.function import FunctionSolver

    return FunctionSolver(solver)
