"""Positions that searches play on: counters, the filling game with its play modes, and the one with values."""

import pytest

from csp_sudoku import Board
from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.geometry import Geometry
from csp_sudoku.players.classic.cells import completion
from csp_sudoku.players.classic.counters import RegionCounters
from csp_sudoku.players.classic.filling import Filling, Pairs
from tests.game.support import MODES
from tests.support import SMALL_SHAPES, planted, random_of


def counted(geometry, values):
    """The empty cells of each region, counted anew."""
    return [sum(not values[cell] for cell in region) for region in geometry.regions]


@pytest.mark.parametrize(
    "geometry",
    [
        *(Geometry.standard(m, n) for m, n in [*SMALL_SHAPES, (3, 3), (3, 4)]),
        Geometry.diagonal(3, 3),
        Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]),
    ],
    ids=lambda geometry: geometry.name,
)
def test_counters_equal_a_recount(geometry):
    """After any filling and clearing the counts and the points agree with the board."""
    rng = random_of("counters", geometry.name)
    values = [int(rng.random() < 0.6) for _ in range(geometry.cell_count)]
    counters, filled = RegionCounters(geometry, values), []
    for _ in range(400):
        empty = [cell for cell, value in enumerate(values) if not value]
        if filled and (not empty or rng.random() < 0.45):
            cell = filled.pop(rng.randrange(len(filled)))
            counters.clear(cell)
            values[cell] = 0
        else:
            cell = rng.choice(empty)
            values[cell] = 1
            full = sum(all(values[other] for other in geometry.regions[region]) for region in geometry.regions_of[cell])
            assert counters.gain(cell) == counters.fill(cell) == reward(full)
            filled.append(cell)
        assert counters.empty == counted(geometry, values)


def snapshot(position):
    """All that a position says of itself."""
    return position.empty.copy(), position.is_filled.copy(), position.player, position.balance, position.moves()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("kind", [Filling, Pairs])
def test_positions_follow_the_rules(kind, shape, mode):
    """Moves, turns and points agree with the game's state, passes included; undo restores all of them."""
    rng = random_of("filling", shape, mode)
    board, _ = planted(*shape, rng, 0.6)
    state = GameState.start(board, mode, rng)
    solution = completion(board)
    while state.must_pass:
        state, _ = state.play(None)
    position, past = kind(state), []
    while not state.is_over:
        assert position.player == state.player - 1
        assert position.lead(state.player - 1) == state.scores[state.player - 1] - state.scores[2 - state.player]
        legal = {(move.row * board.size + move.col, move.value if kind is Pairs else 0) for move in state.moves()}
        assert {(position.cell(move), position.value(move)) for move in position.moves()} == legal
        past.append(snapshot(position))
        safe = [move for move in position.moves() if position.value(move) in (0, solution[position.cell(move)])]
        move = rng.choice(safe)
        gain = position.gain(move)
        row, col = board.geometry.row_column(position.cell(move))
        state, outcome = state.play((row, col, solution[position.cell(move)]))
        assert position.play(move) == gain == outcome.reward
        while state.must_pass:
            state, _ = state.play(None)
    assert not position.moves()
    while past:
        position.undo()
        assert snapshot(position) == past.pop()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [Filling, Pairs])
def test_playouts_are_games(kind, mode):
    """A playout ends with a balance that the rest of the game can have, and leaves the position as it was."""
    rng = random_of("playouts", mode)
    board, _ = planted(2, 2, rng, 0.5)
    state = GameState.start(board, mode, rng)
    while state.must_pass:
        state, _ = state.play(None)
    position = kind(state)
    before = snapshot(position)
    ends = set()

    def visit():
        if not position.moves():
            ends.add(position.balance)
        for move in position.moves():
            position.play(move)
            visit()
            position.undo()

    if kind is Filling and position.left <= 7:
        visit()
    found = {position.playout(rng) for _ in range(200)}
    assert snapshot(position) == before
    assert not ends or found <= ends


def test_pairs_leave_out_what_is_taboo():
    """A move that was found to be a bomb is no move, whoever is to move; a value that a peer holds is none either."""
    state = GameState.start(Board.parse("12.. .... .... 4..."))
    taboo = state.moves()[:2]
    for move in taboo:
        state, _ = state.skip(move)
    pairs = Pairs(state)
    assert len(pairs.moves()) == len(state.moves())
    moves = {(pairs.cell(move), pairs.value(move)) for move in pairs.moves()}
    assert not moves & {(row * 4 + col, value) for row, col, value in taboo}


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (3, 4)])
def test_completions_complete(shape):
    """A completion has the values of the board and no clash; a board may have none."""
    board, _ = planted(*shape, random_of("completion", shape), 0.7)
    assert Board(shape, completion(board)).extends(board)
    assert completion(Board.parse("12.. .... ..3. ..4.")) is None
    assert completion(Board(Geometry.diagonal(2, 2), [0] * 16)) is not None
