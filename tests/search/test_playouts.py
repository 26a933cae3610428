"""Monte Carlo search of the filling game: legal, anytime, repeatable, and right where that is known."""

from random import Random

import pytest

from csp_sudoku import Board, solve
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.engines.search import search_for
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.search.playouts.kernels import playouts as kernels
from csp_sudoku.search.playouts.tree import Playouts
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model
from tests.support import most_slow, random_of

FOR_EVER = Deadline(None)
MODES = ["classic", "rows", "border", "random"]


ALL = filling.MAX_SKIPS


def played(game, games, seed=1, skips=ALL):
    search = Playouts(game, Random(seed), skips=skips)
    search.play(games)
    return search


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 3), (3, 4)], [(2, 3), (3, 3)]))
def test_in_small_endings_it_finds_what_is_right(m, n, mode):
    """With few cells the move is one of the best, and its mean comes close to the value, passes and skips included."""
    random = random_of("playouts", m, n, mode)
    compared = 0
    while compared < 8:
        board, _ = ending(m, n, random.randint(2, 4), random)
        state = GameState.start(board, mode, random)
        if state.is_over or state.must_pass:
            continue
        compared += 1
        game = model(state)
        verdict = played(game, 20_000).verdict()
        exact = Deepening(game, bits=12)
        value = exact.exact(FOR_EVER).value
        points, after = exact.after(game.position, verdict.move)
        if exact.must_pass(after):
            worth = points + exact.value(exact.passed(after), filling.EXACT, FOR_EVER)
        else:
            worth = points - exact.value(after, filling.EXACT, FOR_EVER)
        assert worth == value
        assert verdict.value == pytest.approx(value, abs=1.5)


def test_the_same_seed_finds_the_same():
    """The search is repeatable; slices make no difference."""
    board, _ = ending(3, 3, 25, random_of("seed"))
    game = model(GameState.start(board))
    whole = played(game, 3000)
    parts = Playouts(game, Random(1), skips=ALL)
    for _ in range(3):
        parts.play(1000)
    assert parts.verdict() == whole.verdict()
    assert parts.nodes == whole.nodes > 3000 * 20


def test_of_many_cells_the_moves_count_that_are_there():
    """Each verdict names a move of the game, whatever the slice, with more cells than the game has room for too."""
    for m, n in ((3, 3), (4, 4), (5, 5)):
        board = Board.empty(m, n)
        state = GameState.start(board)
        known = search_for(board)
        known.run(Deadline(0.5))
        game = model_of(state, known.map(0.0), solve(board).solution.values)
        search = Deepening(game, bits=8)
        for verdict, _ in zip(Playouts(game, Random(2)).steps(), range(4), strict=False):
            assert verdict.move in search.numbers()
            assert not verdict.is_exact


@pytest.mark.parametrize("room", [1, 2, 8, 64])
def test_a_full_tree_goes_on(room):
    """Without room for more positions or moves, games are still played, and counted."""
    board, _ = ending(3, 3, 12, random_of("full tree"))
    game = model(GameState.start(board))
    search = Playouts(game, Random(1), room)
    search.play(5000)
    assert int(search._tree[0]["visits"][0]) == 5000
    assert room < 8 or search.verdict().move in Deepening(game, bits=8).numbers()


@pytest.mark.parametrize("room", [64, 256])
def test_a_full_tree_learns_on(room):
    """Moves that there is no room for are not tried; the games go through those that are known."""
    board, _ = ending(3, 3, 20, random_of("full tree learns"))
    search = Playouts(model(GameState.start(board)), Random(1), room)
    search.play(2000)
    nodes, edges, _ = search._tree
    assert int(search._settings["nodes"][0]) == room
    moves = edges[nodes[0]["first"] : nodes[0]["first"] + nodes[0]["count"]]
    known = moves["node"][moves["node"] >= 0]
    before = int(nodes["visits"][known].sum())
    search.play(3000)
    assert int(nodes["visits"][known].sum()) - before >= 3000


def test_points_are_taken():
    """The last cells of all regions at once are worth more than anything else."""
    board, _ = ending(3, 3, 1, random_of("points"))
    verdict = played(model(GameState.start(board)), 10).verdict()
    assert verdict.value == 7


def test_where_something_is_given_away_a_skip_comes_first():
    """Of a move that gives a region away and a skip that is tried half as often and half a point worse, the skip.

    If none is, but there is one with a partner, that one, unless the side to move is ahead from here.
    """
    random = random_of("giving")
    while True:
        game = model(GameState.start(ending(3, 3, 12, random)[0]))
        search = played(game, 500)
        nodes, edges, _ = search._tree
        moves = edges[nodes[0]["first"] : nodes[0]["first"] + nodes[0]["count"]]
        cell = next((i for i, move in enumerate(moves["move"]) if search._gives(int(move))), None)
        skips = [i for i, move in enumerate(moves["move"]) if move >= filling.MAX_CELLS and moves["node"][i] >= 0]
        if cell is not None and moves["node"][cell] >= 0 and skips:
            break
    assert len(skips) <= kernels.SKIPS
    children = moves["node"]
    nodes["visits"][children[children >= 0]] = 1
    nodes["visits"][children[cell]] = 100
    nodes["mean"][children[cell]] = 2.0
    for visits, mean, is_skip in ((50, 2.4, True), (49, 2.4, False), (50, 2.6, False), (100, 1.0, True)):
        nodes["visits"][children[skips[-1]]] = visits
        nodes["mean"][children[skips[-1]]] = mean
        assert (search.verdict().move == moves["move"][skips[-1]]) == is_skip
        assert is_skip or search.verdict().move == moves["move"][cell]
    search._spare = spare = filling.MAX_CELLS + 63
    nodes["visits"][children[skips[-1]]] = 49
    for mean, move in ((2.0, spare), (0.1, spare), (-0.1, int(moves["move"][cell]))):
        nodes["mean"][children[cell]] = mean
        assert search.verdict().move == move
    points = [i for i, move in enumerate(moves["move"]) if moves["gain"][i] and search._gives(int(move))]
    assert points == []
