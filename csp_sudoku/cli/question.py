"""The question that `csp-sudoku solve` asks about each board, and its answers in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from csp_sudoku.cli.interrupt import begin_line, on_interrupt
from csp_sudoku.errors import expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.cli.bulk import SolvedBlock
    from csp_sudoku.cli.inputs import BoardSource, Puzzle
    from csp_sudoku.solvers.base import Limits, Result, Solver

Answered: TypeAlias = Union["tuple[Puzzle, Result]", "SolvedBlock"]
"""A puzzle with its result, or many puzzles that were solved in bulk."""


@dataclass
class SolveRequest:
    """The question about each board: the solver, its options, and the limits."""

    solver: Solver
    name: str
    """The name of the solver."""
    settings: Mapping[str, str]
    """The solver's options that the user set."""
    limits: Limits
    count: int | None
    """The number up to which solutions are counted; None if boards are only solved."""
    jobs: int
    is_interrupted = False
    """Whether Ctrl-C has ended a count of solutions."""

    def results(self, puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Result]]:
        """Yield each puzzle with its result, in order."""
        from csp_sudoku.solvers.many import solve_puzzles

        if self.jobs == 1:
            yield from self._one_by_one(puzzles)
        else:
            limits, options = self.limits, dict[str, Any](self.settings)
            yield from solve_puzzles(
                puzzles,
                solver=self.name,
                time_limit=limits.seconds,
                node_limit=limits.nodes,
                count=self.count,
                jobs=self.jobs,
                **options,
            )

    def _one_by_one(self, puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Result]]:
        for puzzle in puzzles:
            board, count = puzzle.board, self.count
            yield puzzle, self.solver.solve(board, self.limits) if count is None else self._counted(board, count)
            if self.is_interrupted:
                return

    def _counted(self, board: Board, up_to: int) -> Result:
        """Count the solutions of a board; on Ctrl-C the result is UNKNOWN with the number found so far."""
        from csp_sudoku.solvers.base import Deadline

        def stop() -> None:
            self.is_interrupted = Deadline.are_over = True
            with suppress(OSError):  # the terminal may be gone
                begin_line()

        try:
            with on_interrupt(stop):
                return self.solver.count(board, up_to, self.limits)
        finally:
            Deadline.are_over = False

    def answers(self, source: BoardSource, *, in_bulk: bool) -> Iterator[Answered]:
        """Yield the answers about all puzzles of a source, in order.

        With `in_bulk`, plain puzzles may come as runs, unless the question needs an object for each puzzle.
        """
        from csp_sudoku.solvers.base import NO_LIMITS, NineSolver

        solver, is_simple = self.solver, self.count is None and self.limits == NO_LIMITS
        if not (in_bulk and is_simple and source.are_lines and isinstance(solver, NineSolver)):
            return source.in_turn(self.results(source.puzzles()))
        from csp_sudoku.cli import bulk

        return bulk.answers(source, solver, self.jobs, self.results)


def build(name: str, settings: Mapping[str, str]) -> Solver:
    """Build the solver `name` with these settings; raise OptionError, with a hint, for an unknown setting."""
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS, get_solver

    table = (SOLVERS.get(name) or PRESETS[name]).option_table()
    for key in settings:  # as keyword arguments, `self=` and `name=` would have another meaning
        expect_name(f"setting of {name}", key, table)
    return get_solver(name, **settings)
