"""CellAgent: a player that looks for a cell; the value for it comes from a completion of the board.

The completion is a **witness**: as long as the board agrees with it, each of its values is safe. So it is kept from
turn to turn, and a new one is looked for only when the opponent has left it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.errors import UndecidedError
from csp_sudoku.framework.light_solver import complete
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.agent import Agent
from csp_sudoku.players.filling import Filling


class CellAgent(Agent):
    """A player by cells: `choices` is what it must have. What it keeps besides the witness is in `kept`."""

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        self.witness: bytes | None = None
        self.kept: Any = None

    @abstractmethod
    def choices(self, state: GameState) -> Iterator[Move]:
        """Better and better moves, of a state that has some; `self.move` gives the safe one on a cell."""

    def proposals(self, state: GameState) -> Iterator[Move]:
        """A legal move at once, then those that are chosen."""
        if self.witness is not None and not agrees(self.witness, state.board):
            self.witness = None
        if self.witness is not None:
            yield self.move(state, self.rng.choice(Filling(state).moves()))
        else:
            yield self.rng.choice(state.moves())  # it may be a bomb; soon there will be better ones
            self.witness = completion(state.board)
        if self.witness is not None:
            yield from self.choices(state)

    def move(self, state: GameState, cell: int) -> Move:
        """The safe move on an empty cell."""
        assert self.witness is not None
        row, col = state.board.geometry.row_column(cell)
        return Move(row, col, self.witness[cell])

    def move_of(self, state: GameState, position: Filling, move: int) -> Move:
        """The move that a move of a position stands for: with its own value, or with that of the witness."""
        safe = self.move(state, position.cell(move))
        value = position.value(move)
        return safe._replace(value=value) if value else safe

    def save(self) -> object:
        """The witness and what is kept."""
        return self.witness, self.kept

    def load(self, saved: Any) -> None:
        """Take them back."""
        self.witness, self.kept = saved


def agrees(witness: bytes, board: Board) -> bool:
    """Whether a completion is one of this board."""
    return len(witness) == len(board.values) and all(
        given in (0, value) for value, given in zip(witness, board.values, strict=True)
    )


def completion(board: Board) -> bytes | None:
    """The values of a completion of a board, None if it has none.

    >>> completion(Board.parse("12.. .... ..3. ..4.")) is None
    True
    """
    if board.geometry.is_standard:
        try:  # most boards are done before the toolkit's solvers would be loaded
            found = complete(board.m, board.n, board.values)
        except UndecidedError:
            pass
        else:
            return None if found is None else bytes(found)
    from csp_sudoku.solvers.questions import solve

    solution = solve(board).solution
    return None if solution is None else solution.values
