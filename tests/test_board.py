"""Boards: immutable values without clashes."""

import pickle

import networkx
import numpy as np
import pytest

from csp_sudoku import Board, Geometry, MoveError, ShapeError, SudokuError, explain_move
from csp_sudoku.board import stack
from tests.support import SHAPES, count_by_force, planted, random_of

pytestmark = pytest.mark.quick


def test_board_is_a_value():
    """Equal boards are equal and hash alike, survive pickling, and do not change when a value is placed."""
    board = Board.empty(2, 3)
    after = board.place(1, 2, 5)
    assert board == Board.empty(2, 3)
    assert board.empty_count == 36
    assert after[1, 2] == 5
    assert after != board
    assert {after: 1}[pickle.loads(pickle.dumps(after))] == 1
    assert after.extends(board)
    assert not board.extends(after)
    assert Board.empty(2, 3) != Board.empty(3, 2)
    assert board != "board"


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ((0, 0, 2), r"expected an empty cell at r1c1; found 1 in it"),
        ((0, 3, 1), r"expected a value that no peer of r1c4 holds; found 1, held at r1c1"),
        ((0, 1, 5), r"expected a value from 1 to 4 at r1c2; found 5"),
        ((0, 1, 0), r"expected a value from 1 to 4 at r1c2; found 0"),
        ((4, 0, 1), r"expected a cell from r1c1 to r4c4; found r5c1"),
        ((0, -1, 1), r"expected a cell from r1c1 to r4c4; found r1c0"),
    ],
)
def test_impossible_places_are_errors(move, message):
    """A filled cell, a value that a peer holds, and anything out of range are named in the error."""
    with pytest.raises(MoveError, match=message):
        Board.parse("1... ..2. .3.. ...4").place(*move)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([0] * 15, "expected 16 cells; found 15"),
        ([5] + [0] * 15, r"expected values from 0 \(empty\) to 4; found 5 at r1c1"),
        ([-1] + [0] * 15, r"expected values from 0 \(empty\) to 4; found -1 at r1c1"),
        ([3, 0, 0, 3] + [0] * 12, r"expected each value once in row 1; found 3 at r1c1 and at r1c4"),
    ],
)
def test_impossible_boards_are_errors(cells, message):
    """A board of the wrong length, with a value out of range, or with a clash cannot be made."""
    with pytest.raises(SudokuError, match=message):
        Board((2, 2), cells)


def test_arrays_go_in_and_out():
    """A board reads square and flat integer arrays, gives one of its rows, and refuses everything else."""
    board, _ = planted(3, 4, random_of("arrays"))
    array = np.asarray(board)
    assert array.shape == (12, 12)
    assert Board.from_array(array) == board
    assert Board.from_array(array.ravel().astype(np.uint8)) == board
    assert Board.from_array(board.rows) == board
    assert Board.from_array(np.zeros((12, 12), int), shape=(4, 3)) == Board.empty(4, 3)
    assert stack([board, board]).shape == (2, 144)
    for bad in (np.zeros((7, 7), int), np.zeros((4, 5), int), np.zeros(17, int)):
        with pytest.raises(ShapeError):
            Board.from_array(bad)
    with pytest.raises(SudokuError, match="expected an array of integers; found one of float64"):
        Board.from_array(np.zeros((4, 4)))


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_candidates_are_what_may_be_placed(m, n):
    """The candidates of a cell are exactly the values that `place` accepts there."""
    board, _ = planted(m, n, random_of("candidates", m, n))
    random = random_of("cells", m, n)
    for _ in range(20):
        row, column = random.randrange(board.size), random.randrange(board.size)
        placeable = []
        for value in range(1, board.size + 1):
            try:
                board.place(row, column, value)
            except MoveError:
                continue
            placeable.append(value)
        assert board.candidates(row, column) == tuple(placeable)


def test_graph_of_what_the_givens_leave():
    """The graph of a board is the geometry's on the empty cells, without the edges that no shared candidate makes."""
    for m, n in [(2, 2), (2, 3), (3, 3), (4, 4)]:
        board, _ = planted(m, n, random_of("graph", m, n))
        full, left = board.geometry.graph(), board.graph()
        assert set(left.nodes) == set(board.empty_cells())
        for a, b in full.edges:
            shared = set(board.candidates(*divmod(a, m * n))) & set(board.candidates(*divmod(b, m * n)))
            assert left.has_edge(a, b) == bool(shared)
    assert Board.empty(3, 3).graph().edges == Geometry.standard(3, 3).graph().edges


def test_parts_of_the_graph_are_independent():
    """The number of completions is the product over the connected parts of the graph."""
    for trial in range(30):
        board, solution = planted(2, 2, random_of("parts", trial), share=0.6)
        product = 1
        for part in networkx.connected_components(board.graph()):
            product *= count_by_force(solution.without(part))
        assert product == count_by_force(board)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32, np.int64])
def test_numbers_of_numpy_are_numbers(kind):
    """However small, they count rows and columns as Python's do."""
    board = Board.empty(5, 5).place(kind(20), kind(3), kind(7))
    assert board[20, 3] == board[kind(20), kind(3)] == 7
    assert board.cells.index(7) == 503 == board.geometry.cell(kind(20), kind(3))
    assert board.candidates(kind(20), kind(4)) == board.candidates(20, 4)
    assert explain_move(board, kind(20), kind(4), kind(7)).peer == (20, 3)


@pytest.mark.parametrize("cells", [[16], [-1], [0, 99]])
def test_cells_to_be_emptied_are_on_the_board(cells):
    """Others are an error."""
    with pytest.raises(MoveError, match="expected a cell from 0 to 15"):
        Board.empty(2, 2).without(cells)
