"""The exact value of positions whose boards have several completions: a game that distinguishes the values of a cell.

The game has room for at most 32 empty cells, 64 legal moves and 4,096 completions. So it solves small boards from the
first move on, and larger boards near the end of a game.
"""

from __future__ import annotations

from itertools import islice, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.game.rules import neighbours, other
from csp_sudoku.moves.move import Move
from csp_sudoku.search.completions.kernels import completions as kernels
from csp_sudoku.search.filling.deepening import SearchResult
from csp_sudoku.search.filling.model import require_plain
from csp_sudoku.search.kernels.climbing import EXACT, new_table
from csp_sudoku.search.kernels.plies import REWARDS, UNIT
from csp_sudoku.search.slices import SLICE_NODES, SlicedSearch
from csp_sudoku.solvers.questions import solutions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.solvers.base import Deadline

MOST_COMPLETIONS = 64 * kernels.MAX_WORDS
"""Maximum number of completions: the game keeps a set of them as bits, in words of 64."""

DEFAULT_BITS = 22
"""log2 of the number of entries in the transposition table; 22 makes a table of 128 MB."""

EMPTY, WORD, LEGAL, SAFE, USED, MINE, OTHERS, NAMED, SETS = range(9)
"""The indices of the parts of a position in its array. The set of completions starts at the last index."""


def completion_game(state: GameState, moves: MoveMap, bits: int = DEFAULT_BITS) -> CompletionGame | None:
    """The game of all completions of a position; None if the position exceeds the room of the game.

    `moves` is the move map of the position, which has to be complete. `bits` is log2 of the number of entries in the
    transposition table (default 22). ShapeError as in `require_plain`.
    """
    board = state.board
    require_plain(board)
    cells = list(board.empty_cells())
    legal = [int(mask).bit_count() for mask in moves.legal_masks[cells]]
    wide = sum(count.bit_length() for count in legal) > 64
    if not moves.is_complete or len(cells) > kernels.MAX_CELLS or sum(legal) > kernels.MAX_CANDIDATES or wide:
        return None
    found = [solution.values for solution in islice(solutions(board), MOST_COMPLETIONS + 1)]
    return None if len(found) > MOST_COMPLETIONS else CompletionGame(state, moves, found, bits)


class CompletionGame(SlicedSearch):
    """The game of all completions of a position, and its search, which always goes to the end of the game.

    `state` is the position, `moves` is its complete move map, and `completions` are all completions of its board.
    `bits` is log2 of the number of entries in the transposition table (default 22).
    """

    def __init__(
        self, state: GameState, moves: MoveMap, completions: Sequence[bytes], bits: int = DEFAULT_BITS
    ) -> None:
        super().__init__()
        board = state.board
        self._size = board.size
        self._cells = list(board.empty_cells())
        self._number = {cell: i for i, cell in enumerate(self._cells)}
        self._played = {move for move in state.taboo if not board[move.row, move.col]}
        self._candidates = [
            Move(*divmod(cell, self._size), value)
            for cell in self._cells
            for value in range(1, self._size + 1)
            if int(moves.legal_masks[cell]) >> value - 1 & 1
        ]
        self._games = kernels.new_game()
        self._frames = kernels.new_frames()
        self._table = new_table(bits)
        self._set_cells(board)
        self._set_candidates(board, completions)
        self.position = self._start(state, len(completions))
        if not any(board.values) and board.geometry.is_standard:
            self._set_turns(board)
        get_ready(kernels.search_completions, *self._arguments(self.position, 0, 0, SLICE_NODES))
        get_ready(kernels.best_known_completion, self._games, self._frames, self._table, self.position)

    def _set_cells(self, board: Board) -> None:
        """Write the cells and regions into the kernel's record."""
        game, geometry = self._games[0], board.geometry
        regions = [r for r, region in enumerate(geometry.regions) if any(cell in self._number for cell in region)]
        game["cells"], game["regions"] = len(self._cells), len(regions)
        for i, region in enumerate(regions):
            game["region"][i] = sum(1 << self._number[c] for c in geometry.regions[region] if c in self._number)
        for i, cell in enumerate(self._cells):
            game["regions_of"][i] = [regions.index(region) for region in geometry.regions_of[cell]]
            near = (geometry.cell(*square) for square in neighbours(board.size, geometry.row_column(cell)))
            game["opens"][i] = sum(1 << self._number[neighbour] for neighbour in near if neighbour in self._number)

    def _set_candidates(self, board: Board, completions: Sequence[bytes]) -> None:
        """Write the candidates into the kernel's record, each with the candidates that it makes illegal.

        The record also holds, for each candidate, the set of the completions that contain it.
        """
        game, geometry = self._games[0], board.geometry
        game["candidates"], game["words"] = len(self._candidates), -(-len(completions) // 64)
        game["fresh"] = sum(1 << value for value in range(1, board.size + 1) if value not in board.values)
        grid = np.frombuffer(b"".join(completions), np.uint8).reshape(len(completions), -1)
        cell_of = [geometry.cell(move.row, move.col) for move in self._candidates]
        shift = 0
        for i, cell in enumerate(self._cells):
            of_cell = [a for a, its in enumerate(cell_of) if its == cell]
            width = len(of_cell).bit_length()
            game["of_cell"][i] = sum(1 << a for a in of_cell)
            for code, a in enumerate(of_cell):
                game["clears"][a] = (1 << width) - 1 - code << shift
            shift += width
        self._word = (1 << shift) - 1
        for a, (move, cell) in enumerate(zip(self._candidates, cell_of, strict=True)):
            peers = geometry.peers[cell]
            game["cell"][a] = self._number[cell]
            game["value"][a] = 1 << move.value
            game["kills"][a] = sum(
                1 << b
                for b, (rival, its) in enumerate(zip(self._candidates, cell_of, strict=True))
                if its == cell or (its in peers and rival.value == move.value)
            )
            bits = np.packbits(grid[:, cell] == move.value, bitorder="little")
            words = np.zeros(kernels.MAX_WORDS * 8, np.uint8)
            words[: len(bits)] = bits
            game["shows"][a] = words.view(np.uint64)

    def _set_turns(self, board: Board) -> None:
        """Write the symmetries of the game on an empty board into the kernel's record."""
        game, size = self._games[0], board.size
        turns = [turn for turn in _turns(board.m, board.n) if self._is_symmetry(turn)]
        game["size"], game["width"], game["turns"] = size, size.bit_length(), len(turns)
        for i, turn in enumerate(turns):
            game["turned_to"][i, : len(turn)] = turn
            game["turned_from"][i, : len(turn)] = np.argsort(turn)
        for value in range(size):
            game["of_value"][value] = sum(1 << cell * size + value for cell in self._cells)

    def _is_symmetry(self, turn: Sequence[int]) -> bool:
        """Whether a turn of the board preserves the open squares of both sides and the neighbourhood of squares.

        In the mode classic every turn is a symmetry, because all squares are open to both sides.
        """
        if not self._games[0]["restricted"]:
            return True

        def image(mask: int) -> int:
            return sum(1 << turn[cell] for cell in self._cells if mask >> cell & 1)

        opens = self._games[0]["opens"]
        return all(image(int(self.position[side])) == self.position[side] for side in (MINE, OTHERS)) and all(
            image(int(opens[cell])) == opens[turn[cell]] for cell in self._cells
        )

    def _start(self, state: GameState, completions: int) -> NDArray[np.uint64]:
        """The root position of the game."""
        mine = others = (1 << kernels.MAX_CELLS) - 1
        if state.squares() is not None:
            self._games[0]["restricted"] = 1
            mine, others = (self.mask(state, player) for player in (state.player, other(state.player)))
        legal = (1 << len(self._candidates)) - 1
        used = sum(1 << a for a, move in enumerate(self._candidates) if move in self._played)
        named = sum(1 << value for value in {move.value for move in self._played})
        words = [(1 << completions) - 1 >> 64 * i & (1 << 64) - 1 for i in range(kernels.MAX_WORDS)]
        empty = (1 << len(self._cells)) - 1
        return np.array([empty, self._word, legal, legal, used, mine, others, named, *words], np.uint64)

    def mask(self, state: GameState, player: int) -> int:
        """The open squares of a player, as a mask of the game's cells."""
        geometry = state.board.geometry
        return sum(1 << self._number[geometry.cell(*square)] for square in state.squares(player) or ())

    def exact(self, deadline: Deadline) -> SearchResult | None:
        """The exact value and the best move; None if the deadline passes before they are known."""
        value = self.value(self.position, EXACT, deadline)
        return None if value is None else self._verdict(value)

    def steps(self) -> Iterator[SearchResult | None]:
        """Yield None for each slice of the search that does not finish it, and at last the exact verdict."""
        for value in self.slices(self.position, EXACT):
            yield None if value is None else self._verdict(value)

    def _verdict(self, value: float) -> SearchResult:
        return SearchResult(value, self.best_known(self.position), EXACT, is_exact=True, nodes=self.nodes)

    def search(self, position: NDArray[np.uint64], depth: int, alpha: int, beta: int, nodes: int) -> int:
        """The value of a position within the window from `alpha` to `beta`, in units; one point is `UNIT` units.

        The value is valid only if the game is not `stopped` afterwards. `depth` has to be `EXACT`, and `nodes` is the
        maximum number of nodes to visit in this call.
        """
        assert depth == EXACT
        return kernels.search_completions(*self._arguments(position, alpha, beta, nodes))

    @property
    def game(self) -> np.void:
        """The kernel's record of the game."""
        record: np.void = self._games[0]
        return record

    def after(self, position: NDArray[np.uint64], number: int) -> tuple[float, NDArray[np.uint64]]:
        """The points of a move, and the position after it from the point of view of the other side."""
        game = self._games[0]
        after = self.passed(position)
        if number >= kernels.MAX_CANDIDATES:
            bomb = number - kernels.MAX_CANDIDATES
            after[USED] ^= np.uint64(1 << bomb)
            after[NAMED] |= game["value"][bomb]
            return 0.0, after
        cell = int(game["cell"][number])
        after[EMPTY] &= ~np.uint64(1 << cell)
        after[WORD] &= ~game["clears"][number]
        after[LEGAL] &= ~game["kills"][number]
        after[OTHERS] |= game["opens"][cell]
        after[NAMED] |= game["value"][number]
        after[SETS:] &= game["shows"][number]
        completed = sum(not int(game["region"][region] & after[EMPTY]) for region in game["regions_of"][cell])
        return float(REWARDS[completed] / UNIT), after

    def numbers(self, position: NDArray[np.uint64] | None = None) -> list[int]:
        """The moves of a position, as numbers; the default is the root position. Equal bombs share one number."""
        if position is None:
            position = self.position
        safe, mine = self._safe(position), int(position[MINE])
        cells = self._games[0]["cell"]
        fills = [a for a in range(len(self._candidates)) if safe >> a & 1 and mine >> int(cells[a]) & 1]
        bombs = [kernels.MAX_CANDIDATES + kind for kind in self._kinds(position) if mine >> int(cells[kind]) & 1]
        return fills + [number for number in bombs if self._moves(position, number, self._played)]

    def moves(self, number: int) -> list[Move]:
        """The moves of the board for a move of the root position: a value, or the unplayed bombs of one kind."""
        return self._moves(self.position, number, self._played)

    def number_of(self, move: Move) -> int | None:
        """The move of the root position that stands for a move of the board; None if there is none."""
        return next((number for number in self.numbers() if move in self.moves(number)), None)

    def told(self, position: NDArray[np.uint64], number: int, played: Collection[Move]) -> Move:
        """A move of the board for a move of a position; it is none of the bombs in `played`."""
        return self._moves(position, number, self._played.union(played))[0]

    def must_pass(self, position: NDArray[np.uint64]) -> bool:
        """Whether the side to move has no open square, which is also true at the end of the game."""
        return not position[EMPTY] & position[MINE]

    def passed(self, position: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The position after a pass."""
        after = position.copy()
        after[MINE], after[OTHERS] = position[OTHERS], position[MINE]
        return after

    def best_known(self, position: NDArray[np.uint64]) -> int:
        """The number of the best move of a position that the table knows; -1 if it knows none."""
        empty = int(position[EMPTY])
        if empty.bit_count() == 1 and empty & int(position[MINE]):
            return self._safe(position).bit_length() - 1
        return int(kernels.best_known_completion(self._games, self._frames, self._table, position))

    def frame_of(self, position: NDArray[np.uint64]) -> np.void:
        """The kernel's frame of a position, with the key of the position in the transposition table."""
        kernels.best_known_completion(self._games, self._frames, self._table, position)
        frame: np.void = self._frames[0]
        return frame

    def _moves(self, position: NDArray[np.uint64], number: int, played: Collection[Move]) -> list[Move]:
        if number < kernels.MAX_CANDIDATES:
            return [self._candidates[number]]
        equal = self._kinds(position)[number - kernels.MAX_CANDIDATES]
        return [move for move in (self._candidates[bomb] for bomb in equal) if move not in played]

    def _safe(self, position: NDArray[np.uint64]) -> int:
        """The safe candidates of a position."""
        shown = (self._games[0]["shows"] & position[SETS:]).any(axis=1)
        return sum(1 << a for a in range(len(self._candidates)) if shown[a]) & int(position[LEGAL])

    def _kinds(self, position: NDArray[np.uint64]) -> dict[int, list[int]]:
        """The bombs of a position, grouped by equality; the lowest bomb of each group is its key."""
        safe = self._safe(position)
        kills = self._games[0]["kills"]
        kinds: dict[tuple[int, int], list[int]] = {}
        for bomb in range(len(self._candidates)):
            if int(position[LEGAL]) & ~safe & 1 << bomb:
                key = int(kills[bomb]) & safe, bomb if self._games[0]["restricted"] else 0
                kinds.setdefault(key, []).append(bomb)
        return {bombs[0]: bombs for bombs in kinds.values()}

    def _arguments(self, position: NDArray[np.uint64], alpha: int, beta: int, nodes: int) -> tuple[Any, ...]:
        return self._games, self._frames, self._table, position, alpha, beta, nodes


def _turns(m: int, n: int) -> Iterator[list[int]]:
    """The symmetries of the board of shape m×n, each as the new place of every cell. The first is the identity."""

    def lines(bands: int, width: int) -> Iterator[list[int]]:
        within = list(permutations(range(width)))
        for order in permutations(range(bands)):
            for orders in product(within, repeat=bands):
                yield [order[band] * width + orders[band][i] for band in range(bands) for i in range(width)]

    size = m * n
    for rows, columns in product(lines(n, m), lines(m, n)):
        turn = [rows[cell // size] * size + columns[cell % size] for cell in range(size * size)]
        yield turn
        if m == n:
            yield [turn[cell % size * size + cell // size] for cell in range(size * size)]
