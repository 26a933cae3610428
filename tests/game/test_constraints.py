"""The game on boards with constraints: the referee knows them, and regions score as ever."""

from csp_sudoku import Board, Geometry
from csp_sudoku.constraints import AllDifferent, Killer
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
