"""Positions of the game in requests and in answers.

A position is an object with `shape`, [m, n], and N·N `values`; cells count from 0, row by row. It may have: `variant`
(what is special about a board that is no plain m×n one, as `csp_sudoku.web.puzzles` has it), `initial`
(the values at the start), `scores`, `player` (1 or 2: to move), `taboo` (a list of [cell, value]), `mode`, `allowed`
and `occupied` (the cells of player 1 and of player 2). An answer also has values that follow from these: `open` (the
open cells of both players, or null), `told` (a sentence with the player to move, or the end of the game) and `over`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.drawing.subjects import game_marks
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.rules import PlayMode, Square
from csp_sudoku.game.state import GameState
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.move import Move
from csp_sudoku.web.fields import is_whole
from csp_sudoku.web.puzzles import geometry_in, variant_object

if TYPE_CHECKING:
    from csp_sudoku.web.fields import Fields

MAX_SCORE = 10**6
"""Upper bound for a score in a request."""


def state_in(fields: Fields) -> GameState:
    """Return the position in a request; SudokuError if its parts contradict each other."""
    geometry = geometry_in(fields)
    count, size = geometry.cell_count, geometry.size
    board = Board(geometry, fields.wholes("values", 0, size, count))
    initial = Board(geometry, fields.wholes("initial", 0, size, count)) if fields.has("initial") else board
    mode = fields.choice("mode", [mode.value for mode in PlayMode], PlayMode.CLASSIC.value)
    allowed = _squares_in(fields, "allowed", geometry)
    if mode == PlayMode.RANDOM and allowed is None:
        raise SudokuError('expected the squares of both players as "allowed" in the mode random; found none')
    return GameState.of(
        board,
        initial=initial,
        scores=fields.wholes("scores", 0, MAX_SCORE, 2) if fields.has("scores") else (0, 0),
        player=fields.whole("player", 1, 2, 1),
        taboo=[_pair(pair, geometry) for pair in fields.list_of("taboo", count * size)],
        mode=mode,
        allowed=allowed if mode == PlayMode.RANDOM else None,
        occupied=_squares_in(fields, "occupied", geometry) or ((), ()),
    )


def move_in(fields: Fields, size: int) -> Move:
    """Return the move in a request, which has `cell` and `value`."""
    row, column = divmod(fields.whole("cell", 0, size * size - 1), size)
    return Move(row, column, fields.whole("value", 1, size))


def state_object(state: GameState) -> dict[str, Any]:
    """Return a position for an answer."""
    marks = game_marks(state)
    size = state.board.size
    return {
        "shape": [state.board.m, state.board.n],
        "variant": variant_object(state.board.geometry),
        "values": list(state.board.values),
        "initial": list(state.initial.values),
        "scores": list(state.scores),
        "player": state.player,
        "taboo": sorted([row * size + column, value] for row, column, value in state.taboo),
        "mode": state.mode.value,
        "allowed": None if state.allowed is None else [_cells(squares, size) for squares in state.allowed],
        "occupied": [_cells(squares, size) for squares in state.occupied],
        "open": None if marks.open_to is None else [sorted(cells) for cells in marks.open_to],
        "last": marks.last,
        "regions": list(marks.completed),
        "over": state.is_over,
        "passes": state.must_pass,
        "told": told(state),
    }


def told(state: GameState) -> str:
    """Return a sentence with the player to move, or the end of the game.

    >>> told(GameState.start(Board.empty(2, 2)))
    'Player 1 is to move.'
    """
    if state.is_over:
        return f"The game is over: {state.reason}."
    if state.must_pass:
        return f"Player {state.player} has no open square and passes."
    return f"Player {state.player} is to move."


def _squares_in(fields: Fields, name: str, geometry: Geometry) -> tuple[list[Square], list[Square]] | None:
    """Return two lists of squares; None if the field is missing."""
    if not fields.has(name):
        return None
    pair, last = fields.list_of(name, 2), geometry.cell_count - 1
    if len(pair) != 2 or not all(
        isinstance(side, list) and all(is_whole(one, 0, last) for one in side) for side in pair
    ):
        fields.fail("two lists of cells", name, pair)
    first, second = ([geometry.row_column(cell) for cell in side] for side in pair)
    return first, second


def _pair(pair: object, geometry: Geometry) -> Move:
    """Return a taboo move from [cell, value]."""
    if not (isinstance(pair, list) and len(pair) == 2 and all(type(one) is int for one in pair)):
        raise SudokuError('expected [cell, value] as each move of "taboo"; found something else')
    cell, value = pair
    if not (0 <= cell < geometry.cell_count and 1 <= value <= geometry.size):
        raise SudokuError('expected a cell and a value of the board in "taboo"; found others')
    return Move(*geometry.row_column(cell), value)


def _cells(squares: Iterable[tuple[int, int]], size: int) -> list[int]:
    return sorted(row * size + column for row, column in squares)
