"""Pictures: complete documents, reproducible, with texts for readers who do not see them."""

import json
import re
import subprocess
import sys

import pytest

from csp_sudoku import Board, Geometry
from csp_sudoku.drawing import svg
from tests.cli.support import environment
from tests.drawing.support import SVG, having, texts, tree
from tests.support import VARIED_SHAPES

BOARD = Board.parse("1... ..2. .3.. ...4")


@pytest.mark.quick
def test_a_drawing_is_complete():
    """It has the role of an image, a title and a description in words, and needs nothing from elsewhere."""
    drawing = svg(BOARD)
    root = tree(drawing)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == "2×2 sudoku, 4 of 16 cells filled"
    assert root.find(f"{SVG}desc").text == "row 1: 1 . . .; row 2: . . 2 .; row 3: . 3 . .; row 4: . . . 4"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    for foreign in ("<script", "<image", "href", "url(", "@import", "@font-face", " on"):
        assert foreign not in re.sub(r"<(title|desc)>.*?</\1>", "", drawing)
    assert svg(BOARD, title="a < b & c").count("a &lt; b &amp; c") == 1


def test_the_same_board_is_the_same_text():
    """Two drawings of equal boards are equal, in this process and in another one."""
    script = "import csp_sudoku as cs, csp_sudoku.drawing as d; print(d.svg(cs.Board.parse('1... ..2. .3.. ...4')))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(PYTHONHASHSEED="7"), check=True, text=True
    )
    assert done.stdout.strip() == svg(Board.parse("1... ..2. .3.. ...4"))


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 4), (5, 5)], ids=str)
def test_boards_of_every_size(shape):
    """A board is square and small: below 16 kB empty, and no coordinate has more than two digits after the point."""
    drawing = svg(Board.empty(*shape))
    root = tree(drawing)
    assert root.get("width") == root.get("height")
    assert len(drawing) < 16_000
    assert re.findall(r"\d\.\d{3}", re.sub(r"<style>.*?</style>", "", drawing)) == []


@pytest.mark.slow
@pytest.mark.parametrize("shape", VARIED_SHAPES, ids=str)
def test_boards_of_varied_shapes(shape):
    """Flat, high and square blocks of every size can be drawn, with all of their candidates."""
    size = shape[0] * shape[1]
    root = tree(svg(Board.empty(*shape), candidates=True))
    assert len(texts(root, "unknown")) == size**3


def test_variants_are_drawn():
    """A jigsaw and a board with diagonals need nothing else."""
    for geometry in (Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]), Geometry.diagonal(3, 3)):
        board = Board(geometry, [0] * geometry.cell_count)
        root = tree(svg(board))
        assert geometry.name in root.find(f"{SVG}title").text
        assert having(root, "thick")


def test_a_drawing_is_light():
    """To draw a board loads neither numpy nor a compiler."""
    script = "import json, sys, csp_sudoku as cs; cs.Board.empty(3, 3)._repr_svg_(); print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), check=True, text=True)
    assert {"numpy", "numba", "ortools", "matplotlib", "rich", "click"}.isdisjoint(json.loads(done.stdout))


def test_captions_are_below_the_board():
    """A caption makes the drawing higher and is part of the description."""
    root = tree(svg(BOARD, caption="one <two>"))
    assert texts(root, "caption") == ["one <two>"]
    assert float(root.get("height")) > float(root.get("width"))
    assert root.find(f"{SVG}desc").text.endswith(". one <two>")
