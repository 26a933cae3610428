"""Grades the difficulty of a puzzle by the inferences that suffice to solve it, or by the search that it needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.errors import SudokuError, UndecidedError, hints_keywords
from csp_sudoku.puzzles.hint import hardest_technique
from csp_sudoku.solvers.backtracking.solver import Backtracking
from csp_sudoku.solvers.base import Deadline, Limits, Result, Status, require_no_constraints
from csp_sudoku.solvers.registry import get_solver


class Level(NamedTuple):
    """A level of inferences."""

    name: str
    """The name of the strongest inferences of the level."""
    pruning: str
    """The option `pruning` of the solver `backtracking` that makes these inferences."""
    base: float
    """The lowest score of the level."""


LEVELS = (
    Level("naked singles", "forward+naked", 0.0),
    Level("hidden singles", "forward+naked+hidden", 0.2),
    Level("locked candidates and pairs", "forward+naked+hidden+pairs+locked", 0.4),
)
"""The levels of inferences, from the simplest one."""

SEARCH_BEGINS = 0.6
"""The lowest score of puzzles that need search."""

MOST_NODES = 10_000
"""Number of search nodes that gives a score of 1."""

DIGITS = 3
"""The number of decimal places to which scores are rounded."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The difficulty of a puzzle.

    The score runs from 0 to 1. Below 0.2, naked singles suffice. Below 0.4, hidden singles are needed as well. Below
    0.6, locked candidates and naked pairs are needed too. From 0.6 on, values must be tried, and the score grows with
    the logarithm of the number of nodes in which a search with all these inferences proves the solution unique. Within
    a level of inferences, the score grows with the share of empty cells that the level below leaves empty.
    """

    score: float
    """The score, from 0 (easy) to 1 (hard)."""
    needs: str
    """The strongest inference needed, or "search"."""
    nodes: int
    """The number of search nodes that prove the solution unique; the search stops at 10,000."""
    hardest: str = ""
    """The hardest step that a person needs, as the name of its technique, such as "X-wing"; "trial" if no technique
    suffices. The text is empty for a full board. The score does not depend on it.
    """

    @property
    def label(self) -> str:
        """The difficulty as a word: easy (singles suffice), medium (other inferences suffice) or hard (search)."""
        return "easy" if self.score < LEVELS[2][2] else "medium" if self.score < SEARCH_BEGINS else "hard"


@hints_keywords
def grade(board: BoardLike, *, time_limit: float | None = None) -> Grade:
    """Grade a puzzle with one solution.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `time_limit` bounds the search in seconds
    (default None: no limit). SudokuError if the board has no solution or several, UndecidedError if the time limit ends
    the search first. ConstraintError if the board has constraints that regions cannot express, because no inferences
    are known for them.

    >>> from csp_sudoku.board import Board
    >>> found = grade(Board.parse("1... ..2. .3.. ...4"))
    >>> found.label, found.hardest
    ('easy', 'naked single')
    >>> grade(Board.empty(3, 3))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.SudokuError: expected a puzzle with one solution to grade; found one with several
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    if board.geometry.constraints:
        geometry = reduced(board.geometry)
        require_no_constraints(geometry, "a grade")
        board = Board(geometry, board.values)
    return replace(measure(board, time_limit), hardest=hardest_technique(board))


def measure(board: Board, time_limit: float | None = None) -> Grade:
    """Grade a puzzle as `grade` does, but without the hardest step, which generators do not need.

    `time_limit` is in seconds (default None: no limit).

    >>> measure(Board.parse("1... ..2. .3.. ...4"))
    Grade(score=0.133, needs='naked singles', nodes=0, hardest='')
    """
    for level in range(len(LEVELS)):
        if _left_by(level, board) == 0:
            return Grade(_score(level, board), LEVELS[level].name, 0)
    deadline = Deadline(Limits(time_limit).seconds)
    result = prove_unique(board, MOST_NODES, time_limit)
    nodes = result.stats.nodes
    if result.status is Status.UNKNOWN:  # the score is 1; the default solver checks for one solution faster
        nodes = MOST_NODES
        result = get_solver().count(board, 2, Limits(seconds=deadline.left()))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected a proof of one solution within {time_limit} s; found none")
    if result.solutions != 1:
        found = "none" if result.solutions == 0 else "several"
        raise SudokuError(f"expected a puzzle with one solution to grade; found one with {found}")
    return Grade(round(score_of(nodes), DIGITS), "search", nodes)


def is_within(board: Board, difficulty: float) -> bool:
    """Whether a board has one solution and a score of at most `difficulty`; this is faster than grading the board.

    >>> puzzle = Board.parse("1... ..2. .3.. ...4")
    >>> is_within(puzzle, 0.2), is_within(puzzle, 0.0), is_within(Board.empty(2, 2), 0.2)
    (True, False, False)
    """
    if difficulty >= SEARCH_BEGINS:
        result = prove_unique(board, nodes_for(min(1.0, difficulty + 0.5 / 10**DIGITS)))
        is_unique = result.status is Status.SOLVED and result.solutions == 1
        return is_unique and round(score_of(result.stats.nodes), DIGITS) <= difficulty
    strongest = max(number for number, level in enumerate(LEVELS) if level.base <= difficulty)
    if _left_by(strongest, board) != 0:
        return False
    return (strongest > 0 and _left_by(strongest - 1, board) == 0) or _score(strongest, board) <= difficulty


def prove_unique(board: Board, node_limit: int | None = None, time_limit: float | None = None) -> Result:
    """Count the solutions up to 2, with the search by which grades are measured.

    `node_limit` and `time_limit` (in seconds) bound the search; None, the default of both, sets no limit.
    """
    return _search(LEVELS[-1].pruning).count(board, 2, Limits(time_limit, node_limit))


def score_of(nodes: int) -> float:
    """The score of a puzzle that takes `nodes` search nodes.

    >>> round(score_of(0), 2), round(score_of(100), 2), score_of(10**9)
    (0.6, 0.8, 1.0)
    """
    return SEARCH_BEGINS + (1 - SEARCH_BEGINS) * min(1.0, math.log1p(nodes) / math.log1p(MOST_NODES))


def nodes_for(score: float) -> int:
    """The maximum number of search nodes of a puzzle with at most this score, which is the inverse of `score_of`.

    >>> nodes_for(0.8), nodes_for(1.0)
    (99, 10000)
    """
    exact = math.expm1((score - SEARCH_BEGINS) / (1 - SEARCH_BEGINS) * math.log1p(MOST_NODES))
    return math.floor(exact + 1e-6)


def _score(level: int, board: Board) -> float:
    """The score of a puzzle that the inferences of a level solve, but not the inferences of the level below."""
    left = _left_by(level - 1, board) if level else _open(board)
    return round(LEVELS[level].base + 0.2 * min(left / max(1, board.empty_count), 0.99), DIGITS)


def _open(board: Board) -> int:
    """The number of cells with several values that no peer holds."""
    run = _search("forward").run(board, Limits(nodes=0))
    run.advance()
    return sum(mask & mask - 1 > 0 for mask in run.candidate_masks().tolist())


def _left_by(level: int, board: Board) -> int:
    """The number of cells that the inferences of a level leave empty; -1 if they show that there is no solution."""
    run = _search(LEVELS[level].pruning).run(board, Limits(nodes=0))
    if run.advance() is Status.UNSOLVABLE:
        return -1
    return run.reached().empty_count


@cache
def _search(pruning: str) -> Backtracking:
    return Backtracking(variables="mrv", pruning=pruning, restarts=0)
