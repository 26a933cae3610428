"""The table of solvers and presets, which maps names to classes and loads a class when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from csp_sudoku.errors import expect_name
from csp_sudoku.solvers.base import Option, Solver


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
    "cpsat": SolverEntry("csp_sudoku.solvers.cpsat.solver", "CpSat", "the OR-Tools CP-SAT model, one worker"),
    "backtracking": SolverEntry(
        "csp_sudoku.solvers.backtracking.solver", "Backtracking", "the hand-written search, every heuristic an option"
    ),
    "learning": SolverEntry(
        "csp_sudoku.solvers.learning.solver", "Learning", "conflict-driven clause learning, made for sudoku"
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
        "003's best: the same on a table of candidate sets, forced cells filled before the search",
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


def get_solver(name: str = "auto", /, **options: Any) -> Solver:
    """The solver or preset called `name` (default "auto"), with these options; OptionError for an unknown name.

    >>> get_solver("fighter").options["values"]
    'lcv-domain'
    >>> get_solver("simplex")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a solver among auto, backtracking, brute-force, cpsat, exact-cover, \
fighter, learning, lookup-table, most-constrained, single-guess; found 'simplex'
    """
    expect_name("solver", name, [*SOLVERS, *PRESETS])
    entry = SOLVERS.get(name) or PRESETS[name]
    solver: Solver = entry.load()(**{**(entry.preset or {}), **options})
    return solver
