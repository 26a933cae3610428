"""Tints of rules on a terminal: in the board, and before each rule of the legend."""

import re

from csp_sudoku import Board, Geometry
from csp_sudoku.cli.drawing import draw_board, draw_solution
from csp_sudoku.cli.legend import legend
from csp_sudoku.cli.tints import on_tint, tints_of
from csp_sudoku.constraints import AntiKnight, Killer, Renban, Sandwich

BOARD = Board(
    Geometry.standard(2, 2).with_constraints(
        Killer([0, 1], 3), AntiKnight(), Renban([1, 2, 3]), Sandwich([0, 1, 2, 3], 0)
    ),
    [0, 0, 0, 4, *[0] * 12],
)
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def test_cells_of_rules_are_tinted():
    """A cell has the tint of its smallest rule; a rule outside the board tints none."""
    tints = tints_of(BOARD.geometry)
    cage, knight, line, clue = tints.of_rules
    assert cage != line
    assert knight is clue is None
    assert tints.of_cells == {0: cage, 1: cage, 2: line, 3: line}


def test_colours_only_add_to_the_drawing():
    """Without the colours, a tinted board has the same characters; without rules or colours, nothing changes."""
    drawn = draw_board(BOARD, colour=True)
    assert "\x1b[" in drawn
    assert ESCAPE.sub("", drawn).split() != []
    assert "".join(ESCAPE.sub("", drawn).split()).strip("─┌┐└┘├┤┬┴┼").count("4") == 1
    assert "\x1b" not in draw_board(BOARD)
    plain = Board(BOARD.geometry.plain, BOARD.values)
    assert draw_board(plain, colour=True) == draw_board(plain)


def test_the_legend_shows_the_tint_of_each_rule():
    """The name of a rule stands on the tint of its cells."""
    lines = legend(BOARD, colour=True)
    tints = tints_of(BOARD.geometry).of_rules
    assert [f"48;5;{tint}m" in line if tint else "\x1b" not in line for line, tint in zip(lines, tints, strict=True)]
    assert [ESCAPE.sub("", line) for line in lines] == legend(BOARD)


def test_a_style_within_a_cell_keeps_the_tint():
    """Behind the end of a style, the tint goes on; light type becomes dark."""
    solution = Board(BOARD.geometry, [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    drawn = draw_solution(BOARD, solution, colour=True)
    assert "\x1b[38;5;25m" in drawn
    assert (
        on_tint("\x1b[1m5\x1b[0m ", 151)
        == "\x1b[38;5;16m\x1b[48;5;151m\x1b[1m5\x1b[0m\x1b[38;5;16m\x1b[48;5;151m \x1b[0m"
    )
