"""Boards drawn with box-drawing characters: givens told from filled cells, candidates, explanations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from csp_sudoku.board import Board

DOT = "·"
"""Where there is no bold type: what stands before a value that was filled in, and for a given that plays no part."""
LAST = ">"
"""What stands before the square of a game's last move."""

GIVEN: dict[str, Any] = {"bold": True}
FILLED: dict[str, Any] = {"fg": "cyan"}
OTHER: dict[str, Any] = {"dim": True}

ASCII = str.maketrans("─│·━┃" + "┌┬┐├┼┤└┴┘" + "┏┯┳┓┣┿╋┫┠╂┨┗┷┻┛", "-|.=#" + "+" * 9 + "+" * 15)
"""The nearest characters for an output that cannot show those of the drawings."""


def draw_board(board: Board) -> str:
    """The board with its block borders, empty cells as "."; the notation `grid` reads it back.

    >>> from csp_sudoku.board import Board
    >>> print(draw_board(Board.parse("1... ..2. .3.. ...4")))
    ┌─────┬─────┐
    │ 1 . │ . . │
    │ . . │ 2 . │
    ├─────┼─────┤
    │ . 3 │ . . │
    │ . . │ . 4 │
    └─────┴─────┘
    """
    width = _digits(board)
    return _framed(board, [str(value or ".").rjust(width) for value in board.cells], width)


def draw_solution(board: Board, solution: Board, *, colour: bool) -> str:
    """The solution of a board: its givens in bold, or else a dot before each value that was filled in.

    >>> from csp_sudoku.board import Board
    >>> print(draw_solution(Board.parse("1.....2..3.....4"), Board.parse("1243342143122134"), colour=False))
    ┌───────┬───────┐
    │  1 ·2 │ ·4 ·3 │
    │ ·3 ·4 │  2 ·1 │
    ├───────┼───────┤
    │ ·4  3 │ ·1 ·2 │
    │ ·2 ·1 │ ·3  4 │
    └───────┴───────┘
    """
    width = _digits(board) + (not colour)
    texts = []
    for given, value in zip(board.cells, solution.cells, strict=True):
        mark = "" if given or colour else DOT
        text = f"{mark}{value}".rjust(width)
        texts.append(click.style(text, **(GIVEN if given else FILLED)) if colour else text)
    return _framed(board, texts, width)


def draw_part(board: Board, part: Collection[tuple[int, int]], *, colour: bool) -> str:
    """Some givens of a board; its other givens are dimmed, or else dots, and its empty cells are left blank.

    >>> from csp_sudoku.board import Board
    >>> print(draw_part(Board.parse("12.. ..3. .... ...4"), [(0, 0), (1, 2)], colour=False))
    ┌─────┬─────┐
    │ 1 · │     │
    │     │ 3   │
    ├─────┼─────┤
    │     │     │
    │     │   · │
    └─────┴─────┘
    """
    width = _digits(board)
    texts = []
    for cell, value in enumerate(board.cells):
        chosen = board.geometry.row_column(cell) in part
        shown = str(value) if value and (chosen or colour) else DOT if value else ""
        text = shown.rjust(width)
        texts.append(click.style(text, **(GIVEN if chosen else OTHER)) if colour and value else text)
    return _framed(board, texts, width)


def draw_position(board: Board, initial: Board, last: tuple[int, int] | None, *, colour: bool) -> str:
    """A board of a game: what it began with in bold, the square of the last move in reverse, or else with > before it.

    >>> from csp_sudoku.board import Board
    >>> board = Board.parse("12.. .... .... ...4")
    >>> print(draw_position(board.place(1, 2, 3), board, (1, 2), colour=False))
    ┌───────┬───────┐
    │  1  2 │  .  . │
    │  .  . │ >3  . │
    ├───────┼───────┤
    │  .  . │  .  . │
    │  .  . │  .  4 │
    └───────┴───────┘
    """
    width = _digits(board) + (not colour)
    texts = []
    for cell, value in enumerate(board.cells):
        is_last = board.geometry.row_column(cell) == last
        text = f"{LAST if is_last and not colour else ''}{value or '.'}".rjust(width)
        style = {**(GIVEN if initial.values[cell] else FILLED if value else {}), "reverse": is_last}
        texts.append(click.style(text, **style) if colour and (value or is_last) else text)
    return _framed(board, texts, width)


def draw_candidates(board: Board) -> str:
    """The board with the candidates of each empty cell at their places in it, and the givens in brackets.

    >>> from csp_sudoku.board import Board
    >>> print(draw_candidates(Board.parse("1243 342. 431. 2...")))
    ┏━━━━━┯━━━━━┳━━━━━┯━━━━━┓
    ┃     │     ┃     │     ┃
    ┃ [1] │ [2] ┃ [4] │ [3] ┃
    ┠─────┼─────╂─────┼─────┨
    ┃     │     ┃     │ 1   ┃
    ┃ [3] │ [4] ┃ [2] │     ┃
    ┣━━━━━┿━━━━━╋━━━━━┿━━━━━┫
    ┃     │     ┃     │   2 ┃
    ┃ [4] │ [3] ┃ [1] │     ┃
    ┠─────┼─────╂─────┼─────┨
    ┃     │ 1   ┃     │     ┃
    ┃ [2] │     ┃ 3   │   4 ┃
    ┗━━━━━┷━━━━━┻━━━━━┷━━━━━┛
    """
    m, n, size = board.m, board.n, board.size
    width = n * (_digits(board) + 1) - 1
    lines = [_rule(m, n, width, "┏━┯┳┓")]
    for row in range(size):
        cells = [_cell_lines(board, row, column, width) for column in range(size)]
        for parts in zip(*cells, strict=True):
            blocks = ["│".join(parts[start : start + n]) for start in range(0, size, n)]
            lines.append("┃" + "┃".join(blocks) + "┃")
        last, border = row == size - 1, (row + 1) % m == 0
        lines.append(_rule(m, n, width, "┗━┷┻┛" if last else "┣━┿╋┫" if border else "┠─┼╂┨"))
    return "\n".join(lines)


def _digits(board: Board) -> int:
    return len(str(board.size))


def _framed(board: Board, texts: Sequence[str], width: int) -> str:
    """The N·N texts, each `width` characters wide on the screen, between block borders."""
    m, n, size = board.m, board.n, board.size

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join(["─" * (n * (width + 1) + 1)] * m) + right

    def rows() -> Iterator[str]:
        yield rule("┌", "┬", "┐")
        for row in range(size):
            if row and row % m == 0:
                yield rule("├", "┼", "┤")
            line = texts[row * size : (row + 1) * size]
            yield "│ " + " │ ".join(" ".join(line[start : start + n]) for start in range(0, size, n)) + " │"
        yield rule("└", "┴", "┘")

    return "\n".join(rows())


def _rule(m: int, n: int, width: int, characters: str) -> str:
    left, line, thin, thick, right = list(characters)
    block = thin.join([line * (width + 2)] * n)
    return left + thick.join([block] * m) + right


def _cell_lines(board: Board, row: int, column: int, width: int) -> list[str]:
    """The m lines of one cell: value v stands at line (v - 1) // n, place (v - 1) % n."""
    m, n, digits = board.m, board.n, _digits(board)
    given = board[row, column]
    if given:
        lines = [""] * m
        lines[m // 2] = f"[{given}]"
        return [f" {line.center(width)} " for line in lines]
    candidates = board.candidates(row, column)
    lines = []
    for start in range(1, board.size + 1, n):
        shown = [str(value if value in candidates else "").rjust(digits) for value in range(start, start + n)]
        lines.append(f" {' '.join(shown)} ")
    return lines
