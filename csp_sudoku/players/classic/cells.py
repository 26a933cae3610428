"""CellAgent: a player that chooses a cell; the value for it comes from a completion of the board.

The completion is a **witness**: as long as the board agrees with it, each of its values is safe. So the player keeps it
from turn to turn, and searches for a new one only when the opponent has placed a different value.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any

from csp_sudoku.agent import Agent
from csp_sudoku.board import Board
from csp_sudoku.candidates import Given
from csp_sudoku.errors import UndecidedError
from csp_sudoku.framework.light_solver import complete
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.filling import Filling


class CellAgent(Agent):
    """A player that chooses cells; a subclass must define `choices`.

    The attribute `kept` holds the data of the subclass that is kept from turn to turn, besides the witness.
    """

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        self.witness: bytes | None = None
        self.kept: Any = None

    @abstractmethod
    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield better and better moves; the state has at least one. `self.move` returns the safe move on a cell."""

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield a legal move at once, then the moves that `choices` yields."""
        if self.witness is not None and not Given(state.board.values).fits(self.witness):
            self.witness = None
        if self.witness is not None:
            yield self.move(state, self.rng.choice(Filling(state).moves()))
        else:
            yield self.rng.choice(state.moves())  # This move may be a bomb; better moves follow soon.
            self.witness = completion(state.board)
        if self.witness is not None:
            yield from self.choices(state)

    def move(self, state: GameState, cell: int) -> Move:
        """Return the safe move on an empty cell."""
        assert self.witness is not None
        row, col = state.board.geometry.row_column(cell)
        return Move(row, col, self.witness[cell])

    def move_of(self, state: GameState, position: Filling, move: int) -> Move:
        """Return the game's move for a move of a filling position, with its own value or the value of the witness."""
        safe = self.move(state, position.cell(move))
        value = position.value(move)
        return safe._replace(value=value) if value else safe

    def save(self) -> object:
        """Return the witness and the data of the subclass."""
        return self.witness, self.kept

    def load(self, saved: Any) -> None:
        """Restore the witness and the data of the subclass."""
        self.witness, self.kept = saved


def completion(board: Board) -> bytes | None:
    """Return the values of a completion of a board, or None if it has none.

    >>> completion(Board.parse("12.. .... ..3. ..4.")) is None
    True
    """
    if board.geometry.is_standard:
        try:  # This solver finishes most boards in less time than importing the compiled solvers takes.
            found = complete(board.m, board.n, board.values)
        except UndecidedError:
            pass
        else:
            return None if found is None else bytes(found)
    from csp_sudoku.solvers.questions import solve

    solution = solve(board).solution
    return None if solution is None else solution.values
