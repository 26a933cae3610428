"""The map of every move of a board: safe, bomb, or unknown, as a mask per cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from csp_sudoku.errors import MoveError
from csp_sudoku.moves.move import Move, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.board import Board

Array = TypeVar("Array", bound="NDArray[np.generic]")


class Moves(Sequence[Move]):
    """The moves of one verdict: those whose bit is set in a mask per cell (bit v - 1 for the value v).

    Counting and membership do not list them.
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
        row, column, value = map(int, move)  # numpy's own integers overflow
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
    """What a map took."""

    engine: str
    seconds: float = 0.0
    solves: int = 0
    """Searches for a solution."""
    conflicts: int = 0
    """Dead ends of these searches, as far as the engine counts them."""


class MoveMap:
    """For every cell and value of a board: filled, illegal, safe, bomb, or unknown.

    The masks are an unsigned integer per cell, bit v - 1 for the value v; they cannot be written to.
    """

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
        """Whether the board has a completion; None if that is unknown."""
        self.effort = effort
        cells = board.geometry.cell_count
        self.witnesses = _frozen(np.zeros((0, cells), np.uint8) if witnesses is None else witnesses)
        """Completions of the board, a row each, that between them make every safe move; none from some engines."""

    @property
    def legal(self) -> Moves:
        """Every value for an empty cell that no peer holds."""
        return Moves(self.legal_masks, self.board.size)

    @property
    def safe(self) -> Moves:
        """The moves that leave a completion."""
        return Moves(self.safe_masks, self.board.size)

    @property
    def bombs(self) -> Moves:
        """The moves that leave none."""
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
        """The moves of a verdict: safe, bomb or unknown."""
        return Moves(self._masks(verdict), self.board.size)

    def counts(self, verdict: Verdict | str) -> NDArray[np.uint8]:
        """How many moves of a verdict (safe, bomb or unknown) each cell has, as N×N."""
        size = self.board.size
        return np.bitwise_count(self._masks(verdict)).reshape(size, size)

    def mask(self, verdict: Verdict | str) -> NDArray[np.bool_]:
        """Which moves have a verdict (safe, bomb or unknown), as N×N×N: row, column, value - 1."""
        size = self.board.size
        masks = self._masks(verdict).reshape(size, size, 1)
        return (masks >> np.arange(size, dtype=np.uint32) & np.uint32(1)).astype(np.bool_)

    def verdict(self, row: int, col: int, value: int) -> Verdict:
        """What is known of one move."""
        size = self.board.size
        row, col, value = index(row), index(col), index(value)  # numpy's own integers overflow
        if not (0 <= row < size and 0 <= col < size and 1 <= value <= size):
            raise MoveError(
                f"expected a row and a column from 0 to {size - 1} and a value from 1 to {size}; "
                f"found ({row}, {col}) and {value}"
            )
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

    def __repr__(self) -> str:
        left = f", {len(self.unknown)} unknown" if not self.is_complete else ""
        return f"<MoveMap {self.board.geometry.name}: {len(self.safe)} safe, {len(self.bombs)} bombs{left}>"


def legal_masks(board: Board) -> NDArray[np.uint32]:
    """For each empty cell, the values that no peer holds, as a mask; 0 for filled cells."""
    from csp_sudoku.solvers.cpsat_model import candidate_masks

    masks = np.array(candidate_masks(board), np.uint32)
    masks[np.frombuffer(board.values, np.uint8) > 0] = 0
    return masks


def _frozen(array: Array) -> Array:
    """The array, which nobody may write to any more."""
    array.flags.writeable = False
    return array
