"""Hints: the next step that a person can take on a board, all steps to the solution, and the hardest technique."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.errors import UnsolvableError, hints_keywords
from csp_sudoku.puzzles.steps.marks import PencilMarks
from csp_sudoku.puzzles.steps.step import Step
from csp_sudoku.puzzles.steps.techniques import TECHNIQUES
from csp_sudoku.puzzles.steps.trial import TRIAL, decided
from csp_sudoku.solvers.base import Limits, Status
from csp_sudoku.solvers.registry import get_solver

SOLVABILITY_NODES = 10_000
"""Node limit of the search for a solution before a hint is given. It takes at most 0.2 s, also on 25×25."""


@hints_keywords
def hint(board: BoardLike) -> Step | None:
    """The easiest step that a person can take next, with its reason; None if the board is full.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. The techniques are, in this order: naked
    singles, hidden singles, locked candidates, naked and hidden pairs, naked and hidden triples, X-wings, XY-wings and
    simple colouring. If none applies, the technique of the step is "trial", and it names a cell whose values have to be
    tried. The conclusions of a step hold in every solution of the board.

    UnsolvableError if the board has no solution. If a search of 10,000 nodes finds neither a solution nor the proof
    that there is none, the step is given as on a board with a solution.

    >>> step = hint(Board.parse("12.. .... ..1. ...."))
    >>> print(step)
    hidden single: r2c4=1, since row 2 has no other place for 1.
    >>> step.placements
    ((1, 3, 1),)
    >>> hint(Board.parse("12.. ..3. .... ...."))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.UnsolvableError: expected a board with a solution; found one without: row 1 has no place for 3
    """
    return next(steps(board), None)


def steps(board: BoardLike, solution: Board | None = None) -> Iterator[Step]:
    """Yield the steps that solve a board; each one is the easiest possible step.

    `board` is as in `hint`, and so is the UnsolvableError. `solution` is its only solution: with it, a trial places the
    value of the solution, and the steps lead to the full board. Without it (the default), the first trial is the last
    step.

    >>> for step in steps(Board.parse("1243 3421 431. 21..")):
    ...     print(step)
    naked single: r3c4=2, since the cell can take no other value.
    naked single: r4c3=3, since the cell can take no other value.
    naked single: r4c4=4, since the cell can take no other value.
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    if board.is_full:
        return
    marks = PencilMarks(board)
    _require_consistent(marks)
    if solution is None:
        _require_solvable(board)
    while not marks.is_full:
        step = next(step for technique in TECHNIQUES for step in technique.find(marks))
        if step.technique == TRIAL:
            if solution is None:
                yield step
                return
            step = decided(step, solution.values, board.size)
        yield step
        marks.apply(step)
        _require_consistent(marks)


def hardest_technique(board: Board) -> str:
    """The hardest technique that a person needs on a board with one solution; an empty text for a full board.

    All steps of a technique are taken at once, which leads to the same marks as one after the other, because no step
    makes another one impossible. UnsolvableError if the steps show that the board has no solution.

    >>> hardest_technique(Board.parse("1... ..2. .3.. ...4"))
    'naked single'
    """
    marks = PencilMarks(board)
    hardest = -1
    while not marks.is_full:
        _require_consistent(marks)
        level, found = next(
            (level, found) for level, technique in enumerate(TECHNIQUES) if (found := list(technique.find(marks)))
        )
        hardest = max(hardest, level)
        if TECHNIQUES[level].name == TRIAL:
            break
        for step in found:
            marks.apply(step)
    return TECHNIQUES[hardest].name if hardest >= 0 else ""


def _require_consistent(marks: PencilMarks) -> None:
    """Raise UnsolvableError if the marks contradict each other."""
    reason = marks.contradiction()
    if reason:
        raise UnsolvableError(reason)


def _require_solvable(board: Board) -> None:
    """Raise UnsolvableError if a search proves that a board has no solution."""
    if get_solver().solve(board, Limits(nodes=SOLVABILITY_NODES)).status is Status.UNSOLVABLE:
        raise UnsolvableError
