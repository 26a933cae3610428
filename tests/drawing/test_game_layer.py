"""The layer of the game: last move, completed regions, and the squares of both players, in every mode."""

from random import Random

import pytest

from csp_sudoku import Board
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.drawing.subjects import game_marks
from csp_sudoku.game.state import GameState
from tests.drawing.support import having, texts, tree
from tests.game.support import MODES, random_record, turns_of


def test_the_last_move_is_framed():
    """Its cell has another ground and a frame; before the first move, none has."""
    state = GameState.start(Board.empty(2, 2))
    assert having(tree(svg(state)), "ring") == []
    state, _ = state.play((1, 2, 3))
    root = tree(svg(state))
    layout = Layout.of(state.board.geometry)
    (ground,) = having(root, "ground", "last")
    assert (float(ground.get("x")), float(ground.get("y"))) == layout.corner(6)
    assert having(root, "ring")[0].get("d") == layout.square(6, 2.5)
    assert "last move r2c3=3: placed" in texts(root, "caption")


def test_completed_regions_are_outlined():
    """A move that completes three regions outlines these three, and the caption names them."""
    state, outcome = GameState.start(Board.parse("1234 3412 2143 432.")).play((3, 3, 1))
    assert outcome.reward == 7
    root = tree(svg(state))
    layout = Layout.of(state.board.geometry)
    regions = state.board.geometry.regions
    assert [one.get("d") for one in having(root, "completed")] == [
        layout.outline(regions[region], 0.045) for region in (3, 7, 11)
    ]
    assert "completed row 4, column 4, block 4" in " ".join(texts(root, "caption"))


def test_a_skip_completes_nothing():
    """After a skip the bomb is crossed, and no region is outlined."""
    state, _ = GameState.start(Board.parse("12.. .... ...3 .4..")).play((0, 2, 4))
    root = tree(svg(state))
    assert having(root, "completed") == []
    assert len(having(root, "cross")) == 1
    assert "skipped: it is a bomb, and taboo" in " ".join(texts(root, "caption"))


@pytest.mark.parametrize("mode", MODES)
def test_squares_of_the_players(mode):
    """Each filled square has the triangle of its player, and each open one a bracket; closed ones are grey."""
    state = GameState.start(Board.empty(2, 2), mode, Random(3))
    for _, _, after in list(turns_of(state, Random(3)))[:5]:
        state = after
    marks, root = game_marks(state), tree(svg(state))
    for player, name in ((1, "one"), (2, "two")):
        assert len(having(root, "corner", name)) == len(state.occupied[player - 1])
        expected = () if mode == "classic" else state.squares(player)
        assert len(having(root, "bracket", name)) == len(expected)
    empty = set(state.board.empty_cells())
    closed = set() if marks.open_to is None else empty - marks.open_to[0] - marks.open_to[1]
    assert len(having(root, "ground", "closed")) == len(closed)


def test_a_record_shows_its_last_position():
    """The drawing of a record is that of the position at its end, with both players, the score and the winner."""
    record = random_record(seed=2)
    root = tree(svg(record))
    assert len(texts(root, "value")) == 16
    said = " ".join(texts(root, "caption"))
    assert "random against random?lucky=1" in said
    assert f"{record.scores[0]}:{record.scores[1]}" in said
