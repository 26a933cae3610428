"""The naive player plays any value that is not taboo on any square where it may play, even if the value clashes.

Such a value loses the game at once, so the player soon loses. It is the simplest possible player; the idea is that of
the player of the same name in the TU/e Competitive Sudoku framework.
"""

from collections.abc import Iterator

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players import Agent


class NaivePlayer(Agent):
    """A player that plays any empty square and any value."""

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield one move."""
        squares = state.squares()
        if squares is None:
            squares = tuple(map(state.board.geometry.row_column, state.board.empty_cells()))
        values = range(1, state.board.size + 1)
        moves = [move for square in squares for value in values if (move := Move(*square, value)) not in state.taboo]
        if moves:
            yield self.rng.choice(moves)


SudokuAI = framework_player(NaivePlayer)
