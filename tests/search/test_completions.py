"""The game of all completions, and its mirror images, against plain recursion."""

from itertools import islice

import pytest

from csp_sudoku import Board, classify_moves, solutions
from csp_sudoku.evaluation.answer import best_line, best_moves
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.state import GameState
from csp_sudoku.search.completions.game import MOST_COMPLETIONS, CompletionGame, completion_game
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.solvers.base import Deadline
from tests.support import most_slow, random_of

FOR_EVER = Deadline(None)
MODES = ["classic", "rows", "border", "random"]


def position(m, n, empty, mode, random):
    """A position before the end of its game, usually with several completions and few bombs; and its map."""
    several = random.random() < 0.7
    grids = [solution.values for solution in islice(solutions(Board.empty(m, n)), 200)]
    while True:
        values = bytearray(random.choice(grids))
        some = random.sample(range(1, m * n + 1), 2)
        cells = [cell for cell, value in enumerate(values) if value in some or random.random() < 0.2]
        for cell in random.sample(cells, min(empty, len(cells))):
            values[cell] = 0
        board = Board((m, n), values)
        moves = classify_moves(board)
        if (len(moves.safe) > len(list(board.empty_cells()))) != several:
            continue
        state = GameState.start(board, mode, random)
        bombs = [bomb for bomb in moves.bombs if bomb in state.moves()]
        if bombs and random.random() < 0.3:
            state = state.skip(random.choice(bombs))[0]
        if len(moves.bombs) <= 4 and not (state.is_over or state.must_pass):
            return state, moves


def game_of(state):
    game = completion_game(state, classify_moves(state.board))
    assert game is not None
    return game


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 2)], [(2, 2), (2, 3)]))
def test_values_are_those_of_plain_recursion(m, n, mode):
    """The value is that of the real game, bombs played before and restricted squares included."""
    random = random_of("completions", m, n, mode)
    several = 0
    for _ in range(8):
        state, moves = position(m, n, random.randint(4, 6), mode, random)
        several += len(moves.safe) > len(list(state.board.empty_cells()))
        game = completion_game(state, moves)
        assert game.exact(FOR_EVER).value == plain_value(state)
    assert several >= 2


@pytest.mark.parametrize("mode", MODES)
def test_the_best_moves_are_all_that_keep_the_value(mode):
    """Every move of the board is among the best if and only if plain recursion says so."""
    random = random_of("best", mode)
    for _ in range(6):
        state, moves = position(2, 2, random.randint(4, 6), mode, random)
        game = completion_game(state, moves)
        verdict = game.exact(FOR_EVER)
        best, is_complete = best_moves(game, verdict, FOR_EVER)
        assert is_complete
        expected = set()
        for move in state.moves():
            after, outcome = state.place(move) if move in moves.safe else state.skip(move)
            if outcome.reward - plain_value(after) == verdict.value:
                expected.add(move)
        assert set(best) == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_line_of_best_play_earns_the_value(mode):
    """Played move by move according to the rules, the line gives the side to move the lead that the value promises."""
    random = random_of("line", mode)
    for _ in range(6):
        state, _ = position(2, 2, random.randint(4, 7), mode, random)
        found = evaluate(state)
        assert found.exact
        margin = 0
        mover = state.player
        for move in found.line:
            while state.must_pass:
                state, _ = state.play(None)
            state, outcome = state.play(move)
            assert outcome.reason is None
            margin += outcome.reward if outcome.player == mover else -outcome.reward
        while state.must_pass:
            state, _ = state.play(None)
        assert state.is_over
        assert margin == found.margin


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_mirror_images_change_no_value(mode):
    """A position reached in the game on the empty board, with mirror images, has the same value as by itself."""
    random = random_of("mirrors", mode)
    start = GameState.start(Board.empty(2, 2), mode, random)
    game = game_of(start)
    assert game._games[0]["turns"] >= 1
    compared = 0
    while compared < 25:
        state, inside, reached = start, game.position, True
        for _ in range(random.randint(6, 12)):
            if state.is_over or state.must_pass:
                reached = False
                break
            move = random.choice(state.moves())
            is_safe = move in classify_moves(state.board).safe
            number = game._candidates.index(move) + (0 if is_safe else 64)
            state = (state.place(move) if is_safe else state.skip(move))[0]
            _, inside = game.after(inside, number)
        if not reached or state.is_over or state.must_pass or state.board.is_full:
            continue
        expected = game_of(state).exact(FOR_EVER).value
        assert game.value(inside, EXACT, FOR_EVER) == expected
        compared += 1


@pytest.mark.slow
def test_the_smallest_game_is_solved():
    """The player who begins on an empty 2×2 board loses by 14; plain recursion agrees along the end of the line."""
    state = GameState.start(Board.empty(2, 2))
    game = game_of(state)
    verdict = game.exact(FOR_EVER)
    margin, sign = 0, 1
    for move in best_line(game, verdict, FOR_EVER):
        state, outcome = state.play(move)
        margin += sign * outcome.reward
        sign = -sign
        if 0 < len(list(state.board.empty_cells())) <= 7:
            assert verdict.value == margin + sign * plain_value(state)
    assert verdict.value == margin == -14


def test_what_has_no_room():
    """Too many cells, moves or completions, or an undecided map: no game, and an estimate instead."""
    for board in (Board.empty(2, 3), Board.empty(3, 3)):
        assert completion_game(GameState.start(board), classify_moves(board)) is None
    board = Board.empty(2, 2)
    assert completion_game(GameState.start(board), classify_moves(board, time_limit=0)) is None
    assert len(list(solutions(board))) <= MOST_COMPLETIONS


def test_no_time_is_no_verdict():
    """Without time there is neither a value nor a wrong one."""
    assert game_of(GameState.start(Board.empty(2, 2))).exact(Deadline(0)) is None


@pytest.mark.slow
def test_slices_and_small_tables_change_no_value(monkeypatch):
    """A search that is stopped again and again, with a table that forgets, finds the same."""
    random = random_of("slices")
    monkeypatch.setattr("csp_sudoku.search.slices.SLICE_NODES", 40)
    for _ in range(5):
        state, moves = position(2, 2, 6, "classic", random)
        grids = [solution.values for solution in solutions(state.board)]
        assert CompletionGame(state, moves, grids, bits=4).exact(FOR_EVER).value == plain_value(state)
