"""How hard a puzzle is, by the work that its solution takes: which inferences suffice, or how much search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.backtracking import Backtracking
from csp_sudoku.solvers.base import Deadline, Limits, Result, Status
from csp_sudoku.solvers.registry import get_solver


class Level(NamedTuple):
    """A level of inferences."""

    name: str
    pruning: str
    """What makes them."""
    base: float
    """Where their scores begin."""


LEVELS = (
    Level("naked singles", "forward+naked", 0.0),
    Level("hidden singles", "forward+naked+hidden", 0.2),
    Level("locked candidates and pairs", "forward+naked+hidden+pairs+locked", 0.4),
)
"""The inferences, from the simplest on."""

SEARCH_BEGINS = 0.6
"""The score from which on inferences do not suffice."""

MOST_NODES = 10_000
"""The nodes of search that make a score of 1."""

DIGITS = 3
"""Decimal places that scores are rounded to."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How hard a puzzle is.

    The score runs from 0 to 1: below 0.2 naked singles are enough, below 0.4 hidden singles are needed too, below
    0.6 also locked candidates and naked pairs; from there on, values must be tried, and the score grows with the
    logarithm of the nodes that a search with all these inferences needs to prove the solution unique. Within a
    level of inferences, it grows with the share of empty cells that the level below leaves empty.
    """

    score: float
    needs: str
    """The strongest inference needed, or "search"."""
    nodes: int
    """Nodes of search that are needed to prove the solution unique; no more than 10,000 are tried."""

    @property
    def label(self) -> str:
        """easy (singles are enough), medium (other inferences are needed) or hard (values must be tried)."""
        return "easy" if self.score < LEVELS[2][2] else "medium" if self.score < SEARCH_BEGINS else "hard"


def grade(board: Board, *, time_limit: float | None = None) -> Grade:
    """How hard a puzzle with one solution is; SudokuError if it has none or several, UndecidedError past the time.

    >>> from csp_sudoku.board import Board
    >>> grade(Board.parse("1... ..2. .3.. ...4")).label
    'easy'
    >>> grade(Board.empty(3, 3))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.SudokuError: expected a puzzle with one solution to grade; found one with several
    """
    for level in range(len(LEVELS)):
        if _left_by(level, board) == 0:
            return Grade(_score(level, board), LEVELS[level].name, 0)
    deadline = Deadline(Limits(time_limit).seconds)
    result = prove_unique(board, MOST_NODES, time_limit)
    nodes = result.stats.nodes
    if result.status is Status.UNKNOWN:  # as hard as it gets; whether it is a puzzle at all, others find out sooner
        nodes = MOST_NODES
        result = get_solver().count(board, 2, Limits(seconds=deadline.left()))
    if result.status is Status.UNKNOWN:
        raise UndecidedError(f"expected a proof of one solution within {time_limit} s; found none")
    if result.solutions != 1:
        found = "none" if result.solutions == 0 else "several"
        raise SudokuError(f"expected a puzzle with one solution to grade; found one with {found}")
    return Grade(round(score_of(nodes), DIGITS), "search", nodes)


def is_within(board: Board, difficulty: float) -> bool:
    """Whether a board has one solution and its grade is not above a difficulty, in less time than grading takes.

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
    """The count up to 2 by the search that grades are measured with."""
    return _search(LEVELS[-1].pruning).count(board, 2, Limits(time_limit, node_limit))


def score_of(nodes: int) -> float:
    """The score of a puzzle that takes so many nodes of search.

    >>> round(score_of(0), 2), round(score_of(100), 2), score_of(10**9)
    (0.6, 0.8, 1.0)
    """
    return SEARCH_BEGINS + (1 - SEARCH_BEGINS) * min(1.0, math.log1p(nodes) / math.log1p(MOST_NODES))


def nodes_for(score: float) -> int:
    """The most nodes of search that a puzzle up to this score takes: the inverse of `score_of`.

    >>> nodes_for(0.8), nodes_for(1.0)
    (99, 10000)
    """
    exact = math.expm1((score - SEARCH_BEGINS) / (1 - SEARCH_BEGINS) * math.log1p(MOST_NODES))
    return math.floor(exact + 1e-6)


def _score(level: int, board: Board) -> float:
    """The score of a puzzle for which the inferences of a level suffice, and no weaker ones."""
    left = _left_by(level - 1, board) if level else _open(board)
    return round(LEVELS[level].base + 0.2 * min(left / max(1, board.empty_count), 0.99), DIGITS)


def _open(board: Board) -> int:
    """How many cells have several values that no peer holds."""
    run = _search("forward").run(board, Limits(nodes=0))
    run.advance()
    return sum(mask & mask - 1 > 0 for mask in run.candidate_masks())


def _left_by(level: int, board: Board) -> int:
    """How many cells stay empty when only the inferences of a level are made."""
    run = _search(LEVELS[level].pruning).run(board, Limits(nodes=0))
    if run.advance() is Status.UNSOLVABLE:
        return -1
    return run.reached().empty_count


@cache
def _search(pruning: str) -> Backtracking:
    return Backtracking(variables="mrv", pruning=pruning, restarts=0)
