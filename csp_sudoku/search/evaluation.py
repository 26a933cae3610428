"""What a position is worth: its value, the moves that reach it, and how play may go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.errors import SudokuError
from csp_sudoku.moves.searching import search_for
from csp_sudoku.search.answer import answer, best_line, best_moves
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.questions import solve

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth to the side to move.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> state = GameState.start(Board.parse("1243 3421 43.. 21.."))
    >>> found = evaluate(state)
    >>> found.margin, found.exact, len(found.best)
    (-7.0, True, 4)
    """

    margin: float
    """Points to come for the side to move, less those of the other, when both play their best."""
    exact: bool
    """Whether that is proven; else it is an estimate, `depth` moves ahead."""
    best: tuple[Move, ...]
    """The moves that reach it, bombs included; where the value is an estimate, by that estimate."""
    line: tuple[Move, ...]
    """How play may go on when both play their best."""
    depth: int
    nodes: int
    seconds: float


MAP_SHARE = 0.5
"""Of the time, for the map of the moves; from one that is not complete there are estimates only."""


def _completion(board: Board) -> bytes | None:
    """A completion of the board, however long it takes; None if it has none."""
    solution = solve(board).solution
    return None if solution is None else solution.values


def evaluate(state: GameState, *, time_limit: float | None = None) -> Evaluation:
    """The evaluation of a position: exact if time suffices, else an estimate.

    Boards with several completions take more time than those with one, and room for few empty cells.

    SudokuError if the game is over, or its board has no completion.
    """
    started = time.perf_counter()
    seconds = Limits(seconds=time_limit).seconds
    if state.is_over:
        raise SudokuError(f"expected a position with moves to come; found that the game is over: {state.reason}")
    if state.must_pass:
        raise SudokuError(f"expected a side to move that has an open square; found that player {state.player} passes")
    search = search_for(state.board)
    deadline = Deadline(seconds)
    search.run(Deadline(None if seconds is None else MAP_SHARE * seconds))
    moves = search.map(0.0)
    solution = moves.witnesses[0].tobytes() if len(moves.witnesses) else _completion(state.board)
    if moves.solvable is False or solution is None:
        raise SudokuError("expected a board that has a completion; found none")
    found = answer(state, moves, solution, deadline.left())
    return Evaluation(
        margin=found.verdict.value,
        exact=found.is_exact,
        best=tuple(sorted(best_moves(found.search, found.verdict, found.deadline)[0])),
        line=tuple(best_line(found.search, found.verdict, found.deadline)),
        depth=found.verdict.depth,
        nodes=found.search.nodes,
        seconds=time.perf_counter() - started,
    )
