"""The drawing of each kind of object."""

import pytest

from csp_sudoku import Board, SudokuError, classify_moves, explain, explain_move, solve
from csp_sudoku.constraints import Even, Killer, Odd, Whispers
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.subjects import PICTURES
from csp_sudoku.game.state import GameState
from tests.drawing.support import SVG, having, texts, tree
from tests.game.support import random_record

PUZZLE = Board.parse("1... ..2. .3.. ...4")
NONE = Board.parse("12.. ..3. .... ...4")
OPEN = Board.parse("12.. .... ...3 .4..")
OBJECTS = {
    "Board": lambda: PUZZLE,
    "MoveMap": lambda: classify_moves(PUZZLE, "naive"),
    "Result": lambda: solve(PUZZLE),
    "GameState": lambda: GameState.start(PUZZLE),
    "GameRecord": random_record,
    "Explanation": lambda: explain(NONE),
    "MoveExplanation": lambda: explain_move(OPEN, 0, 2, 4),
}


def test_every_kind_is_tested():
    """The table of kinds and the objects of these tests are the same."""
    assert {name.rpartition(".")[2] for name in PICTURES} == set(OBJECTS)


@pytest.mark.parametrize("kind", OBJECTS)
def test_every_kind_is_drawn(kind):
    """Each object has a drawing, with a title of its own."""
    root = tree(svg(OBJECTS[kind]()))
    assert having(root, "thick")
    assert root.find(f"{SVG}title").text.startswith("2×2 ")


def test_a_solution_tells_givens_from_the_rest():
    """With its puzzle, a result has bold givens and the values that were found; without it, all look alike."""
    root = tree(svg(solve(PUZZLE), puzzle=PUZZLE))
    assert (len(texts(root, "value", "given")), len(texts(root, "value", "filled"))) == (4, 12)
    assert len(having(root, "ground", "given")) == 4
    assert "solved by auto" in " ".join(texts(root, "caption"))


def test_a_result_without_a_solution():
    """Without its puzzle there is nothing to draw; with it, the puzzle and the verdict are drawn."""
    result = solve(NONE)
    with pytest.raises(SudokuError, match="expected a result with a solution to draw; found <Result unsolvable"):
        svg(result)
    root = tree(svg(result, puzzle=NONE))
    assert len(texts(root, "value")) == 4
    assert "unsolvable" in " ".join(texts(root, "caption"))


def test_an_explanation_shows_its_givens():
    """The givens that clash are tinted; with the puzzle, a dot stands for each other given."""
    explanation = explain(NONE)
    root = tree(svg(explanation, puzzle=NONE))
    assert len(having(root, "ground", "part")) == 3
    assert sorted(texts(root, "value")) == ["1", "2", "3", "·"]
    assert "row 1 has no place for 3" in " ".join(texts(root, "caption"))
    assert sorted(texts(tree(svg(explanation)), "value")) == ["1", "2", "3"]


def test_an_explanation_shows_its_rules():
    """Of the rules of a board, those that clash are drawn, and the others are not."""
    rules = Killer([0, 1], 3), Whispers([8, 12], 2), Odd(0), Even(0)
    board = Board(PUZZLE.geometry.with_constraints(*rules), bytes(16))
    explanation = explain(board)
    assert [rule.name for rule in explanation.constraints] == ["odd", "even"]
    root = tree(svg(explanation, puzzle=board))
    assert len(having(root, "shade")) == 2
    assert having(root, "cage") == having(root, "line") == []
    assert having(tree(svg(board)), "cage")


@pytest.mark.parametrize(
    ("move", "values", "said"),
    [((0, 2, 4), 3, "is a bomb"), ((0, 2, 3), 16, "is safe"), ((0, 2, 1), 4, "is illegal"), ((0, 0, 1), 4, "no move")],
    ids=str,
)
def test_explained_moves(move, values, said):
    """A bomb has the givens that refute it, a safe move a completion, and an illegal one the peer in its way."""
    root = tree(svg(explain_move(OPEN, *move)))
    assert len([text for text in texts(root, "value") if text != "·"]) == values
    assert said in " ".join(texts(root, "caption"))
    assert len(having(root, "ring")) == 1


def test_other_objects_are_refused():
    """An object that cannot be drawn is reported, with the objects that can."""
    with pytest.raises(SudokuError, match=r"expected an object to draw among Board, MoveMap, .*; found dict"):
        svg({})


def test_subclasses_are_drawn():
    """An object of a class derived from one of ours is drawn as well."""

    class Mine(Board):
        __slots__ = ()

    assert svg(Mine((2, 2), PUZZLE.cells)) == svg(PUZZLE)
