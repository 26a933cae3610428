"""Kind `notation`: boards of every shape and every rule in every notation, decoded by other means, and read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from random import Random

from csp_sudoku import Board, ConstraintError, Geometry, NotationError, ShapeError, notation
from csp_sudoku.notation import FORMATS, VARIANT_FORMATS, Grid
from tests.conformance.reference import standard
from tests.constraints.makers import MAKERS
from tests.fuzz.boards import random_sample
from tests.fuzz.case import Budget, expect, expect_equal
from tests.support import SHAPES, planted

LABELS = "0123456789ABCDEFGHIJKLMNOP"
ENDS = ("\n", "\r\n", "\r")


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([written, streamed, decorated, clashing, other_shape, ruled], [4, 3, 3, 2, 1, 3])[0](random)


def random_grid(random: Random) -> Grid:
    """A board of any shape."""
    sample = random_sample(random, is_plain=True)
    return Grid(sample.board.m, sample.board.n, sample.board.values)


def written(random: Random) -> None:
    """One board: the written text means the same to a decoder of ours, and to the reader."""
    grid, format, zero_based = random_grid(random), random.choice(list(FORMATS)), random.random() < 0.3
    text = notation.format_grid(grid, format, zero_based=zero_based)
    name = f"{grid.m}x{grid.n} as {format}, zero_based={zero_based}"
    expect_equal(f"{name}: the decoded text", DECODERS[format](text, grid.m * grid.n, zero_based), list(grid.values))
    shape = random.choice([None, (grid.m, grid.n)])
    forced = random.choice([None, format])
    found = notation.parse(text, forced, shape=shape, zero_based=zero_based)
    expect_equal(f"{name}, format={forced}, shape={shape}: the board", found, grid)
    if not zero_based:
        board = Board.parse(text, forced, shape=shape)
        expect_equal(f"{name}: Board.parse", board, Board((grid.m, grid.n), grid.values))


def streamed(random: Random) -> None:
    """Several boards in one text come back in their order, whatever ends the lines."""
    format, zero_based, end = random.choice(list(FORMATS)), random.random() < 0.3, random.choice(ENDS)
    grids = [random_grid(random) for _ in range(random.randint(1, 12))]
    if random.random() < 0.5:
        grids = [grid for grid in grids if grid[:2] == grids[0][:2]]
    text = end.join(notation.write(grids, format, zero_based=zero_based)) + random.choice(["", end])
    if random.random() < 0.1:
        text = "\ufeff" + text
    forced = random.choice([None, format])
    found = list(notation.read(BytesIO(text.encode()), forced, zero_based=zero_based))
    name = f"{len(grids)} boards as {format}, format={forced}, zero_based={zero_based}, ends {end!r}"
    expect_equal(name, found, grids)


def decorated(random: Random) -> None:
    """Other marks for empty cells, more blanks, comments and blank lines change nothing."""
    grid, format = random_grid(random), random.choice(["line", "values", "grid", "tue", "properties"])
    text = notation.format_grid(grid, format)
    if format != "properties":
        text = text.replace(".", random.choice("._*"))
    blank = random.choice([" ", "  ", " \t"])
    lines = [line.replace(" ", blank) if not line.startswith(" ") else line for line in text.split("\n")]
    if random.random() < 0.3:
        lines[-1] += random.choice(["   ", " # comment", "\t#"])
    around = random.choices(["", "  ", "# comment", "  # 1 2 3"], k=random.randint(0, 3))
    found = notation.parse("\n".join([*around, *lines, *around]), random.choice([None, format]))
    expect_equal(f"{grid.m}x{grid.n} as {format} with {around} around and {blank!r} between", found, grid)


def clashing(random: Random) -> None:
    """A board with a value twice in a region is refused, by one line that names a place within the text."""
    grid, format = random_grid(random), random.choice(list(FORMATS))
    region = random.choice(standard(grid.m, grid.n))
    values, value = bytearray(grid.values), random.randint(1, grid.m * grid.n)
    for cell in random.sample(region, 2):
        values[cell] = value
    text = notation.format_grid(Grid(grid.m, grid.n, bytes(values)), format)
    try:
        notation.parse(text, random.choice([None, format]))
    except NotationError as error:
        expect("each value once in" in error.expected, f"{grid.m}x{grid.n} as {format}: a clash is refused as {error}")
        return
    expect(False, f"{grid.m}x{grid.n} as {format}: a clash of {value} in {region} is read as a board")


def other_shape(random: Random) -> None:
    """A text that names its shape is refused if another one is requested; others are read in the requested shape."""
    grid, format = random_grid(random), random.choice(list(FORMATS))
    m, n = random.choice(SHAPES)
    text = notation.format_grid(grid, format)
    try:
        found = notation.parse(text, format, shape=(m, n))
    except (NotationError, ShapeError):
        expect((m, n) != (grid.m, grid.n), f"{m}x{n} as {format} is refused in its own shape")
        return
    expect_equal(f"the shape of {grid.m}x{grid.n} as {format} read as {m}x{n}", found[:2], (m, n))
    expect_equal(f"{grid.m}x{grid.n} as {format} read as {m}x{n}", found.values, grid.values)


def ruled(random: Random) -> None:
    """A board with rules comes back from every form of them; f-puzzles may word them otherwise, or refuse them."""
    m, n = random.choice([(2, 2), (2, 3), (3, 3)])
    geometry = Geometry.standard(m, n)
    board, solution = planted(m, n, random, random.random())
    constraints = []
    while len(constraints) < 4:
        made = MAKERS[random.choice(list(MAKERS))](geometry, random, list(solution.cells))
        with suppress(ConstraintError):  # a kind that this size does not have
            made.require_fits(geometry)
            constraints.append(made)
    ruled = Board(geometry.with_constraints(*constraints), board.cells)
    form = random.choice(list(VARIANT_FORMATS))
    try:
        text = ruled.format(form)
    except ConstraintError:
        expect(form != "variant", f"{constraints} cannot be written as {form}")
        return
    found = Board.parse(text, random.choice([None, form]))
    if form == "variant":
        expect_equal(f"{m}x{n} with {constraints} as {form}", found, ruled)
    expect_equal(f"{m}x{n} with {constraints} as {form}: the values", found.cells, ruled.cells)
    for _ in range(5):
        values = planted(m, n, random)[1].cells
        allowed = [one.geometry.violated(values) is None for one in (found, ruled)]
        expect(allowed[0] == allowed[1], f"{m}x{n} with {constraints} as {form} allows other boards than {text}")


def _characters(text: str, size: int, zero_based: bool) -> list[int]:
    """The values of a line of characters, behind the prefix that may name the shape."""
    return [0 if mark == "." else LABELS.index(mark) + zero_based for mark in text.rpartition(":")[2]]


def _words(text: str, size: int, zero_based: bool) -> list[int]:
    """The values of the last N·N words."""
    words = text.split()[-size * size :]
    return [0 if word == "." or (word == "0" and not zero_based) else int(word) + zero_based for word in words]


def _drawn(text: str, size: int, zero_based: bool) -> list[int]:
    """The values of a drawing, without its borders."""
    return _words(" ".join(line for line in text.replace("|", " ").split("\n") if "-" not in line), size, zero_based)


def _object(text: str, size: int, zero_based: bool) -> list[int]:
    """The values of an object."""
    return [value + zero_based for value in json.loads(text)["board"]]


def _table(text: str, size: int, zero_based: bool) -> list[int]:
    """The values of the first puzzle of a table."""
    return _characters(text.split("\n")[1].partition(",")[0], size, zero_based)


DECODERS: dict[str, Callable[[str, int, bool], list[int]]] = {
    "line": _characters, "csv": _table, "tue": _words, "properties": _words, "values": _words, "grid": _drawn,
    "json": _object,
}  # fmt: skip
"""For each notation, a decoder of the product's text of one board."""
