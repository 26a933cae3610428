"""Notebooks: our values show themselves as drawings, in IPython's protocol and in a notebook that is executed."""

import json

import pytest

from csp_sudoku import Board, classify_moves, explain, explain_move, solve
from csp_sudoku.game.state import GameState
from tests.drawing.support import tree
from tests.game.support import random_record

BOARD = Board.parse("12.. .... ...3 .4..")
DRAWN = {
    "Board": lambda: BOARD,
    "MoveMap": lambda: classify_moves(BOARD),
    "Result": lambda: solve(BOARD),
    "GameState": lambda: GameState.start(BOARD, "rows"),
    "Explanation": lambda: explain(Board.parse("12.. ..3. .... ...4")),
    "MoveExplanation": lambda: explain_move(BOARD, 0, 2, 4),
}


@pytest.mark.parametrize("kind", DRAWN)
def test_values_draw_themselves(kind):
    """IPython asks for an SVG, and gets one."""
    value = DRAWN[kind]()
    assert type(value).__name__ == kind
    tree(value._repr_svg_())


def test_a_result_without_a_solution_shows_its_text():
    """If there is nothing to draw, the method returns None, and a notebook shows the repr."""
    assert solve(Board.parse("12.. ..3. .... ...."))._repr_svg_() is None


def test_a_record_is_a_page():
    """A record shows a frame in which a reader steps through the game."""
    assert random_record(seed=1)._repr_html_().startswith("<iframe srcdoc=")


SOURCES = [
    "import csp_sudoku as cs\nboard = cs.Board.parse('12.. .... ...3 .4..')\nboard",
    "cs.classify_moves(board)",
    "cs.solve(board)",
    "cs.explain('12.. ..3. .... ...4')",
    "from csp_sudoku.game.state import GameState\nstate, _ = GameState.start(board).play((0, 2, 3))\nstate",
    f"from csp_sudoku.game.reading import parse_record\nparse_record({random_record(seed=1).to_json()!r})",
]


@pytest.mark.slow
@pytest.mark.browser
def test_a_notebook_shows_our_values(tmp_path):
    """Each cell of an executed notebook has a drawing, and the record has a page."""
    nbformat = pytest.importorskip("nbformat", reason="the extra [notebook] is not installed")
    nbclient = pytest.importorskip("nbclient", reason="the extra [notebook] is not installed")
    pytest.importorskip("ipykernel", reason="the extra [notebook] is not installed")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in SOURCES])
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(tmp_path))
    shown = [output["data"] for cell in notebook.cells for output in cell["outputs"] if "data" in output]
    assert len(shown) == len(SOURCES)
    for data in shown[:-1]:
        tree(data["image/svg+xml"])
    assert "<iframe srcdoc=" in shown[-1]["text/html"]
    json.dumps(notebook)
