"""Confirms an exact value: plain recursion computes the values of the positions at the end of its line again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.errors import SudokuError
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.game.referee import Referee

if TYPE_CHECKING:
    from csp_sudoku.evaluation.value import Evaluation
    from csp_sudoku.game.state import GameState


def confirm(state: GameState, found: Evaluation, most_empty: int) -> int:
    """Confirm an exact evaluation by plain recursion, and return the number of positions that it has confirmed.

    `found` is the evaluation of `state`. The positions of its line with at most `most_empty` empty cells are confirmed;
    plain recursion would take too long on others. The line is played by the rules, so its points are confirmed as well.
    SudokuError if a value disagrees, or if the evaluation is an estimate.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> from csp_sudoku.evaluation.value import evaluate
    >>> state = GameState.start(Board.parse("1243 3421 43.. 21.."))
    >>> confirm(state, evaluate(state), 3)
    3
    """
    if not found.exact:
        raise SudokuError("expected an exact value to confirm; found an estimate")
    referee, first = Referee(), state.player
    states, margins = [state], [0]
    for move in found.line:
        while states[-1].must_pass:
            states.append(states[-1].play(None)[0])
            margins.append(margins[-1])
        after, outcome = states[-1].play(move, referee)
        states.append(after)
        margins.append(margins[-1] + (outcome.reward if outcome.player == first else -outcome.reward))
    if not states[-1].is_over or margins[-1] != found.margin:
        raise SudokuError(f"expected a line that ends at the margin {found.margin:zg}; found one at {margins[-1]}")
    confirmed = 0
    for position, margin in zip(states, margins, strict=True):
        if position.is_over or len(list(position.board.empty_cells())) > most_empty:
            continue
        value, sign = plain_value(position), 1 if position.player == first else -1
        if margin + sign * value != found.margin:
            raise SudokuError(f"expected a position worth {sign * (found.margin - margin):zg}; found one worth {value}")
        confirmed += 1
    return confirmed
