"""Monte Carlo tree search that keeps its tree from turn to turn.

The idea is that of the earlier system 000 (tree-saving MCTS, TU/e, 2023). Moves are picked by UCB with C = 2, a
position gets its place in the tree on the second visit, the game goes on with random moves to its end, and counts 1 if
it is won, else 0. The move with the highest mean is proposed after every few playouts. In the next turn the search
starts where the two moves since then have led in the tree.

It had a move for every cell and value, and copied the whole state for each playout, so it got few of them. Here moves
are cells, values come from a completion, and nothing is copied but the counts of the regions. `fault=pairs` is a tree
of cells and values as before.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.cells import CellAgent
from csp_sudoku.players.filling import Filling, Pairs
from csp_sudoku.players.monte_carlo import MonteCarlo, Node
from csp_sudoku.solvers.base import Option

STEP = 10
"""Playouts between two proposals."""

MOST = 200_000
"""Playouts of a tree, which would grow without end if a turn did."""


class TreeMctsPlayer(CellAgent):
    """The cell that won most of the random games so far."""

    OPTIONS: ClassVar = {
        "c": Option(2.0, float, "how much is tried that does not look best (C of UCB)"),
        "keep": Option(True, bool, "whether the tree is kept between turns"),
        "fault": Option("none", ("none", "pairs"), "pairs: a move for every cell and value, as the authors had it"),
    }

    search: MonteCarlo | None = None
    """The search of this turn."""

    def choices(self, state: GameState) -> Iterator[Move]:
        """The cell with the highest mean, again and again."""
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
        """The witness, and the tree as bytes: they are read at once, and made a tree again after the first proposal."""
        if self.options["keep"] and self.search is not None:
            self.kept = self.turn, pickle.dumps(self.search.root, pickle.HIGHEST_PROTOCOL)
        return super().save()

    def grown(self, state: GameState, position: Filling) -> Node | None:
        """The node of the kept tree for this state, if there is one."""
        if self.kept is None:
            return None
        turn, tree = self.kept
        node: Node | None = pickle.loads(tree)  # noqa: S301 - its own
        for (row, col, value), skipped in state.history[turn:]:
            if node is None or skipped:  # the tree knows no skips, so it has nothing for what comes after one
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
