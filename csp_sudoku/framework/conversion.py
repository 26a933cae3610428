"""Conversion between the game's states and the framework's states, and between the moves of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.errors import expect_name
from csp_sudoku.framework.boards import Square
from csp_sudoku.framework.standins import APIS
from csp_sudoku.framework.v12 import sudoku as v12
from csp_sudoku.framework.v14 import sudoku as v14
from csp_sudoku.framework.v14.state import in_order
from csp_sudoku.game.rules import PLAYERS, PlayMode, Squares, allowed_squares
from csp_sudoku.game.state import GameState, Played
from csp_sudoku.moves.move import Move

PlainMove = tuple[int, int, int]
"""A row and a column (both from zero), and a value."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two turns, in plain data.

    `moves` are (row, column, value, is_taboo), where the last item states whether the move became taboo; `player` is
    the player to move. The squares are None if the players may play everywhere, as in the mode classic.
    """

    m: int
    n: int
    squares: tuple[int, ...]
    initial: tuple[int, ...]
    moves: tuple[tuple[int, int, int, bool], ...] = ()
    taboo: tuple[PlainMove, ...] = ()
    scores: tuple[int, int] = (0, 0)
    player: int = 1
    mode: str = "classic"
    allowed1: tuple[Square, ...] | None = None
    allowed2: tuple[Square, ...] | None = None
    occupied1: tuple[Square, ...] | None = None
    occupied2: tuple[Square, ...] | None = None


def to_game_state(position: Position, api: str) -> v12.GameState | v14.GameState:
    """Return the state that an agent of this API gets for a position; it shares no data with the position."""
    expect_name("framework API", api, APIS)
    return _old(position) if api == "v12" else _new(position)


def position_of(state: GameState) -> Position:
    """Return the position of a state of the game."""
    skipped = [move for move, was_skipped in state.history if was_skipped]
    taboo = dict.fromkeys([*skipped, *sorted(state.taboo)])
    played = {(move.row, move.col): turn for turn, (move, was_skipped) in enumerate(state.history) if not was_skipped}
    squares: list[tuple[Square, ...] | None] = [None] * 4
    if state.allowed is not None:
        squares = [tuple(in_order(some, state.board.size)) for some in state.allowed]
        squares += [  # squares filled at the start come first, then those in the order of play, as in the framework
            tuple(sorted(some, key=lambda square: (played.get(square, -1), square))) for some in state.occupied
        ]
    return Position(
        state.board.m,
        state.board.n,
        state.board.cells,
        state.initial.cells,
        tuple((*move, was_skipped) for move, was_skipped in state.history),
        tuple((row, column, value) for row, column, value in taboo),
        state.scores,
        state.player,
        state.mode,
        *squares,
    )


def from_game_state(given: Any) -> GameState:
    """Convert a state of the framework, of either API, stand-in or real, to a state of the game.

    The play mode is the mode that allows exactly these squares; if there is none, it is random.
    """
    player = given.current_player
    allowed1, allowed2 = (getattr(given, f"allowed_squares{number}", None) for number in PLAYERS)
    taboo = {_plain(move) for move in given.taboo_moves}
    history = tuple(Played(move, move in taboo) for move in map(_plain, given.moves))
    board, initial = (Board((some.m, some.n), some.squares) for some in (given.board, given.initial_board))
    first, second = given.scores
    allowed = None if allowed1 is None or allowed2 is None else (_squares(allowed1), _squares(allowed2))
    return GameState(
        board,
        initial,
        (first, second),
        player() if callable(player) else player,
        frozenset(taboo),
        history,
        _mode(board, allowed),
        allowed,
        _alternately(history)
        if allowed is None
        else (_squares(given.occupied_squares1 or ()), _squares(given.occupied_squares2 or ())),
    )


def _plain(move: Any) -> Move:
    """Return a move of either API as a move of the game."""
    row, column = move.square if hasattr(move, "square") else (move.i, move.j)
    return Move(row, column, move.value)


def _squares(squares: Iterable[Square]) -> Squares:
    return frozenset((row, column) for row, column in squares)


def _mode(board: Board, allowed: tuple[Squares, Squares] | None) -> PlayMode:
    for mode in (PlayMode.CLASSIC, PlayMode.ROWS, PlayMode.BORDER):
        if allowed == allowed_squares(board.geometry, mode):
            return mode
    return PlayMode.RANDOM


def _alternately(history: tuple[Played, ...]) -> tuple[Squares, Squares]:
    """Return the squares that each player has filled, provided that no player has ever passed."""
    first, second = (
        frozenset((move.row, move.col) for move, was_skipped in history[start::2] if not was_skipped)
        for start in range(2)
    )
    return first, second


def _old(position: Position) -> v12.GameState:
    boards = [v12.SudokuBoard(position.m, position.n) for _ in range(2)]
    boards[0].squares, boards[1].squares = list(position.initial), list(position.squares)
    return v12.GameState(
        boards[0],
        boards[1],
        [v12.TabooMove(*move) for move in position.taboo],
        [(v12.TabooMove if taboo else v12.Move)(*move) for *move, taboo in position.moves],
        list(position.scores),
    )


def _new(position: Position) -> v14.GameState:
    boards = [v14.SudokuBoard(position.m, position.n) for _ in range(2)]
    boards[0].squares, boards[1].squares = list(position.initial), list(position.squares)
    kinds = position.allowed1, position.allowed2, position.occupied1, position.occupied2
    return v14.GameState(
        boards[0],
        boards[1],
        [v14.TabooMove((row, column), value) for row, column, value in position.taboo],
        [(v14.TabooMove if taboo else v14.Move)((row, column), value) for row, column, value, taboo in position.moves],
        list(position.scores),
        position.player,
        *(None if squares is None else list(squares) for squares in kinds),
    )
