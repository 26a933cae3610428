"""Boards in requests and in answers.

A request names a board by `text`, which is the board in any notation, by `name`, the name of a board that ships with
the program, or by `shape`, which is [m, n] for an empty board. With `values`, N·N numbers, these values replace the
values of the cells, for example after a user has entered digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp_sudoku import notation
from csp_sudoku.board import Board, load
from csp_sudoku.drawing.live import live_board
from csp_sudoku.errors import OptionError, SudokuError
from csp_sudoku.geometry import MAX_SIZE, Geometry

if TYPE_CHECKING:
    from csp_sudoku.web.fields import Fields

Boards = Mapping[str, Path]
"""The boards that ship with the program: their files by name."""


def board_in(fields: Fields, boards: Boards) -> Board:
    """Return the board that a request names; SudokuError if it names none.

    `boards` are the boards that have names.
    """
    if fields.has("text"):
        board = Board.trusted(*_parsed(fields.text("text")))
    elif fields.has("name"):
        name = fields.text("name", most=100)
        if name not in boards:
            raise OptionError(f"expected the name of a board that ships with the program; found {name!r}")
        board = load(boards[name])
    else:
        board = Board.empty(*shape_in(fields))
    if not fields.has("values"):
        return board
    return Board(board.geometry, fields.wholes("values", 0, board.size, board.geometry.cell_count))


@lru_cache(maxsize=16)
def _parsed(text: str) -> tuple[Geometry, bytes]:
    grid = notation.parse(text)
    return grid.geometry, grid.values


def shape_in(fields: Fields) -> tuple[int, int]:
    """Return the shape that a request names."""
    m, n = fields.wholes("shape", 1, MAX_SIZE, 2)
    geometry = Geometry.standard(m, n)  # raises ShapeError if there is no such shape
    return geometry.m, geometry.n


def plain_board_in(fields: Fields, boards: Boards) -> Board:
    """Return the board that a request names for a game, which must be a plain m×n one."""
    board = board_in(fields, boards)
    if not board.geometry.is_standard:
        raise SudokuError("expected a board without further rules and regions for a game; found one with some")
    return board


def board_object(board: Board) -> dict[str, Any]:
    """Return a board for the page: its values, its regions and rules, its text and its drawing.

    >>> found = board_object(Board.parse("1... ..2. .3.. ...4"))
    >>> found["name"], found["shape"], found["text"], len(found["regions"]), found["rules"]
    ('2×2', [2, 2], '1.....2..3.....4', 12, [])
    """
    geometry = board.geometry
    return {
        "name": f"{board.m}×{board.n}" if geometry.is_standard else geometry.plain.name,
        "shape": [board.m, board.n] if geometry.is_standard else None,
        "size": board.size,
        "values": list(board.values),
        "regions": [sorted(region) for region in geometry.regions],
        "rules": _rules(board),
        "text": board.format("line" if geometry.is_standard and board.size <= 9 else _long_form(board)),
        "svg": drawing(geometry),
    }


@lru_cache(maxsize=32)
def drawing(geometry: Geometry) -> str:
    """Return the drawing of a geometry that the script of the page fills in."""
    return live_board(geometry, "the board")


def _long_form(board: Board) -> str:
    return "tue" if board.geometry.is_standard else "variant"


def _rules(board: Board) -> list[str]:
    """Return the rules beyond rows, columns and blocks, in words."""
    if board.geometry.is_standard:
        return []
    from csp_sudoku.notation.variants.text_form import rules_of

    plain = board.geometry.plain
    return [rule.describe(plain) for rule in rules_of(board.geometry)]
