"""The boards of the conformance suite, all made here, with the facts known about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from csp_sudoku import Board, Geometry
from tests.conformance.reference import completions, diagonal, jigsaw, standard
from tests.support import SHAPES, SMALL_SHAPES, pattern, perturbed, planted, random_of

MOST = 400
"""Solutions that the reference counts at most."""

JIGSAWS = [
    ["aaab", "ccab", "cdbb", "cddd"],
    ["aaabb", "acabb", "ccdbe", "ccdde", "ddeee"],
    ["aaabbb", "aaabbb", "ccddee", "ccddee", "ccddee", "ffffff"],
    ["aaabbbccc"] * 2 + ["aaabbbccd", "eeefffcdd"] + ["eeefffddd"] * 2 + ["ggghhhiii"] * 3,
]


@dataclass(frozen=True)
class Case:
    """A board, its regions by the definition of sudoku, and its completions, which the reference finds once."""

    name: str
    board: Board
    regions: list

    @cached_property
    def completions(self) -> Sequence[tuple[int, ...]]:
        """All completions of the board, or the first MOST + 1 of them."""
        return list(islice(completions(self.regions, self.board.cells), MOST + 1))

    @property
    def is_counted(self) -> bool:
        """Whether `completions` are all that there are."""
        return len(self.completions) <= MOST

    @property
    def is_small(self) -> bool:
        """Whether also a search without any pruning gets to the end of it."""
        return self.board.size <= 6 or self.board.empty_count <= 12


def _case(name, geometry, regions, cells):
    return Case(name, Board(geometry, cells), regions)


def _with_holes(cells, share, rng):
    return [0 if rng.random() < share else value for value in cells]


def _without_candidates(cells, regions, rng):
    """The full board changed so that nothing clashes and one cell, at least, can take no value.

    The cell and one of its row are emptied; the row's gap takes the cell's own value, whose other copies in the way
    are emptied. Then the cell sees every value.
    """
    cells = list(cells)
    row = rng.choice(regions[: len(regions[0])])
    cell, gap = rng.sample(row, 2)
    value = cells[cell]
    cells[cell] = 0
    for region in regions:
        if gap in region:
            for other in region:
                if cells[other] == value:
                    cells[other] = 0
    cells[gap] = value
    return cells


def shaped():
    """For every shape: boards with few holes, with many, without a solution; for some, without two of the values."""
    for m, n in SHAPES:
        rng, regions = random_of("holes", m, n), standard(m, n)
        full = [value for row in pattern(m, n, rng) for value in row]
        many = 0.3 if min(m, n) == 2 and m * n > 20 else 0.4  # so many that the reference still counts the completions
        yield _case(f"{m}x{n} many holes", (m, n), regions, _with_holes(full, many, rng))
        yield _case(f"{m}x{n} few holes", (m, n), regions, _with_holes(full, 12 / (m * n) ** 2, rng))
        yield _case(f"{m}x{n} impossible", (m, n), regions, _without_candidates(full, regions, rng))
        if m * n <= 12:
            yield _case(f"{m}x{n} two values", (m, n), regions, [0 if value <= 2 else value for value in full])


def small():
    """Boards of small shapes whose solutions can be counted; some have none."""
    for m, n in SMALL_SHAPES:
        for trial in range(6):
            board = perturbed(m, n, random_of("small", m, n, trial), share=0.45 + 0.07 * trial)
            yield _case(f"{m}x{n} small {trial}", (m, n), standard(m, n), board.cells)
    yield _case("2x2 empty", (2, 2), standard(2, 2), [0] * 16)
    yield _case("2x2 one clue", (2, 2), standard(2, 2), [0] * 6 + [3] + [0] * 9)
    yield _case("2x2 full", (2, 2), standard(2, 2), [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    for m, n in [(3, 3), (5, 5)]:
        full = [value for row in pattern(m, n, random_of("full", m, n)) for value in row]
        yield _case(f"{m}x{n} full", (m, n), standard(m, n), full)


def variants():
    """Boards with diagonals or jigsaw pieces."""
    boards = [(f"diagonal {m}x{n}", Geometry.diagonal(m, n), diagonal(m, n)) for m, n in [(2, 2), (2, 3), (3, 3)]]
    boards += [(f"jigsaw {len(layout)}", Geometry.irregular(layout), jigsaw(layout)) for layout in JIGSAWS]
    for name, geometry, regions in boards:
        rng = random_of("variant", name)
        empty = [0] * geometry.cell_count
        full = next(completions(regions, empty), None)
        if full is None:
            yield _case(f"{name} empty", geometry, regions, empty)
            continue
        for share in (0.2, 0.5):
            yield _case(f"{name} {share:.0%} holes", geometry, regions, _with_holes(full, share, rng))
        yield _case(f"{name} impossible", geometry, regions, _without_candidates(full, regions, rng))
        if geometry.size == 4:
            yield _case(f"{name} empty", geometry, regions, empty)


def hall_board():
    """A 25×25 board without a solution that no search can be done with: a pigeonhole for 15 values in 14 cells.

    In the first block, rows 4 and 5 cannot hold 1 to 15, nor can the first column: 14 cells are left for them.
    """
    rows = [[0] * 25 for _ in range(25)]
    rows[3][5:20] = range(1, 16)
    rows[4][10:25] = [*range(11, 16), *range(1, 11)]
    for value in range(1, 16):
        rows[4 + value][0] = value
    return Board((5, 5), [value for row in rows for value in row])


def long_board():
    """A 25×25 board with solutions that every solver takes thousands of nodes and hundreds of conflicts to find."""
    return planted(5, 5, random_of("long", 26), 0.55)[0]


CASES = [*shaped(), *small(), *variants()]
