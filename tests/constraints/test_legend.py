"""How constraints show: the marks of every kind can be drawn, and the legend tells what they mean."""

import pytest

from csp_sudoku import Board, Geometry
from csp_sudoku.constraints.legend import legend_of, look_of, meaning_of
from csp_sudoku.constraints.shapes import Outside
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.drawing import svg
from csp_sudoku.drawing.layout import Layout
from csp_sudoku.drawing.marks import draw, marks_of
from tests.constraints.makers import MAKERS
from tests.support import pattern, random_of

GEOMETRY = Geometry.standard(2, 3)
WITHOUT_MARKS = {
    "disjoint-groups", "global-entropy", "anti-knight", "anti-king", "self-taxicab", "non-consecutive", "no-difference",
    "no-ratio", "no-pair-sum",
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_kind_shows_on_a_drawing(name):
    """The marks of a constraint name cells of the board, and are drawn; only rules of whole boards have none."""
    random = random_of(name)
    for _ in range(10):
        constraint = MAKERS[name](GEOMETRY, random, [value for row in pattern(2, 3, random) for value in row])
        geometry = GEOMETRY.with_constraints(constraint)
        marks = marks_of(geometry)
        for mark in marks:
            mark.require_on(geometry.size)
        assert bool(marks) == (name not in WITHOUT_MARKS) or name in ("any-of", "all-of")
        (line,) = legend_of(geometry)
        assert line.startswith(f"{name} ({look_of(type(constraint))})" if marks else f"{name}: ")
        lanes = max([mark.lane + 1 for mark in marks if isinstance(mark, Outside)], default=0)
        layout = Layout.of(geometry, lanes=lanes)
        drawing = svg(Board(geometry, [0] * 36))
        assert all(draw(mark, layout) in drawing for mark in marks)


def test_a_kind_that_shows_is_explained_once():
    """Several cages have one line, and rules that do not show are described one by one."""
    killer, anti_knight, renban = (CONSTRAINTS[name] for name in ("killer", "anti-knight", "renban"))
    rules = killer([0, 1], 4), renban([2, 3]), killer([6, 7], 9), anti_knight()
    assert legend_of(GEOMETRY.with_constraints(*rules)) == [
        f"killer (a dashed cage with its sum): {meaning_of(killer)[:-1].replace('The', 'the')}",
        "renban (a pink line): r1c3 r1c4 hold consecutive values in any order",
        "anti-knight: cells a knight's move apart differ",
    ]
