"""The common parts of the boards, the moves and the states of both APIs.

Agents copy states thousands of times per turn, and add attributes of their own to them. So these are plain classes, and
their deep copies take a fast path for simple attributes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from itertools import chain
from typing import Any, ClassVar, Self, TypeVar

from csp_sudoku.framework.board_text import EMPTY, read_board

Square = tuple[int, int]
"""A (row, column), counted from zero."""

Board = TypeVar("Board", bound="BoardBase")


class Copied:
    """A value whose deep copy is fast if its attributes are integers, squares, or lists of these."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = self.__class__.__new__(self.__class__)
        memo[id(self)] = copy
        attributes = copy.__dict__
        for name, value in self.__dict__.items():
            kind = type(value)
            if kind is int or (kind is tuple and _are_integers(value)):
                attributes[name] = value
            elif kind is list and id(value) not in memo and _is_flat(value):
                attributes[name] = memo[id(value)] = value.copy()
            else:
                attributes[name] = deepcopy(value, memo)
        return copy


def _are_integers(values: Any) -> bool:
    return {*map(type, values)} <= {int}


def _is_flat(values: list[Any]) -> bool:
    """Return whether a list holds nothing but integers, or nothing but tuples of integers."""
    kinds = {*map(type, values)}
    return kinds <= {int} or (kinds == {tuple} and _are_integers(chain.from_iterable(values)))


class BoardBase(Copied):
    """A sudoku board with blocks of m rows and n columns; `squares` has its N·N values row by row."""

    empty: ClassVar[int] = 0

    def __init__(self, m: int = 3, n: int = 3) -> None:
        self.m = m
        self.n = n
        self.N = m * n
        self.squares: list[int] = [BoardBase.empty] * (self.N * self.N)

    def region_width(self) -> int:
        """Return the number of columns of a block."""
        return self.n

    def region_height(self) -> int:
        """Return the number of rows of a block."""
        return self.m

    def board_width(self) -> int:
        """Return the number of columns of the board."""
        return self.N

    def board_height(self) -> int:
        """Return the number of rows of the board."""
        return self.N

    def __str__(self) -> str:
        return board_as_text(self)


class MoveBase(Copied, ABC):
    """A value in a square. Moves with the same square and value are equal and hash alike, taboo or not.

    A move also equals an agent's own object with the same attributes.
    """

    value: int
    parts: ClassVar[tuple[str, ...]]
    """The names of the attributes that make a move."""

    @abstractmethod
    def place(self) -> Square:
        """Return the row and the column."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveBase):
            return self.value == other.value and self.place() == other.place()
        try:
            return all(getattr(self, part) == getattr(other, part) for part in self.parts)
        except AttributeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash((self.place(), self.value))

    def __str__(self) -> str:
        row, column = self.place()
        return f"({row},{column}) -> {self.value}"

    def __repr__(self) -> str:
        return str(self)


def board_as_text(board: BoardBase) -> str:
    """Return the old text form of a board: "m n", then a line per row.

    >>> print(board_as_text(BoardBase(2, 2)).replace(" ", "_"), end="")
    2_2
    ___.___.___.___.
    ___.___.___.___.
    ___.___.___.___.
    ___.___.___.___.
    """
    return f"{board.m} {board.n}\n" + "".join(f"{line}\n" for line in rows(board))


def rows(board: BoardBase) -> list[str]:
    """Return one line per row of a board, with four characters per square."""
    words = [f"{value or EMPTY:>4}" for value in board.squares]
    return ["".join(words[start : start + board.N]) for start in range(0, board.N * board.N, board.N)]


def board_from_text(kind: type[Board], text: str) -> Board:
    """Return the board, of class `kind`, of a text in either form."""
    read = read_board(text)
    board = kind(read.m, read.n)
    board.squares = read.values
    return board
