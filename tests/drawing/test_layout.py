"""The layout: on every shape, cells and candidates have their own places and a type that can be read."""

import pytest

from csp_sudoku.drawing.layout import CANDIDATE, Layout
from csp_sudoku.geometry import Geometry, shapes

DIGIT = 0.7
"""The width of a bold digit in the widest of the system's fonts, in parts of the size of the type."""


@pytest.mark.parametrize("shape", list(shapes()), ids=str)
def test_candidates_have_room(shape):
    """The candidates of a cell stand in a grid within it; the widest one is narrower than its place."""
    layout = Layout.of(Geometry.standard(*shape), candidates=True)
    size = layout.size
    places = [layout.candidate(value) for value in range(1, size + 1)]
    assert len(set(places)) == size
    assert all(0 < x < layout.cell and 0 < y < layout.cell for x, y in places)
    assert layout.columns * layout.lines >= size
    assert layout.room >= CANDIDATE
    assert len(str(size)) * DIGIT * layout.candidate_type < layout.room
    assert layout.candidate_type <= layout.cell / layout.lines
    assert layout.candidate_type >= 10
    assert len(str(size)) * DIGIT * layout.value_type < layout.cell


def test_cells_stand_beside_each_other():
    """Rows go down, columns to the right, and the last cell ends at the border."""
    layout = Layout.of(Geometry.standard(2, 3))
    assert layout.corner(1) == (layout.left + layout.cell, layout.left)
    assert layout.corner(6) == (layout.left, layout.left + layout.cell)
    x, y = layout.corner(35)
    assert x + layout.cell == y + layout.cell == layout.width - layout.right
    assert layout.middle((0, 1)) == (x_of(layout, 1), layout.centre(0)[1])
    assert layout.middle((0, 1, 6, 7)) == layout.corner(7)


def x_of(layout, cell):
    """The left border of a cell."""
    return layout.corner(cell)[0]


def test_captions_are_wrapped_to_the_width():
    """A long paragraph becomes lines that fit; a word without a blank is broken."""
    layout = Layout.of(Geometry.standard(2, 2))
    lines = layout.wrapped(["a word " * 20, "x" * 200])
    assert len(lines) > 6
    assert max(map(len, lines)) * 0.5 * 13 < layout.width
    assert layout.height(0) == layout.width
    assert layout.height(2) > layout.height(1) > layout.width
