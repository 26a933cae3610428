"""The heuristic player searches with iterative-deepening alpha-beta, and tries cells with few values first.

The idea is that of the earlier system 000, in its second version (heuristic minimax, TU/e, 2023). The value of a leaf
is the points, plus a tenth of the share of empty cells if the player who searches is to move there. Cells are tried in
the order of their number of legal values, but those with exactly two come last: filling one of a pair leaves the other
to the opponent. The order also decides between equal moves, and that is most of its effect.

The earlier system searched a move for every cell and value, which is N times the work for the same points. This player
searches cells, and takes the values from a completion. So it plays no bombs. On small boards it loses to the earlier
system, which played bombs without recognising them: each bomb is a skip that its opponent does not have. The option
`fault` restores faults of the earlier system; two of them are joined by +:

    pairs   a move for every legal cell and value, bombs among them
    stale   the best value of all depths is kept, even if a deeper search finds a lower value for the same move

The share of empty cells at a leaf is known in advance: all lines of one depth end with the same number of empty cells
and the same player to move. So it changes a choice only with the faults, and in play modes where a player may have to
pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import ClassVar

from csp_sudoku.board import Board
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling, Pairs
from csp_sudoku.solvers.base import Option

WEIGHT = 0.1
"""The value of a completely empty board, in points; it is below the smallest difference in points, which is 1."""


class HeuristicPlayer(CellAgent):
    """A player that searches cells as deep as the time allows, and plays the best one; of equal cells, the first."""

    OPTIONS: ClassVar = {
        "emptiness": Option(True, bool, "whether a leaf counts its share of empty cells"),
        "order": Option(
            "twos-last", ("twos-last", "fewest", "none"), "order of the cells by their number of legal values"
        ),
        "fault": Option("none", ("none", "pairs", "stale"), "faults to restore, joined by +", several=True),
    }

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield the best cell of each depth, and better ones as soon as they are found."""
        faults = self.options["fault"].split("+")
        order = ordered(state.board, self.options["order"])
        position = Pairs(state, order) if "pairs" in faults else Filling(state, order)
        player = position.player

        def bonus() -> float:
            return WEIGHT * position.left / position.cell_count if position.player == player else 0

        search = AlphaBeta(position, bonus=bonus if self.options["emptiness"] else None)
        best = -inf
        for found in deepen(search, position.moves()):
            if "stale" not in faults:
                yield self.move_of(state, position, found.move)
            elif found.value > best:
                best = found.value
                yield self.move_of(state, position, found.move)


def ordered(board: Board, order: str) -> list[int]:
    """Return the empty cells of a board in the order in which the search tries them.

    `order` is "fewest" (fewest legal values first), "twos-last" (the same, but cells with two values last) or "none".

    >>> board = Board.parse("12.. .... .... 4...")
    >>> [len(board.candidates(*divmod(cell, 4))) for cell in ordered(board, "twos-last")]
    [1, 3, 3, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2]
    """
    cells = list(board.empty_cells())
    if order == "none":
        return cells
    counts = {cell: len(board.candidates(*board.geometry.row_column(cell))) for cell in cells}
    return sorted(cells, key=lambda cell: (order == "twos-last" and counts[cell] == 2, counts[cell]))


SudokuAI = framework_player(HeuristicPlayer)
