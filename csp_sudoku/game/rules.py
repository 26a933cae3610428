"""The rules that need no state: the points of completed regions, and the squares on which a player may play.

A **square** is a (row, column), both counted from zero. In the mode classic every empty square is open to both players.
In the other modes each player has **allowed** squares, and **occupies** the squares that it fills: it may play on empty
allowed squares, and on empty squares that touch an occupied one at a side or at a corner.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator
from random import Random

from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError, expect_name
from csp_sudoku.geometry import Geometry

Square = tuple[int, int]
Squares = frozenset[Square]

PLAYERS = (1, 2)


class PlayMode(enum.StrEnum):
    """The play modes: each defines the squares on which a player may play."""

    CLASSIC = "classic"
    """Both players may play on every empty square."""
    ROWS = "rows"
    """Player 1 begins at the top row, and player 2 at the bottom row."""
    BORDER = "border"
    """Both players begin at the border."""
    RANDOM = "random"
    """Each player begins at N random squares."""


def mode_named(name: str) -> PlayMode:
    """Return the mode of a name; raise OptionError if there is none.

    >>> mode_named("boarder")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a play mode among border, classic, random, rows; found 'boarder' \
(did you mean 'border'?)
    """
    expect_name("play mode", name, [mode.value for mode in PlayMode])
    return PlayMode(name)


def other(player: int) -> int:
    """Return the opponent of a player."""
    return 3 - player


def reward(completed: int) -> int:
    """Return the points for completing this number of regions at once: rows, columns, blocks, or regions of a variant.

    The points are 2**completed - 1, so four regions of a variant give 15, and five give 31.

    >>> [reward(completed) for completed in range(4)]
    [0, 1, 3, 7]
    """
    return (1 << completed) - 1


def completed_regions(board: Board, row: int, col: int) -> tuple[int, ...]:
    """Return the numbers of the full regions of a square, which the value that was placed there last has completed.

    `row` and `col` are the place of that value, from 0, and `board` has it already.

    >>> board = Board.parse("1234 34.. .... ....").place(1, 2, 1).place(1, 3, 2)
    >>> [board.geometry.region_name(region) for region in completed_regions(board, 1, 3)]
    ['row 2', 'block 2']
    """
    geometry, value_of = board.geometry, board.values.__getitem__
    regions = geometry.regions
    return tuple(
        [number for number in geometry.regions_of[geometry.cell(row, col)] if all(map(value_of, regions[number]))]
    )


def allowed_squares(geometry: Geometry, mode: PlayMode, rng: Random | None = None) -> tuple[Squares, Squares] | None:
    """Return the allowed squares of player 1 and of player 2, filled or not; None in the mode classic.

    Only the mode random uses `rng`; it raises OptionError without one.

    >>> [sorted(squares) for squares in allowed_squares(Geometry.standard(2, 2), PlayMode.ROWS)]
    [[(0, 0), (0, 1), (0, 2), (0, 3)], [(3, 0), (3, 1), (3, 2), (3, 3)]]
    """
    last = geometry.size - 1
    match mode:
        case PlayMode.CLASSIC:
            return None
        case PlayMode.ROWS:
            top, bottom = (frozenset((row, col) for col in range(geometry.size)) for row in (0, last))
            return top, bottom
        case PlayMode.BORDER:
            border = frozenset(
                (row, col)
                for row, col in map(geometry.row_column, range(geometry.cell_count))
                if row in (0, last) or col in (0, last)
            )
            return border, border
        case PlayMode.RANDOM:
            if rng is None:
                raise OptionError("expected an rng, or allowed squares, in the mode random; found neither")
            cells = rng.sample(range(geometry.cell_count), 2 * geometry.size)
            squares = [geometry.row_column(cell) for cell in cells]
            return frozenset(squares[: geometry.size]), frozenset(squares[geometry.size :])


def neighbours(size: int, square: Square) -> Iterator[Square]:
    """Yield the squares that touch a square at a side or a corner: 8 of them, fewer at the border.

    `size` is the number of rows of the board.

    >>> list(neighbours(4, (0, 1)))
    [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    at_row, at_col = square
    for row in range(max(0, at_row - 1), min(size, at_row + 2)):
        for col in range(max(0, at_col - 1), min(size, at_col + 2)):
            if (row, col) != square:
                yield row, col


def open_squares(board: Board, allowed: Collection[Square], occupied: Collection[Square]) -> tuple[Square, ...]:
    """Return the empty squares on which a player may play, sorted.

    `allowed` are the squares that the mode allows the player, and `occupied` those that it has filled.

    >>> open_squares(Board.parse("1... .... .... ...."), [(0, 0), (0, 3)], [(0, 0)])
    ((0, 1), (0, 3), (1, 0), (1, 1))
    """
    values, size = board.values, board.size
    squares = set(allowed)
    for square in occupied:
        squares.update(neighbours(size, square))
    return tuple(sorted([(row, col) for row, col in squares if not values[row * size + col]]))


def has_open_square(board: Board, allowed: Collection[Square], occupied: Collection[Square]) -> bool:
    """Return whether `open_squares` would return any square, without listing them."""
    values, size = board.values, board.size
    return any(not values[row * size + col] for row, col in allowed) or any(
        not values[row * size + col] for square in occupied for row, col in neighbours(size, square)
    )


def is_open(size: int, square: Square, allowed: Collection[Square], occupied: Collection[Square]) -> bool:
    """Return whether a player may play on a square if it is empty.

    `size` is the number of rows of the board. `allowed` are the squares that the mode allows the player, and `occupied`
    those that it has filled.
    """
    return square in allowed or any(near in occupied for near in neighbours(size, square))
