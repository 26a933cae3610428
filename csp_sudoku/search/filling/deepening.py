"""Iterative deepening of a filling game: its estimates of the value and the best move improve until they are exact."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.search.endings.kernels.endings import no_memory
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.slices import SLICE_NODES, SlicedSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.moves.move import Move
    from csp_sudoku.search.endings.table import Endings
    from csp_sudoku.search.filling.model import FillingModel
    from csp_sudoku.solvers.base import Deadline

LEAP_FROM = 6
"""The depth in moves after which a search may leap to the exact value."""

ENDINGS_SHARE = 0.9
"""Share of endings among the visited nodes until all endings are valued. An ending is faster than another node."""

DEFAULT_BITS = 20
"""log2 of the number of entries in the transposition table; 20 makes a table of 32 MB."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search of some depth."""

    value: float
    """Future points of the side to move, minus future points of the other side."""
    move: int
    """The number of the best move in the game; -1 if there is none."""
    depth: int
    """The depth of the search, in moves."""
    is_exact: bool
    """Whether no leaf was estimated, so that this is the exact value of the game as modelled."""
    nodes: int
    """The number of nodes visited so far."""


class Deepening(SlicedSearch):
    """The search of one filling game, the `model`.

    `bits` is log2 of the number of entries in the transposition table (default 20). If there are `endings` (default
    none), the search values all of them before it searches for the exact value.
    """

    def __init__(self, model: FillingModel, bits: int = DEFAULT_BITS, endings: Endings | None = None) -> None:
        super().__init__()
        self.model = model
        self._endings = endings
        self._memory = no_memory() if endings is None else endings.memory
        self._table = filling.new_table(bits)
        self._frames = filling.new_frames()
        get_ready(filling.search_value, *self._arguments(model.position, 0, SLICE_NODES))
        get_ready(filling.best_known, model.games, self._table, model.position)

    @property
    def position(self) -> NDArray[np.uint64]:
        """The root position of the search."""
        return self.model.position

    def verdicts(self, deadline: Deadline, *, leap: int = 16, most: int = filling.EXACT) -> Iterator[SearchResult]:
        """Yield verdicts of growing depth, until one is exact, the deadline passes, or the depth `most` is reached.

        With up to `leap` empty cells (default 16), the search for the exact value follows after a few depths. This leap
        takes a quarter of the time of deepening step by step, but yields no verdicts in between.
        """
        if deadline.passed():
            return
        for verdict in self.steps(leap=leap, most=most):
            if verdict is not None:
                yield verdict
            if deadline.passed():
                return

    def steps(self, *, leap: int = 16, most: int = filling.EXACT) -> Iterator[SearchResult | None]:
        """Yield the verdicts of `verdicts` without a deadline, and None for each slice that leads to no new verdict.

        `leap` (default 16) and `most` (default: no bound) have the same meaning as there.
        """
        depth = 1
        while depth <= most:
            value = None
            for value in self.slices(self.position, depth):
                if value is None:
                    yield None
                    yield from self._value_endings()
                    if depth < filling.EXACT and self._is_valued:
                        break
            if value is not None:
                exact = not self.game["estimates"]
                yield SearchResult(value, self.best_known(self.position), depth, exact, self.nodes)
                if exact:
                    return
                depth += 1
                if depth > LEAP_FROM:
                    yield from self._value_endings()
            near = self._is_valued or (depth > LEAP_FROM and len(self.model.cells) <= leap)
            if near or depth > len(self.model.cells) + len(self.model.skips):
                depth = max(depth, min(most, filling.EXACT))

    def exact(self, deadline: Deadline) -> SearchResult | None:
        """Search for the exact value directly; None if the deadline passes first."""
        if deadline.passed():
            return None
        for verdict in self.proof():
            if verdict is not None or deadline.passed():
                return verdict
        raise AssertionError  # unreachable: the last step of a proof is a verdict

    def proof(self) -> Iterator[SearchResult | None]:
        """Yield None for each slice of the search that does not finish it, and at last the exact verdict."""
        while self._endings is not None and not self._endings.is_done:
            self.nodes += self._endings.go_on()
            yield None
        for value in self.slices(self.position, filling.EXACT):
            if value is None:
                yield None
                continue
            assert not self.game["estimates"]
            yield SearchResult(value, self.best_known(self.position), filling.EXACT, is_exact=True, nodes=self.nodes)

    @property
    def _is_valued(self) -> bool:
        """Whether all endings are valued, and every position is an ending, as only in an unrestricted game."""
        is_done = self._endings is not None and self._endings.count > 0 and self._endings.is_done
        return is_done and not self.game["restricted"]

    def _value_endings(self) -> Iterator[None]:
        """Value endings slice by slice until they have their share of the visited nodes."""
        while (
            self._endings is not None
            and not self._endings.is_done
            and self._endings.valued < ENDINGS_SHARE * self.nodes
        ):
            self.nodes += self._endings.go_on()
            yield None

    def search(self, position: NDArray[np.uint64], depth: int, alpha: int, beta: int, nodes: int) -> int:
        """The value of a position within the window from `alpha` to `beta`, in units; one point is `UNIT` units.

        The value is valid only if the game is not `stopped` afterwards. `depth` is counted in moves, and `nodes` is the
        maximum number of nodes to visit in this call.
        """
        return filling.search_value(*self._arguments(position, depth, nodes, alpha, beta))

    @property
    def game(self) -> np.void:
        """The kernel's record of the game."""
        record: np.void = self.model.games[0]
        return record

    def after(self, position: NDArray[np.uint64], number: int) -> tuple[float, NDArray[np.uint64]]:
        """The points of a move, and the position after it from the point of view of the other side."""
        empty, skips, mine, others = (int(word) for word in position)
        game = self.model.games[0]
        if number >= filling.MAX_CELLS:
            after = empty, skips ^ 1 << number - filling.MAX_CELLS, others, mine
            return 0.0, np.array(after, np.uint64)
        rest = empty & ~(1 << number)
        completed = sum(
            not int(game["region"][region]) & rest and not game["extra"][region]
            for region in game["regions_of"][number]
        )
        after = rest, skips & ~int(game["kills"][number]), others, mine | int(game["opens"][number])
        return float(filling.REWARDS[completed] / filling.UNIT), np.array(after, np.uint64)

    def numbers(self) -> list[int]:
        """The moves of the root position, as numbers, including skips that stand for an even number of bombs."""
        empty, _, mine, _ = (int(word) for word in self.model.position)
        game = self.model.games[0]
        cells = [i for i in range(len(self.model.cells)) if (empty & mine) >> i & 1]
        usable = [
            filling.MAX_CELLS + i
            for i in range(len(self.model.skips))
            if not game["restricted"] or mine >> int(game["skip_cell"][i]) & 1
        ]
        return cells + usable

    def moves(self, number: int) -> list[Move]:
        """The moves of the board that a move of the game stands for."""
        return self.model.moves(number)

    def number_of(self, move: Move) -> int | None:
        """The move of the game that stands for a move of the board; None if the game has left that move out."""
        return self.model.number_of(move)

    def told(self, _position: NDArray[np.uint64], number: int, _played: Collection[Move]) -> Move:
        """The first move of the board for a move of a position.

        A line of a filling game uses each skip at most once, so there is no need to exclude bombs that were played.
        """
        return self.model.move(number)

    def must_pass(self, position: NDArray[np.uint64]) -> bool:
        """Whether the side to move has no open square, which is also true at the end of the game."""
        return not position[0] & position[2]

    def passed(self, position: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The position after a pass."""
        return position[[0, 1, 3, 2]]

    def best_known(self, position: NDArray[np.uint64]) -> int:
        """The number of the best move of a position that the table knows; -1 if it knows none."""
        empty = int(position[0])
        if empty.bit_count() == 1 and empty & int(position[2]):
            return empty.bit_length() - 1
        return int(filling.best_known(self.model.games, self._table, position))

    def _arguments(
        self,
        position: NDArray[np.uint64],
        depth: int,
        nodes: int,
        alpha: int = -filling.INFINITE,
        beta: int = filling.INFINITE,
    ) -> tuple[Any, ...]:
        return self.model.games, self._frames, (self._table, self._memory), position, alpha, beta, depth, nodes
