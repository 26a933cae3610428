"""The map of every move of a board: safe, bomb, or unknown, as a mask per cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from csp_sudoku.errors import MoveError
from csp_sudoku.geometry import MAX_SIZE
from csp_sudoku.moves.move import Move, Verdict
from csp_sudoku.notebook import as_svg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.board import Board
    from csp_sudoku.geometry import Geometry

Array = TypeVar("Array", bound="NDArray[np.generic]")


class Moves(Sequence[Move]):
    """The moves of one verdict, as a read-only sequence in the order of the board.

    `masks` holds the moves as one mask per cell, in which bit v - 1 stands for the value v, and `size` is N. The length
    and membership are computed from the masks, without listing the moves.
    """

    def __init__(self, masks: NDArray[np.uint32], size: int) -> None:
        self._masks = masks
        self._size = size

    @cached_property
    def _listed(self) -> list[Move]:
        size = self._size
        bits = np.unpackbits(self._masks.astype("<u4").view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
        cells, values = np.nonzero(bits)
        rows, columns = np.divmod(cells, size)
        return [Move(*move) for move in zip(rows.tolist(), columns.tolist(), (values + 1).tolist(), strict=True)]

    def __len__(self) -> int:
        return int(np.bitwise_count(self._masks).sum())

    def __contains__(self, move: object) -> bool:
        if not (isinstance(move, tuple) and len(move) == 3 and all(isinstance(number, Integral) for number in move)):
            return False
        row, column, value = map(int, move)  # numpy's integers could overflow in the index below
        size = self._size
        if not (0 <= row < size and 0 <= column < size and 1 <= value <= size):
            return False
        return bool(int(self._masks[row * size + column]) >> (value - 1) & 1)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._listed)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        return self._listed[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Moves):
            return self._size == other._size and bool(np.array_equal(self._masks, other._masks))
        return isinstance(other, list) and self._listed == other

    __hash__ = None  # type: ignore[assignment] # it equals lists

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"


@dataclass(frozen=True, slots=True)
class Effort:
    """The work that a map took."""

    engine: str
    """The name of the engine."""
    seconds: float = 0.0
    """The time that the engine took, in seconds, without compiling and loading its kernels."""
    solves: int = 0
    """The number of searches for a solution."""
    conflicts: int = 0
    """The number of conflicts in these searches; 0 if the engine does not count them."""
    loading_seconds: float = 0.0
    """The time of compiling and loading the engine's kernels, in seconds, which is no part of `seconds`."""


class MoveMap:
    """The verdict on every cell and value of a board: filled, illegal, safe, bomb, or unknown.

    An engine makes a map of `board` from the masks `legal`, `safe` and `bombs`; legal moves in neither of the last two
    are unknown. `solvable` says whether the board has a completion (None if unknown), `effort` is the work that the map
    took, and `witnesses` are completions of the board, one per row (default: none).
    """

    board: Board
    """The board."""
    legal_masks: NDArray[np.uint32]
    """The legal moves as one mask per cell, in which bit v - 1 stands for the value v. This array is read-only, as are
    the next three, which have the same form.
    """
    safe_masks: NDArray[np.uint32]
    """The moves that are proven to leave a completion."""
    bomb_masks: NDArray[np.uint32]
    """The moves that are proven to leave no completion."""
    unknown_masks: NDArray[np.uint32]
    """The moves that were not decided before the deadline."""
    solvable: bool | None
    """Whether the board has a completion; None if that is unknown."""
    effort: Effort
    """The work that the map took."""
    witnesses: NDArray[np.uint8]
    """Completions of the board, one per row, that together contain every safe move; empty if the engine keeps none."""

    def __init__(
        self,
        board: Board,
        legal: NDArray[np.uint32],
        safe: NDArray[np.uint32],
        bombs: NDArray[np.uint32],
        *,
        solvable: bool | None,
        effort: Effort,
        witnesses: NDArray[np.uint8] | None = None,
    ) -> None:
        self.board = board
        self.legal_masks = _frozen(legal)
        self.safe_masks = _frozen(safe)
        self.bomb_masks = _frozen(bombs)
        self.unknown_masks = _frozen(legal & ~safe & ~bombs)
        self.solvable = solvable
        self.effort = effort
        cells = board.geometry.cell_count
        self.witnesses = _frozen(np.zeros((0, cells), np.uint8) if witnesses is None else witnesses)

    @property
    def legal(self) -> Moves:
        """The legal moves: every value for an empty cell that no peer holds."""
        return Moves(self.legal_masks, self.board.size)

    @property
    def safe(self) -> Moves:
        """The moves that are proven to leave a completion."""
        return Moves(self.safe_masks, self.board.size)

    @property
    def bombs(self) -> Moves:
        """The moves that are proven to leave no completion."""
        return Moves(self.bomb_masks, self.board.size)

    @property
    def unknown(self) -> Moves:
        """The moves that were not decided before the deadline."""
        return Moves(self.unknown_masks, self.board.size)

    @property
    def is_complete(self) -> bool:
        """Whether every legal move is decided."""
        return not self.unknown_masks.any()

    def moves(self, verdict: Verdict | str) -> Moves:
        """The moves of a `verdict`: safe, bomb or unknown."""
        return Moves(self._masks(verdict), self.board.size)

    def counts(self, verdict: Verdict | str) -> NDArray[np.uint8]:
        """The number of moves of a `verdict` (safe, bomb or unknown) in each cell, as an N×N array."""
        size = self.board.size
        return np.bitwise_count(self._masks(verdict)).reshape(size, size)

    def mask(self, verdict: Verdict | str) -> NDArray[np.bool_]:
        """An N×N×N array, by row, column and value - 1, that is true for moves of a `verdict` (as above)."""
        size = self.board.size
        masks = self._masks(verdict).reshape(size, size, 1)
        return (masks >> np.arange(size, dtype=np.uint32) & np.uint32(1)).astype(np.bool_)

    def verdict(self, row: int, col: int, value: int) -> Verdict:
        """The verdict on one move; MoveError if the cell or the value is out of range.

        `row` and `col` count from 0, and `value` is from 1 to N.
        """
        size = self.board.size
        row, col, value = index(row), index(col), index(value)  # numpy's integers could overflow in the index below
        Move(row, col, value).require_on(size)
        cell, shift = row * size + col, value - 1
        if self.board.values[cell]:
            return Verdict.FILLED
        for masks, verdict in (
            (self.safe_masks, Verdict.SAFE),
            (self.bomb_masks, Verdict.BOMB),
            (self.unknown_masks, Verdict.UNKNOWN),
        ):
            if int(masks[cell]) >> shift & 1:
                return verdict
        return Verdict.ILLEGAL

    def _masks(self, verdict: Verdict | str) -> NDArray[np.uint32]:
        masks: dict[str, NDArray[np.uint32]] = {
            Verdict.SAFE: self.safe_masks,
            Verdict.BOMB: self.bomb_masks,
            Verdict.UNKNOWN: self.unknown_masks,
        }
        if verdict not in masks:
            raise MoveError(f"expected safe, bomb or unknown; found {str(verdict)!r}")
        return masks[verdict]

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return as_svg(self)

    def __repr__(self) -> str:
        left = f", {len(self.unknown)} unknown" if not self.is_complete else ""
        return f"<MoveMap {self.board.geometry.name}: {len(self.safe)} safe, {len(self.bombs)} bombs{left}>"


def legal_masks(board: Board) -> NDArray[np.uint32]:
    """For each empty cell, the mask of the values that no peer holds; 0 for filled cells."""
    regions, regions_of, full = _region_arrays(board.geometry)
    values = np.frombuffer(board.values, np.uint8)
    bits = _BIT_OF[values]
    held = np.zeros(len(regions) + 1, np.uint32)  # the last item pads the lists of cells with fewer regions than others
    np.bitwise_or.reduce(bits[regions], axis=1, out=held[:-1])
    masks: NDArray[np.uint32] = full & ~np.bitwise_or.reduce(held[regions_of], axis=1)
    masks[bits != 0] = 0
    return masks


_BIT_OF = np.array([0, *(1 << value for value in range(MAX_SIZE))], np.uint32)
"""The bit of each value, and 0 for an empty cell."""


@lru_cache(maxsize=64)
def _region_arrays(geometry: Geometry) -> tuple[NDArray[np.intp], NDArray[np.intp], np.uint32]:
    """The cells of each region, the regions of each cell, and the mask of all values.

    Cells with fewer regions than others are padded with the number after the last region.
    """
    most = max(map(len, geometry.regions_of))
    padding = len(geometry.regions)
    regions_of = [[*regions, *[padding] * (most - len(regions))] for regions in geometry.regions_of]
    full = np.uint32((1 << geometry.size) - 1)
    return np.array(geometry.regions, np.intp), np.array(regions_of, np.intp), full


def _frozen(array: Array) -> Array:
    """Make the array read-only, and return it."""
    array.flags.writeable = False
    return array
