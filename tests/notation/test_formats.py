"""The text forms of boards: a written text is read back, and every form is recognised."""

from io import BytesIO

import pytest

from csp_sudoku import NotationError, OptionError, ShapeError, notation
from csp_sudoku.notation import FORMATS, VARIANT_FORMATS, Grid
from csp_sudoku.notation.grid import ReadOptions
from csp_sudoku.notation.recognition import recognised
from csp_sudoku.notation.text import Text
from tests.support import SHAPES, planted, random_of

FOUR = Grid(2, 2, bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]))
LINE = "1.....2..3.....4"
SIX = Grid(3, 2, bytes([1, 0, 0, 0, 0, 6, *[0] * 30]))


def grid_of(m, n, *seed, share=0.5):
    """A random board without clashes."""
    board, _ = planted(m, n, random_of("notation", m, n, *seed), share)
    return Grid(m, n, board.values)


def recognise(text, options=None):
    """The name of the notation that a text is recognised as."""
    return recognised(Text([line.encode() for line in text.splitlines(keepends=True)]), options or ReadOptions(), "…")


@pytest.mark.parametrize("zero_based", [False, True])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_is_written_is_read_back(shape, format, zero_based):
    """Every board of every shape comes back from every notation, named or recognised, counted from one or zero."""
    grids = [grid_of(*shape, share, share=share) for share in (0, 0.2, 0.7, 0.95)]
    for grid in [*grids, Grid(*shape, bytes(len(grids[0].values)))]:
        text = notation.format_grid(grid, format, zero_based=zero_based)
        assert notation.parse(text, format, zero_based=zero_based) == grid
        assert notation.parse(text, zero_based=zero_based) == grid
        assert notation.parse(text, shape=shape, zero_based=zero_based) == grid


@pytest.mark.parametrize("zero_based", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_many_boards_are_written_and_read_as_one_stream(format, zero_based):
    """Boards of every shape follow each other in one text, which is read back in order."""
    grids = [grid_of(*shape, share=0.6) for shape in [(2, 2), (2, 2), *SHAPES, (3, 3)]]
    lines = list(notation.write(iter(grids), format, zero_based=zero_based))
    assert not any("\n" in line or line != line.rstrip() for line in lines)
    text = "".join(f"{line}\n" for line in lines).encode()
    assert list(notation.read(BytesIO(text), format, zero_based=zero_based)) == grids
    assert list(notation.read(BytesIO(text), zero_based=zero_based)) == grids


def test_the_written_forms():
    """The forms look as they are described."""
    forms = {format: notation.format_grid(FOUR, format) for format in FORMATS}
    assert forms == {
        "tue": "2 2\n1 . . .\n. . 2 .\n. 3 . .\n. . . 4",
        "properties": "rows = 2\ncolumns = 2\nboard =\n  1 . . .\n  . . 2 .\n  . 3 . .\n  . . . 4",
        "line": LINE,
        "values": "1 0 0 0 0 0 2 0 0 3 0 0 0 0 0 4",
        "grid": "1 . | . .\n. . | 2 .\n----+----\n. 3 | . .\n. . | . 4",
        "csv": f"quizzes\n{LINE}",
        "json": '{"rows": 2, "columns": 2, "board": [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]}',
    }


def test_the_written_forms_counted_from_zero():
    """Counted from zero, 0 is a value: an empty cell is a dot, and -1 in JSON."""
    assert notation.format_grid(FOUR, "line", zero_based=True) == "0.....1..2.....3"
    assert notation.format_grid(FOUR, "values", zero_based=True) == "0 . . . . . 1 . . 2 . . . . . 3"
    assert notation.format_grid(FOUR, "json", zero_based=True).endswith(
        '"board": [0, -1, -1, -1, -1, -1, 1, -1, -1, 2, -1, -1, -1, -1, -1, 3]}'
    )
    assert notation.format_grid(FOUR, "grid", zero_based=True).startswith("0 . | . .\n")


@pytest.mark.parametrize("format", ["line", "values", "csv"])
def test_the_shape_is_written_only_where_it_is_not_the_usual_one(format):
    """A bare line means the default shape of its size; any other is named in front."""
    for m, n in SHAPES:
        text = notation.format_grid(grid_of(m, n), format)
        assert text.splitlines()[-1].startswith(f"{m}x{n}:") == ((m, n) not in DEFAULT_SHAPES)


DEFAULT_SHAPES = [
    *[(2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (2, 7), (3, 5), (4, 4), (3, 6), (4, 5), (3, 7), (2, 11)],
    *[(4, 6), (5, 5)],
]


@pytest.mark.parametrize("format", FORMATS)
def test_a_written_form_is_recognised(format):
    """A text is recognised as the notation in which it was written, of every shape, with values from one or zero."""
    for shape in SHAPES:
        for share in (0, 0.3, 0.9, 1):
            for zero_based in (False, True):
                text = notation.format_grid(grid_of(*shape, share=share), format, zero_based=zero_based)
                assert recognise(text, ReadOptions(zero_based=zero_based)) == format


ROWS = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79"
NINE = ROWS.replace("\n", "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (NINE, "line"),
        (NINE.replace(".", "0"), "line"),
        (NINE.replace(".", "_"), "line"),
        (NINE.replace(".", "*") + "  # a comment", "line"),
        (f"# a comment\n\n{NINE}", "line"),
        (ROWS.replace("\n", " "), "line"),
        (" ".join(NINE), "values"),
        (ROWS, "grid"),
        ("\n".join(" ".join(row) for row in ROWS.splitlines()), "grid"),
        ("\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS.splitlines()), "grid"),
        ("\n".join(f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in ROWS.splitlines()), "grid"),
        (",".join(NINE), "values"),
        ("\n".join(",".join(row) for row in ROWS.splitlines()), "values"),
        ("[" + "\n ".join(f"[{' '.join(row)}]" for row in ROWS.replace(".", "0").splitlines()) + "]", "values"),
        ("[" + ",\n".join(f"[{', '.join(row)}]" for row in ROWS.replace(".", "0").splitlines()) + "]", "json"),
        ("3 3\n" + " ".join(NINE), "tue"),
        ("3 3 " + " ".join(NINE), "tue"),
        ("3\t3\n" + " ".join(NINE), "tue"),
        (f"id,puzzle\n1,{NINE}", "csv"),
        (f"Puzzle\n{NINE}", "csv"),
        (f"solutions,quizzes\n,{NINE}", "csv"),
        ("rows = 3\ncolumns = 3\nboard = " + " ".join(NINE), "properties"),
        ("board = " + " ".join(NINE) + "\nrows=3\ncolumns=3", "properties"),
        ('\n{"board": [' + ",".join(NINE.replace(".", "0")) + "]}", "json"),
        (f"3x3: {NINE}", "line"),
        ("3x3: " + ",".join(NINE), "values"),
    ],
)
def test_recognition(text, name):
    """The first lines show the notation, and the board is the same in all of them."""
    sought = text.lstrip("\n").removeprefix("# a comment\n\n")
    assert recognise(sought) == name
    assert notation.parse(text) == notation.parse(text, name) == notation.parse(NINE)


def test_sixteen_characters_are_a_small_board_unless_a_value_is_too_large():
    """Lines of sixteen cells are 4×4 boards if no value in sixteen of them is beyond 4, else rows of a 16×16 board."""
    rows = [LINE] * 16
    assert [grid.values for grid in notation.read(rows)] == [FOUR.values] * 16
    large = ["." * 16] * 15 + ["...............G"]
    assert recognise("\n".join(large)) == "grid"
    assert notation.parse("\n".join(large)) == Grid(4, 4, bytes(255) + b"\x10")
    assert recognise("\n".join(large[1:])) == "grid"
    assert recognise("\n".join([LINE, "", *large])) == "line"
    assert recognise("\n".join(["1... ..2. .3.. ...4"] * 3)) == "line"


def test_sixteen_numbers_are_a_small_board_unless_a_value_is_too_large():
    """The same rule holds for sixteen numbers in a line, in the notation `values` too."""
    small, large = ",".join(LINE), ",".join(["."] * 15 + ["10"])
    assert [grid.size for grid in map(Sized, notation.read([f"{small}\n"] * 16))] == [4] * 16
    assert notation.parse("\n".join([",".join("." * 16)] * 15 + [large])) == Grid(4, 4, bytes(255) + b"\x0a")
    spaced = "\n".join([" ".join("." * 16)] * 15 + [large.replace(",", " ")])
    assert recognise(spaced) == "grid"
    assert notation.parse(spaced).values == bytes(255) + b"\x0a"
    assert notation.parse(small) == FOUR


class Sized:
    """A grid with its size."""

    def __init__(self, grid):
        self.size = grid.m * grid.n


@pytest.mark.parametrize("separator", ["", " ", ","])
def test_a_given_shape_decides_what_sixteen_cells_are(separator):
    """With a shape there is nothing to guess: sixteen empty cells are a row or a board, as the shape says."""
    rows = "".join(separator.join("." * 16) + "\n" for _ in range(16))
    assert notation.parse(rows, shape=(4, 4)) == Grid(4, 4, bytes(256))
    assert len(list(notation.read([rows.encode()], shape=(2, 2)))) == 16


@pytest.mark.parametrize("format", ["line", "grid", "values", "csv", "json"])
def test_a_shape_may_be_given(format):
    """Six values mean 2×3 unless the caller says 3×2."""
    text = {
        "line": "." * 36,
        "csv": "quiz\n" + "." * 36,
        "grid": "......\n" * 6,
        "values": "0 0 0 0 0 0\n" * 6,
        "json": '{"board": [' + ",".join("0" * 36) + "]}",
    }[format]
    assert notation.parse(text, format) == Grid(2, 3, bytes(36))
    assert notation.parse(text, format, shape=(3, 2)) == Grid(3, 2, bytes(36))


@pytest.mark.parametrize("format", FORMATS)
def test_a_text_that_names_another_shape_is_an_error(format):
    """A given shape is not a guess to be overruled: a text that names another one does not fit."""
    text = notation.format_grid(SIX, format)
    with pytest.raises(NotationError, match="expected the shape 2×3 that was asked for, found 3×2"):
        notation.parse(text, format, shape=(2, 3))


def test_names_and_shapes_that_do_not_exist():
    """An unknown notation or shape is reported before anything is read."""
    with pytest.raises(OptionError, match=r"expected a format among .* found 'lines' \(did you mean 'line'\?\)"):
        notation.read([], "lines")
    with pytest.raises(OptionError, match="expected a format among"):
        notation.format_grid(FOUR, "xml")
    with pytest.raises(ShapeError, match="found 7×7"):
        notation.read([], shape=(7, 7))


@pytest.mark.parametrize(
    "text",
    [
        "1... ..2. .3.. ...4",
        "  1.....2..3.....4  ",
        "2x2:1.....2..3.....4",
        "2X2 : 1_____2**3000004",
        "2×2: 1... ..2. .3.. ...4",
        "2x2: 1 0 0 0 0 0 2 0 0 3 0 0 0 0 0 4",
        "2x2:\n1,0,0,0\n0,0,2,0\n# between\n0,3,0,0\n0,0,0,4",
        "1,0,0,0,\n0,0,2,0,\n0,3,0,0,\n0,0,0,4",
        "1;".replace(";", ",") + "0,0,0,0,0,2,0,0,3,0,0,0,0,0,4",
        "[[1 0 0 0]\n [0 0 2 0]\n [0 3 0 0]\n [0 0 0 4]]",
        "[1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]",
        "[[1, 0, 0, 0], [0, 0, 2, 0],\n [0, 3, 0, 0], [0, 0, 0, 4]]",
        '[{"board": [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]}]',
        '[\n{"board":\n[[1, 0, 0, 0], [0, 0, 2, null], [".", 3, "_", 0], [0, 0, 0, 4]], "x": {"board": [{}, "}]"]}}]',
        '{"rows": null, "board": [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4], "a\\"]": "\\u0061"}',
        "2 2\n1 . . .  . . 2 .  # broken anywhere\n\n. 3 . .  . . . 4",
        "rows=2\ncolumns=2\n# comment\nboard=1+ . . .\n\n . . 2- .\n\t. 3 . .\n  . . . 4+\nmoves = [(0,0) -> 1]",
        "scores = [1, 0]\ninitial-board = 7\n  any\nboard =\n 1 0 0 0 0 0 2 0 0 3 0 0 0 0 0 4\ncolumns = 2\nrows = 2",
        "1...\n..2.\n.3..\n...4",
        "1.|..\n..|2.\n--+--\n.3|..\n..|.4",
        "+---+---+\n|1 .|. .|\n|. .|2 .|\n+---+---+\n|. 3|. .|\n|. .|. 4|\n+---+---+",
        "┌───┬───┐\n│1 .│. .│\n│. .│2 .│\n├───┼───┤\n│. 3│. .│\n│. .│. 4│\n└───┴───┘",
        "╔═══╦═══╗\n║1 .║. .║\n║. .║2 .║\n╠═══╬═══╣\n║. 3║. .║\n║. .║. 4║\n╚═══╩═══╝",
        "+-+-+-+-+\n|1|.|.|.|\n+-+-+-+-+\n|.|.|2|.|\n+-+-+-+-+\n|.|3|.|.|\n+-+-+-+-+\n|.|.|.|4|\n+-+-+-+-+",
        "1. ..\n.. 2.\n\n.3 ..\n.. .4\n\n",
        "1 . | . .\n. . | 2 .\n    |    \n---------\n\n. 3 | . .\n. . | . 4",
        f"id,Solution, puzzle ,level\n7,,{LINE},hard",
        f'puzzle,solution\n"{LINE}","1243342143122134"',
        f"solutions,quizzes\n2x2:1243342143122134,2x2:{LINE}",
        f'name,quiz\n"a, ""b""",{LINE}',
    ],
)
def test_ways_of_writing_one_board(text):
    """One 4×4 board in every way that people and programs write it."""
    assert notation.parse(text) == FOUR
    assert notation.parse(text.replace("\n", "\r\n")) == FOUR
    assert notation.parse("\ufeff" + text.replace("\n", "\r")) == FOUR


def test_the_framework_breaks_its_text_form_anywhere():
    """Named as `tue`, the shape and the cells may be broken into lines at will, as the framework reads them."""
    assert notation.parse("2\n2 1 0 0 0 0 0 2 0 0 3 0 0 0 0 0\n\n4", "tue") == FOUR


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("line", "0.....1..2.....3"),
        ("line", "0_____1**2.....3"),
        ("values", "0 . . . . . 1 . . 2 . . . . . 3"),
        ("values", "0 -1 -1 -1 -1 -1 1 -1 -1 2 -1 -1 -1 -1 -1 3"),
        ("values", "0,-1,-1,_\n-1,*,1,.\n.,2,.,.\n.,.,.,3"),
        ("tue", "2 2\n0 . . . -1 . 1 . . 2 . . . . . 3"),
        ("properties", "rows=2\ncolumns=2\nboard= 0+ . . . -1 . 1- . . 2 . . . . . 3"),
        ("grid", "0 .|. .\n. .|1 .\n. 2|. .\n. .|. 3"),
        ("grid", "0...\n..1.\n.2..\n...3"),
        ("csv", "puzzle,solution\n0.....1..2.....3,0132231032011023"),
        ("json", '{"board": [[0, -1, null, "."], [-1, -1, 1, -1], [-1, 2, -1, -1], [-1, -1, -1, 3]]}'),
    ],
)
def test_values_counted_from_zero(format, text):
    """With `zero_based`, 0 is the first value and no longer an empty cell; without, such a text is another board."""
    assert notation.parse(text, format, zero_based=True) == FOUR
    assert notation.parse(text, zero_based=True) == FOUR
    if "-1" in text or "0+" in text or "solution" in text:  # what counting from one has no meaning for
        with pytest.raises(NotationError, match=r"expected (an integer from 1 to 4|a value 1…4)"):
            notation.parse(text, format)
    else:  # the first value is an empty cell, and each other value is one less
        assert notation.parse(text, format).values == bytes(max(value - 1, 0) for value in FOUR.values)


def test_letters_count_on_from_nine_in_either_case():
    """A is 10 and P is 25; counted from zero, the value 10 is the digit 9 and A is 11."""
    line = "9ABC" + "." * 140
    assert notation.parse(line).values[:4] == notation.parse(line.lower()).values[:4] == bytes([9, 10, 11, 12])
    assert notation.parse("89AB" + "." * 140, zero_based=True).values[:4] == bytes([9, 10, 11, 12])
    last = "." * 624 + "p"
    assert notation.parse(last).values[-1] == 25


def test_borders_tell_the_shape():
    """Six rows with a border after every third, and after every second cell, are 3×2; without borders they are 2×3."""
    rows = ["12 34 56", "34 56 12", "56 12 34", "21 43 65", "43 65 21", "65 21 43"]
    cells = [row.replace(" ", "") for row in rows]
    assert notation.parse("\n".join(cells[:1] + ["......"] * 5))[:2] == (2, 3)
    drawn = [row.replace(" ", "|") for row in rows]
    for text in (
        [*drawn[:3], "--+--+--", *drawn[3:]],  # both ways
        drawn,  # only upright
        [*cells[:3], "======", *cells[3:]],  # only level
        [*cells[:3], "", *cells[3:]],  # a blank line
        rows,  # blanks
        [*rows[:3], "", *rows[3:]],
        [
            "+--+--+--+",
            *(f"|{row}|" for row in drawn[:3]),
            "+--+--+--+",
            *(f"|{row}|" for row in drawn[3:]),
            "+--+--+--+",
        ],
    ):
        grid = notation.parse("\n".join(text))
        assert grid == Grid(3, 2, bytes(map(int, "".join(cells))))
        assert notation.parse("\n".join([*text, "", *text[:0]])) == grid


def test_blanks_between_cells_do_not_overrule_a_given_shape():
    """Groups of cells determine the shape only if nothing names it."""
    text = "12 .. ..\n.. .. ..\n.. .. ..\n.. .. ..\n.. .. ..\n.. .. .."
    assert notation.parse(text)[:2] == (3, 2)
    assert notation.parse(text, shape=(2, 3))[:2] == (2, 3)
    assert notation.parse(text.replace(".. .. ..", "... ...", 1))[:2] == (2, 3)


def test_letters_and_numbers_in_one_drawing():
    """Rows of words may have letters or numbers beyond 9, and rows of characters letters."""
    words = "\n".join(["10 B . . | 12 . . . | . . . 1", *[". . . . | . . . . | . . . ."] * 11])
    characters = "\n".join(["AB..C......1", *["............"] * 11])
    assert (
        notation.parse(words)
        == notation.parse(characters)
        == Grid(3, 4, bytes([10, 11, 0, 0, 12, *[0] * 6, 1]) + bytes(132))
    )


def test_the_table_of_formats():
    """FORMATS names every notation in the order of its documentation, each with a description of one line."""
    assert list(FORMATS) == ["tue", "properties", "line", "values", "grid", "csv", "json"]
    assert list(VARIANT_FORMATS) == ["variant", "fpuzzles", "fpuzzles-packed", "fpuzzles-url"]
    assert notation.format_names() == [*FORMATS, *VARIANT_FORMATS]
    for description, read, write, *_ in FORMATS.values():
        assert description
        assert "\n" not in description
        assert callable(read)
        assert callable(write)


def test_the_package_exports_what_it_says():
    """__all__ is complete, and sorted: constants, classes, functions."""
    assert sorted(notation.__all__, key=lambda name: (not name.isupper(), name)) == notation.__all__
    assert all(hasattr(notation, name) for name in notation.__all__)
