"""The search and the solver of the earlier system 001 as its report lists them, with all their errors.

numbers   unless blocks are square, a block gets the missing values of another one: the row of blocks is computed as
          the block's number divided by n in place of m
solver    all singles of a pass are filled at once; if two of them are the same value in one region, the second one
          raises a KeyError, before the player has proposed a move
counts    the empty cells of a block are counted in only one of its columns (`sudokuai.counted_as_before`)
order     a move that was searched goes to the end of the list, so that cut-offs change the order of the next depth
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from csp_sudoku.board import Board
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.counters import REWARDS


def listed_proposals(state: GameState, blocks: list[int]) -> Iterator[Move]:
    """Yield the best move of each depth, as 001 proposed it; `blocks` has its counts of the empty cells of each block.

    Raise KeyError or LookupError if its solver fails.
    """
    board = state.board
    completion = listed_completion(board)
    search = ListedSearch(board, blocks)
    for depth in range(1, len(search.open) + 1):
        _, cell = search.best(depth)
        if completion is None:
            raise LookupError("expected a completion; found none")
        yield Move(*board.geometry.row_column(cell), completion[cell])


class ListedSearch:
    """Minimax with alpha-beta over the empty cells of a board, which are kept in one list."""

    def __init__(self, board: Board, blocks: list[int]) -> None:
        geometry = board.geometry
        self.open = list(board.empty_cells())
        """The empty cells, in the order in which they are searched."""
        self.regions_of = geometry.regions_of
        lines = geometry.regions[: 2 * geometry.size]
        self.empty = [sum(not board.values[cell] for cell in region) for region in lines] + blocks
        """The number of empty cells of each region, as 001 counted them."""

    def best(
        self, depth: int, *, is_maximising: bool = True, score: int = 0, alpha: float = -inf, beta: float = inf
    ) -> tuple[float, int]:
        """Return the value of the position and its best cell; -1 for the cell at the end of the search.

        The value is the lead of the player who searches, `score` that lead so far (default 0), and `alpha` and `beta`
        bound the window (default infinite). `is_maximising` says whether that player is to move (default True).
        """
        if depth == 0 or not self.open:
            return score, -1
        sign = 1 if is_maximising else -1
        best_value, best_cell = -sign * inf, self.open[0]
        for cell in self.open[:]:
            regions = self.regions_of[cell]
            points = REWARDS[sum(self.empty[region] == 1 for region in regions)]
            self.open.remove(cell)
            for region in regions:
                self.empty[region] -= 1
            value, _ = self.best(
                depth - 1, is_maximising=not is_maximising, score=score + sign * points, alpha=alpha, beta=beta
            )
            self.open.append(cell)
            for region in regions:
                self.empty[region] += 1
            if sign * value > sign * best_value:
                best_value, best_cell = value, cell
                if is_maximising:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
                if alpha >= beta:
                    break
        return best_value, best_cell


def listed_completion(board: Board) -> bytes | None:
    """Return a completion as 001's solver finds it, or None; raise KeyError where that solver fails.

    >>> listed_completion(Board.parse("1... ..2. .3.. ...4")) == bytes([1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4])
    True
    """
    return _filled(board, bytearray(board.values), list(board.empty_cells()), listed_numbers(board))


def listed_numbers(board: Board) -> list[set[int]]:
    """Return the values that are left in each row, column and block, as 001 determined them.

    >>> [3 in left for left in listed_numbers(Board.empty(2, 3).place(3, 0, 3))[12:]]  # in truth it is in block 3
    [True, True, True, True, False, True]
    """
    geometry, values = board.geometry, board.values
    m, n, size = board.m, board.n, board.size
    regions = list(geometry.regions[: 2 * size])
    for block in range(size):
        top, left = block // n * m, block % m * n
        regions.append(tuple((top + at // n) * size + left + at % n for at in range(size)))
    return [{*range(1, size + 1)} - {values[cell] for cell in region} for region in regions]


def _filled(board: Board, values: bytearray, open_cells: list[int], left: list[set[int]]) -> bytes | None:
    """Fill singles, all of a pass at once, then guess the last open cell; return None if this finds no completion."""
    regions_of = board.geometry.regions_of
    while True:
        singles: list[tuple[int, int]] = []
        possible: set[int] = set()
        for cell in open_cells:
            row, column, block = regions_of[cell]
            possible = left[row] & left[column] & left[block]
            if not possible:
                return None
            if len(possible) == 1:
                singles.append((cell, next(iter(possible))))
        if not singles:
            break
        for cell, value in singles:
            _fill(values, open_cells, left, cell, value, regions_of[cell])
    if not open_cells:
        return bytes(values)
    cell = open_cells[-1]
    for value in possible:
        copies = bytearray(values), open_cells.copy(), [numbers.copy() for numbers in left]
        _fill(*copies, cell, value, regions_of[cell])
        found = _filled(board, *copies)
        if found is not None:
            return found
    return None


def _fill(
    values: bytearray, open_cells: list[int], left: list[set[int]], cell: int, value: int, regions: tuple[int, ...]
) -> None:
    """Place a value; raise KeyError if a region of the cell has it already."""
    values[cell] = value
    open_cells.remove(cell)
    for region in regions:
        left[region].remove(value)
