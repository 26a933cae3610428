"""Boards of every geometry with a planted solution: plain ones, jigsaws, and boards with extra regions."""

from csp_sudoku.board import Board
from csp_sudoku.geometry import Geometry
from tests.support import pattern


def varied(m, n, random, kind, share):
    """A board of a kind of geometry, and one of its solutions; about `share` of its cells are empty.

    The solution comes first, and then regions in which it has each value once: no solver has part in it.
    """
    size = m * n
    rows = pattern(m, n, random)
    full = [value for row in rows for value in row]
    places = [random.sample([cell for cell, one in enumerate(full) if one == value], size) for value in set(full)]
    across = [tuple(sorted(column)) for column in zip(*places, strict=True)]  # each has every value once
    geometry = Geometry.standard(m, n)
    if kind == "jigsaw":
        label = {cell: number for number, piece in enumerate(across) for cell in piece}
        geometry = Geometry.irregular([[label[row * size + column] for column in range(size)] for row in range(size)])
    elif kind == "extra":
        geometry = Geometry(m, n, geometry.blocks, across[: random.randint(1, 3)], name="extra")
    solution = Board(geometry, full)
    return solution.without(cell for cell in range(size * size) if random.random() < share), solution


KINDS = ("plain", "jigsaw", "extra")
