"""The kind of a board and its rules as lines of text, because drawings do not show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.cli.drawing import has_shape
from csp_sudoku.cli.output import number

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.notation import Details


def named(board: Board) -> str:
    """Return the kind of a board in a few words.

    >>> from csp_sudoku.board import Board
    >>> named(Board.empty(2, 3))
    '2x3'
    """
    count = len(board.geometry.constraints)
    name = f"{board.m}x{board.n}" if has_shape(board) else board.geometry.plain.name
    return f"{name} with {number(count, 'rule')}" if count else name


def rule_lines(board: Board) -> list[str]:
    """Return the rules of a board beyond its rows, columns and blocks, as lines of the notation `variant`."""
    if board.geometry.is_standard:
        return []
    from csp_sudoku.notation.variants.rules import write_rule
    from csp_sudoku.notation.variants.text_form import rules_of

    return [write_rule(rule, board.geometry.plain) for rule in rules_of(board.geometry)]


def legend(board: Board, details: Details | None = None) -> list[str]:
    """Return a line for the blocks, if they are irregular, and one for each rule, with its meaning after "#".

    The texts in `details` come before the rules (default None: no texts).
    """
    if board.geometry.is_standard:
        return []
    from csp_sudoku.notation.variants.text_form import block_lines, rules_of, text_lines

    plain = board.geometry.plain
    words = text_lines(details) if details is not None else []
    meanings = [rule.describe(plain) for rule in rules_of(board.geometry)]
    rules = [f"{line}  # {meaning}" for line, meaning in zip(rule_lines(board), meanings, strict=True)]
    return [*block_lines(plain), *words, *rules]
