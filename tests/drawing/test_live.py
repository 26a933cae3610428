"""The drawing for a script: it has every element that a position may show, at the places of the other drawings."""

import re

from csp_sudoku import Board, classify_moves
from csp_sudoku.constraints.shapes import CageMark, DotMark, Outside
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.drawing.live import HIDDEN, LIVE_STYLE, SHOWN, live_board
from csp_sudoku.drawing.palette import RULES, style
from csp_sudoku.geometry import Geometry
from tests.drawing.support import having, texts, tree

GEOMETRY = Geometry.standard(2, 3)


def numbers(root, name):
    """The numbers of the elements with an attribute, in their order."""
    return [int(one.get(name)) for one in root.iter() if one.get(name) is not None]


def test_every_element_is_there():
    """Each cell has a ground, a value, two triangles, two brackets and a frame; candidates are there once."""
    root = tree(live_board(GEOMETRY, "a game"))
    assert numbers(root, "data-ground") == numbers(root, "data-cell") == list(range(36))
    assert numbers(root, "data-candidate") == numbers(root, "data-cross") == list(range(1, 7))
    assert numbers(root, "data-region") == list(range(18))
    for cell in having(root, "cell"):
        assert [one.get("class") for one in cell] == [
            "value", "count", "corner one", "corner two", "bracket one", "bracket two", "ring",
        ]  # fmt: skip
    assert root.find("{http://www.w3.org/2000/svg}title").text == "a game"


def test_the_places_are_those_of_a_drawing():
    """A value of the live board stands where a still drawing with candidates has it, and so does a candidate."""
    board = Board.empty(2, 3).place(2, 3, 5)
    still, live = tree(svg(classify_moves(board))), tree(live_board(GEOMETRY, ""))
    (value,) = having(still, "value")
    same = having(live, "value")[15]
    assert (value.get("x"), value.get("y")) == (same.get("x"), same.get("y"))
    layout = Layout.of(GEOMETRY, candidates=True)
    cell = having(live, "cell")[7]
    assert (float(cell.get("data-x")), float(cell.get("data-y"))) == layout.corner(7)
    places = {one.text: (one.get("x"), one.get("y")) for one in having(live, "template")[0] if one.text}
    shown = {text: place for text, place in places.items() if text in texts(still, "safe")}
    assert shown == {one.text: (one.get("x"), one.get("y")) for one in having(still, "safe") if one.text in places}


class Caged:
    """A constraint that draws a cage and a dot."""

    def marks(self, geometry):
        """The marks on any geometry."""
        return [CageMark((0, 1), "9"), DotMark((0, 1)), Outside(0, -1, "3")]


def test_the_marks_of_a_variant_are_drawn_and_let_clicks_through(monkeypatch):
    """The cage is below the values and the dot above; their groups take no clicks, and a clue outside has room."""
    monkeypatch.setattr(GEOMETRY, "constraints", (Caged(),))
    root = tree(live_board(GEOMETRY, "a game"))
    below, above = having(root, "variant")
    assert len(having(below, "cage")) == len(having(above, "hollow")) == 1
    assert ".variant{pointer-events:none}" in style()
    order = list(root.iter())
    assert order.index(below) < order.index(having(root, "cell")[0]) < order.index(above)
    assert float(root.get("width")) > Layout.of(GEOMETRY, candidates=True).width


def test_the_script_sets_classes_that_have_rules():
    """Every class of a state has a rule, and what a state shows is hidden otherwise."""
    selectors = " ".join(selector for selector, _, _ in RULES)
    assert all(f".live {one}" in LIVE_STYLE for one in (*HIDDEN, *SHOWN))
    for shown in re.findall(r"\.(corner|bracket|ring|completed)", " ".join(SHOWN)):
        assert f".{shown}" in selectors
