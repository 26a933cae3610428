"""The marks of variants: each by itself, at its place, below or above the values."""

import pytest

from csp_sudoku import Board, OptionError, SudokuError
from csp_sudoku.constraints.shapes import (
    Angle,
    ArrowMark,
    CageMark,
    DiagonalMark,
    DotMark,
    Label,
    LineMark,
    NoteMark,
    Outside,
    Ring,
    Shade,
)
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.geometry import Geometry
from tests.drawing.support import having, texts, tree

BOARD = Board.parse("1... ..2. .3.. ...4")
LAYOUT = Layout.of(Geometry.standard(2, 2))
MARKS = [
    Shade((0, 1)), CageMark((0, 1, 4), "10"), LineMark((0, 5, 10)), ArrowMark((0, 1, 2)), DotMark((0, 1)), Ring((3,)),
    Label((2, 3), "X"), Outside(2, -1, "7"), NoteMark((3,), "1 2"), Angle((0, 4)), DiagonalMark(falling=True),
    Ring((0,), "diamond", is_hollow=True), Ring((0,), "square"), Outside(-1, -1, "9", (1, 1)),
    DotMark((0, 1, 4, 5), text="1 2\n3"),
]  # fmt: skip


def drawn(*marks):
    """A drawing with these marks."""
    return tree(svg(BOARD, marks=marks))


def places(root):
    """The classes of the elements of a drawing, in the order in which they are drawn."""
    return [one.get("class") for one in root.iter() if one.get("class")]


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_a_mark_is_drawn(mark):
    """Each mark adds elements, below the values or above them, as it says."""
    root = drawn(mark)
    added = [name for name in places(root) if name not in places(drawn())]
    assert added
    order = places(root)
    value = order.index("value given")
    assert all((order.index(name) < value) == mark.is_below for name in added)


def test_a_cage_surrounds_its_cells():
    """The outline of a cage is that of its cells, and the label is in its first one."""
    root = drawn(CageMark((5, 0, 1), "15"))
    (outline,) = having(root, "cage")
    assert outline.get("d") == LAYOUT.outline((0, 1, 5), 0.08)
    (label,) = having(root, "label")
    x, y = LAYOUT.corner(0)
    assert x < float(label.get("x")) < x + LAYOUT.cell / 2
    assert y < float(label.get("y")) < y + LAYOUT.cell / 2
    assert having(drawn(CageMark((0, 1))), "label") == []


def test_a_line_goes_through_its_cells():
    """A line has its width and tone; a thermometer has a bulb; a closed line ends where it began."""
    (line,) = having(drawn(LineMark((0, 1, 6), "green", width=0.5)), "line", "green")
    assert line.get("d") == LAYOUT.through((0, 1, 6))
    assert float(line.get("stroke-width")) == 0.5 * LAYOUT.cell
    (bulb,) = having(drawn(LineMark((0, 1), bulb=0.3)), "shade", tag="circle")
    assert (float(bulb.get("cx")), float(bulb.get("cy"))) == LAYOUT.centre(0)
    assert having(drawn(LineMark((0, 1, 5), is_closed=True)), "line")[0].get("d").endswith("z")


def test_an_arrow_begins_at_the_border_of_its_circle():
    """The shaft leaves the circle and ends with a head in the last cell; a pill spans several cells."""
    pill, shaft = having(drawn(ArrowMark((0, 1, 2))), "arrow")
    x, y = LAYOUT.centre(0)
    assert shaft.get("d").startswith(f"M{x + 0.36 * LAYOUT.cell:g} {y:g}L")
    assert float(pill.get("width")) == float(pill.get("height"))
    pill, _ = having(drawn(ArrowMark((1, 5), circle=(0, 1))), "arrow")
    assert float(pill.get("width")) == float(pill.get("height")) + LAYOUT.cell
    assert len(having(drawn(ArrowMark((0,))), "arrow")) == 1


@pytest.mark.parametrize("cells", [(0,), (0, 1), (0, 4), (0, 1, 4, 5)], ids=str)
def test_a_dot_stands_between_its_cells(cells):
    """In one cell it is at the centre, of two cells at their border, and of four at their corner."""
    (dot,) = having(drawn(DotMark(cells)), "hollow")
    assert (float(dot.get("cx")), float(dot.get("cy"))) == LAYOUT.middle(cells)
    assert having(drawn(DotMark(cells, is_filled=True)), "solid")


def test_texts_of_marks_are_escaped():
    """Whatever a label says is shown, and is no element."""
    root = drawn(Label((0, 1), "<b>"), Outside(-1, 0, "a&b"), DotMark((4,), text="<"))
    assert texts(root, "label") == ["<b>"]
    assert texts(root, "clue") == ["a&b"]
    assert texts(root, "in-white") == ["<"]


@pytest.mark.parametrize("place", [(3, -1), (-1, 3), (3, 4), (4, 3), (-1, -1), (4, 4)], ids=str)
def test_a_clue_is_outside_the_board(place):
    """A clue is in the margin of its row, column or corner, which is wider then."""
    root = drawn(Outside(*place, "12"))
    layout = Layout.of(BOARD.geometry, lanes=1)
    assert float(root.get("width")) == layout.width > LAYOUT.width
    (clue,) = having(root, "clue")
    x, y = float(clue.get("x")), float(clue.get("y"))
    for at, drawn_at in zip(place, (y, x), strict=True):
        assert (layout.left < drawn_at < layout.left + layout.side) == (0 <= at < 4)
    assert 0 < x < layout.width
    assert 0 < y < layout.width


def test_clues_at_one_place_stand_beside_each_other():
    """Of two clues at the same place, the second one is farther from the board, which has more room then."""
    rules = [CONSTRAINTS["sandwich"]([0, 1, 2, 3], 5), CONSTRAINTS["x-sum"]([0, 1, 2, 3], 6)]
    root = tree(svg(Board(BOARD.geometry.with_constraints(*rules), BOARD.values)))
    near, far = having(root, "clue")
    assert float(far.get("x")) < float(near.get("x"))
    assert near.get("y") == far.get("y")


def test_constraints_of_a_geometry_are_drawn():
    """Each constraint has its marks drawn by default, and is explained below the board."""
    geometry = BOARD.geometry.with_constraints(
        CONSTRAINTS["thermometer"]([0, 1, 2, 3]), CONSTRAINTS["anti-knight"](), CONSTRAINTS["whispers"]([4, 8])
    )
    root = tree(svg(Board(geometry, [0] * 16), marks=[Label((0,), "x")]))
    assert [one.get("d") for one in having(root, "line")] == [LAYOUT.through((0, 1, 2, 3)), LAYOUT.through((4, 8))]
    assert texts(root, "label") == ["x"]
    told = " ".join(texts(root, "caption"))
    assert "thermometer (a thermometer): the values grow along r1c1 r1c2 r1c3 r1c4" in told
    assert "anti-knight: cells a knight's move apart differ" in told
    assert "whispers (a green line)" in told
    assert having(drawn(), "line") == []


@pytest.mark.parametrize(
    ("mark", "error", "message"),
    [
        (CageMark((0, 16)), SudokuError, r"cells 0 \(r1c1\) to 15 \(r4c4\); found cell 16"),
        (CageMark(()), SudokuError, "at least one cell of a CageMark; found none"),
        (LineMark((0, 1), "mauve"), OptionError, "a tone of marks among grey, green, .*; found 'mauve'"),
        (Ring((0,), "star"), OptionError, "a form among circle, square, diamond; found 'star'"),
        (Angle((0,)), SudokuError, r"two cells of an Angle; found \[0\]"),
        (Outside(1, 2, "1"), SudokuError, r"in row or column -1 or 4; found \(1, 2\)"),
        (Outside(-2, 1, "1"), SudokuError, r"in row or column -1 or 4; found \(-2, 1\)"),
    ],
    ids=str,
)
def test_bad_marks_are_refused(mark, error, message):
    """A mark off the board, or with an unknown tone or side, is one clear error."""
    with pytest.raises(error, match=message):
        svg(BOARD, marks=[mark])
