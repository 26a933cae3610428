"""Outlines of sets of cells: the closed polygons around them, drawn a little inside.

A board is a grid of N×N unit squares here. A **corner** is a point (x, y) of that grid: x is the column on its right,
and y the row below it. An outline runs clockwise, so that its cells are on its right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Corner = tuple[int, int]
Point = tuple[float, float]
Direction = tuple[int, int]

EAST, SOUTH, WEST, NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)


def outlines(cells: Iterable[int], size: int, inset: float = 0.0) -> list[list[Point]]:
    """Return the polygons around some cells of a board with `size` rows, as lists of points (x, y).

    Cells that touch only at a corner have polygons of their own, and a hole has one, too. `inset` is the distance from
    the border of the cells to the polygon, in cells (default 0).

    >>> outlines([0, 1], size=4)
    [[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]]
    >>> outlines([5], size=4, inset=0.25)
    [[(1.25, 1.25), (1.75, 1.25), (1.75, 1.75), (1.25, 1.75)]]
    """
    edges = _edges({divmod(cell, size) for cell in cells})
    return [_polygon(loop, inset) for loop in _loops(edges)]


def _edges(squares: set[tuple[int, int]]) -> dict[Corner, list[Direction]]:
    """Return the sides between a cell and one that is not in the set: at each corner, the directions that leave it."""
    found: dict[Corner, list[Direction]] = {}
    for row, column in sorted(squares):
        for outside, start, direction in (
            ((row - 1, column), (column, row), EAST),
            ((row, column + 1), (column + 1, row), SOUTH),
            ((row + 1, column), (column + 1, row + 1), WEST),
            ((row, column - 1), (column, row + 1), NORTH),
        ):
            if outside not in squares:
                found.setdefault(start, []).append(direction)
    return found


def _loops(edges: dict[Corner, list[Direction]]) -> Iterator[list[tuple[Corner, Direction]]]:
    """Yield the closed walks along the edges, each as its corners with the direction in which the walk leaves them.

    Where two walks touch, each turns right and so stays at its cell.
    """
    while edges:
        corner = min(edges, key=lambda place: (place[1], place[0]))
        loop: list[tuple[Corner, Direction]] = []
        direction = edges[corner][0]
        while corner in edges:
            ways = edges[corner]
            right, left = (-direction[1], direction[0]), (direction[1], -direction[0])
            direction = next(way for way in (right, direction, left) if way in ways) if loop else direction
            ways.remove(direction)
            if not ways:
                del edges[corner]
            loop.append((corner, direction))
            corner = corner[0] + direction[0], corner[1] + direction[1]
            if corner == loop[0][0] and loop[0][1] == (-direction[1], direction[0]):
                break  # the walk would turn right into its first edge
        yield loop


def _polygon(loop: list[tuple[Corner, Direction]], inset: float) -> list[Point]:
    """Return the corners at which a walk turns, each moved inwards by the inset."""
    points = []
    for number, ((x, y), after) in enumerate(loop):
        before = loop[number - 1][1]
        if before == after:
            continue
        # The inside is on the right of both sides that meet here.
        points.append((x + inset * (-before[1] - after[1]), y + inset * (before[0] + after[0])))
    return points
