"""What a position is worth: its value, the moves that reach it, and how play may go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.errors import SudokuError
from csp_sudoku.moves.searching import search_for
from csp_sudoku.search.deepening import Deepening, Verdict
from csp_sudoku.search.kernels import filling
from csp_sudoku.search.model import model_of
from csp_sudoku.solvers.base import Deadline, Limits

if TYPE_CHECKING:
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move

BITS = 22
"""Entries of the table, as a power of two: 128 MB."""

LEAP = 22
"""Empty cells up to which the exact value is searched for at once."""

LINE = 200
"""Moves of a line at most."""


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


def evaluate(state: GameState, *, time_limit: float | None = None) -> Evaluation:
    """The evaluation of a position: exact if its board has one completion and time suffices, else an estimate.

    SudokuError if the game is over, or its board has no completion.
    """
    started = time.perf_counter()
    deadline = Deadline(Limits(seconds=time_limit).seconds)
    if state.is_over:
        raise SudokuError(f"expected a position with moves to come; found that the game is over: {state.reason}")
    if state.must_pass:
        raise SudokuError(f"expected a side to move that has an open square; found that player {state.player} passes")
    search = search_for(state.board)
    search.run(Deadline(None))
    moves = search.map(0.0)
    if not moves.solvable:
        raise SudokuError("expected a board that has a completion; found none")
    deepening = Deepening(model_of(state, moves, moves.witnesses[0].tobytes()), BITS)
    last = None
    for verdict in deepening.verdicts(deadline, leap=LEAP):
        last = verdict
    if last is None:  # a single move ahead there is always time for
        last = next(deepening.verdicts(Deadline(None), most=1))
    model = deepening.model
    return Evaluation(
        margin=last.value,
        exact=last.is_exact and model.is_exact,
        best=tuple(sorted(_best(deepening, last, deadline))),
        line=tuple(_line(deepening)),
        depth=last.depth,
        nodes=deepening.nodes,
        seconds=time.perf_counter() - started,
    )


def _best(deepening: Deepening, verdict: Verdict, deadline: Deadline) -> list[Move]:
    """The moves whose value is that of the position; those that time suffices for."""
    model = deepening.model
    found: list[Move] = []
    for number in [verdict.move, *(other for other in deepening.numbers() if other != verdict.move)]:
        points, after = deepening.after(model.position, number)
        if number != verdict.move:
            depth = filling.EXACT if verdict.is_exact else verdict.depth - 1
            bound = points - verdict.value
            value = deepening.value(after, depth, deadline, bound)
            if value is None or value > bound:
                continue
        found += model.moves(number)
    return found


def _line(deepening: Deepening) -> list[Move]:
    """The best moves one after the other, as far as they are known."""
    model, position = deepening.model, deepening.model.position
    line: list[Move] = []
    while len(line) < LINE:
        number = deepening.best_known(position)
        if number < 0 or number == filling.PASS:
            break
        line.append(model.move(number))
        _, position = deepening.after(position, number)
    return line
