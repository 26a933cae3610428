"""Properties of the text forms: everything comes back, and nothing but a SudokuError comes out of bad bytes."""

from io import BytesIO
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_sudoku import NotationError, notation
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation import FORMATS, Grid
from tests.support import SHAPES, planted

formats = st.sampled_from(list(FORMATS))


@st.composite
def grids(draw, shapes=SHAPES):
    """Boards without clashes of every shape, from empty to full."""
    m, n = draw(st.sampled_from(shapes))
    seed, share = draw(st.integers(0, 2**32)), draw(st.sampled_from([0, 0.1, 0.5, 0.8, 0.97, 1]))
    return Grid(m, n, planted(m, n, Random(seed), share)[0].values)


def is_clean(grid):
    """Whether a grid is as readers promise: a shape, values in range, no clash."""
    geometry = Geometry.standard(grid.m, grid.n)
    return (
        len(grid.values) == geometry.cell_count
        and max(grid.values) <= geometry.size
        and not geometry.clash(grid.values)
    )


def check_outcome(text, format, zero_based, shape=None):
    """Some bytes give clean boards, or an error that is one bounded line about a place in the text."""
    try:
        found = list(notation.read(BytesIO(text), format, zero_based=zero_based, shape=shape))
    except NotationError as caught:
        error = caught
    else:
        assert found
        assert all(map(is_clean, found))
        return
    message = str(error)
    assert "\n" not in message
    assert len(message) < 400
    assert error.line is None or 1 <= error.line <= text.count(b"\n") + text.count(b"\r") + 2
    assert error.column is None or 1 <= error.column <= len(text) + 1


@given(grids(), formats, st.booleans(), st.booleans())
@settings(deadline=None)
def test_parse_undoes_format(grid, format, zero_based, forced):
    """parse(format(b)) == b, for every shape and notation, both ways of counting, named or recognised."""
    text = notation.format_grid(grid, format, zero_based=zero_based)
    assert notation.parse(text, format if forced else None, zero_based=zero_based) == grid


@given(st.lists(grids(), min_size=1, max_size=6), formats, st.booleans(), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(deadline=None)
def test_read_undoes_write(many, format, zero_based, end):
    """Boards of any shapes, one after the other, come back in order, whatever ends the lines."""
    text = end.join(notation.write(many, format, zero_based=zero_based))
    assert list(notation.read(BytesIO(text.encode()), format, zero_based=zero_based)) == many
    assert list(notation.read(BytesIO(text.encode()), zero_based=zero_based)) == many


@given(grids(), st.sampled_from(["line", "values", "grid", "tue"]), st.data())
@settings(deadline=None)
def test_blanks_and_marks_do_not_matter(grid, format, data):
    """Another mark for the empty cells, more blanks, comments and blank lines around: the board is the same."""
    text = notation.format_grid(grid, format).replace(".", data.draw(st.sampled_from("._*")))
    for blank in data.draw(st.lists(st.sampled_from([" ", "\t", "  "]), max_size=3)):
        text = text.replace(" ", f" {blank}")
    lines = text.split("\n")
    lines[-1] += data.draw(st.sampled_from(["", "  ", " # comment", "\t#"]))
    around = data.draw(st.lists(st.sampled_from(["", " ", "# comment", "  # 1 2 3"]), max_size=4))
    assert notation.parse("\n".join([*around, *lines, *around]), format) == grid


@given(st.binary(max_size=300), st.none() | formats, st.booleans())
@settings(deadline=None)
def test_no_bytes_but_an_answer_or_an_error(junk, format, zero_based):
    """Whatever the bytes, the answer is a clean board or a NotationError."""
    check_outcome(junk, format, zero_based)


CHARACTERS = "0123456789abcpqAP._*,|+-=#: []{}\"'xX×\\\n\r\t\ufeff│─é１"
WORDS = [
    "1 2",
    "2 2\n",
    "3x2:",
    "rows = 2\n",
    "board =\n ",
    "quiz\n",
    '{"board": ',
    "[[",
    "]]",
    "\n\n",
    "null",
    "NaN",
    "1e9",
]
LINES = ["." * 16, "." * 36, "0 " * 16, "0," * 16, "true", "-1"]
PIECES = st.sampled_from([*CHARACTERS, *WORDS, *LINES])


@given(st.lists(PIECES, max_size=40), st.none() | formats, st.booleans(), st.none() | st.sampled_from(SHAPES[:5]))
@settings(max_examples=300, deadline=None)
def test_no_text_of_pieces_but_an_answer_or_an_error(pieces, format, zero_based, shape):
    """The same for texts made of parts of boards."""
    check_outcome("".join(pieces).encode(), format, zero_based, shape)


@given(grids([(2, 2), (2, 3), (3, 2), (3, 3), (3, 4)]), formats, st.booleans(), st.booleans(), st.data())
@settings(max_examples=300, deadline=None)
def test_a_damaged_text_is_an_answer_or_an_error(grid, format, forced, zero_based, data):
    """The same for a text cut, doubled or mistyped anywhere, in the notation that it was."""
    text = bytearray(notation.format_grid(grid, format, zero_based=zero_based).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 5)) | st.just(len(text)))
        text[start:end] = data.draw(st.sampled_from([b"", bytes(text[start:end]) * 2]) | st.binary(max_size=3))
    check_outcome(bytes(text), format if forced else None, zero_based)


@pytest.mark.parametrize("format", FORMATS)
@given(grids([(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)]), st.data())
@settings(max_examples=30, deadline=None)
def test_a_text_cut_anywhere_is_an_error(format, grid, data):
    """No beginning of a written board is taken for a whole one of the same shape, unless only blanks are missing."""
    text = notation.format_grid(grid, format)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    shape = (grid.m, grid.n)
    try:
        grids_read = list(notation.read(BytesIO(cut.encode()), format, shape=shape))
    except NotationError:
        return
    assert grid.m * grid.n > 9  # the last number may have lost its last digit
    assert len(cut) == len(text) - 1
    assert grids_read[0].values[:-1] == grid.values[:-1]


@given(grids([(2, 2), (2, 3), (3, 2), (3, 3)]), formats, st.data())
@settings(deadline=None)
def test_a_value_that_stands_twice_is_found(grid, format, data):
    """A board with two equal values in a region is refused in every notation, at the place of the second."""
    geometry = Geometry.standard(grid.m, grid.n)
    region = data.draw(st.sampled_from(geometry.regions))
    one, other = sorted(data.draw(st.permutations(region))[:2])
    values = bytearray(len(grid.values))
    values[one] = values[other] = data.draw(st.integers(1, geometry.size))
    text = notation.format_grid(Grid(grid.m, grid.n, bytes(values)), format)
    with pytest.raises(NotationError) as caught:
        notation.parse(text, format)
    error = caught.value
    assert error.expected.startswith("each value once in ")
    marks = [index for index, character in enumerate(text) if character.isdigit() and character != "0"][-2:]
    if format in ("line", "grid", "values", "tue"):
        line, column = text.count("\n", 0, marks[-1]) + 1, marks[-1] - text.rfind("\n", 0, marks[-1])
        assert (error.line, error.column) == (line, column)


@given(grids(), st.data())
@settings(deadline=None)
def test_the_quick_clash_test_is_the_slow_one(grid, data):
    """Geometry.clash finds a clash exactly when some region holds a value twice."""
    geometry = Geometry.standard(grid.m, grid.n)
    values = bytearray(grid.values)
    for _ in range(data.draw(st.integers(0, 2))):
        values[data.draw(st.integers(0, len(values) - 1))] = data.draw(st.integers(0, geometry.size))
    held = [[values[cell] for cell in region if values[cell]] for region in geometry.regions]
    clash = geometry.clash(values)
    assert (clash is None) == all(len(set(some)) == len(some) for some in held)
    if clash is not None:
        region, one, other = clash
        assert values[one] == values[other] > 0
        assert {one, other} <= set(geometry.regions[region])
        assert one < other
