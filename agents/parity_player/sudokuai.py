"""The parity player searches cells with iterative-deepening alpha-beta; of equal cells it takes the first.

The idea is that of the earlier system 001 (parity minimax, TU/e, 2022). The points of a move do not depend on its
value, so the search fills cells without values; the values come from a completion of the board. The search counts the
empty cells of each row, column and block, and updates the counts on the way down and up, so that nothing is copied. It
evaluates a position by points only. Without skips the number of remaining moves is fixed, and the player who makes the
last one is sure of 7 points. So towards the end of a game, much of the search result is parity. The player neither
skips nor remembers positions.

Its authors suspected a bug that they could not find. There were several, as the listing in their report shows. They
counted the empty cells of a block in only one of its columns, and each cell once for every column: `fault=blocks`
counts as they did. If two cells of a region are left with the same single value, their solver fails before the player
has proposed a move. If blocks are not square, the solver starts from the values of other blocks. In 20 games against
random safe moves it found a completion in each turn on random-3x3, and failed in the first turn of each on empty-3x3
and random-2x3. `fault=as-listed` has their solver and their search as a whole (`listed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from csp_sudoku.board import Board
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.solvers.base import Option

from .listed import listed_proposals


class ParityPlayer(CellAgent):
    """A player that searches as many moves ahead as the time allows, and plays the best cell."""

    OPTIONS: ClassVar = {
        "prune": Option(True, bool, "whether the search prunes (alpha-beta)"),
        "fault": Option(
            "none",
            ("none", "blocks", "as-listed"),
            "blocks: count the empty cells of blocks as the authors did; as-listed: use their whole listing",
        ),
    }

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield a legal move at once, and then better ones; with `as-listed`, only what the authors' search found."""
        if self.options["fault"] == "as-listed":
            return listed_proposals(state, counted_as_before(state.board))
        return super().proposals(state)

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield the best cell of each depth, and better ones as soon as they are found."""
        position = Filling(state)
        if self.options["fault"] == "blocks":
            size = state.board.size
            position.empty[2 * size : 3 * size] = counted_as_before(state.board)
        search = AlphaBeta(position, prune=self.options["prune"])
        for found in deepen(search, position.moves()):
            yield self.move(state, found.move)


def counted_as_before(board: Board) -> list[int]:
    """Return the number of empty cells of each block as the authors counted them, with the wrong column index.

    >>> counted_as_before(Board.parse("1.3. ..4. 2... 43.."))
    [2, 4, 0, 4]
    """
    m, n = board.m, board.n
    counts = []
    for block in range(board.size):
        top, col = block // m * m, block % m * n + block % n
        counts.append(sum(not board[top + cell // n, col] for cell in range(board.size)))
    return counts


SudokuAI = framework_player(ParityPlayer)
