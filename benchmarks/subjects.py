"""What is measured: our solvers through the public API, and the peers, all as functions from boards to answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from models import Cells, Puzzle, warm_up
from peers import PEERS

import csp_sudoku as cs
from csp_sudoku.solvers.registry import PRESETS, SOLVERS

OUR_NAMES = (*SOLVERS, *PRESETS)
DEFAULT_NAMES = tuple(SOLVERS)


class Subject(NamedTuple):
    """One row of a table, as a value that is cheap to send to the process that measures it."""

    name: str
    is_peer: bool = False
    is_batch: bool = False
    """Ours through `solve_many`, not through one `solve` after the other."""

    @property
    def label(self) -> str:
        """What the tables call it."""
        if self.is_peer:
            return PEERS[self.name].label
        return f"csp_sudoku {self.name}" + (", solve_many" if self.is_batch else "")

    @property
    def package(self) -> str:
        """The package on PyPI."""
        return PEERS[self.name].package if self.is_peer else "csp-sudoku"

    def is_installed(self) -> bool:
        """Whether it can be measured here."""
        return not self.is_peer or PEERS[self.name].is_installed()


def subjects(ours: Sequence[str], peers: Sequence[str]) -> list[Subject]:
    """The rows for these names; `auto` has a second one, for it treats many boards in a way of its own."""
    rows = []
    for name in ours:
        rows.append(Subject(name))
        if name == "auto":
            rows.append(Subject(name, is_batch=True))
    return rows + [Subject(name, is_peer=True) for name in peers]


class Runner(NamedTuple):
    """A subject, ready to be measured."""

    prepare: Callable[[Puzzle], Any]
    """A puzzle in the form that the subject takes; not measured."""
    answers: Callable[[list[Any]], Iterator[Any]]
    """The answers, one after the other as they are asked for; this is what is measured."""
    cells: Callable[[Any], Cells | None]
    """The cells of an answer; not measured."""


def runner(subject: Subject) -> Runner:
    """Import what a subject needs."""
    if subject.is_peer:
        solve = PEERS[subject.name].load()
        return Runner(lambda puzzle: puzzle, lambda puzzles: map(solve, puzzles), lambda answer: answer)
    if subject.is_batch:
        return Runner(_board, lambda boards: cs.solve_many(boards, solver=subject.name), _solution)
    return Runner(_board, lambda boards: (cs.solve(board, subject.name) for board in boards), _solution)


def _board(puzzle: Puzzle) -> cs.Board:
    return cs.Board((puzzle.m, puzzle.n), puzzle.cells)


def _solution(result: cs.Result) -> Cells | None:
    return None if result.solution is None else result.solution.values


def warmed_up(subject: Subject, run: Runner, m: int, n: int) -> None:
    """Let a subject load and compile all that it may need for a shape."""
    easy = run.prepare(warm_up(m, n))
    for _ in run.answers([easy] * 3):
        pass
    if subject.name == "auto":
        cs.solve(easy, "cpsat")  # auto loads OR-Tools at the first board that needs it
        if (m, n) == (3, 3):
            cs.solve(cs.Board.empty(2, 2))  # and the general search, for what its bit boards give up


def versions(rows: Sequence[Subject]) -> dict[str, str]:
    """The versions of the packages that take part and are here, and of what they stand on."""
    found = {"csp-sudoku": cs.__version__}
    for name in sorted({"numpy", "numba", "ortools", *(row.package for row in rows if row.is_peer)}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
