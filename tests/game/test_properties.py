"""Invariants of long random games, in every mode and many shapes, against the rules written down once more."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from csp_sudoku import Board, solve
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from tests.game.support import MODES, random_record, turns_of
from tests.support import count_by_force, is_solution_of, planted

TINY = [(2, 2), (2, 3), (3, 2)]
SHAPES = [*TINY, (2, 4), (3, 3)]


@st.composite
def starts(draw, shapes=SHAPES, most=1.0):
    """States before the first turn, on boards from almost full to empty, that have a completion."""
    m, n = draw(st.sampled_from(shapes))
    rng = Random(draw(st.integers(0, 2**32)))
    board, _ = planted(m, n, rng, draw(st.sampled_from([0.05, 0.3, 0.6, 1.0])) * most)
    return GameState.start(board, draw(st.sampled_from(MODES)), rng)


seeds = st.integers(0, 2**32)


def squares_by_definition(state, player):
    """The squares that a player may play on, computed from the filled squares of each player."""
    size = state.board.size
    allowed, mine = state.allowed[player - 1], state.occupied[player - 1]
    return [
        (row, col)
        for row in range(size)
        for col in range(size)
        if not state.board[row, col]
        and ((row, col) in allowed or any(max(abs(row - r), abs(col - c)) == 1 for r, c in mine))
    ]


def full_regions(board):
    """How many rows, columns and blocks are full."""
    m, n, size = board.m, board.n, board.size
    rows = board.rows
    columns = list(zip(*rows, strict=True))
    blocks = [
        [rows[top + r][left + c] for r in range(m) for c in range(n)]
        for top in range(0, size, m)
        for left in range(0, size, n)
    ]
    return sum(all(line) for line in [*rows, *columns, *blocks])


@given(starts(), seeds)
@settings(deadline=None, max_examples=60)
def test_invariants_of_a_game(start, seed):
    """Boards only grow, taboo sets only grow, points follow the rules, turns alternate, and the result fits."""
    points = [0, 0]
    outcomes = []
    state = start
    for before, outcome, state in turns_of(start, Random(seed)):
        assert outcome.kind is not OutcomeKind.LOST  # since only moves of the state were played
        assert outcome.player == before.player
        assert state.player == 3 - before.player
        assert state.board.extends(before.board)
        assert state.taboo >= before.taboo
        assert state.history[: len(before.history)] == before.history
        assert state.occupied[0] >= before.occupied[0]
        assert state.occupied[1] >= before.occupied[1]
        grown = before.board.empty_count - state.board.empty_count
        assert grown == (outcome.kind is OutcomeKind.PLACED)
        assert len(state.taboo) - len(before.taboo) == (outcome.kind is OutcomeKind.SKIPPED)
        assert len(state.history) - len(before.history) == (outcome.kind is not OutcomeKind.PASSED)
        completed = full_regions(state.board) - full_regions(before.board)
        assert outcome.reward == [0, 1, 3, 7][completed]
        points[outcome.player - 1] += outcome.reward
        assert list(state.scores) == points
        outcomes.append(outcome)
        if state.allowed is not None:
            for player in (1, 2):
                assert list(state.squares(player)) == squares_by_definition(state, player)
            assert before.must_pass == (outcome.kind is OutcomeKind.PASSED) == (not before.squares())
    assert state.is_over
    assert not state.moves()
    first, second = points
    assert state.result == ((1, 0) if first > second else (0, 1) if second > first else (0.5, 0.5))
    assert state.reason == ("board full" if state.board.is_full else "neither player can move")
    if not state.board.is_full:
        assert not squares_by_definition(state, 1)
        assert not squares_by_definition(state, 2)
    else:
        assert is_solution_of(state.board, start.board)
    placed = [outcome for outcome in outcomes if outcome.kind is OutcomeKind.PLACED]
    for player, occupied in enumerate(state.occupied, 1):
        assert occupied == {outcome.move[:2] for outcome in placed if outcome.player == player}
    if start.mode is PlayMode.CLASSIC:
        assert [outcome.player for outcome in outcomes] == [1 + turn % 2 for turn in range(len(outcomes))]


@given(starts(TINY, most=0.8), seeds)
@settings(deadline=None, max_examples=40)
def test_no_safe_move_is_refused_and_no_bomb_is_placed(start, seed):
    """Every verdict of a game is that of trying everything."""
    for before, outcome, _ in turns_of(start, Random(seed)):
        if outcome.kind is not OutcomeKind.PASSED:
            has_completion = count_by_force(before.board.place(*outcome.move), 1) > 0
            assert outcome.kind == ("placed" if has_completion else "skipped")


@given(starts(), seeds)
@settings(deadline=None, max_examples=25)
def test_every_board_of_a_game_has_a_completion(start, seed):
    """On a solvable board a player with squares always has a move, and never one that leaves nothing."""
    for before, outcome, after in turns_of(start, Random(seed)):
        assert before.must_pass or before.moves()
        if outcome.kind is OutcomeKind.PLACED:
            assert is_solution_of(solve(after.board).solution, after.board)


@given(st.sampled_from(SHAPES), st.sampled_from(MODES), seeds, st.booleans())
@settings(deadline=None, max_examples=40)
def test_the_replay_of_a_record_is_the_game(shape, mode, seed, empty):
    """A game that is recorded, written, read and replayed is right in every turn, whoever is the referee."""
    board = Board.empty(*shape) if empty else planted(*shape, Random(seed), 0.4)[0]
    record = random_record(*shape, mode, seed, board)
    again = parse_record(record.to_json())
    assert again == record
    assert verify(again) == []
    assert verify(again, Referee(solver="backtracking")) == []
