"""Iterative deepening of a filling game: better and better guesses at its value and best move, in the end the truth."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.search.kernels import filling
from csp_sudoku.search.kernels.endings import no_memory
from csp_sudoku.search.slices import SLICE_NODES, SlicedSearch
from csp_sudoku.solvers.kernels.compiled import get_ready

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.moves.move import Move
    from csp_sudoku.search.endings import Endings
    from csp_sudoku.search.model import Model
    from csp_sudoku.solvers.base import Deadline

LEAP_FROM = 6
"""The depth after which a search may leap to the end."""

ENDINGS_SHARE = 0.9
"""Of all that is visited, for endings, as long as there are some to be valued; they are faster than other nodes."""

DEFAULT_BITS = 20
"""Entries of a table, as a power of two: 32 MB."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search of some depth says of a game."""

    value: float
    """Points to come for the side to move, less those of the other."""
    move: int
    """The best move, by its number in the game; -1 if there is none."""
    depth: int
    is_exact: bool
    """Whether nothing was estimated: the value of the game as modelled."""
    nodes: int
    """All that were visited so far."""


class Deepening(SlicedSearch):
    """The search of one game; with `endings`, it values them all before it looks for the exact value."""

    def __init__(self, model: Model, bits: int = DEFAULT_BITS, endings: Endings | None = None) -> None:
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
        """Where the game stands."""
        return self.model.position

    def verdicts(self, deadline: Deadline, *, leap: int = 16, most: int = filling.EXACT) -> Iterator[Verdict]:
        """Verdicts of growing depth, until one is exact, the time is over, or the depth `most` is reached.

        With up to `leap` empty cells a few depths are followed by the search for the exact value: that takes a
        fourth of the time of going there depth by depth, but nothing is known on the way.
        """
        if deadline.passed():
            return
        for verdict in self.steps(leap=leap, most=most):
            if verdict is not None:
                yield verdict
            if deadline.passed():
                return

    def steps(self, *, leap: int = 16, most: int = filling.EXACT) -> Iterator[Verdict | None]:
        """The same, slice by slice, without a deadline: None for each slice that has led to nothing new."""
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
                yield Verdict(value, self.best_known(self.position), depth, exact, self.nodes)
                if exact:
                    return
                depth += 1
                if depth > LEAP_FROM:
                    yield from self._value_endings()
            near = self._is_valued or (depth > LEAP_FROM and len(self.model.cells) <= leap)
            if near or depth > len(self.model.cells) + len(self.model.skips):
                depth = max(depth, min(most, filling.EXACT))

    def exact(self, deadline: Deadline) -> Verdict | None:
        """The value itself, searched for without estimates; None if the time ends first."""
        if deadline.passed():
            return None
        for verdict in self.proof():
            if verdict is not None or deadline.passed():
                return verdict
        raise AssertionError  # a proof ends with the value

    def proof(self) -> Iterator[Verdict | None]:
        """The value itself, after None for each slice of the search that has not sufficed for it."""
        while self._endings is not None and not self._endings.is_done:
            self.nodes += self._endings.go_on()
            yield None
        for value in self.slices(self.position, filling.EXACT):
            if value is None:
                yield None
                continue
            assert not self.game["estimates"]
            yield Verdict(value, self.best_known(self.position), filling.EXACT, is_exact=True, nodes=self.nodes)

    @property
    def _is_valued(self) -> bool:
        """Whether there are endings to look up, all of them, and they are those of every position."""
        is_done = self._endings is not None and self._endings.count > 0 and self._endings.is_done
        return is_done and not self.game["restricted"]

    def _value_endings(self) -> Iterator[None]:
        """Go on with the endings, slice by slice, until that has its share."""
        while (
            self._endings is not None
            and not self._endings.is_done
            and self._endings.valued < ENDINGS_SHARE * self.nodes
        ):
            self.nodes += self._endings.go_on()
            yield None

    def search(self, position: NDArray[np.uint64], depth: int, alpha: int, beta: int, nodes: int) -> int:
        """The value of a position within a window, in units, if the game is not `stopped` afterwards."""
        return filling.search_value(*self._arguments(position, depth, nodes, alpha, beta))

    @property
    def game(self) -> np.void:
        """The kernel's record."""
        record: np.void = self.model.games[0]
        return record

    def after(self, position: NDArray[np.uint64], number: int) -> tuple[float, NDArray[np.uint64]]:
        """The points of a move, and the position after it, seen from the other side."""
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
        """The moves of the game as it stands, by their numbers: also skips whose number is even."""
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
        """The move of the game that stands for one of the board; None if the game has left it out."""
        return self.model.number_of(move)

    def told(self, _position: NDArray[np.uint64], number: int, _played: Collection[Move]) -> Move:
        """A move of the board that a move of a position stands for: a skip is there once only."""
        return self.model.move(number)

    def must_pass(self, position: NDArray[np.uint64]) -> bool:
        """Whether who is to move has no open square; so too at the end."""
        return not position[0] & position[2]

    def passed(self, position: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The position after a pass."""
        return position[[0, 1, 3, 2]]

    def best_known(self, position: NDArray[np.uint64]) -> int:
        """The best move that is known of a position, by its number; -1 if none is."""
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
