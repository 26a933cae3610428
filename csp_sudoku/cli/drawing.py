"""Draw boards with box-drawing characters: givens and solutions, candidates, positions, and explanations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.tints import tinted, tints_of

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.geometry import Geometry
    from csp_sudoku.moves.move_map import MoveMap

DOT = "·"
"""The mark before a filled-in value, and the sign for a given outside an explanation, if there is no bold type."""
LAST = ">"
"""The mark before the cell of a game's last move, and before the cell of an explained move."""

GIVEN: dict[str, Any] = {"bold": True}
FILLED: dict[str, Any] = {"fg": "cyan"}
OTHER: dict[str, Any] = {"dim": True}
COUNTED: list[tuple[str, dict[str, Any]]] = [("", {"fg": "green"}), ("*", {"fg": "red"}), ("?", {"fg": "yellow"})]
"""The prefix and the style of the number of safe moves, of bombs, and of undecided moves."""

ASCII = str.maketrans("─│·━┃" + "┌┬┐├┼┤└┴┘" + "┏┯┳┓┣┿╋┫┠╂┨┗┷┻┛", "-|'=#" + "+" * 9 + "+" * 15)
"""The nearest ASCII characters, for an output whose encoding lacks the box-drawing characters."""


def draw_board(board: Board, *, colour: bool = False) -> str:
    """Draw the board with its block borders; an empty cell is ".". The notation `grid` reads the drawing back.

    With `colour`, the cells of rules are tinted (default False).

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
    return _framed(board, [str(value or ".").rjust(width) for value in board.cells], width, colour=colour)


def draw_solution(board: Board, solution: Board, *, colour: bool) -> str:
    """Draw the solution of a board.

    With `colour`, the givens are bold and the other values are coloured; without it, a dot stands before each value
    that is not a given.

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
    return _framed(board, texts, width, colour=colour)


def draw_part(
    board: Board, part: Collection[tuple[int, int]], *, move: tuple[int, int] | None = None, colour: bool
) -> str:
    """Draw the givens of a board in the squares `part`; empty cells are left blank.

    With `colour` the other givens are dimmed, and the cell of `move` is in reverse. Without it the other givens are
    dots, and ">" stands before the cell of `move`. If `move` is None, as by default, no cell is marked.

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
    width = _digits(board) + (move is not None and not colour)
    texts = []
    for cell, value in enumerate(board.cells):
        place = board.geometry.row_column(cell)
        chosen, is_move = place in part, place == move
        shown = str(value) if value and (chosen or is_move or colour) else DOT if value else ""
        text = f"{LAST if is_move and not colour else ''}{shown}".rjust(width)
        style = {**(GIVEN if chosen or is_move else OTHER), "reverse": is_move}
        texts.append(click.style(text, **style) if colour and value else text)
    return _framed(board, texts, width, colour=colour)


def draw_position(board: Board, initial: Board, last: tuple[int, int] | None, *, colour: bool) -> str:
    """Draw a board of a game, and mark the cell of its last move.

    With `colour`, the givens of `initial` are bold and the last move is in reverse; without it, ">" stands before the
    last move. If `last` is None, no cell is marked.

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
    return _framed(board, texts, width, colour=colour)


def draw_counts(found: MoveMap, *, colour: bool) -> str:
    """Draw the board with the number of safe moves in each empty cell, and after a star the number of its bombs.

    Filled cells are in brackets. Moves that were not decided in time are counted after a question mark. With `colour`
    the numbers are coloured: green for safe moves, red for bombs, yellow for undecided moves.

    `found` is the move map of the board.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.moves.classification import classify_moves
    >>> print(draw_counts(classify_moves(Board.parse("12.. .... ..1. ...."), "naive"), colour=False))
    ┌─────────┬─────────┐
    │ [1] [2] │ 2   2   │
    │ 2   2   │ 1*2 1*3 │
    ├─────────┼─────────┤
    │ 3   2   │ [1] 3   │
    │ 3   1*2 │ 2*1 3   │
    └─────────┴─────────┘
    """
    counts = [found.counts(verdict).ravel().tolist() for verdict in ("safe", "bomb", "unknown")]
    widths = [len(f"{mark}{max(of_all)}") for (mark, _), of_all in zip(COUNTED, counts, strict=True) if any(of_all)]
    width = max(sum(widths), _digits(found.board) + 2)
    texts = []
    for value, *numbers in zip(found.board.cells, *counts, strict=True):
        if value:
            text = f"[{value}]".center(width)
            texts.append(click.style(text, **GIVEN) if colour else text)
            continue
        parts = [
            f"{mark}{count}" if count or not mark else "" for (mark, _), count in zip(COUNTED, numbers, strict=True)
        ]
        before = len(str(max(counts[0]))) - len(parts[0])
        after = width - before - len("".join(parts))
        if colour:
            parts = [click.style(part, **style) for part, (_, style) in zip(parts, COUNTED, strict=True) if part]
        texts.append(" " * before + "".join(parts) + " " * after)
    return _framed(found.board, texts, width, colour=colour)


def draw_candidates(board: Board) -> str:
    """Draw the board with the candidates of each empty cell at fixed positions in the cell, and the givens in brackets.

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
    size = board.size
    m, n = (board.m, board.n) if has_shape(board) else (size, size)  # one block if there are no blocks of m×n
    height, per_line = (m, n) if has_shape(board) else (-(-size // ceil(sqrt(size))), ceil(sqrt(size)))
    width = per_line * (_digits(board) + 1) - 1
    lines = [_rule(size // n, n, width, "┏━┯┳┓")]
    for row in range(size):
        cells = [_cell_lines(board, row, column, (height, per_line)) for column in range(size)]
        for parts in zip(*cells, strict=True):
            blocks = ["│".join(parts[start : start + n]) for start in range(0, size, n)]
            lines.append("┃" + "┃".join(blocks) + "┃")
        last, border = row == size - 1, (row + 1) % m == 0
        lines.append(_rule(size // n, n, width, "┗━┷┻┛" if last else "┣━┿╋┫" if border else "┠─┼╂┨"))
    return "\n".join(lines)


def _digits(board: Board) -> int:
    return len(str(board.size))


def _framed(board: Board, texts: Sequence[str], width: int, *, colour: bool) -> str:
    """Draw the N·N texts, each `width` characters wide on the screen, between block borders.

    With `colour`, the cells of rules are tinted.
    """
    if colour and tints_of(board.geometry).of_cells:
        texts, width = tinted(board.geometry, texts), width + 2
    if not has_shape(board):
        return walled(board.geometry, texts, width)
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


def _rule(blocks: int, n: int, width: int, characters: str) -> str:
    left, line, thin, thick, right = list(characters)
    block = thin.join([line * (width + 2)] * n)
    return left + thick.join([block] * blocks) + right


def _cell_lines(board: Board, row: int, column: int, shape: tuple[int, int]) -> list[str]:
    """Return the lines of one cell, m of them: value v stands in line (v - 1) // n, at place (v - 1) % n.

    `shape` is (m, n), which is the shape of the blocks, if there is one.
    """
    (m, n), digits = shape, _digits(board)
    given = board[row, column]
    if given:
        lines = [""] * m
        lines[m // 2] = f"[{given}]"
        return [f" {line.center(n * (digits + 1) - 1)} " for line in lines]
    candidates = board.candidates(row, column)
    lines = []
    for start in range(1, board.size + 1, n):
        shown = [str(value if value in candidates else "").rjust(digits) for value in range(start, start + n)]
        lines.append(f" {' '.join(shown)} ")
    return lines


def has_shape(board: Board) -> bool:
    """Return whether a board has the usual blocks of its shape m×n; further rules do not matter."""
    geometry = board.geometry
    return geometry.m > 1 and geometry.blocks == geometry.standard(geometry.m, geometry.n).blocks


_CORNERS = {
    (1, 1, 0, 0): "│",
    (0, 0, 1, 1): "─",
    (0, 1, 0, 1): "┌",
    (0, 1, 1, 0): "┐",
    (1, 0, 0, 1): "└",
    (1, 0, 1, 0): "┘",
    (1, 1, 0, 1): "├",
    (1, 1, 1, 0): "┤",
    (0, 1, 1, 1): "┬",
    (1, 0, 1, 1): "┴",
    (1, 1, 1, 1): "┼",
}
"""The character of a corner, by the walls that lead from it: up, down, to the left and to the right."""


def walled(geometry: Geometry, texts: Sequence[str], width: int) -> str:
    """Draw the N·N texts, each `width` characters wide on the screen, with walls where blocks of any form meet.

    `geometry` has the blocks; without blocks, there is only the frame.

    >>> from csp_sudoku.geometry import Geometry
    >>> print(walled(Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]), "1234" * 4, 1))
    ┌───────────┬───┐
    │ 1   2   3 │ 4 │
    ├───────┐   │   │
    │ 1   2 │ 3 │ 4 │
    │   ┌───┼───┘   │
    │ 1 │ 2 │ 3   4 │
    │   │   └───────┤
    │ 1 │ 2   3   4 │
    └───┴───────────┘
    """
    size, block = geometry.size, geometry.block_of

    def block_at(row: int, column: int) -> int:
        return block[row * size + column] if 0 <= row < size and 0 <= column < size else -1

    upright = [[block_at(row, at - 1) != block_at(row, at) for at in range(size + 1)] for row in range(size)]
    level = [[block_at(at - 1, column) != block_at(at, column) for column in range(size)] for at in range(size + 1)]
    is_wide = [any(row[at] for row in upright) for at in range(size + 1)]

    def rule(at: int) -> str:
        line = ""
        for place in range(size + 1):
            left, right = place > 0 and level[at][place - 1], place < size and level[at][place]
            up, down = at > 0 and upright[at - 1][place], at < size and upright[at][place]
            corner = _CORNERS.get((up, down, left, right), " ")
            line += f"{'─' if left else ' '}{corner}{'─' if right else ' '}" if is_wide[place] else corner
            line += ("─" if right else " ") * (width if place < size else 0)
        return line[1:-1]

    lines = []
    for row in range(size + 1):
        if any(level[row]):
            lines.append(rule(row))
        if row < size:
            line = ""
            for place in range(size + 1):
                line += f" {'│' if upright[row][place] else ' '} " if is_wide[place] else " "
                line += texts[row * size + place] if place < size else ""
            lines.append(line[1:-1])
    return "\n".join(lines)
