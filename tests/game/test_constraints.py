"""The game on boards with constraints: the referee knows them, and regions score as ever."""

import pytest

from csp_sudoku import Board, Geometry, count_solutions
from csp_sudoku.constraints import AllDifferent, Killer, Odd
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move

GEOMETRY = Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3), AllDifferent([0, 5, 10, 15]))


def test_a_move_that_leaves_no_completion_is_skipped():
    """A value that the cage forbids is a bomb: it is skipped and becomes taboo."""
    state, outcome = GameState.start(Board(GEOMETRY, bytes(16))).play(Move(0, 0, 4), Referee())
    assert outcome.kind is OutcomeKind.SKIPPED
    assert state.taboo == {Move(0, 0, 4)}
    assert state.board.empty_count == 16


def test_regions_score_and_constraints_do_not():
    """A game to the end: rows, columns and blocks give points, and the last board satisfies every constraint."""
    state, referee = GameState.start(Board(GEOMETRY, bytes(16))), Referee()
    while not state.is_over:
        move = next(move for move in state.moves() if referee.is_safe(state.board, move))
        state, _ = state.play(move, referee)
    assert state.board.is_full
    assert GEOMETRY.violated(state.board.values) is None
    plain = GameState.start(Board.empty(2, 2))
    for cell, value in enumerate(state.board.values):
        plain, _ = plain.play(Move(*divmod(cell, 4), value))
    assert state.scores == plain.scores


@pytest.mark.slow
def test_positions_are_evaluated_with_the_constraints():
    """The exact value is that of plain recursion, which plays only towards grids that satisfy the constraints."""
    board = Board.parse("1234 3412 2143 4321").without([0, 1, 8, 9, 15, 14, 10])
    constrained = Board(board.geometry.with_constraints(Odd(0)), board.values)
    assert count_solutions(board) == 2 * count_solutions(constrained) > 0
    for position in (board, constrained):
        state = GameState.start(position)
        found = evaluate(state)
        assert found.exact
        assert found.margin == plain_value(state)
