"""The fewest clues, within a pattern of cells, with which a puzzle has a given full board as its only solution.

At least one of the cells in which another solution differs from the full board must be a clue; such a set of cells is
called unavoidable. So there are at least as many clues as a smallest *hitting set* has cells, which has a cell of every
unavoidable set that is known; CP-SAT finds one, and its bound is a bound for the clues. If the hitting set determines
the full board, it is the answer. If not, another solution gives further unavoidable sets. A search thins out the cells
that determine the full board, which gives a puzzle at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import MoveError, SudokuError, UndecidedError, expect_name
from csp_sudoku.puzzles.optimum import Best, OnProgress, Optimising
from csp_sudoku.solvers.base import Limits
from csp_sudoku.solvers.registry import get_solver

Turn = Callable[[int, int, int], tuple[int, int]]
"""A symmetry: a function from row, column and N - 1 to the image (row, column) of a cell."""

SYMMETRIES: Mapping[str, tuple[Turn, ...]] = {
    "none": (),
    "half-turn": (lambda r, c, n: (n - r, n - c),),
    "quarter-turn": (lambda r, c, n: (c, n - r), lambda r, c, n: (n - r, n - c), lambda r, c, n: (n - c, r)),
    "left-right": (lambda r, c, n: (r, n - c),),
    "top-bottom": (lambda r, c, n: (n - r, c),),
    "diagonal": (lambda r, c, n: (c, r),),  # noqa: ARG005 - all have the same parameters
    "antidiagonal": (lambda r, c, n: (n - c, n - r),),
}
"""The symmetries of patterns, each as the functions to the other images of a cell."""

THINNINGS = 3
"""Number of times that the search thins out all cells of the pattern, in random order, before the first hitting set."""


def fewest_clues(
    solution: BoardLike,
    pattern: Iterable[tuple[int, int]] | None = None,
    *,
    symmetry: str = "none",
    seed: int = 0,
    time_limit: float | None = None,
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Best:
    """The puzzle with the fewest clues whose only solution is a full board; its value is the number of clues.

    `solution` is the full board, or what `Board.of` makes one of. Clues stand only in the cells (row, column) of
    `pattern`, counted from 0 (default None: in all cells). `symmetry` is one of `SYMMETRIES`: a clue stands in a cell
    if and only if one stands where the symmetry takes it (default "none"). SudokuError if not even all these cells
    determine the full board. `seed` is for the search (default 0). `time_limit` bounds the time in seconds (default
    None: no limit); at the limit, the best puzzle so far is returned, with the bound. `workers` is the number of
    threads of CP-SAT (default 1), and `on_progress` is called with each better number of clues and bound.

    >>> best = fewest_clues("1234 3412 2143 4321")
    >>> best.value, best.is_proven, fewest_clues("1234 3412 2143 4321", symmetry="half-turn").value
    (4, True, 6)
    """
    solution = solution if isinstance(solution, Board) else Board.of(solution)
    if not solution.is_full or solution.geometry.violated(solution.values) is not None:
        raise SudokuError("expected a full board that satisfies its constraints; found another one")
    expect_name("symmetry", symmetry, SYMMETRIES)
    search = _Search(solution, _groups(solution, pattern, symmetry), Optimising(time_limit, workers, on_progress))
    return search.run(Random(seed))


Group = tuple[int, ...]
"""Cells of which either all or none are clues."""


def _groups(solution: Board, pattern: Iterable[tuple[int, int]] | None, symmetry: str) -> list[Group]:
    """The groups of cells that a symmetry takes to one another, as far as all of them are in the pattern."""
    geometry, last = solution.geometry, solution.size - 1
    places = {divmod(cell, solution.size) for cell in range(geometry.cell_count)}
    allowed = places if pattern is None else {(int(row), int(column)) for row, column in pattern}
    if outside := sorted(allowed - places):
        raise MoveError(f"expected cells with row and column from 0 to {last}; found {outside[0]}")
    groups: dict[Group, None] = {}
    for row, column in sorted(allowed):
        group = {(row, column), *(turn(row, column, last) for turn in SYMMETRIES[symmetry])}
        if group <= allowed:
            groups[tuple(sorted(geometry.cell(*place) for place in group))] = None
    return list(groups)


class _Search:
    """The known unavoidable sets as sets of groups, and the best puzzle so far."""

    def __init__(self, solution: Board, groups: Sequence[Group], optimising: Optimising) -> None:
        self._solution = solution
        self._groups = groups
        self._number = {cell: number for number, group in enumerate(groups) for cell in group}
        self._optimising = optimising
        self._solver = get_solver("auto")
        self._sets: list[frozenset[int]] = []
        self._best: list[int] = list(range(len(groups)))
        self._bound = 0

    def run(self, random: Random) -> Best:
        """Search until the best puzzle is proven to be the best, or time is over."""
        try:
            if self._difference(self._best) is not None:
                raise SudokuError(
                    "expected cells whose values determine the board; found a pattern with other solutions"
                )
            for _ in range(THINNINGS):
                order = list(range(len(self._groups)))
                random.shuffle(order)
                self._keep(self._thinned(order))
            while self._bound < self._clues(self._best):
                chosen = self._hitting_set()
                if chosen is None:
                    break
                together = list(chosen)
                for found in self._unavoidable(chosen):
                    self._sets.append(found)
                    together += sorted(found - set(together))
                self._keep(chosen if together == chosen else self._thinned(together))
        except UndecidedError:
            pass
        best = self._clues(self._best)
        return Best(self._puzzle(self._best), best, min(self._bound, best))

    def _clues(self, chosen: Iterable[int]) -> int:
        """The number of cells of these groups."""
        return sum(len(self._groups[number]) for number in chosen)

    def _puzzle(self, chosen: Iterable[int]) -> Board:
        """The board with the values of these groups only."""
        kept = {cell for number in chosen for cell in self._groups[number]}
        return self._solution.without(cell for cell in range(self._solution.geometry.cell_count) if cell not in kept)

    def _difference(self, chosen: Iterable[int]) -> frozenset[int] | None:
        """The groups in which another solution of the puzzle with these groups differs; None if there is none.

        UndecidedError if time is over.
        """
        limits = Limits(self._optimising.deadline.left())
        if self._optimising.deadline.passed():
            raise UndecidedError("expected an answer within the time limit; found none")
        values = self._solution.values
        for other in self._solver.solutions(self._puzzle(chosen), limits):
            if other.values != values:
                cells = (cell for cell, value in enumerate(other.values) if value != values[cell])
                return frozenset(self._number[cell] for cell in cells if cell in self._number)
        return None

    def _unavoidable(self, chosen: Sequence[int]) -> Iterator[frozenset[int]]:
        """Yield minimal unavoidable sets that are disjoint from the chosen groups and from each other."""
        together = set(chosen)
        while (found := self._difference(together)) is not None:
            minimal = self._minimal(found)
            yield minimal
            together |= minimal

    def _minimal(self, groups: frozenset[int]) -> frozenset[int]:
        """A minimal unavoidable set within these groups."""
        rest, needed = set(range(len(self._groups))) - groups, frozenset[int]()
        doubtful = groups
        while doubtful:
            tried = min(doubtful)
            other = self._difference(rest | {tried})
            if other is None:
                needed |= {tried}
                doubtful -= {tried}
            else:
                rest |= (doubtful | needed) - other
                doubtful, needed = (doubtful & other) - {tried}, needed & other
        return needed

    def _thinned(self, order: Sequence[int]) -> list[int]:
        """A minimal subset of the groups that still determines the board; the first groups are removed first."""
        kept = list(order)
        for number in order:
            fewer = [one for one in kept if one != number]
            if self._difference(fewer) is None:
                kept = fewer
        return kept

    def _keep(self, chosen: Sequence[int]) -> None:
        """Keep groups that determine the board if they are fewer cells than the best so far."""
        if self._clues(chosen) < self._clues(self._best):
            self._best = sorted(chosen)
            self._optimising.tell(self._clues(self._best), self._bound)

    def _hitting_set(self) -> list[int] | None:
        """The groups with the fewest cells that have one of every set; None if time is over. It raises the bound."""
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        chosen = [model.new_bool_var("") for _ in self._groups]
        for one in self._sets:
            model.add_bool_or([chosen[number] for number in sorted(one)])
        model.minimize(sum(len(group) * literal for group, literal in zip(self._groups, chosen, strict=True)))
        most = self._clues(self._best)
        values, bound, _ = self._optimising.run(model, lambda _, bound: self._raise(min(bound, most)))
        if bound is not None:
            self._raise(min(bound, most))
        if not values or self._optimising.deadline.passed():
            return None
        return [number for number, value in enumerate(values) if value]

    def _raise(self, bound: int) -> None:
        """Report a better bound."""
        if bound > self._bound:
            self._bound = bound
            self._optimising.tell(self._clues(self._best), bound)
