"""The layer of the board: borders between blocks of any form, extra regions, and numbered rows and columns."""

import pytest

from csp_sudoku import Board, Geometry
from csp_sudoku.drawing import board_layer, svg
from csp_sudoku.drawing.layout import Layout
from tests.drawing.support import having, segments, texts, tree

JIGSAW = Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])


def unit_sides(layout, data):
    """The sides of cells that a path covers, as pairs (column, row) of their ends."""
    found = set()
    for x, y, end_x, end_y in segments(data):
        begin = (round((x - layout.left) / layout.cell), round((y - layout.left) / layout.cell))
        end = (round((end_x - layout.left) / layout.cell), round((end_y - layout.left) / layout.cell))
        count = max(end[0] - begin[0], end[1] - begin[1])
        step = ((end[0] - begin[0]) // count, (end[1] - begin[1]) // count)
        for at in range(count):
            one = (begin[0] + at * step[0], begin[1] + at * step[1])
            found.add((one, (one[0] + step[0], one[1] + step[1])))
    return found


@pytest.mark.parametrize("geometry", [Geometry.standard(2, 3), JIGSAW, Geometry.diagonal(2, 2)], ids=str)
def test_thick_lines_are_the_borders_of_blocks(geometry):
    """The sides between two blocks and the frame are thick, all other sides are thin, and none is missing."""
    drawing = tree(svg(Board(geometry, [0] * geometry.cell_count)))
    layout, size = Layout.of(geometry), geometry.size
    thick, thin = (unit_sides(layout, having(drawing, kind)[0].get("d")) for kind in ("thick", "thin"))
    assert thick.isdisjoint(thin)
    assert len(thick | thin) == 2 * size * (size + 1)
    for row in range(size):
        for column in range(size - 1):
            differ = geometry.block_of[row * size + column] != geometry.block_of[row * size + column + 1]
            assert (((column + 1, row), (column + 1, row + 1)) in thick) == differ
            differ = geometry.block_of[column * size + row] != geometry.block_of[(column + 1) * size + row]
            assert (((row, column + 1), (row + 1, column + 1)) in thick) == differ


def test_extra_regions_are_drawn():
    """Each diagonal is a line from corner to corner; an extra region of neighbours has an outline."""
    diagonals = having(tree(svg(Board(Geometry.diagonal(2, 2), [0] * 16))), "extra")
    assert [one.get("d").count("L") for one in diagonals] == [3, 3]
    assert not any("z" in one.get("d") for one in diagonals)
    base = Geometry.standard(2, 2)
    extra = Geometry(2, 2, base.blocks, [(5, 6, 9, 10)], name="centre")
    (outline,) = having(tree(svg(Board(extra, [0] * 16))), "extra")
    assert outline.get("d").count("z") == 1


def test_coordinates_count_from_one():
    """The numbers of rows and columns are in the margin, and may be omitted."""
    board = Board.empty(2, 3)
    assert sorted(texts(tree(svg(board)), "margin")) == sorted([*"123456"] * 2)
    assert texts(tree(svg(board, coordinates=False)), "margin") == []


def test_values_are_numbers():
    """A value above 9 is drawn as a number, as in the names of moves."""
    board = Board.empty(4, 4).place(0, 0, 16)
    assert texts(tree(svg(board)), "value") == ["16"]


def test_runs():
    """Successive borders are one line."""
    assert list(board_layer.runs_of([False, True, True])) == [(1, 3)]
    assert list(board_layer.runs_of([])) == []
