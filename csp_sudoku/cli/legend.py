"""The kind of a board and its rules as lines of text, because drawings do not show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.cli.drawing import has_shape
from csp_sudoku.cli.output import number
from csp_sudoku.cli.tints import on_tint, tints_of

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


def legend(board: Board, details: Details | None = None, *, colour: bool = False) -> list[str]:
    """Return a line for the blocks, if they have other forms, and one for each rule, with its meaning behind "#".

    Before the rules stand the words of the `details` beside the board (default None: no words). With `colour`, the
    name of a rule has the tint of its cells (default False).
    """
    if board.geometry.is_standard:
        return []
    from csp_sudoku.notation.variants.text_form import block_lines, rules_of, text_lines

    plain = board.geometry.plain
    words = text_lines(details) if details is not None else []
    meanings = [rule.describe(plain) for rule in rules_of(board.geometry)]
    rules = [f"{line}  # {meaning}" for line, meaning in zip(rule_lines(board), meanings, strict=True)]
    if colour:
        tints = [*[None] * len(board.geometry.extra), *tints_of(board.geometry).of_rules]
        named = [line.partition(" ") for line in rules]
        rules = [f"{on_tint(name, tint)} {rest}" for (name, _, rest), tint in zip(named, tints, strict=True)]
    return [*block_lines(plain), *words, *rules]
