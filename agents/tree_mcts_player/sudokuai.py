"""The tree-mcts player searches with Monte Carlo tree search, and keeps its tree from turn to turn.

The idea is that of the earlier system 000 (tree-saving MCTS, TU/e, 2023). The search selects moves by UCB with C = 2,
and adds a position to the tree on its second visit. The game continues with random moves to its end; its result is 1
for a win, else 0. After every few playouts the player proposes the move with the highest mean. In the next turn the
search starts from the node of the tree that the two moves since then lead to.

The earlier system had a move for every cell and value, and copied the whole state for each playout, so it made few of
them. This player's moves are cells, values come from a completion, and only the counts of the regions are copied.
`fault=pairs` restores the tree of cells and values.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling, Pairs
from csp_sudoku.players.classic.monte_carlo import MonteCarlo, TreeNode
from csp_sudoku.solvers.base import Option

STEP = 10
"""Number of playouts between two proposals."""

MOST = 200_000
"""Maximum number of playouts of a tree, so that it does not grow without limit in a turn without a time limit."""


class TreeMctsPlayer(CellAgent):
    """A player that plays the cell with the largest share of wins in its random games."""

    OPTIONS: ClassVar = {
        "c": Option(2.0, float, "exploration constant C of UCB"),
        "keep": Option(True, bool, "whether the tree is kept between turns"),
        "fault": Option("none", ("none", "pairs"), "pairs: a move for every cell and value, as in the earlier system"),
    }

    search: MonteCarlo | None = None
    """The search of this turn."""

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield the cell with the highest mean, again and again."""
        position = Pairs(state) if self.options["fault"] == "pairs" else Filling(state)
        self.search = search = MonteCarlo(
            position,
            self.rng,
            exploration=self.options["c"],
            worth=lambda lead: 1.0 if lead > 0 else 0.0,
            root=self.grown(state, position),
        )
        self.turn = len(state.history)
        while search.root.playouts < MOST:
            search.run(STEP)
            yield self.move_of(state, position, search.root.highest())
            if len(search.root.moves) == 1:
                return

    def save(self) -> object:
        """Return the witness, and the tree as bytes, which load fast.

        The tree is unpickled from the bytes only after the first proposal of the next turn.
        """
        if self.options["keep"] and self.search is not None:
            self.kept = self.turn, pickle.dumps(self.search.root, pickle.HIGHEST_PROTOCOL)
        return super().save()

    def grown(self, state: GameState, position: Filling) -> TreeNode | None:
        """Return the node of the kept tree for this state, or None if there is none."""
        if self.kept is None:
            return None
        turn, tree = self.kept
        node: TreeNode | None = pickle.loads(tree)  # noqa: S301 - its own
        for (row, col, value), skipped in state.history[turn:]:
            if node is None or skipped:  # The tree has no skips, so it has no node for a position after one.
                return None
            cell = state.board.geometry.cell(row, col)
            node = next(
                (
                    node.after(move)
                    for move in node.moves
                    if position.cell(move) == cell and position.value(move) in (0, value)
                ),
                None,
            )
        fits = node is not None and node.player == position.player and node.moves == position.moves()
        return node if fits else None


SudokuAI = framework_player(TreeMctsPlayer)
