"""A tree of playouts that is kept for the next turn.

The next turn often continues the same filling game. A position of the tree is identified by its empty cells and its
remaining skips, so the next turn finds its own position in the tree. The tree can only be used if the game is the same:
the cells have the same values, and no skips have been added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from csp_sudoku.moves.move import Move
    from csp_sudoku.search.filling.model import FillingModel

LEAST_VISITS = 8
"""Minimum number of visits of a kept position. Most positions have fewer, and are quickly visited again."""


MOST_MOVES = 1 << 21
"""Maximum number of moves in a kept tree, at 8 bytes each. A larger tree keeps only positions with more visits."""


@dataclass(frozen=True, slots=True)
class KeptTree:
    """The positions of a tree with many visits, and their moves."""

    model: FillingModel
    """The game that the tree grew from."""
    nodes: NDArray[np.void]
    """The positions, as records of the kernel."""
    edges: NDArray[np.void]
    """The moves of all positions, as records of the kernel."""

    @classmethod
    def of(cls, model: FillingModel, nodes: NDArray[np.void], edges: NDArray[np.void]) -> KeptTree:
        """Keep the positions of a tree that can still occur and have at least `LEAST_VISITS` visits."""
        gone = (nodes["empty"] & ~model.position[0]) | (nodes["skips"] & ~model.position[1])
        least = LEAST_VISITS
        often = (nodes["visits"] >= least) & (gone == 0)
        while nodes["count"][often].sum() > MOST_MOVES:
            least *= 2
            often &= nodes["visits"] >= least
        names = np.cumsum(often, dtype=np.int32) - 1
        kept = nodes[often]
        counts = kept["count"].astype(np.int64)
        begins = np.cumsum(counts) - counts
        moves = edges[np.repeat(kept["first"] - begins, counts) + np.arange(counts.sum())]
        to = moves["node"]
        moves["node"] = np.where((to >= 0) & often[to], names[to], -1)
        kept["first"] = begins
        return cls(model, kept, moves)

    def room(self, edges_per_node: int) -> int:
        """The capacity in positions, a power of two, that lets this tree grow to at least twice its size.

        `edges_per_node` is the number of moves that the grown tree has room for per position.
        """
        return 1 << (2 * max(len(self.nodes), len(self.edges) // edges_per_node)).bit_length()

    def model_at(self, now: FillingModel) -> FillingModel | None:
        """The game of this tree at the later position `now`; None if `now` belongs to another game."""
        before = self.model
        if before.games["extra"].any() or before.games["restricted"] != now.games["restricted"]:
            return None
        places = {cell: i for i, cell in enumerate(before.cells)}
        if any(cell not in places or before.completion[cell] != now.completion[cell] for cell in now.cells):
            return None
        known = {key: i for i, key in enumerate(_keys(before))}
        skips = [known.get(key, -1) for key in _keys(now)]
        if -1 in skips:
            return None
        bombs: list[Sequence[Move]] = [()] * len(before.skips)
        for its, skip in zip(now.skips, skips, strict=True):
            bombs[skip] = its
        numbers = [places[cell] for cell in now.cells]
        empty, live, mine, others = (int(word) for word in now.position)
        words = (_moved(empty, numbers), _moved(live, skips), _moved(mine, numbers), _moved(others, numbers))
        if not before.games["restricted"][0]:
            words = *words[:2], int(before.position[2]), int(before.position[3])
        return replace(
            before,
            position=np.array(words, np.uint64),
            skips=bombs,
            completion=now.completion,
            is_exact=now.is_exact,
        )


def _keys(model: FillingModel) -> list[tuple[frozenset[int], int]]:
    """The identity of each skip of a model, in cells of the board.

    It is the set of cells that kill the skip and, in a restricted game, the cell in which the skip is played.
    """
    game = model.games[0]
    restricted = bool(game["restricted"])
    kills = [int(game["kills"][i]) for i in range(len(model.cells))]
    return [
        (
            frozenset(cell for cell, its in zip(model.cells, kills, strict=True) if its >> skip & 1),
            model.cells[int(game["skip_cell"][skip])] if restricted else 0,
        )
        for skip in range(len(model.skips))
    ]


def _moved(word: int, places: list[int]) -> int:
    """The word with each of its bits moved to its new place."""
    return sum(1 << place for i, place in enumerate(places) if word >> i & 1)
