"""The notation `variant`: a board and rules as people write them, read with errors by line, and written back."""

import io

import pytest

from csp_sudoku import NotationError, OptionError, notation
from csp_sudoku.board import Board, load, load_many
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKnight
from csp_sudoku.constraints.dots import NoRatio, Ratio
from csp_sudoku.constraints.marks import Odd
from csp_sudoku.constraints.regions import ExtraRegion
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.grid import Details, Grid
from tests.notation.variants.samples import NINE, SAMPLES, SOLUTION

FOUR = Board(Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3), AntiKnight()), [0, 0, 4, *[0] * 13])
RULES = "killer 3 r1c1 r1c2\nanti-knight"
DRAWN = """\
┌─────┬─────┐
│ . . │ 4 . │
│ . . │ . . │
├─────┼─────┤
│ . . │ . . │
│ . . │ . . │
└─────┴─────┘"""
JIGSAW = "blocks aaab ccab cdbb cddd"


@pytest.mark.parametrize(
    "cells",
    [
        "board\n..4.\n....\n....\n....",
        "board ..4.............",
        "Board 4\n. . 4 .\n. . . .\n. . . .\n. . . .",
        "board 2x2\n..4. .... .... ....",
        "board\n. . | 4 .\n. . | . .\n----+----\n. . | . .\n. . | . .\n",
        "board 2x2 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "# a comment\n\nboard   # the board\n\n0,0,4,0\n0,0,0,0\n0,0,0,0  # the third row\n0,0,0,0\n",
        f"board\n{DRAWN}",
    ],
)
def test_the_ways_to_write_a_board(cells):
    """The cells in one line or in rows, with or without borders, with or without a shape."""
    assert Board.parse(f"{cells}\n{RULES}\n") == FOUR
    assert Board.of(f"{cells}\n\n# rules\n{RULES}   # the end") == FOUR


def test_the_shape():
    """The header or the borders give the shape; a size without blocks, and "latin", have none."""
    rows = ["." * 6] * 6
    drawn = "\n".join([*["..|..|.."] * 3, "--+--+--", *["..|..|.."] * 3])
    assert Board.parse("\n".join(["board", *rows])) == Board.empty(2, 3)
    assert Board.parse("\n".join(["board 3x2", *rows])) == Board.parse(f"board\n{drawn}") == Board.empty(3, 2)
    assert Board.parse("\n".join(["board 6 latin", *rows])) == Board(Geometry.latin(6), bytes(36))
    assert Board.parse(f"board {'.' * 49}") == Board(Geometry.latin(7), bytes(49))
    ten = Board.parse("board 10\n" + "\n".join([". . . . . . . . . 10", *[". " * 10] * 9]))
    assert (ten.cells[9], ten.geometry.plain.name) == (10, "2x5")
    assert Board.parse("board 10\n" + "\n".join([".........A", *["." * 10] * 9])) == ten
    assert Board.parse(f"board {'.' * 16}\n{JIGSAW}") == Board(Geometry.irregular(JIGSAW.split()[1:]), bytes(16))
    assert Board.parse("board ..4.............", shape=(2, 2)).m == 2


def test_what_stands_beside_a_board():
    """Title, author, rules in words and a solution are kept; the rest of their line is their text."""
    words = "title A # title\nrules One\nrules two\nauthor me\nodd r1c1\nsolution 1234 3412 2143 4321"
    text = f"board\n1...\n....\n....\n....\n{words}"
    grid = notation.parse(text)
    solution = bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    assert grid.details == Details("A # title", "me", "One\ntwo", solution)
    assert grid.geometry.constraints == (Odd(0),)
    assert notation.parse(notation.format_grid(grid, "variant")) == grid


def test_marks_of_later_lines():
    """A rule about absent marks may stand above the marks; rules keep their order."""
    found = Board.parse(f"board {'.' * 16}\nno-ratio except marks\nratio r1c2 r1c1").geometry.constraints
    assert found == (NoRatio([(0, 1)]), Ratio((1, 0)))


@pytest.mark.parametrize("name", [*SAMPLES, "all"])
def test_what_is_written_is_read_back(name):
    """Every kind of rule, and all of them together with givens and details, come back."""
    constraints = SAMPLES.values() if name == "all" else [SAMPLES[name]]
    details = Details("A title", "", "one\ntwo", SOLUTION) if name == "all" else Details()
    values = bytes(value if cell % 4 else 0 for cell, value in enumerate(SOLUTION))
    grid = Grid.on(NINE.with_constraints(*constraints), values, details)
    text = notation.format_grid(grid, "variant")
    assert notation.parse(text) == notation.parse(text, "variant") == grid


def test_other_geometries_come_back():
    """Jigsaws, Latin squares and plain boards of every size come back; extra regions become rules."""
    boards = [
        Board(Geometry.irregular(JIGSAW.split()[1:]), [1] + [0] * 15),
        Board(Geometry.latin(7), [0] * 48 + [7]),
        Board.empty(4, 3).place(0, 0, 12),
        Board.empty(5, 5).place(24, 24, 25),
        Board(Geometry.latin(5).with_constraints(Odd(3)), bytes(25)),
    ]
    for board in boards:
        assert Board.parse(board.format("variant")) == board
    diagonal = Board(Geometry.diagonal(2, 2), bytes(16))
    assert str(diagonal) == diagonal.format("variant")
    assert Board.parse(str(diagonal)).geometry.constraints == (ExtraRegion((0, 5, 10, 15)), ExtraRegion((3, 6, 9, 12)))
    with pytest.raises(OptionError, match="expected values that count from 1 in a board with rules"):
        FOUR.format("variant", zero_based=True)


def test_many_puzzles_in_one_text(tmp_path):
    """Each line `board` begins a puzzle, which is there when the next one begins."""
    path = tmp_path / "puzzles.txt"
    path.write_text("\n\n".join(board.format("variant") for board in (FOUR, Board.empty(2, 3), FOUR)))
    assert list(load_many(path)) == [FOUR, Board.empty(2, 3), FOUR]
    with pytest.raises(NotationError, match="expected one board, found another"):
        load(path)
    lines = iter([f"board {'.' * 16}", "odd r1c1", f"board {'.' * 16}"])
    grids = notation.read(lines)
    assert next(grids).geometry.constraints == (Odd(0),)
    assert next(grids).variant is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "board\n12..\n....\n....\n....\nkiler 3 r1c1",
            "line 6, column 1: expected the name of a rule (did you mean 'ki",
        ),
        (
            "board\n12..\n....\n....\n....\n\nkiller 3 r1c5",
            "line 7, column 10: expected a cell from r1c1 to r4c4, found ",
        ),
        (
            "board\n12..\n....\n..x.\n....",
            "line 4, column 3: expected a value 1…4, or . _ * 0 for an empty cell, found 'x'",
        ),
        ("board\n12..\n....\n...\n....", "line 4, column 1: expected 4 cells in a row, found 3"),
        (
            "board\n12.1\n....\n....\n....",
            "line 2, column 4: expected each value once in row 1, found '1' again (first",
        ),
        ("board 3\n12..\n....\n....\n....", "line 2, column 1: expected 3 cells in a row, found 4"),
        ("board\n12..\n....\n....\n....\nodd r1c1\n12..", "line 7, column 1: expected a rule, or another board, found"),
        ("board\n", "line 1, column 1: expected the cells of a board, found none"),
        ("board 123", "line 1, column 1: expected N·N cells in one line, or N lines, found 3 cells"),
        ("board 1x7\n" + "." * 49, "line 1, column 1: expected blocks of m rows × n columns with 2 ≤ m, 2 ≤ n and m·n"),
        ("board 30\n" + "." * 900, "line 2, column 1: expected a board of at most 25 rows, found 30"),
        ("board 2x3\n" + "." * 16, "line 2, column 1: expected 36 cells, found 16"),
        (
            "board 2x2\n1|2..\n....\n....\n....",
            "line 2, column 1: expected borders around blocks of 4 cells, found others",
        ),
        (
            "board 3x2\n" + "\n".join([*["...|..."] * 2, "---+---", *["...|..."] * 2, "---+---", *["...|..."] * 2]),
            "line 2, column 1: expected borders around blocks of 3×2, found others",
        ),
        (
            f"board {'.' * 16}\nblocks aaab ccab cdbb",
            "line 2, column 1: expected 4 rows of 4 labels behind blocks, found 3",
        ),
        (
            f"board {'.' * 16}\nblocks aaaa ccab cdbb cddd",
            "line 2, column 1: expected 4 pieces of 4 cells, found pieces",
        ),
        (f"board {'.' * 16}\n{JIGSAW}\n{JIGSAW}", "line 3, column 1: expected blocks once, found blocks again"),
        (f"board {'.' * 16}\nsolution 123", "line 2, column 1: expected 16 cells, found 3"),
        (
            f"board {'.' * 16}\nsolution {'1' * 15}.",
            "line 2, column 1: expected a value in each cell of the solution, fo",
        ),
        (
            f"board {'.' * 16}\ngreater r1c1",
            "line 2, column 1: expected a rule that makes sense, found greater: expecte",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(text, expected):
    """An error names the line, the column, and the expected text."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


def test_the_first_line_is_demanded():
    """Rules below a board without the line `board` are not ignored: they are an error."""
    text = "1...............\nkiller 3 r1c1 r1c2"
    for above in (text, text.replace("1...............", "1...\n....\n....\n....")):
        with pytest.raises(
            NotationError, match="column 1: expected the line board above a board with rules, found 'kill"
        ):
            Board.parse(above)
    with pytest.raises(NotationError, match="line 1, column 1: expected the line board above a puzzle, found '1"):
        Board.parse(text, "variant")
    with pytest.raises(NotationError, match="expected the shape 2×3 that was asked for, found '2x2'"):
        Board.parse(f"board {'.' * 16}", shape=(2, 3))
    with pytest.raises(NotationError, match="expected values that count from 1"):
        list(notation.read(io.StringIO(f"board {'.' * 16}\nodd r1c1"), zero_based=True))
