"""Random boards with their regions written out: plain shapes, diagonals, jigsaws, and regions of no shape at all."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from string import ascii_letters
from typing import NamedTuple

from csp_sudoku import Board, Geometry
from tests.conformance.reference import diagonal, jigsaw, standard
from tests.fuzz.case import Budget, SpentError
from tests.fuzz.reference import candidates, completions
from tests.support import SHAPES, pattern

STYLES = (
    "holes",
    "holes",
    "holes",
    "few holes",
    "perturbed",
    "perturbed",
    "without values",
    "scattered",
    "full",
    "empty",
)
KINDS = {"plain": 6, "diagonal": 1, "jigsaw": 1, "extra": 1}


class Sample(NamedTuple):
    """A random board."""

    name: str
    board: Board
    regions: list[list[int]]
    solution: tuple[int, ...]
    """A grid of the geometry; the board may hold other values."""

    @property
    def cells(self) -> list[int]:
        """The values of the board."""
        return list(self.board.cells)

    @property
    def size(self) -> int:
        """N."""
        return len(self.regions[0])


def random_shape(random: Random, most: int = 25) -> tuple[int, int]:
    """A shape of at most so many values; small ones come more often."""
    shapes = [(m, n) for m, n in SHAPES if m * n <= most]
    return random.choices(shapes, [(m * n) ** -1.5 for m, n in shapes])[0]


def random_sample(random: Random, most: int = 25, *, is_plain: bool = False, styles: Sequence[str] = STYLES) -> Sample:
    """A random board of at most this many values; only a plain one if requested."""
    m, n = random_shape(random, most)
    full = [value for row in pattern(m, n, random) for value in row]
    kind = "plain" if is_plain else random.choices(list(KINDS), list(KINDS.values()))[0]
    name, geometry, regions = f"{m}x{n}", Geometry.standard(m, n), standard(m, n)
    if kind == "jigsaw":
        layout = _random_layout(full, regions, m * n, random)
        name, geometry, regions = f"jigsaw {m * n}", Geometry.irregular(layout), jigsaw(layout)
    elif kind == "extra":
        extra = [_random_region(full, m * n, random) for _ in range(random.randint(1, 3))]
        blocks = [tuple(block) for block in regions[2 * m * n :]]
        name = f"{name} with {len(extra)} more regions"
        geometry, regions = Geometry(m, n, blocks, extra, name=name), regions + [list(region) for region in extra]
    elif kind == "diagonal" and (grid := _diagonal_grid(m, n, random)):
        name, geometry, regions, full = f"{name} diagonal", Geometry.diagonal(m, n), diagonal(m, n), grid
    cells = _content(random.choice(styles), full, regions, random)
    return Sample(name, Board(geometry, cells), regions, tuple(full))


def _random_layout(full: Sequence[int], regions: Sequence[Sequence[int]], size: int, random: Random) -> list[str]:
    """The letters of jigsaw pieces, each of which holds every value of a grid once: blocks that have swapped cells."""
    pieces = [list(block) for block in regions[2 * size :]]
    for _ in range(random.randint(1, 3 * size)):
        one, other = random.sample(pieces, 2)
        cell = random.choice(one)
        twin = next(cell_ for cell_ in other if full[cell_] == full[cell])
        one[one.index(cell)], other[other.index(twin)] = twin, cell
    letters = {cell: letter for piece, letter in zip(pieces, ascii_letters, strict=False) for cell in piece}
    text = "".join(letters[cell] for cell in range(size * size))
    return [text[start : start + size] for start in range(0, size * size, size)]


def _random_region(full: Sequence[int], size: int, random: Random) -> tuple[int, ...]:
    """Cells that hold every value of a grid once."""
    return tuple(
        random.choice([cell for cell, held in enumerate(full) if held == value]) for value in range(1, size + 1)
    )


def _diagonal_grid(m: int, n: int, random: Random) -> list[int] | None:
    """A grid whose diagonals are regions, too; None if the budget does not suffice to find one."""
    try:
        found = next(completions(diagonal(m, n), [0] * (m * n) ** 2, Budget(500), random), None)
    except SpentError:
        return None
    return list(found) if found else None


def _content(style: str, full: Sequence[int], regions: Sequence[Sequence[int]], random: Random) -> list[int]:
    """The values of a board: a grid with holes of some kind, some of them changed, or values put in at random."""
    size = len(regions[0])
    if style == "full":
        return list(full)
    if style == "empty":
        return [0] * len(full)
    if style == "few holes":
        holes = random.sample(range(len(full)), random.randint(1, min(len(full), 2 * size)))
        return [0 if cell in holes else value for cell, value in enumerate(full)]
    if style == "without values":
        gone = random.sample(range(1, size + 1), random.randint(1, 3))
        return [0 if value in gone or random.random() < 0.1 else value for value in full]
    if style == "scattered":
        cells = [0] * len(full)
        for cell in random.sample(range(len(full)), random.randint(1, len(full) // 2)):
            _fill(cells, cell, regions, random)
        return cells
    share = random.uniform(0.2, 0.8)
    cells = [0 if random.random() < share else value for value in full]
    if style == "perturbed":
        for cell in random.sample(range(len(full)), random.randint(1, 4)):
            cells[cell] = 0
            _fill(cells, cell, regions, random)
    return cells


def _fill(cells: list[int], cell: int, regions: Sequence[Sequence[int]], random: Random) -> None:
    """Put a random value that clashes with nothing into a cell, if there is one."""
    values = candidates(regions, cells, cell)
    if values:
        cells[cell] = random.choice(values)
