"""Advice for a person during a game: why a move would lose, a safe move, and the map of safe moves and bombs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import MoveError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.moves.move_map import MoveMap

MAP_S = 10.0
"""Upper bound for the time of a map, in seconds. It takes less than 0.1 s on 3×3; an empty 5×5 board takes longer."""


def objection(state: GameState, move: Move) -> str:
    """Return the reason why a move loses the game at once, for people; an empty text if it does not.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> from csp_sudoku.moves.move import Move
    >>> state = GameState.start(Board.parse("12.. .... .... ...."))
    >>> objection(state, Move(0, 0, 3)), objection(state, Move(0, 2, 3))
    ('r1c1=3 is illegal: expected an empty cell at r1c1; found 1 in it', '')
    """
    try:
        move.require_on(state.board.size)
        if move in state.taboo:
            return f"{move} is taboo: it was found to be a bomb before"
        state.place(move)
    except MoveError as error:
        return f"{move} is illegal: {error}"
    return ""


class Adviser:
    """Answers the questions of a person about positions; it keeps the map of the last board."""

    def __init__(self) -> None:
        self._map: MoveMap | None = None

    def map(self, board: Board) -> MoveMap:
        """Return the map of all moves of a board; after `MAP_S` seconds the other moves are unknown."""
        from csp_sudoku.moves.classification import classify_moves

        if self._map is None or self._map.board != board:
            self._map = classify_moves(board, time_limit=MAP_S)
        return self._map

    def cell(self, state: GameState, row: int, col: int) -> str:
        """Return the verdicts on the values of a cell, for people; `row` and `col` count from 0."""
        name = cell_name(row, col)
        if state.board[row, col]:
            return f"{name} is filled"
        found = self.map(state.board)
        values: dict[str, list[str]] = {}
        for value in state.board.candidates(row, col):
            values.setdefault(found.verdict(row, col, value).value, []).append(str(value))
        parts = [
            f"{verdict} {', '.join(values[verdict])}" for verdict in ("safe", "bomb", "unknown") if verdict in values
        ]
        squares = state.squares()
        closed = squares is not None and (row, col) not in squares
        return f"{name}: {'; '.join(parts)}" + ("; the cell is not open to you" if closed else "")

    def hint(self, state: GameState) -> str:
        """Return a safe move of the player to move, for people: the one with the most points, or one with a reason.

        If no technique of a person finds a move, the text names what a technique excludes, and a safe move.
        """
        safe = self._safe_moves(state)
        if not safe:
            return f"no safe move was found within {MAP_S:g} s."
        best = max(safe, key=lambda move: _points(state, move))
        points = _points(state, best)
        if points:
            return f"{best} is safe and gives {points} point{'s' * (points > 1)}."
        from csp_sudoku.puzzles.hint import hint
        from csp_sudoku.puzzles.steps.trial import TRIAL

        try:
            step = hint(state.board)
        except SudokuError:
            step = None
        if step is None or step.technique == TRIAL:
            return f"{best} is safe."
        if step.placements:
            return str(step) if step.placements[0] in safe else f"{best} is safe."
        return f"{step} Moves that this excludes are bombs; {best} is safe."

    def _safe_moves(self, state: GameState) -> list[Move]:
        """The moves of the player to move that are proven to be safe."""
        found = self.map(state.board).safe
        return [move for move in state.moves() if move in found]


def _points(state: GameState, move: Move) -> int:
    """The points that a legal move gives if it is safe."""
    _, outcome = state.place(move)
    return outcome.reward
