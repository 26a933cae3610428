"""The faults of the earlier systems: as they were listed, and without them."""

import pickle
from itertools import islice
from random import Random

import pytest

from csp_sudoku import Board, load
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.players.classic.alpha_beta import AlphaBeta
from csp_sudoku.players.classic.filling import Filling
from tests.agents.support import HOME, agent, best_cells, module_of, now, turn
from tests.support import is_solution_of, planted, random_of

__all__ = ["now"]


def test_001_counted_blocks_wrong():
    """The authors' counts of empty cells per block are not the truth, and on this board cost ten points."""
    state = GameState.start(Board.parse("....2421435665124.4.3.613456.2162435"))
    truth = Filling(state).empty[12:]
    assert module_of("parity").counted_as_before(state.board) != truth
    (*_, (row, col, _)), _ = turn("parity", state, steps=99)
    assert {row * 6 + col} == best_cells(state) == {28}
    (*_, (row, col, _)), _ = turn("parity?fault=blocks", state, steps=99)
    position = Filling(state)
    assert AlphaBeta(position).value_of(28, 9) - AlphaBeta(position).value_of(row * 6 + col, 9) >= 8


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("random-3x3", True, False),
        ("easy-3x3", True, True),
        ("easy-2x2", True, True),
        ("easy-2x3", False, True),
        ("random-2x3", False, False),
        ("hard-3x3", False, False),
    ],
)
def test_the_solvers_as_listed(name, first, second):
    """001's solver stumbles over equal singles and over blocks that are not square, 002's over every choice."""
    board = load(HOME / "boards" / f"{name}.txt")
    for solves, player in ((first, "parity"), (second, "timed-mcts")):
        solver = module_of(player, "listed").listed_completion
        if solves:
            assert is_solution_of(Board(board.geometry, solver(board)), board)
        else:
            with pytest.raises(KeyError):
                solver(board)


def test_001_as_listed_proposes_nothing_where_its_solver_fails():
    """On the empty 3×3 board it raises before it proposes; elsewhere it plays values of a completion."""
    with pytest.raises(KeyError):
        turn("parity?fault=as-listed", GameState.start(Board.empty(3, 3)))
    state = GameState.start(load(HOME / "boards" / "easy-3x3.txt"))
    found, _ = turn("parity?fault=as-listed", state, steps=2)
    assert len(found) == 2
    assert all(move in classify_moves(state.board).safe for move in found)


def test_001_as_listed_searches_with_its_wrong_counts():
    """With the right counts its search finds the best cell, and with its own ones another one."""
    state = GameState.start(Board.parse("....2421435665124.4.3.613456.2162435"))
    listed, depth = module_of("parity", "listed"), state.board.empty_count
    right = listed.ListedSearch(state.board, Filling(state).empty[12:])
    assert {right.best(depth)[1]} == best_cells(state)
    wrong = listed.ListedSearch(state.board, module_of("parity").counted_as_before(state.board))
    assert wrong.best(depth)[1] not in best_cells(state)
    assert sorted(wrong.open) == list(state.board.empty_cells())


@pytest.mark.usefixtures("now")
@pytest.mark.parametrize(("name", "fails"), [("hard-3x3", True), ("easy-2x2", False)])
def test_002_as_listed_plays_at_random_where_its_solver_fails(name, fails):
    """In its first turn it only waits; later it proposes a random move at once, and then the result of its search."""
    state = GameState.start(load(HOME / "boards" / f"{name}.txt"))
    found, saved = turn("timed-mcts?fault=as-listed&longest=0.05", state)
    assert len(set(found)) == 1
    assert pickle.loads(saved)[1] > 0
    player = agent("timed-mcts?fault=as-listed")
    player.load((None, 0.2))
    proposals = player.proposals(state)
    assert next(proposals) in state.moves()
    if fails:
        with pytest.raises(KeyError):
            next(proposals)
    else:
        assert next(proposals) in classify_moves(state.board).safe
        assert list(proposals) == []


def test_002_as_listed_searches_for_the_opponent():
    """Its tree gives the result of a move to the wrong player, so that it avoids the cell that wins 7 points."""
    state = GameState.start(Board.parse("1234 3412 2143 432."))
    listed = module_of("timed-mcts", "listed")
    search = listed.ListedSearch(state, Random(1), 2.0, counts_points=True)
    for _ in range(10):
        search.iterate()
    assert search.best(by_visits=False) == search.best(by_visits=True) == 15
    assert search.root.children[0].total < 0, "the seven points count for the opponent"


def test_000_s_emptiness_changes_no_choice():
    """The term is equal at all ends of a depth, so each depth has the same best cell with it and without it."""
    for number in range(8):
        state = GameState.start(planted(2, 3, random_of("emptiness", number), 0.15)[0])
        found = [turn(f"heuristic?emptiness={on}", state, steps=99)[0] for on in ("yes", "no")]
        assert found[0] == found[1]


def test_000_searched_pairs_with_much_work_for_nothing():
    """Cells and values take many times the moves to the same depth, and the value is the same."""
    from csp_sudoku.players.classic.filling import Pairs

    state = GameState.start(planted(2, 3, random_of("pairs"), 0.5)[0])
    cells, pairs = AlphaBeta(Filling(state)), AlphaBeta(Pairs(state))
    assert cells.value(3) == pairs.value(3)
    assert pairs.nodes > 3 * cells.nodes


def test_000_kept_a_value_that_was_too_good():
    """With the best value of all depths kept, a deeper search that sees the price of a move no longer changes it."""
    stale = 0
    for number in range(40):
        state = GameState.start(planted(2, 2, random_of("stale", number), 0.3)[0])
        if not 0 < state.board.empty_count <= 7:
            continue
        cells = [turn(f"heuristic?order=none{fault}", state, steps=99)[0][-1] for fault in ("", "&fault=stale")]
        assert cells[0].row * 4 + cells[0].col in best_cells(state)
        stale += cells[1].row * 4 + cells[1].col not in best_cells(state)
    assert stale


def test_skips_are_searched():
    """On this board the exact map has a bomb that the rule does not see, and spending it is best."""
    state = GameState.start(Board.parse(".2141..221...321"))
    (bomb,) = classify_moves(state.board).bombs
    assert turn("skipper", state, steps=99)[0][-1] == bomb
    assert turn("skipper?bombs=rule", state, steps=99)[0][-1] != bomb


def test_the_last_resort_is_for_who_is_behind():
    """As the authors had it, a bomb is spent when the best value with the points so far is negative, and only then."""
    board = Board.parse("2.31.3.2...4..23")
    bombs = classify_moves(board).bombs
    for scores, skips in (((0, 20), True), ((20, 0), False)):
        state = GameState.of(board, scores=scores, player=1)
        assert (turn("skipper?skip=behind", state, steps=99)[0][-1] in bombs) is skips


def test_skips_are_as_many_as_there_are_bombs():
    """A search counts the bombs that are still legal, however the cells were filled; undo counts back."""
    skips, odd = module_of("skipper", "skips"), 0
    for number in range(6):
        rng = random_of("skips", number)
        board, _ = planted(3, 3, rng, 0.4)
        state = GameState.start(board)
        player = agent("skipper")
        list(islice(player.proposals(state), 2))
        bombs = list(classify_moves(board).bombs)
        position = skips.SkipFilling(state, list(board.empty_cells()), player.witness, bombs)
        counts, now = [], board
        for cell in rng.sample(list(board.empty_cells()), 12):
            counts.append(position.bombs)
            position.play(cell)
            row, col = board.geometry.row_column(cell)
            now = now.place(row, col, player.witness[cell])
            left = sum(value in now.candidates(row, col) for row, col, value in bombs)
            assert position.bombs == left
            if left % 2:
                odd += 1
                assert position.moves()[-1] == skips.SKIP
                assert position.play(skips.SKIP) == 0
                assert skips.SKIP not in position.moves()
                position.undo()
            assert position.bombs == left
        while counts:
            position.undo()
            assert position.bombs == counts.pop()
    assert odd > 10


RIGHT = {
    "side": ("124.4.12...13.24", (0, 0), 2),
    "root": ("3241.13.2.13.324", (0, 5), 2),
}
"""For two faults of 002 a position: board, scores, and who is to move. Few of its moves are best."""


def searched(text, state, playouts, seed=1):
    """The tree of a search of so many playouts."""
    search = agent(text, seed).search(Filling(state))
    search.run(playouts)
    return search


@pytest.mark.parametrize("fault", RIGHT)
def test_002_preferred_what_helps_the_opponent(fault):
    """Repaired, the search finds the right move with every seed; with one of the faults, with none."""
    line, scores, player = RIGHT[fault]
    state = GameState.of(Board.parse(line), scores=scores, player=player)
    lead = scores[player - 1] - scores[2 - player]
    position = Filling(state)
    values = {move: AlphaBeta(position).value_of(move, 16) + lead for move in position.moves()}
    signs = {move: (value > 0) - (value < 0) for move, value in values.items()}
    right = {move for move, sign in signs.items() if sign == max(signs.values())}
    assert 0 < len(right) < len(signs)
    for seed in range(6):
        assert searched("timed-mcts?c=1", state, 500, seed).root.highest() in right
        assert searched(f"timed-mcts?c=1&fault={fault}", state, 500, seed).root.highest() not in right


def test_002_scored_playouts_by_counts_of_the_past():
    """On a board that is nearly empty the faulty playouts see no points at all, so all first moves are alike."""
    state = GameState.start(Board.parse("1... .... .... ...."))
    rights, wrongs = (searched(f"timed-mcts?result=score{fault}", state, 15) for fault in ("", "&fault=playouts"))
    assert set(wrongs.root.total) == {0}
    assert len(set(rights.root.total)) > 3


def test_002_chooses_by_mean_or_by_visits():
    """`max` takes the highest mean, `robust` the most playouts; score and sign count differently."""
    state = GameState.start(Board.parse("124.4.12...13.24"))
    search = searched("timed-mcts?c=2", state, 60)
    root = search.root
    assert root.mean(root.moves.index(root.highest())) == max(map(root.mean, root.tried()))
    assert root.visits[root.moves.index(root.most_tried())] == max(root.visits)
    means = {text: searched(f"timed-mcts?result={text}", state, 200).root for text in ("sign", "score")}
    assert max(abs(means["sign"].mean(index)) for index in means["sign"].tried()) <= 1
    assert max(abs(means["score"].mean(index)) for index in means["score"].tried()) > 1
