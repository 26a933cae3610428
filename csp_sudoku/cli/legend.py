"""What a drawing cannot show of a board: its kind, and its rules, each on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.cli.drawing import has_shape
from csp_sudoku.cli.output import number

if TYPE_CHECKING:
    from csp_sudoku.board import Board


def named(board: Board) -> str:
    """Return the kind of a board in a few words.

    >>> from csp_sudoku.board import Board
    >>> named(Board.empty(2, 3))
    '2x3'
    """
    count = len(board.geometry.constraints)
    name = f"{board.m}x{board.n}" if has_shape(board) else board.geometry.plain.name
    return f"{name} with {number(count, 'rule')}" if count else name


def legend(board: Board) -> list[str]:
    """Return a line for each rule of a board beyond its rows, columns and blocks.

    A line is the rule as the notation `variant` has it, and behind "#" the same in words.
    """
    if board.geometry.is_standard:
        return []
    from csp_sudoku.notation.variants.rules import write_rule
    from csp_sudoku.notation.variants.text_form import block_lines, rules_of

    plain = board.geometry.plain
    rules = rules_of(board.geometry)
    return block_lines(plain) + [f"{write_rule(rule, plain)}  # {rule.describe(plain)}" for rule in rules]
