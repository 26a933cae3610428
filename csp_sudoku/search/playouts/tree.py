"""Monte Carlo tree search of a filling game, slice by slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.search.filling.deepening import SearchResult
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.search.kernels.plies import REWARDS, UNIT
from csp_sudoku.search.playouts.kept_tree import KeptTree
from csp_sudoku.search.playouts.kernels import playouts as kernels

if TYPE_CHECKING:
    from random import Random

    from csp_sudoku.search.filling.model import FillingModel

TIE = 0.5
"""Tolerance in points by which a skip may be worse than a move that lets the opponent complete a region."""

SLICE_MOVES = 20_000
"""Number of moves in the playouts of one slice; a slice takes some thousandths of a second."""

ROOM = 1 << 20
"""Maximum number of positions in a tree; they take 110 MB, but the system only allocates the pages that are used."""

EDGES_PER_NODE = 8
"""Capacity of the tree in moves per position."""

SKIPS = 2
"""Maximum number of unpaired skips kept in the searched game."""

EXPLORATION = 5.0
"""Exploration constant of the tree search, in points: a larger one visits apparently worse moves more often."""

WIDTH = 0.5
"""Progressive widening: after n visits of a position, its first 2 + n**WIDTH moves are considered."""


class Playouts:
    """Monte Carlo tree search of one filling game; it visits promising moves more and more often.

    `model` is the filling game, and `rng` seeds the playouts. `room` is the maximum number of positions in the tree
    (default 2**20). `kept` is a tree of an earlier turn; the search continues it if the tree knows the position.
    `exploration` (default 5 points) and `width` (default 0.5) replace `EXPLORATION` and `WIDTH`.
    `skips` is the maximum number of unpaired skips in the searched game (default 2); pairs of skips are left out.

    The attribute `model` is the game that is searched. If a kept tree is continued, it numbers cells and skips as that
    tree does.
    """

    def __init__(
        self,
        model: FillingModel,
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
        """The number of moves in all playouts so far."""
        self.games = 0
        """The number of playouts so far."""
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
        """The part of the tree to keep for the next turn."""
        nodes, edges, _ = self._tree
        return KeptTree.of(self.model, nodes[: int(self._settings["nodes"][0])], edges)

    @property
    def _root(self) -> Any:
        return self._tree[0][int(self._settings["root"][0])]

    def steps(self) -> Iterator[SearchResult]:
        """Play slice after slice without end, and yield the verdict after each slice."""
        while True:
            self.play(self._slice)
            yield self.verdict()

    def play(self, games: int) -> None:
        """Play this number of further playouts."""
        self.nodes += kernels.play_out(*self._arguments(games))
        self.games += games

    def verdict(self) -> SearchResult:
        """The move with the most visits, and its mean value.

        The depth of the verdict is the bit length of the number of visits. If the move leaves a region with one empty
        cell, which lets the opponent score, and a skip is at most `TIE` points worse, the verdict is the skip: then the
        opponent has to find a skip as well. If the value for the side to move is not positive, a skip of a removed pair
        may be chosen too, because the opponent's only answer is the partner of that skip.
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

    def _verdict(self, value: float, move: int) -> SearchResult:
        visits = int(self._root["visits"])
        return SearchResult(float(value), move, visits.bit_length(), is_exact=False, nodes=self.nodes)

    def _gives(self, move: int) -> bool:
        """Whether a move completes no region, and leaves a region with one empty cell for the opponent."""
        if move >= filling.MAX_CELLS:
            return False
        game, empty = self.model.games[0], int(self.model.position[0])
        regions = game["regions_of"][move]
        left = [(int(game["region"][r]) & empty).bit_count() + int(game["extra"][r]) for r in regions]
        return 1 not in left and 2 in left

    def _arguments(self, games: int) -> tuple[Any, ...]:
        return self.model.games, self._settings, self._tree, self.model.position, games
