"""Alpha-beta and Monte Carlo tree search over positions: their results, and the work for them."""

from functools import cache
from math import inf
from random import Random

import pytest

from csp_sudoku import Board
from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.players.classic.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.players.classic.monte_carlo import MonteCarlo
from tests.game.support import MODES
from tests.support import planted, random_of


def minimax(board, cells, depth):
    """The value of a set of empty cells by definition, without any counters."""
    regions = board.geometry.regions

    @cache
    def value(left, depth):
        if not left or not depth:
            return 0
        best = -inf
        for cell in left:
            rest = left - {cell}
            full = sum(cell in region and not rest & set(region) for region in regions)
            best = max(best, reward(full) - value(rest, depth - 1))
        return best

    return value(frozenset(cells), depth)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_alpha_beta_equals_minimax(shape):
    """To every depth the value is that of plain minimax, with and without pruning."""
    for number in range(12):
        board, _ = planted(*shape, random_of("minimax", shape, number), 0.25)
        for depth in range(6):
            expected = minimax(board, board.empty_cells(), depth)
            for prune in (True, False):
                search = AlphaBeta(Filling(GameState.start(board)), prune=prune)
                assert search.value(depth) == expected


@pytest.mark.parametrize("mode", MODES)
def test_pruning_changes_no_value_in_any_mode(mode):
    """Even if players may pass, the value is the same with and without pruning, bonus included."""
    for number in range(8):
        rng = random_of("modes", mode, number)
        state = GameState.start(planted(2, 2, rng, 0.5)[0], mode, rng)
        while state.must_pass:
            state, _ = state.play(None)
        for weight in (0, 0.1):
            values = []
            for prune in (True, False):
                position = Filling(state)
                bonus = (lambda position=position, weight=weight: weight * position.left) if weight else None
                values.append(AlphaBeta(position, prune=prune, bonus=bonus).value(5))
            assert values[0] == pytest.approx(values[1])


def test_pruning_saves_most_of_the_work():
    """On random-2x3, four moves deep, less than a tenth of the moves is tried: 001 told of a sixth."""
    board = Board.parse("2 3 . 2 1 . . 6 . . . 2 3 1 . . . . . 4 . . . 6 5 . 2 . 3 . . 5 . . . . 6 2")
    nodes = {}
    for prune in (True, False):
        search = AlphaBeta(Filling(GameState.start(board)), prune=prune)
        search.value(4)
        nodes[prune] = search.nodes
    assert nodes[False] == 22 + 22 * 21 + 22 * 21 * 20 + 22 * 21 * 20 * 19
    assert nodes[True] * 10 < nodes[False]


@pytest.mark.slow
def test_deepening_ends_with_the_value_of_the_game():
    """The best move of the last depth has the value of the whole game; each depth is yielded once it is complete."""
    for number in range(10):
        board, _ = planted(2, 3, random_of("deepen", number), 0.17)
        position = Filling(GameState.start(board))
        found = list(deepen(AlphaBeta(position), position.moves()))
        complete = [one for one in found if one.is_complete]
        assert [one.depth for one in complete] == list(range(1, board.empty_count + 1))
        assert complete[-1].value == minimax(board, board.empty_cells(), board.empty_count)
        assert found[-1] == complete[-1]


def test_deepening_starts_where_it_is_told():
    """The first depth may be another, but none is deeper than the board is empty."""
    position = Filling(GameState.start(Board.parse("123. 3412 2143 4321")))
    assert [one.depth for one in deepen(AlphaBeta(position), position.moves(), first=2)] == [1, 1]


@pytest.mark.parametrize(
    ("worth", "exploration"),
    [(lambda lead: (lead > 0) - (lead < 0), 1), (lambda lead: lead, 10)],
    ids=["sign", "score"],
)
def test_monte_carlo_comes_to_the_best_move(worth, exploration):
    """With playouts enough, the move tried most is one that minimax finds best, for either player."""
    for number in range(6):
        rng = random_of("mcts", number)
        board, _ = planted(2, 2, rng, 0.35)
        position = Filling(GameState.of(board, player=1 + number % 2))
        whole = AlphaBeta(position)
        values = {move: worth(int(whole.value_of(move, position.left))) for move in position.moves()}
        search = MonteCarlo(position, Random(number), exploration=exploration, worth=worth)
        search.run(3000)
        assert search.root.playouts == sum(search.root.visits) == 3000
        assert values[search.root.most_tried()] == max(values.values())


def test_a_node_comes_on_the_second_visit():
    """Each move is tried once before one is tried twice, and only then gets a node."""
    position = Filling(GameState.start(Board.parse("1... .... .... ....")))
    search = MonteCarlo(position, Random(1), exploration=2, worth=float)
    search.run(15)
    assert search.root.visits == [1] * 15
    assert search.root.children == [None] * 15
    search.run(1)
    (child,) = filter(None, search.root.children)
    assert child.playouts == 1
    assert search.root.after(next(move for move in search.root.moves if search.root.after(move))) is child


def test_exploration_spreads_the_playouts():
    """The more C, the more evenly the moves are tried."""
    spreads = []
    for exploration in (0.1, 2, 10):
        position = Filling(GameState.start(Board.parse("12.. 3... .... ....")))
        search = MonteCarlo(position, Random(3), exploration=exploration, worth=lambda lead: float(lead > 0))
        search.run(2000)
        spreads.append(max(search.root.visits) / min(search.root.visits))
    assert spreads == sorted(spreads, reverse=True)
