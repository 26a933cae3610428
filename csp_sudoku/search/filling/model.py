"""The filling game of a position: its cells, regions and skips, and the moves of the board that they stand for.

A bomb stops being a skip when its cell is filled or a peer of its cell gets its value. So the skips depend on the
values that the cells will get. The model takes these values from one completion of the board. It is exact if the board
has no other completion; otherwise it is a guess, and the next turn makes a new model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.errors import ShapeError
from csp_sudoku.game.rules import PLAYERS, neighbours, other
from csp_sudoku.moves.move import Move
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.kernels.plies import REGIONS_OF_CELL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move_map import MoveMap

CELL_WIDTH = 8
"""Number of cells that a search with estimates considers per position; more depth is worth more than more breadth."""

SKIP_WIDTH = 1
"""Number of skips that a search with estimates considers per position."""

ALL_CELLS = (1 << filling.MAX_CELLS) - 1
"""The mask of all cells that a game can have."""

RESERVED = 16
"""Maximum number of cells that a restricted game reserves for the open squares of each side."""


@dataclass(frozen=True, slots=True)
class FillingModel:
    """A filling game, its current position, and the moves of the board that its moves stand for."""

    games: NDArray[np.void]
    """The kernel's record of the game, as an array of length 1."""
    position: NDArray[np.uint64]
    """Four sets of bits: empty cells, live skips, open squares of the side to move, open squares of the other side."""
    cells: Sequence[int]
    """The board's cells, by their numbers in the game."""
    skips: Sequence[Sequence[Move]]
    """The bombs that each skip stands for. A skip with an even number of bombs is live only after the use of one."""
    completion: bytes
    """The completion of the board that gives the cells their values."""
    size: int
    """The number of values, rows and columns of the board."""
    is_exact: bool
    """Whether the filling game is equivalent to the real game: no move was left out, and no value was guessed."""

    def moves(self, number: int) -> list[Move]:
        """The moves of the board that a move of the game stands for: one value of the completion, or equal bombs."""
        if number >= filling.MAX_CELLS:
            return list(self.skips[number - filling.MAX_CELLS])
        cell = self.cells[number]
        return [Move(*divmod(cell, self.size), self.completion[cell])]

    def move(self, number: int) -> Move:
        """The first move of the board that a move of the game stands for."""
        return self.moves(number)[0]

    def number_of(self, move: Move) -> int | None:
        """The move of the game that stands for a move of the board; None if the game has left that move out."""
        cell = move.row * self.size + move.col
        if self.completion[cell] == move.value:
            return self.cells.index(cell) if cell in self.cells else None
        return next((filling.MAX_CELLS + i for i, bombs in enumerate(self.skips) if move in bombs), None)


def require_plain(board: Board) -> None:
    """Raise ShapeError if a cell of the board is in more regions than the games have room for (`REGIONS_OF_CELL`)."""
    if max(map(len, board.geometry.regions_of)) > REGIONS_OF_CELL:
        raise ShapeError(f"expected a board whose cells are in {REGIONS_OF_CELL} regions; found {board.geometry.name}")


def model_of(state: GameState, moves: MoveMap, completion: bytes) -> FillingModel:
    """The filling game of a position.

    The game takes its bombs from the move map `moves`, and the values of its cells from `completion`. ShapeError as in
    `require_plain`.
    """
    board = state.board
    require_plain(board)
    empty = list(board.empty_cells())
    cells = sorted(_most_urgent(state, empty))
    number = {cell: i for i, cell in enumerate(cells)}
    games = np.zeros(1, filling.GAME)
    game = games[0]
    game["cells"] = len(cells)
    game["cell_width"], game["skip_width"] = CELL_WIDTH, SKIP_WIDTH
    _set_regions(game, board, cells, number)
    restricted = state.squares() is not None
    skips = _skips(state, moves, completion, number, restricted=restricted)
    odd = sum(len(bombs) % 2 for bombs in skips.values())
    order = sorted(skips, key=lambda key: (len(skips[key]) % 2 == 0, len(key[0]), sorted(key[0]), key[1]))
    kept = order[: filling.MAX_SKIPS]
    game["skips"] = len(kept)
    for skip, (killers, cell) in enumerate(kept):
        game["skip_cell"][skip] = number.get(cell, 0)
        for killer in killers:
            game["kills"][killer] |= np.uint64(1 << skip)
    mine = others = ALL_CELLS
    if restricted:
        game["restricted"] = 1
        mine, others = (_mask(state.squares(player), board, number) for player in (state.player, other(state.player)))
        for cell, i in number.items():
            near = neighbours(board.size, board.geometry.row_column(cell))
            game["opens"][i] = np.uint64(_mask(near, board, number))
    live = min(odd, len(kept))
    position = np.array([(1 << len(cells)) - 1, (1 << live) - 1, mine, others], np.uint64)
    return FillingModel(
        games=games,
        position=position,
        cells=cells,
        skips=[skips[key] for key in kept],
        completion=completion,
        size=board.size,
        is_exact=len(cells) == len(empty) and odd <= len(kept) and moves.is_complete and len(moves.safe) == len(empty),
    )


def _most_urgent(state: GameState, empty: Sequence[int]) -> Sequence[int]:
    """The empty cells that the game considers, at most as many as it has room for.

    Cells that a side can reach in fewer moves are preferred, then cells of regions with fewer empty cells. Up to
    `RESERVED` open squares of each side are always included, because the side to move must have a move.
    """
    if len(empty) <= filling.MAX_CELLS:
        return empty
    board = state.board
    geometry = board.geometry
    left = [sum(not board.values[cell] for cell in region) for region in geometry.regions]
    steps = _steps(state)

    def urgency(cell: int) -> tuple[int, list[int]]:
        return steps.get(cell, board.size), sorted(left[region] for region in geometry.regions_of[cell])

    ranked = sorted(empty, key=urgency)
    reserved: list[int] = []
    for player in PLAYERS:
        squares = {geometry.cell(*square) for square in state.squares(player) or ()}
        reserved += [cell for cell in ranked if cell in squares][:RESERVED]
    return list(dict.fromkeys(reserved + ranked))[: filling.MAX_CELLS]


def _steps(state: GameState) -> dict[int, int]:
    """For each cell, the number of moves that the nearer side needs before it is open; empty in the mode classic."""
    board, geometry = state.board, state.board.geometry
    wave = {geometry.cell(*square) for player in PLAYERS for square in state.squares(player) or ()}
    found: dict[int, int] = {}
    for step in count():
        if not wave:
            break
        found |= dict.fromkeys(wave, step)
        near = {geometry.cell(*to) for at in wave for to in neighbours(board.size, geometry.row_column(at))}
        wave = {cell for cell in near if not board.values[cell] and cell not in found}
    return found


def _set_regions(game: np.void, board: Board, cells: Sequence[int], number: dict[int, int]) -> None:
    """Write the regions of the game's cells into the kernel's record."""
    geometry = board.geometry
    regions = sorted({region for cell in cells for region in geometry.regions_of[cell]})
    place = {region: i for i, region in enumerate(regions)}
    game["regions"] = len(regions)
    for region, i in place.items():
        empty = [cell for cell in geometry.regions[region] if not board.values[cell]]
        game["region"][i] = np.uint64(sum(1 << number[cell] for cell in empty if cell in number))
        game["extra"][i] = sum(cell not in number for cell in empty)
    for cell, i in number.items():
        game["regions_of"][i] = [place[region] for region in geometry.regions_of[cell]]


def _skips(
    state: GameState, moves: MoveMap, completion: bytes, number: dict[int, int], *, restricted: bool
) -> dict[tuple[frozenset[int], int], list[Move]]:
    """The skips of the game, with the bombs that each stands for.

    The key of a skip is the set of cells that kill it and, in a restricted game, the cell in which it is played. Two
    equal skips cancel each other out, since a side can answer the use of one by using the other. So only the parity of
    their number matters.
    """
    geometry = state.board.geometry
    found: dict[tuple[frozenset[int], int], list[Move]] = {}
    for bomb in moves.bombs:
        if bomb in state.taboo:
            continue
        cell = geometry.cell(bomb.row, bomb.col)
        killers = [peer for peer in geometry.peers[cell] if peer in number and completion[peer] == bomb.value]
        if cell in number:
            killers.append(cell)
        elif restricted:
            continue
        key = frozenset(number[killer] for killer in killers), cell if restricted else 0
        found.setdefault(key, []).append(bomb)
    return found


def _mask(squares: object, board: Board, number: dict[int, int]) -> int:
    """The mask of the game's cells that are among the squares (row, column)."""
    assert squares is not None
    cells = {board.geometry.cell(row, column) for row, column in squares}  # type: ignore[attr-defined]
    return sum(1 << i for cell, i in number.items() if cell in cells)
