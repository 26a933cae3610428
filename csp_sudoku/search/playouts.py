"""Monte Carlo tree search of a filling game, slice by slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.search.deepening import Verdict
from csp_sudoku.search.kept_tree import KeptTree
from csp_sudoku.search.kernels import filling
from csp_sudoku.search.kernels import playouts as kernels
from csp_sudoku.search.kernels.plies import REWARDS, UNIT
from csp_sudoku.search.pairing import without_pairs
from csp_sudoku.solvers.kernels.compiled import get_ready

if TYPE_CHECKING:
    from random import Random

    from csp_sudoku.search.model import Model

TIE = 0.5
"""Points that a skip may seem worse, where the other move gives something away."""

SLICE_MOVES = 20_000
"""Moves of the games of a slice: some thousandths of a second."""

ROOM = 1 << 20
"""Positions of a tree: 110 MB, of which only that is taken which is used."""

EDGES_PER_NODE = 8

SKIPS = 2
"""That have no partner, at most."""

EXPLORATION = 5.0
"""Points, about, that a move is behind when it is tried less often."""

WIDTH = 0.5
"""So many moves are tried after n visits: n to the power of this."""


class Playouts:
    """The search of one game: what its moves bring on average, the better ones more and more often.

    Of the skips it plays with those that have no partner, `skips` at most. It goes on from a tree that was kept, if
    that knows the position. `model` is the game that is played: with the numbers of the tree, if one was kept.
    """

    def __init__(
        self,
        model: Model,
        rng: Random,
        room: int = ROOM,
        kept: KeptTree | None = None,
        exploration: float = EXPLORATION,
        width: float = WIDTH,
        skips: int = SKIPS,
    ) -> None:
        lean, spare = without_pairs(model, skips)
        continued = kept.model_at(lean) if kept else None
        self.model = model = continued or lean
        self._spare = None if spare is None else model.skips.index(lean.skips[spare]) + filling.MAX_CELLS
        self.nodes = 0
        """The moves of all games."""
        self.games = 0
        self._settings = np.zeros(1, kernels.SETTINGS)
        self._settings["random"] = rng.getrandbits(63) | 1
        self._settings["exploration"], self._settings["width"] = exploration, width
        if kept and continued:
            room = max(room, kept.room(EDGES_PER_NODE))
        self._tree = (
            np.empty(room, kernels.NODE),
            np.empty(room * EDGES_PER_NODE, kernels.EDGE),
            np.zeros(room * 2, np.int32),
        )
        if kept and continued:
            self._plant(kept)
        self._slice = SLICE_MOVES // (len(model.cells) + int(model.position[1]).bit_count()) + 1
        get_ready(kernels.play_out, *self._arguments(self._slice))

    def _plant(self, kept: KeptTree) -> None:
        nodes, edges, slots = self._tree
        count = len(kept.nodes)
        nodes[:count], edges[: len(kept.edges)] = kept.nodes, kept.edges
        self._settings["nodes"], self._settings["edges"] = count, len(kept.edges)
        get_ready(kernels.plant, nodes, count, slots)
        kernels.plant(nodes, count, slots)

    def kept(self) -> KeptTree:
        """What is worth keeping of the tree."""
        nodes, edges, _ = self._tree
        return KeptTree.of(self.model, nodes[: int(self._settings["nodes"][0])], edges)

    @property
    def _root(self) -> Any:
        return self._tree[0][int(self._settings["root"][0])]

    def steps(self) -> Iterator[Verdict]:
        """What is best so far, slice by slice, without end."""
        while True:
            self.play(self._slice)
            yield self.verdict()

    def play(self, games: int) -> None:
        """Play some more games."""
        self.nodes += kernels.play_out(*self._arguments(games))
        self.games += games

    def verdict(self) -> Verdict:
        """The move that was tried most often, and what it brought; its depth is the number of bits of that of visits.

        Where that gives something away, and a skip is about as good, it is the skip: so the other side has to find one.
        As good is one with a partner, for who is not ahead from here: the answer is the partner, or there is none.
        """
        nodes, edges, _ = self._tree
        root = self._root
        moves = edges[root["first"] : root["first"] + root["count"]]
        moves = moves[moves["node"] >= 0]
        children = nodes[moves["node"]]
        visits, values = children["visits"], REWARDS[moves["gain"]] / UNIT + moves["sign"] * children["mean"]
        best = int(visits.argmax())
        if self._gives(int(moves["move"][best])):
            tried = np.where((moves["move"] >= filling.MAX_CELLS) & (2 * visits >= visits[best]), values, -np.inf)
            skip = int(tried.argmax())
            if tried[skip] < values[best] - TIE and self._spare is not None and values[best] <= 0:
                return self._verdict(values[best], self._spare)
            best = skip if tried[skip] >= values[best] - TIE else best
        return self._verdict(values[best], int(moves["move"][best]))

    def _verdict(self, value: float, move: int) -> Verdict:
        visits = int(self._root["visits"])
        return Verdict(float(value), move, visits.bit_length(), is_exact=False, nodes=self.nodes)

    def _gives(self, move: int) -> bool:
        """Whether a move completes nothing, and leaves a region with one empty cell."""
        if move >= filling.MAX_CELLS:
            return False
        game, empty = self.model.games[0], int(self.model.position[0])
        regions = game["regions_of"][move]
        left = [(int(game["region"][r]) & empty).bit_count() + int(game["extra"][r]) for r in regions]
        return 1 not in left and 2 in left

    def _arguments(self, games: int) -> tuple[Any, ...]:
        return self.model.games, self._settings, self._tree, self.model.position, games
