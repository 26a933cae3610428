"""Facts about the boards of the conformance suite without any solver of ours: regions, counts, solutions.

Nothing here uses the geometry tables or the solvers.
"""

from __future__ import annotations


def lines(size):
    """The cells of each row and of each column."""
    rows = [[row * size + column for column in range(size)] for row in range(size)]
    return rows + [list(column) for column in zip(*rows, strict=True)]


def standard(m, n):
    """The regions of an m×n board."""
    size = m * n
    corners = [(top, left) for top in range(0, size, m) for left in range(0, size, n)]
    return lines(size) + [[(top + r) * size + left + c for r in range(m) for c in range(n)] for top, left in corners]


def diagonal(m, n):
    """The regions of an m×n board whose diagonals are regions, too."""
    size = m * n
    return [*standard(m, n), [i * (size + 1) for i in range(size)], [(i + 1) * (size - 1) for i in range(size)]]


def jigsaw(layout):
    """The regions of a board whose blocks are the letters of a layout."""
    text = "".join(layout)
    pieces = [[cell for cell, label in enumerate(text) if label == piece] for piece in sorted(set(text))]
    return lines(len(layout)) + pieces


def is_solution(regions, cells, given):
    """Whether every region of `cells` holds each value once, and no given value has changed."""
    complete = all(sorted(cells[cell] for cell in region) == list(range(1, len(region) + 1)) for region in regions)
    return complete and all(old in (0, new) for old, new in zip(given, cells, strict=True))


def completions(regions, given):
    """Every completion: each value in turn in an empty cell that has the fewest possible values."""
    size = len(regions[0])
    peers = [{other for region in regions if cell in region for other in region} - {cell} for cell in range(len(given))]
    cells = list(given)

    def possible(cell):
        held = {cells[peer] for peer in peers[cell]}
        return [value for value in range(1, size + 1) if value not in held]

    def search():
        empty = [(possible(cell), cell) for cell, value in enumerate(cells) if not value]
        if not empty:
            yield tuple(cells)
            return
        values, cell = min(empty, key=lambda choice: len(choice[0]))
        for value in values:
            cells[cell] = value
            yield from search()
            cells[cell] = 0

    return search()
