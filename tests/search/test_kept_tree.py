"""A tree that is kept for the next turn: the same game further on, and nothing taken from another one."""

from itertools import islice
from random import Random

import numpy as np
import pytest
from csp_sudoku.agents.champion_player.thinking import Thinking

from csp_sudoku import Board
from csp_sudoku.game.state import GameState
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.playouts.kept_tree import LEAST_VISITS
from csp_sudoku.search.playouts.tree import Playouts
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model, turns_of
from tests.support import most_slow, random_of

FOR_EVER = Deadline(None)


def worth(game):
    """The value of a game at its current position, and the moves of the board behind its moves."""
    search = Deepening(game, bits=12)
    return search.exact(FOR_EVER).value, {frozenset(game.moves(number)) for number in search.numbers()} - {frozenset()}


@pytest.mark.parametrize("mode", ["classic", "rows", "border", "random"])
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 3), (3, 4)], [(2, 3)]))
def test_the_game_goes_on(m, n, mode):
    """With one solution all later positions are of the game that the tree grew from: same value, same moves."""
    random = random_of("kept tree", m, n, mode)
    compared = known = 0
    while compared < 25:
        state = GameState.start(ending(m, n, random.randint(4, 8), random)[0], mode, random)
        if state.is_over or state.must_pass:
            continue
        grown = Playouts(model(state), Random(1))
        grown.play(500)
        kept = grown.kept()
        for _, _, after in islice(turns_of(state, random), 4):
            if after.is_over or after.must_pass:
                continue
            now = model(after)
            assert worth(kept.model_at(now)) == worth(now)
            goes_on = Playouts(now, Random(1), kept=kept)
            goes_on.play(1)
            root = goes_on._tree[0][int(goes_on._settings["root"][0])]
            assert [int(root[name]) for name in ("empty", "skips")] == [int(w) for w in goes_on.model.position[:2]]
            known += int(root["visits"]) > LEAST_VISITS
            compared += 1
    assert known > 2


def test_what_is_kept():
    """Positions that were visited often, with the moves to one another."""
    grown = Playouts(model(GameState.start(ending(3, 3, 14, random_of("what is kept"))[0])), Random(3))
    grown.play(3000)
    kept = grown.kept()
    count = int(grown._settings["nodes"][0])  # what is behind them is memory as it was found
    nodes, edges, _ = grown._tree
    places = np.flatnonzero(nodes["visits"][:count] >= LEAST_VISITS)
    assert 1 < len(places) == len(kept.nodes) < count
    assert len(kept.edges) == int(nodes["count"][places].sum())
    for place, node in zip(places, kept.nodes, strict=True):
        before = edges[nodes[place]["first"] : nodes[place]["first"] + nodes[place]["count"]]
        moves = kept.edges[node["first"] : node["first"] + node["count"]]
        assert moves[["move", "gain", "sign"]].tolist() == before[["move", "gain", "sign"]].tolist()
        for old, new in zip(before["node"], moves["node"], strict=True):
            if old >= 0 and nodes["visits"][old] >= LEAST_VISITS:
                assert (
                    kept.nodes[new][["empty", "skips", "visits", "mean"]]
                    == nodes[old][["empty", "skips", "visits", "mean"]]
                )
            else:
                assert new == -1


def test_a_large_tree_is_cut(monkeypatch):
    """The most visited positions are kept, and the search continues with them."""
    game = model(GameState.start(ending(3, 3, 14, random_of("what is kept"))[0]))
    grown = Playouts(game, Random(3))
    grown.play(3000)
    whole = grown.kept()
    monkeypatch.setattr("csp_sudoku.search.playouts.kept_tree.MOST_MOVES", len(whole.edges) // 3)
    kept = grown.kept()
    assert 0 < len(kept.edges) <= len(whole.edges) // 3
    assert kept.nodes["visits"].min() >= 2 * LEAST_VISITS
    assert kept.nodes["visits"].max() == whole.nodes["visits"].max()
    goes_on = Playouts(game, Random(1), kept=kept)
    goes_on.play(500)
    assert goes_on._root["visits"] == whole.nodes["visits"].max() + 500


@pytest.mark.parametrize("room", [1, 64])
def test_a_tree_that_grew_in_more_room_goes_on(room):
    """A longer turn's tree is not cut, and does not overflow, in a turn with less room; it may grow on."""
    game = model(GameState.start(ending(3, 3, 14, random_of("more room"))[0]))
    grown = Playouts(game, Random(3), 1 << 14)
    grown.play(5000)
    kept = grown.kept()
    assert len(kept.nodes) > 2 * room
    later = Playouts(game, Random(3), room, kept=kept)
    assert later.kept().nodes.tolist() == kept.nodes.tolist()
    later.play(1000)
    assert int(later._root["visits"]) == 6000
    assert len(kept.nodes) < int(later._settings["nodes"][0]) <= len(later._tree[0])


def test_what_cannot_be_come_to_any_more_is_not_kept():
    """Two turns later the tree has the positions from there on alone, with all that is known of them."""
    random = random_of("from there on")
    state = GameState.start(ending(3, 3, 14, random)[0])
    grown = Playouts(model(state), Random(3))
    grown.play(3000)
    before = grown.kept()
    for _, _, after in islice(turns_of(state, random), 2):
        state = after
    later = Playouts(model(state), Random(3), kept=before)
    kept = later.kept()
    empty, skips = int(later.model.position[0]), int(later.model.position[1])
    expected = [node for node in before.nodes if not int(node["empty"]) & ~empty and not int(node["skips"]) & ~skips]
    assert 0 < len(expected) < len(before.nodes)
    assert kept.nodes[["empty", "skips", "visits"]].tolist() == [
        (node["empty"], node["skips"], node["visits"]) for node in expected
    ]


def test_another_game():
    """A tree of another board, another mode, or other values of the same cells is of no use, and does no harm."""
    random = random_of("another game")
    board, solution = ending(3, 3, 12, random)
    state = GameState.start(board)
    grown = Playouts(model(state), random)
    grown.play(300)
    kept = grown.kept()
    one = next(iter(board.empty_cells()))
    swapped = bytearray(solution.values)
    swapped[one] = solution.values[one] % 9 + 1
    same = model(state)
    others = [
        model(GameState.start(ending(3, 3, 12, random)[0])),
        model(GameState.start(ending(2, 3, 12, random)[0])),
        model(GameState.start(board, "rows")),
        type(same)(**{name: getattr(same, name) for name in same.__slots__} | {"completion": bytes(swapped)}),
    ]
    assert kept.model_at(same) is not None
    for game in others:
        assert kept.model_at(game) is None
        search = Playouts(game, Random(1), kept=kept)
        search.play(100)
        assert search.model.games is game.games
        assert int(search._tree[0][int(search._settings["root"][0])]["visits"]) == 100


def think(thinking, is_enough):
    """Think about a position until it is enough, or decided; the tree for the next turn."""
    for _ in thinking.proposals(Deadline(600)):
        if is_enough():
            break
    return thinking.kept()


def test_from_turn_to_turn():
    """The champion's search of a position begins with the tree of the position before, or hands that tree on."""
    random = random_of("from turn to turn")
    state = GameState.start(ending(3, 3, 40, random)[0])
    thinking = Thinking(state, rng=Random(1))
    assert thinking.kept() is None
    kept = think(thinking, lambda: thinking.kept() is not None)
    for _, _, after in islice(turns_of(state, random), 2):
        state = after
    later = Thinking(state, rng=Random(1), kept=kept)
    assert later.kept() is kept
    assert think(later, lambda: later.kept() is not kept).model.cells == kept.model.cells
    decided = Thinking(GameState.of(state.board, scores=(200, 0)), thinking.completions, kept=kept)
    assert think(decided, lambda: False) is kept
    elsewhere = Thinking(GameState.start(Board.empty(2, 3)), rng=Random(1), kept=kept)
    assert think(elsewhere, lambda: elsewhere.kept() is not kept).model.size == 6
