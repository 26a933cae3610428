"""Outlines: polygons that contain exactly the cells, whatever form these have."""

import pytest

from csp_sudoku.drawing.outline import outlines
from tests.support import random_of


def area(points):
    """The area within a polygon that runs clockwise on a screen; a hole has a negative one."""
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs) / 2


def within(point, polygons):
    """Whether a point is inside by the even-odd rule."""
    x, y = point
    crossed = 0
    for points in polygons:
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                crossed += 1
    return crossed % 2 == 1


@pytest.mark.parametrize("seed", range(30))
def test_outlines_contain_the_cells(seed):
    """Of random cells, each is inside with its centre and no other is; the sum of the areas is their number."""
    random, size = random_of("outline", seed), 6
    cells = set(random.sample(range(size * size), random.randrange(1, size * size + 1)))
    found = outlines(cells, size)
    assert sum(map(area, found)) == len(cells)
    inside = {cell for cell in range(size * size) if within((cell % size + 0.5, cell // size + 0.5), found)}
    assert inside == cells
    narrow = outlines(cells, size, 0.1)
    assert {cell for cell in range(size * size) if within((cell % size + 0.5, cell // size + 0.5), narrow)} == cells


@pytest.mark.parametrize("seed", range(10))
def test_inset_outlines_keep_their_distance(seed):
    """No corner of an inset outline is nearer to the border of a cell outside than the inset."""
    random, size, inset = random_of("inset", seed), 5, 0.2
    cells = set(random.sample(range(size * size), 12))
    for polygon in outlines(cells, size, inset):
        for x, y in polygon:
            near = {(int(y + dy) * size + int(x + dx)) for dx in (-0.19, 0.19) for dy in (-0.19, 0.19)}
            assert len(near & cells) in (1, 3, 4)


def test_cells_that_touch_at_a_corner_have_outlines_of_their_own():
    """A diagonal pair is two squares; a ring has an outline within."""
    assert len(outlines([0, 5], 4)) == 2
    ring = outlines([0, 1, 2, 4, 6, 8, 9, 10], 4)
    assert sorted(map(area, ring)) == [-1, 9]
