"""Puzzles of f-puzzles as Python objects, and their errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from csp_sudoku import NotationError
from csp_sudoku.board import Board

Puzzle = dict[str, Any]


def puzzle(size: int = 9, givens: str = "", **rules: Any) -> Puzzle:
    """A puzzle with the rules; `givens` are the values of the first cells, a character each, "." for none.

    A key such as "diagonal+" is written as diagonal_plus.
    """
    cells: list[Puzzle] = [{} for _ in range(size * size)]
    for cell, value in zip(cells, givens, strict=False):
        if value != ".":
            cell |= {"value": int(value), "given": True}
    grid = [cells[start : start + size] for start in range(0, size * size, size)]
    named = {key.replace("_plus", "+").replace("_minus", "-"): value for key, value in rules.items()}
    return {"size": size, "grid": grid, **named}


def board_of(data: Puzzle) -> Board:
    """The board of a puzzle."""
    return Board.parse(json.dumps(data))


def rules_of(data: Puzzle) -> list[object]:
    """The constraints of a puzzle."""
    return list(board_of(data).geometry.constraints)


def error_of(data: Puzzle) -> str:
    """The error of a puzzle, which is one line, without its place."""
    with pytest.raises(NotationError) as caught:
        board_of(data)
    message = str(caught.value)
    assert message.startswith("line 1, column 1: expected ")
    assert "\n" not in message
    return message.removeprefix("line 1, column 1: ")
