"""The layer of the candidates: every legal move once, with the look of its verdict."""

from random import Random

import pytest

from csp_sudoku import Board, OptionError, SudokuError, classify_moves
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.candidate_layer import Heat, ShownCandidates
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.game.state import GameState
from tests.drawing.support import having, texts, tree

BOARD = Board.parse("12.. .... ...3 .4..")


def drawn(root, layout, size):
    """The candidates of a drawing as {(row, column, value): class}; places are found from the coordinates alone."""
    found = {}
    for group in having(root, "safe") + having(root, "bomb") + having(root, "unknown"):
        cell = next(one for one in root.iter() if group in list(one))
        x, y = map(float, cell.get("transform")[10:-1].split())
        at = (float(group.get("x")), float(group.get("y")))
        value = int("".join(group.itertext()))
        place = layout.candidate(value)
        assert at[0] == pytest.approx(place[0], abs=0.01)
        assert at[1] == pytest.approx(place[1], abs=layout.candidate_type)
        row, column = round((y - layout.left) / layout.cell), round((x - layout.left) / layout.cell)
        found[row, column, value] = group.get("class")
    return found


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 4), (5, 5)])
def test_candidates_stay_readable_where_there_is_little_room(shape):
    """A drawing with candidates is never scaled to a type below nine pixels; one without them always fits."""
    moves = classify_moves(Board.empty(*shape), time_limit=0)
    root, layout = tree(svg(moves)), Layout.of(moves.board.geometry, candidates=True)
    least = float(root.get("style").removeprefix("min-width:").removesuffix("px"))
    assert least * layout.candidate_type / float(root.get("width")) >= 9
    assert least <= float(root.get("width"))
    assert tree(svg(moves, heat=True)).get("style") is tree(svg(moves.board)).get("style") is None


def test_every_move_is_drawn_with_its_verdict():
    """Safe moves, bombs and nothing else are drawn, each in its cell and at the place of its value."""
    found = classify_moves(BOARD)
    shown = drawn(tree(svg(found)), Layout.of(BOARD.geometry, candidates=True), 4)
    assert shown == {**{tuple(move): "safe" for move in found.safe}, **{tuple(move): "bomb" for move in found.bombs}}


def test_undecided_moves_are_told_apart():
    """Moves that a limit left undecided are neither safe nor bombs, and the caption counts them."""
    found = classify_moves(BOARD, "rule")
    root = tree(svg(found))
    assert len(texts(root, "unknown")) == len(found.unknown) > 0
    assert "undecided (grey, slanted)" in " ".join(texts(root, "caption"))


def test_the_caption_counts_the_moves():
    """The numbers of safe moves and of bombs are below the board, with their look."""
    said = " ".join(texts(tree(svg(classify_moves(BOARD))), "caption"))
    assert said == "16 safe moves (green), 8 bombs (red, underlined)"


def test_taboo_moves_are_crossed():
    """A taboo move is a bomb with a cross, whether the map of the position is drawn or not."""
    state = GameState.of(BOARD, taboo=[(0, 2, 4)])
    for drawing in (svg(state), svg(state, moves=classify_moves(BOARD))):
        root = tree(drawing)
        (cross,) = having(root, "cross")
        cell = next(one for one in root.iter() if cross in list(one))
        before = list(cell)[list(cell).index(cross) - 1]
        assert (before.get("class"), before.text) == ("bomb", "4")
    assert len(texts(tree(svg(state)), "bomb")) == 1


def test_heat_counts_bombs():
    """With heat, empty cells show how many bombs they have on a shade for that number, and no candidates."""
    found = classify_moves(BOARD)
    root = tree(svg(found, heat=True))
    assert texts(root, "safe") == texts(root, "bomb") == []
    every = found.counts("bomb").ravel().tolist()
    counts = [every[cell] for cell in BOARD.empty_cells()]
    assert list(map(int, texts(root, "count"))) == counts
    levels = (0, 1, 2)
    assert [len(having(root, "ground", f"heat{level}")) for level in levels] == [
        counts.count(level) for level in levels
    ]
    assert texts(tree(svg(classify_moves(BOARD, "rule"), heat=True)), "count")[0].partition("?")[2]


def test_heat_needs_a_map():
    """A board without a move map has no heat, and a map of another board is refused."""
    with pytest.raises(OptionError, match="expected a move map to draw the heat of; found none"):
        svg(BOARD, heat=True)
    with pytest.raises(SudokuError, match="expected the move map of the board that is drawn"):
        svg(Board.empty(2, 2), moves=classify_moves(BOARD))


def test_plain_candidates():
    """Without a map, the values that no peer holds can be drawn without a verdict."""
    root = tree(svg(BOARD, candidates=True))
    assert len(texts(root, "unknown")) == len(classify_moves(BOARD).legal)
    assert texts(root, "caption") == []


def test_kinds_and_counts_agree():
    """The verdict on a candidate, the counts and the heat come from the same masks."""
    random = Random(1)
    safe = [random.getrandbits(4) for _ in range(16)]
    bombs = [random.getrandbits(4) & ~mask for mask in safe]
    shown = ShownCandidates(safe, bombs, [0] * 16)
    kinds = [shown.kind(cell, value) for cell in range(16) for value in range(1, 5)]
    assert (kinds.count("safe"), kinds.count("bomb")) == (shown.count("safe"), shown.count("bomb"))
    assert sum(Heat.of(shown).bombs) == shown.count("bomb")
