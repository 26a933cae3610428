"""The move map of boards with constraints: the true candidates that setters ask for."""

import numpy as np
import pytest

from csp_sudoku import Board, Geometry, MoveTracker, Verdict, classify_moves, explain_move, solutions
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.moves.engines.naive import classify as naive
from csp_sudoku.solvers.base import Deadline
from tests.constraints.makers import MAKERS, THIRDS
from tests.support import pattern, random_of

NAMES = [name for name in CONSTRAINTS if name not in THIRDS]


def random_board(*seed, kinds=3):
    """A 4×4 board with a few random constraints, and one value of a full board."""
    random = random_of("moves", *seed)
    plain = Geometry.standard(2, 2)
    grid = [value for row in pattern(2, 2, random) for value in row]
    names = random.sample(NAMES, kinds)
    geometry = plain.with_constraints(*(MAKERS[name](plain, random, grid) for name in names))
    return Board(plain, grid).without(random.sample(range(16), 15)).values, geometry


def check_map(found, board):
    """The map says safe of exactly the moves that a completion has."""
    shown = {(cell, value) for solution in solutions(board) for cell, value in enumerate(solution.values)}
    assert found.is_complete
    assert found.solvable is bool(shown)
    for move in found.legal:
        expected = Verdict.SAFE if (move.row * 4 + move.col, move.value) in shown else Verdict.BOMB
        assert found.verdict(*move) is expected
    masks = np.zeros(16, np.uint32)
    for witness in found.witnesses:
        assert board.geometry.violated(witness) is None
        masks |= np.left_shift(1, witness - 1, dtype=np.uint32)
    assert not (found.safe_masks & ~masks).any()


@pytest.mark.parametrize("trial", range(3))
def test_a_map_has_the_true_candidates(trial):
    """Exactly the moves of some completion are safe, as the plain engine says."""
    values, geometry = random_board(trial)
    board = Board(geometry, values)
    found = classify_moves(board)
    assert found.effort.engine == "cpsat"
    check_map(found, board)


@pytest.mark.slow
@pytest.mark.parametrize("trial", range(20))
def test_many_maps_have_the_true_candidates(trial):
    """The same on more boards, and by a solver call for each move."""
    values, geometry = random_board("many", trial, kinds=2)
    board = Board(geometry, values)
    check_map(classify_moves(board), board)
    if trial < 3:
        assert naive(board, Deadline(None)).bombs == classify_moves(board).bombs


def test_a_tracker_follows_a_board_with_constraints():
    """After each value, the map of the tracker is the one of the new board."""
    geometry = Geometry.standard(2, 2).with_constraints(
        CONSTRAINTS["killer"]([0, 1], 5), CONSTRAINTS["thermometer"]([2, 6])
    )
    board = Board(geometry, bytes(16))
    tracker = MoveTracker(board)
    check_map(tracker.map, board)
    move = tracker.map.safe[3]
    check_map(tracker.place(*move), board.place(*move))
    assert tracker.board == board.place(*move)
    bomb = tracker.map.bombs[0]
    assert not tracker.place(*bomb).safe
    assert tracker.map.solvable is False
    assert MoveTracker(board, time_limit=0).map.unknown
    check_map(tracker.move_to(board), board)


def test_a_move_that_violates_a_constraint_is_explained():
    """The explanation of a bomb names the constraints that clash with it."""
    geometry = Geometry.standard(2, 2).with_constraints(CONSTRAINTS["killer"]([0, 1], 3), CONSTRAINTS["odd"](15))
    found = explain_move(Board(geometry, bytes(16)), 0, 0, 4)
    assert found.verdict is Verdict.BOMB
    assert found.clash.constraints == (CONSTRAINTS["killer"]([0, 1], 3),)
    assert "0 of the 0 givens and 1 of the 2 constraints admits no completion" in found.sentence()
    assert explain_move(Board(geometry, bytes(16)), 0, 0, 1).completion.geometry == geometry
