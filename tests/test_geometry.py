"""Geometries: regions and peers by definition, the constraint graph, variants, shapes."""

import pickle
import re
from functools import cache
from unittest.mock import ANY

import networkx
import numpy as np
import pytest

from csp_sudoku import Board
from csp_sudoku import geometry as geometry_module
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.marks import Odd
from csp_sudoku.errors import ShapeError
from csp_sudoku.geometry import MAX_SIZE, Geometry, default_shape, is_shape
from tests.support import SHAPES

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_regions_are_rows_columns_and_blocks(m, n):
    """Two cells are peers exactly if they share a row, a column or a block of m rows and n columns."""
    geometry = Geometry.standard(m, n)
    size = m * n
    assert len(geometry.regions) == 3 * size
    for cell in range(0, size * size, 7):
        row, column = divmod(cell, size)
        peers = {
            r * size + c
            for r in range(size)
            for c in range(size)
            if r == row or c == column or (r // m == row // m and c // n == column // n)
        } - {cell}
        assert set(geometry.peers[cell]) == peers
        assert all(cell in geometry.regions[region] for region in geometry.regions_of[cell])


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_graph_of_square_shapes_is_networkx_sudoku_graph(n):
    """The constraint graph of a square shape has the edges of networkx.sudoku_graph."""
    ours, theirs = Geometry.standard(n, n).graph(), networkx.sudoku_graph(n)
    assert {frozenset(edge) for edge in ours.edges} == {frozenset(edge) for edge in theirs.edges}
    assert set(ours.nodes) == set(theirs.nodes)


def test_degrees_are_numbers_of_peers():
    """The degree of a cell in the constraint graph is its number of peers, as the degree heuristics use it."""
    for m, n in SHAPES:
        geometry = Geometry.standard(m, n)
        graph = geometry.graph()
        assert [graph.degree[cell] for cell in range(geometry.cell_count)] == [len(peers) for peers in geometry.peers]


def test_shapes_are_all_and_only_those_up_to_25():
    """Every m×n with 2 ≤ m, n and m·n ≤ 25 is a shape, and nothing else is."""
    assert set(SHAPES) == {(m, n) for m in range(30) for n in range(30) if m >= 2 and n >= 2 and m * n <= 25}
    for m, n in [(1, 9), (9, 1), (7, 7), (0, 0), (-3, -3), (13, 2), (5, 6)]:
        assert not is_shape(m, n)
        with pytest.raises(ShapeError, match="expected blocks of m rows"):
            Geometry.standard(m, n)


def test_default_shape_is_the_squarest():
    """A bare size is read as the squarest shape, wider than high; sizes without a shape are errors."""
    for size in range(-1, 30):
        fitting = [(m, n) for m, n in SHAPES if m * n == size and m <= n]
        if fitting:
            assert default_shape(size) == max(fitting)
        else:
            with pytest.raises(ShapeError, match="expected a board size among 4, 6, 8, 9"):
                default_shape(size)


def test_geometries_travel_and_compare():
    """A geometry that was pickled is equal; plain shapes stay one object; variants differ from plain shapes."""
    plain = Geometry.standard(3, 3)
    diagonal = Geometry.diagonal(3, 3)
    jigsaw = Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])
    assert pickle.loads(pickle.dumps(plain)) is plain
    for variant in (diagonal, jigsaw):
        again = pickle.loads(pickle.dumps(variant))
        assert again == variant
        assert hash(again) == hash(variant)
        assert again.is_standard is False
    assert plain != diagonal
    assert plain.is_standard


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_plain_shapes_are_standard_and_stay_one_object(m, n):
    """Whatever the shape, the plain geometry says that it is standard, has its name, and is pickled as itself."""
    geometry = Geometry.standard(m, n)
    assert geometry.is_standard
    assert (geometry.m, geometry.n, geometry.name) == (m, n, f"{m}x{n}")
    assert pickle.loads(pickle.dumps(geometry)) is geometry


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_the_diagonals_go_from_corner_to_corner(m, n):
    """The two regions that the diagonal variant adds are the squares (i, i), and the squares (i, N - 1 - i)."""
    geometry, size = Geometry.diagonal(m, n), m * n
    falling, rising = ([geometry.row_column(cell) for cell in region] for region in geometry.regions[3 * size :])
    assert falling == [(i, i) for i in range(size)]
    assert rising == [(i, size - 1 - i) for i in range(size)]
    assert geometry.regions[: 3 * size] == Geometry.standard(m, n).regions


@pytest.mark.parametrize("size", [2, 4, 25])
def test_a_jigsaw_has_the_pieces_of_its_layout(size):
    """The cells of one label are a block, for sizes from 2 to 25."""
    layout = [[(row + column) % size for column in range(size)] for row in range(size)]
    geometry = Geometry.irregular(layout)
    pieces = [geometry.block_of[row * size + column] for row in range(size) for column in range(size)]
    assert pieces == [label for row in layout for label in row]
    assert (geometry.size, geometry.is_standard) == (size, False)


def test_a_geometry_shows_its_name():
    """A geometry is shown by its name, which distinguishes variants from the shape, and which a caller may choose."""
    made = [Geometry.standard(2, 3), Geometry.diagonal(2, 3), Geometry.irregular(["ab", "ab"])]
    made += [Geometry(2, 2, Geometry.standard(2, 2).blocks, name="windows")]
    assert list(map(repr, made)) == [f"<Geometry {name}>" for name in ("2x3", "2x3 diagonal", "irregular 2", "windows")]


def test_regions_have_names_that_count_from_one():
    """Rows, columns, blocks and then whatever a variant adds, though it be more regions than there are rows."""
    plain = Geometry.standard(2, 2)
    many = Geometry(2, 2, plain.blocks, plain.blocks + plain.blocks[:1])
    kinds = ["row", "column", "block", "extra region"]
    expected = [f"{kind} {number}" for kind in kinds for number in (1, 2, 3, 4)] + ["extra region 5"]
    assert [many.region_name(region) for region in range(17)] == expected


def test_geometries_with_one_hash_may_differ(monkeypatch):
    """A hash says that two geometries may be equal; their regions say whether they are."""
    plain, variant = Geometry.standard(2, 2), Geometry.diagonal(2, 2)
    monkeypatch.setattr(variant, "_hash", hash(plain))
    assert hash(plain) == hash(variant)
    assert plain != variant


def test_a_geometry_is_not_equal_to_what_is_no_geometry():
    """The other side of a comparison decides about other types, as Python has it."""
    plain = Geometry.standard(2, 2)
    assert (plain == 7) is False
    assert plain == ANY
    assert plain != Geometry.standard(2, 3)
    assert plain != Geometry(1, 4, plain.blocks)


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (["ab", "ab", "ab"], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [2, 2, 2]"),
        (["aab", "abb", "ccc", "ccc"], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [3, 3, 3, 3]"),
        (["abc", "abc"], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [3, 3]"),
        (["ab"], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [2]"),
        (["a"], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [1]"),
        ([], "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of []"),
        (["a" * 26] * 26, "expected N rows of N labels, 2 ≤ N ≤ 25; found rows of [26, 26,"),
        (["aaaa", "aabb", "bbcc", "ccdd"], "expected 4 pieces of 4 cells; found pieces of [2, 4, 4, 6]"),
        (["ab", "cd"], "expected 2 pieces of 2 cells; found pieces of [1, 1, 1, 1]"),
        (["aa", "aa"], "expected 2 pieces of 2 cells; found pieces of [4]"),
    ],
)
def test_irregular_layouts_are_checked(layout, message):
    """A jigsaw of the wrong outline, or with pieces of other than N cells, is an error that says which."""
    with pytest.raises(ShapeError, match=re.escape(message)):
        Geometry.irregular(layout)


def test_geometry_of_wrong_regions_is_an_error():
    """Regions must have N different cells of the board, and blocks must cover it."""
    blocks = Geometry.standard(2, 2).blocks
    for region in ((0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 3, 4), (-1, 0, 1, 2), (0, 1, 2, 16), (0, 1, 2, 17)):
        with pytest.raises(ShapeError, match="expected 4 different cells in extra region 1; found"):
            Geometry(2, 2, blocks, [region])
    off = [(10, 11, 14, cell) for cell in (-1, 16, 99)]
    for wrong in (
        blocks[:3],
        [tuple(range(16))],
        (*blocks, blocks[0]),
        *[(*blocks[:3], block) for block in (blocks[0], *off)],
    ):
        with pytest.raises(ShapeError, match=f"expected 4 blocks that cover every cell once; found {len(wrong)}"):
            Geometry(2, 2, wrong)
    assert MAX_SIZE == 25


@pytest.mark.parametrize("shape", [(6, 6), (0, 0), (0, 4), (26, 1)])
def test_geometries_have_a_size(shape):
    """From 1 to 25 values."""
    with pytest.raises(ShapeError, match=r"1 ≤ m·n ≤ 25"):
        Geometry(*shape, [])


@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_numbers_of_numpy_make_plain_geometries(kind, monkeypatch):
    """All callers share a shape, whatever integers the first one used, and its numbers are Python's."""
    monkeypatch.setattr(geometry_module, "_standard", cache(geometry_module._standard.__wrapped__))
    for make in (Geometry.standard, Geometry.diagonal):
        geometry = make(kind(5), kind(5))
        numbers = [geometry.m, geometry.n, geometry.size, *geometry.row_column(624), *geometry.regions[-1]]
        assert {type(number) for number in numbers} == {int}
    assert Geometry.standard(5, 5) is Geometry.standard(kind(5), kind(5))


def test_geometries_carry_constraints():
    """Constraints are part of equality, hash and pickle, and the plain geometry is kept."""
    plain, killer, odd = Geometry.standard(2, 2), Killer([0, 1], 3), Odd(5)
    made = plain.with_constraints(killer).with_constraints(odd)
    assert made.constraints == (killer, odd)
    assert made == plain.with_constraints(killer, odd)
    assert hash(made) == hash(plain.with_constraints(killer, odd))
    assert made != plain
    assert plain != made
    assert made != plain.with_constraints(odd, killer)
    assert made == Geometry(2, 2, plain.blocks, constraints=[killer, odd])
    assert pickle.loads(pickle.dumps(made)) == made
    assert made.plain is plain
    assert plain.plain is plain
    assert plain.constraints == ()
    assert not made.is_standard
    assert plain.with_constraints() is plain
    assert repr(made) == "<Geometry 2x2 with 2 constraints>"
    assert made.peers is plain.peers
    board = Board(made, [1, 2, *[0] * 14])
    assert pickle.loads(pickle.dumps(board)) == board
    assert board != Board(plain, board.cells)
    assert made.violated([4] * 16) == killer
    assert made.violated([1, 2, 3, 4, 4, 3]) is None


def test_boards_without_blocks():
    """Latin squares have rows and columns, and their extra regions are named as such."""
    latin = Geometry.latin(5)
    assert (latin.size, latin.m, latin.n, latin.blocks, len(latin.regions)) == (5, 1, 5, (), 10)
    assert latin.region_name(9) == "column 5"
    assert set(latin.block_of) == {0}
    assert len(latin.peers[0]) == 8
    assert not latin.is_standard
    assert pickle.loads(pickle.dumps(latin)) == latin
    extra = Geometry(1, 5, (), [latin.regions[0]])
    assert extra.region_name(10) == "extra region 1"
    assert extra.extra == (latin.regions[0],)
    assert extra != latin
    blocks = Geometry(1, 5, latin.regions[:5])
    assert blocks != Geometry(1, 5, (), latin.regions[:5])
    with pytest.raises(ShapeError, match=r"1 ≤ m·n ≤ 25"):
        Geometry.latin(26)
