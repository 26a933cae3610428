"""The move map by compiled searches: a search on bit boards for plain 3×3, the learning search for all other boards.

Both keep the solutions that they find and the candidates that they refute, so that the next map, after a value is
placed, can reuse them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.compiled.loading import Stopwatch, loading
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks
from csp_sudoku.solvers.base import require_no_constraints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.moves.engines.cpsat import CoverSearch
    from csp_sudoku.solvers.base import Deadline


def classify(board: Board, deadline: Deadline) -> MoveMap:
    """Return the move map of a board; ConstraintError for one with constraints, which the compiled searches ignore."""
    require_no_constraints(board.geometry, "the search of moves")
    stopwatch = Stopwatch()
    search = search_for(board)
    search.run(deadline)
    return search.map(stopwatch.seconds())


def search_for(board: Board) -> MapSearch | CoverSearch:
    """Return the search for a board: CP-SAT for constraints, bit boards for plain 3×3, else the learning search."""
    if board.geometry.constraints:
        from csp_sudoku.moves.engines.cpsat import CoverSearch

        return CoverSearch(board)
    return NineSearch(board) if board.geometry is Geometry.standard(3, 3) else LearningSearch(board)


@lru_cache(maxsize=64)
def peer_arrays(geometry: Geometry) -> list[NDArray[np.intp]]:
    """Return the peers of each cell."""
    return [np.array(peers, np.intp) for peers in geometry.peers]


class MapSearch(ABC):
    """A search for the map of a board to which values are added during the search."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._legal = legal_masks(board)
        self._peers = peer_arrays(board.geometry)

    @abstractmethod
    def run(self, deadline: Deadline) -> None:
        """Search until every move is decided, or the deadline has passed."""

    @abstractmethod
    def _enter(self, cell: int, value: int) -> None:
        """Pass a placed value to the kernel; `board` already contains it."""

    @abstractmethod
    def _answer(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return two masks per cell: the candidates known to be safe, and the candidates not known to be bombs."""

    @property
    @abstractmethod
    def _record(self) -> Any:
        """The kernel's record, with fields `solvable`, `witnesses` and `solves`."""

    @property
    @abstractmethod
    def _witnesses(self) -> NDArray[np.uint8]:
        """The array of solutions; the kernel's record has their number."""

    @property
    @abstractmethod
    def _conflicts(self) -> int:
        """The number of dead ends so far."""

    def place(self, row: int, col: int, value: int) -> None:
        """Place a value and keep the solutions that agree with it; MoveError if it is illegal, and nothing changes."""
        value = index(value)
        board = self.board.place(row, col, value)
        cell = board.geometry.cell(row, col)
        self.board = board
        self._legal[self._peers[cell]] &= np.uint32(~(1 << value - 1) & 0xFFFFFFFF)
        self._legal[cell] = 0
        record, witnesses = self._record, self._witnesses
        count = int(record["witnesses"])
        kept = witnesses[:count][witnesses[:count, cell] == value]
        witnesses[: len(kept)] = kept
        record["witnesses"] = len(kept)
        self._enter(cell, value)

    def map(self, seconds: float) -> MoveMap:
        """Return the map as far as it is known; `seconds` is the reported time of the search."""
        record, legal = self._record, self._legal.copy()
        if record["solvable"]:
            safe, possible = self._answer()
            safe &= legal
            bombs = legal & ~possible
        else:
            safe, bombs = np.zeros_like(legal), legal.copy()
        return MoveMap(
            self.board,
            legal,
            safe,
            bombs,
            solvable=None if record["solvable"] < 0 else bool(record["solvable"]),
            effort=Effort("search", seconds, int(record["solves"]), self._conflicts),
            witnesses=self._witnesses[: int(record["witnesses"])].copy(),
        )


class NineSearch(MapSearch):
    """The search of `solvers.nine.kernels.moves`."""

    WORK = 20_000
    """Branches per call of the kernel: about a hundredth of a second."""

    def __init__(self, board: Board) -> None:
        with loading():
            from csp_sudoku.solvers.nine.kernels import digits
            from csp_sudoku.solvers.nine.kernels import moves as nine_moves
            from csp_sudoku.solvers.nine.kernels import search as nine

        super().__init__(board)
        self._kernel = nine_moves.map_nine
        self._states = nine.new_state()
        self._maps = nine_moves.new_nine_map()
        self._found = np.zeros((nine_moves.MAX_WITNESSES, digits.CELLS), np.uint8)
        self._backtracks = digits.BACKTRACKS
        get_ready(self._kernel, *self._arguments())

    def _arguments(self) -> tuple[Any, ...]:
        return self._states, self._maps, np.frombuffer(self.board.values, np.uint8), self._found, self.WORK

    def run(self, deadline: Deadline) -> None:
        """Search until every move is decided, or the deadline has passed."""
        arguments = self._arguments()
        while not self._kernel(*arguments) and not deadline.passed():  # at least one call: it reads the board
            pass

    def _enter(self, cell: int, value: int) -> None:  # noqa: ARG002 - the kernel sees the board
        self._maps["begun"] = 0
        self._maps["safe"] = 0
        self._maps["solvable"] = -1

    def _answer(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        return self._record["safe"].copy(), self._record["possible"]

    @property
    def _record(self) -> Any:
        return self._maps[0]

    @property
    def _witnesses(self) -> NDArray[np.uint8]:
        return self._found

    @property
    def _conflicts(self) -> int:
        return int(self._record["info"][self._backtracks])


class LearningSearch(MapSearch):
    """The search of `solvers.learning.kernels.cover`."""

    WORK = 100_000
    """Propagated literals per call of the kernel: about a hundredth of a second."""

    ROOM = 128
    """Initial capacity of the array of witnesses; it doubles when it is full."""

    def __init__(self, board: Board) -> None:
        with loading():
            from csp_sudoku.solvers.backtracking.kernels.state import tables
            from csp_sudoku.solvers.learning.kernels import cover
            from csp_sudoku.solvers.learning.run import borrowed_memory

        super().__init__(board)
        self._kernels = cover
        self._tables = tables(board.geometry)
        self._borrowed = borrowed_memory()
        self._memories = self._borrowed.record
        self._covers = cover.new_cover()
        self._found = np.zeros((self.ROOM, board.geometry.cell_count), np.uint8)
        masks = np.full(board.geometry.cell_count, (1 << board.size) - 1, np.uint32)
        arguments = self._tables, self._memories, self._covers, np.frombuffer(board.values, np.uint8), masks
        get_ready(cover.begin_cover, *arguments)
        get_ready(cover.cover, *self._arguments())
        get_ready(cover.place_in_cover, *self._places(0, 1))
        cover.begin_cover(*arguments)

    def _arguments(self) -> tuple[Any, ...]:
        return self._tables, self._memories, self._covers, self._found, self.WORK

    def _places(self, cell: int, value: int) -> tuple[Any, ...]:
        return self._tables, self._memories, self._covers, self._found, cell, value - 1

    def run(self, deadline: Deadline) -> None:
        """Search until every move is decided, or the deadline has passed."""
        while not deadline.passed() and not self.step():
            pass

    def step(self) -> bool:
        """Continue for about a hundredth of a second; return whether every move is decided."""
        code = self._kernels.cover(*self._arguments())
        if code == self._kernels.ROOM_NEEDED:
            self._found = np.vstack([self._found, np.zeros_like(self._found)])
        return bool(code == self._kernels.COMPLETE)

    def _enter(self, cell: int, value: int) -> None:
        self._kernels.place_in_cover(*self._places(cell, value))

    def _answer(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        count = self.board.geometry.cell_count
        root = self.memory["root_candidates"][:count]
        return root & ~self._record["unseen"][:count], root

    @property
    def _record(self) -> Any:
        return self._covers[0]

    @property
    def _witnesses(self) -> NDArray[np.uint8]:
        return self._found

    @property
    def memory(self) -> Any:
        """The kernel's memory, with the clauses that it has learned."""
        return self._memories[0]

    @property
    def _conflicts(self) -> int:
        return int(self.memory["conflicts"])
