"""Generates puzzles with one solution on geometries with constraints, or of any other kind."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from csp_sudoku.board import Board
from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.errors import SudokuError, UndecidedError, expect_name
from csp_sudoku.geometry import Geometry
from csp_sudoku.puzzles.rule_makers import KINDS, WHOLE, drawn
from csp_sudoku.solvers.base import Deadline, Limits, Result, Status
from csp_sudoku.solvers.registry import get_solver


def generate_on(
    geometry: Geometry, random: Random, time_limit: float | None = None, kinds: Sequence[str] = ()
) -> Board:
    """A puzzle with one solution on `geometry`, none of whose clues can be removed.

    `random` is a source of random numbers, and `time_limit` bounds the time in seconds (default None: no limit).
    `kinds` are names of kinds of rules (`csp_sudoku.puzzles.rule_makers.KINDS`); random rules of each of them, which
    the solution obeys, are put on the board besides (default none). SudokuError if no board satisfies the constraints,
    or the board can have no rules of a kind; UndecidedError if the time is over first.

    >>> puzzle = generate_on(Geometry.standard(2, 2), Random(1), kinds=["killer", "anti-knight"])
    >>> sorted({rule.name for rule in puzzle.geometry.constraints})
    ['anti-knight', 'killer']
    """
    for kind in kinds:
        expect_name("kind of rules", kind, KINDS)
    asking = _Asking(time_limit)
    whole = [rule for kind in dict.fromkeys(kinds) for rule in WHOLE.get(kind, ())]
    solution = _random_solution(geometry.with_constraints(*whole), random, asking)
    puzzle = _with_rules(solution, [kind for kind in dict.fromkeys(kinds) if kind not in WHOLE], random)
    geometry = puzzle.geometry
    clues = list(range(geometry.cell_count))
    random.shuffle(clues)
    at, width = 0, max(1, len(clues) // 8)
    while at < len(clues):
        group = clues[at : at + width]
        thinner = puzzle.without(group)
        if asking.is_unique(thinner):
            puzzle, at, width = thinner, at + len(group), width * 2
        elif len(group) > 1:
            width = len(group) // 2
        else:
            at, width = at + 1, 1
    return puzzle


def _with_rules(solution: Board, kinds: Sequence[str], random: Random) -> Board:
    """A full board with random rules of some kinds, which it obeys: the more kinds, the fewer rules of each."""
    rules = []
    for kind in kinds:
        found = drawn(kind, solution.geometry.plain, solution.values, random)
        rules += found[: max(1, 2 * len(found) // (1 + len(kinds)))]
    return Board(solution.geometry.with_constraints(*rules), solution.values)


def _random_solution(geometry: Geometry, random: Random, asking: _Asking) -> Board:
    """A full board that satisfies the constraints, with random values in up to N random cells."""
    board = Board.trusted(geometry, bytes(geometry.cell_count))
    solution = asking.solution(board)
    if solution is None:
        raise SudokuError(f"expected constraints that a board can satisfy; found none that does on {geometry!r}")
    for cell in random.sample(range(geometry.cell_count), geometry.size):
        bit = random.choice(list(bits(candidate_masks(geometry, board.values)[cell])) or [0])
        if bit:
            tried = board.place(*geometry.row_column(cell), bit.bit_length())
            found = solution if solution.extends(tried) else asking.solution(tried)
            if found is not None:
                board, solution = tried, found
    return solution


class _Asking:
    """The questions for generating a puzzle, within a time limit in seconds; None sets no limit."""

    def __init__(self, time_limit: float | None) -> None:
        self._solver = get_solver("auto")
        self._deadline = Deadline(Limits(time_limit).seconds)

    def solution(self, board: Board) -> Board | None:
        """A solution of the board; None if there is none."""
        return self._decided(self._solver.solve(board, self._limits())).solution

    def is_unique(self, board: Board) -> bool:
        """Whether the board has one solution."""
        return self._decided(self._solver.count(board, 2, self._limits())).solutions == 1

    def _limits(self) -> Limits:
        return Limits(self._deadline.left())

    @staticmethod
    def _decided(result: Result) -> Result:
        if result.status is Status.UNKNOWN:
            raise UndecidedError("expected a puzzle within the time limit; found none")
        return result
