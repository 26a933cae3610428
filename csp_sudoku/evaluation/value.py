"""The evaluation of a position: its value, its best moves, and a line of best play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.errors import SudokuError
from csp_sudoku.evaluation.answer import answer, best_line, best_moves
from csp_sudoku.moves.engines.search import search_for
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.questions import solve

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a position for the side to move, with the best moves and a line of play.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> state = GameState.start(Board.parse("1243 3421 43.. 21.."))
    >>> found = evaluate(state)
    >>> found.margin, found.exact, len(found.best)
    (-7.0, True, 4)
    """

    margin: float
    """Future points of the side to move, minus future points of the other side, when both play their best."""
    exact: bool
    """Whether the margin is proven; otherwise it is an estimate from a search of `depth` moves."""
    best: tuple[Move, ...]
    """The moves that reach the margin, bombs included. If the margin is an estimate, so are these moves."""
    line: tuple[Move, ...]
    """A line of play in which both sides play their best."""
    depth: int
    """The depth of the search, in moves."""
    nodes: int
    """The number of nodes that the search visited."""
    seconds: float
    """The wall-clock time of the evaluation, in seconds, without compiling and loading its kernels."""
    loading_seconds: float = 0.0
    """The time of compiling and loading the kernels of the search, in seconds."""


MAP_SHARE = 0.5
"""Share of the time limit for the move map. An incomplete map only allows an estimate."""


def _completion(board: Board) -> bytes | None:
    """A completion of the board, without a time limit; None if it has none."""
    solution = solve(board).solution
    return None if solution is None else solution.values


def evaluate(state: GameState, *, time_limit: float | None = None) -> Evaluation:
    """Evaluate a position: exactly if time suffices, otherwise by an estimate.

    `time_limit` bounds the time in seconds, without compiling and loading; None, the default, sets no limit. A board
    with several completions takes more time than a board with one, and is evaluated exactly only if it has few empty
    cells (at most 32).

    SudokuError if the game is over, or its board has no completion.
    """
    stopwatch = Stopwatch()
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
        seconds=stopwatch.seconds(),
        loading_seconds=stopwatch.loading_seconds(),
    )
