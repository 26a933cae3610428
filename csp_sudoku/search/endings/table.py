"""The values of all endings of a filling game, computed slice by slice, which the search of the game looks up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.search.endings.kernels import endings as kernels
from csp_sudoku.search.kernels.plies import UNIT, most_left

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from csp_sudoku.search.filling.model import FillingModel

SLICE_VALUES = 1_000_000
"""Number of values per slice; a slice takes some thousandths of a second."""

MOST_POINTS = 127
"""Upper bound on the points that one side can gain, because a value is stored in one byte."""

RESTRICTED_CELLS = 22
"""Maximum number of cells in a restricted game. Larger ones cannot be searched to the end, with or without endings."""

BYTES_OF_SET = 12
"""Memory of a set of skips in addition to its blocks, in bytes."""


class Endings:
    """The endings of one filling game, the `model`, and their values.

    The game has room if it has at most 28 cells (22 if it is restricted) in at most 64 regions, if it contains every
    empty cell of these regions, if no side can get more than 127 points, and if the endings fit into `most` bytes. A
    game without room has no endings, and its `count` is 0.

    With `all_skips` (default False), the endings cover all skips of the game if they fit. Otherwise they
    cover the skips that are still live, but only the first `most_skips` (default 20) of them. In a restricted game, an
    ending is a position in which every empty square is open to both sides.
    """

    def __init__(
        self, model: FillingModel, most: int, *, all_skips: bool = False, most_skips: int = kernels.MOST_SKIPS
    ) -> None:
        self.memory: tuple[NDArray[Any], ...] = kernels.no_memory()
        """The arrays in which a search looks up the values."""
        self.count = 0
        """The number of values; 0 if the game has no room."""
        self.valued = 0
        """The number of values that are known so far."""
        self._cells = len(model.cells)
        self._most = most
        self.has_room = self._fits(model.games[0])
        """Whether the game qualifies and its sets of cells fit into memory; its sets of skips may still not fit."""
        if self.has_room:
            everything, live = range(len(model.skips)), int(model.position[1])
            there = [skip for skip in everything if live >> skip & 1]
            _ = (all_skips and len(everything) <= most_skips and self._prepare(model, everything)) or self._prepare(
                model, there[:most_skips]
            )

    @property
    def is_done(self) -> bool:
        """Whether all values are known; also true if the game has no room."""
        return self.valued >= self.count

    def go_on(self) -> int:
        """Value the next slice of endings, and return the number of values found."""
        count: int = kernels.value_endings(self.memory, SLICE_VALUES)
        self.valued += count
        return count

    def _fits(self, game: np.void) -> bool:
        """Whether the game qualifies, and its sets of cells fit into memory."""
        regions = int(game["regions"])
        return (
            0 < self._cells <= (RESTRICTED_CELLS if game["restricted"] else kernels.MOST_CELLS)
            and 1 << self._cells <= self._most
            and not game["extra"][:regions].any()
            and regions <= kernels.WORD
            and most_left(regions) <= MOST_POINTS * UNIT
        )

    def _prepare(self, model: FillingModel, skips: Sequence[int]) -> bool:
        """Allocate memory for the endings with these skips, and return whether they fit."""
        games = _game(model, skips)
        unions, starts = np.zeros(1 << len(skips), np.uint32), np.zeros(1 << len(skips), np.int64)
        get_ready(kernels.prepare, games, unions, starts)
        blocks = kernels.prepare(games, unions, starts)
        if blocks * kernels.BLOCK + (BYTES_OF_SET << len(skips)) > self._most:
            return False
        self.memory = games, unions, starts, np.empty((blocks, kernels.BLOCK), np.int8)
        self.count = blocks * kernels.BLOCK
        get_ready(kernels.value_endings, self.memory, SLICE_VALUES)
        return True


def _game(model: FillingModel, skips: Sequence[int]) -> NDArray[np.void]:
    """The kernel's record of a game with these skips."""
    game = model.games[0]
    cells = range(len(model.cells))
    kills = [sum((int(game["kills"][cell]) >> skip & 1) << i for i, skip in enumerate(skips)) for cell in cells]
    order = sorted(cells, key=lambda cell: kills[cell].bit_count())
    low, high = order[: kernels.LOW], order[kernels.LOW :]
    place = {cell: i for i, cell in enumerate(order)}
    games = np.zeros(1, kernels.GAME)
    record = games[0]
    record["high"] = len(high)
    record["known"] = np.uint64(sum(1 << skip for skip in skips))
    sets_of_low = np.arange(kernels.BLOCK)
    for i, skip in enumerate(skips):
        record["number"][skip] = i
        record["killers"][i] = sum((kills[cell] >> i & 1) << j for j, cell in enumerate(high))
        needed = sum((kills[cell] >> i & 1) << j for j, cell in enumerate(low))
        record["dead"][i] = np.where(sets_of_low & needed == needed, -kernels.NONE, kernels.NONE)
    for half in range(2):
        for j in range(kernels.HALF):
            cell = half * kernels.HALF + j
            bit = 1 << place[cell] if cell in place else 0
            record["place"][half, 1 << j : 2 << j] = record["place"][half, : 1 << j] | bit
    for i, cell in enumerate(order):
        regions = [int(region) for region in game["regions_of"][cell]]
        record["regions_of"][i] = np.uint64(sum(1 << region for region in regions))
        half, j = divmod(i - kernels.LOW, kernels.QUARTER)
        if half >= 0:
            record["kills"][i - kernels.LOW] = kills[cell]
            sets, more = record["any"][half, : 1 << j], record["regions_of"][i]
            record["any"][half, 1 << j : 2 << j] = sets | more
            record["several"][half, 1 << j : 2 << j] = record["several"][half, : 1 << j] | (sets & more)
    for region in range(int(game["regions"])):
        its = sum((int(game["region"][region]) >> cell & 1) << j for j, cell in enumerate(low))
        record["empty"][region] = sets_of_low & its == 0
        for i in range(len(low)):
            record["last"][i, region] = sets_of_low & its == 1 << i
    return games
