"""The board, an immutable position, and the functions that read boards from files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from csp_sudoku import notation
from csp_sudoku.candidates import Given
from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import MoveError, NotationError, ShapeError, SudokuError, hints_keywords
from csp_sudoku.geometry import Geometry, default_shape
from csp_sudoku.notebook import as_svg

if TYPE_CHECKING:
    import networkx
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Shape = tuple[int, int]
"""The shape (m, n) of a board, whose blocks have m rows and n columns."""

BoardLike: TypeAlias = Union["Board", str, Iterable[Any]]
"""Everything that `Board.of` accepts: a board, a text, or a table: lists, a numpy array, a pandas data frame."""


class Board:
    """A position: a geometry, and a value or 0 (empty) in each cell. No region holds a value twice.

    Boards are immutable, hashable and comparable, and their pickles are small. Rows and columns count from 0. A loop
    over a board runs over its N·N values, row by row.

    `geometry` is a `Geometry` or a shape (m, n), and `cells` are its N·N values, row by row. ShapeError for a wrong
    number of cells, SudokuError for a value out of range, ClashError if a region holds a value twice. Values that
    violate a constraint of the geometry are no error: such a board has no solution.

    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> board.cells[:4], board[1, 2], board.empty_count
    ((1, 0, 0, 0), 2, 12)
    >>> sum(1 for value in board if value)
    4
    >>> board.place(0, 1, 2) == Board.parse("12.. ..2. .3.. ...4")
    True
    """

    __slots__ = ("_values", "geometry")

    geometry: Geometry
    _values: bytes

    def __init__(self, geometry: Geometry | Shape, cells: Iterable[int]) -> None:
        self.geometry = geometry if isinstance(geometry, Geometry) else Geometry.standard(*geometry)
        values = [int(value) for value in cells]
        if len(values) != self.geometry.cell_count:
            raise ShapeError(f"expected {self.geometry.cell_count} cells; found {len(values)}")
        for cell, value in enumerate(values):
            if not 0 <= value <= self.geometry.size:
                name = cell_name(*self.geometry.row_column(cell))
                raise SudokuError(f"expected values from 0 (empty) to {self.geometry.size}; found {value} at {name}")
        self.geometry.require_no_clash(values)
        self._values = bytes(values)

    @classmethod
    def trusted(cls, geometry: Geometry, values: bytes) -> Board:
        """The board of this `geometry` with these `values`, one byte per cell, where 0 is empty.

        The values must be in range and without clashes, because they are not checked.
        """
        board = cls.__new__(cls)
        board.geometry = geometry
        board._values = values
        return board

    @classmethod
    def empty(cls, m: int, n: int) -> Board:
        """The empty board whose blocks have `m` rows and `n` columns.

        >>> Board.empty(2, 3).empty_count
        36
        """
        geometry = Geometry.standard(m, n)
        return cls.trusted(geometry, bytes(geometry.cell_count))

    @classmethod
    def parse(
        cls, text: str, format: str | None = None, *, shape: Shape | None = None, zero_based: bool = False
    ) -> Board:
        """The only board in `text`, in any notation; NotationError if the text is not one board.

        `format` is the name of a notation (see `csp_sudoku.notation`); by default the notation is recognised. `shape`
        is the shape of the board (default: from the text, or else the most square one). With `zero_based` (default
        False), the values are read as 0 to N - 1 in place of 1 to N. A text with rules (f-puzzles, or `board` and then
        one rule per line) is a board on a geometry with constraints; `csp_sudoku.notation.parse` also returns its
        details, such as the title and the solution.

        >>> Board.parse("2 2  1 . . .  . . 2 .  . 3 . .  . . . 4") == Board.parse("1.....2..3.....4")
        True
        """
        grid = notation.parse(text, format, shape=shape, zero_based=zero_based)
        return cls._of(grid)

    @classmethod
    def of(cls, value: BoardLike, *, shape: Shape | None = None) -> Board:
        """The board that `value` stands for; all functions of the public API that take a board accept the same.

        `value` is a `Board`, which is returned unchanged; a text in any notation; a puzzle of f-puzzles as a
        dictionary; N rows of N cells, or N·N cells, as lists, tuples, a numpy array or a pandas data frame. A cell is a
        whole number, or a string as in the notations. It is empty if it is 0, None, NaN, ".", or an empty string.
        `shape` is the shape (m, n) of the board (default: from the text, or else the most square one).

        NotationError for a text that is no board. ShapeError for rows of different lengths, or a number of cells that
        no board has. SudokuError for a cell that is not a value. ClashError if a region holds a value twice.

        >>> board = Board.of("1... ..2. .3.. ...4")
        >>> Board.of([[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]) == board
        True
        >>> Board.of([1, None, None, None, "", "", "2", ".", 0, 3.0, 0, 0, float("nan"), 0, 0, 4]) == board
        True
        >>> Board.of([[1, 0, 0, 0], [0, 0, 2.5, 0], [0, 3, 0, 0], [0, 0, 0, 4]])
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.SudokuError: expected a whole number from 1 to 4, or 0, None or NaN for an empty cell, \
at r2c3; found 2.5
        """
        if isinstance(value, Board):
            if shape is not None and (value.m, value.n) != tuple(shape):
                raise ShapeError(f"expected a board of the shape {shape[0]}×{shape[1]}; found {value.geometry.name}")
            return value
        if isinstance(value, str):
            try:
                return cls._of(notation.parse(value, shape=shape))
            except NotationError as error:
                if "\n" not in value and os.path.exists(value):  # noqa: PTH110 - Path.exists raises at some texts
                    raise NotationError(
                        error.expected, "the name of a file (csp_sudoku.load reads files)", source=value
                    ) from None
                raise
        grid = notation.parse_object(value, shape=shape) or notation.grid_of(value, shape)
        grid.geometry.require_no_clash(grid.values)
        return cls._of(grid)

    @classmethod
    def from_array(cls, array: ArrayLike, shape: Shape | None = None) -> Board:
        """The board of an N×N `array`, or of an array of N·N integers, where 0 is empty.

        `shape` is the shape of the board; by default, it is the most square one.

        >>> import numpy as np
        >>> Board.from_array(np.eye(4, dtype=int) * [1, 2, 3, 4]).format("line")
        '1....2....3....4'
        """
        import numpy as np

        numbers = np.asarray(array)
        if numbers.dtype.kind not in "iu":
            raise SudokuError(f"expected an array of integers; found one of {numbers.dtype}")
        size = numbers.shape[0] if numbers.ndim == 2 else round(numbers.size**0.5)
        if numbers.shape not in ((size, size), (size * size,)):
            raise ShapeError(f"expected N rows of N values, or N·N values; found an array of shape {numbers.shape}")
        m, n = shape or default_shape(size)
        return cls((m, n), numbers.ravel().tolist())

    @classmethod
    def _of(cls, grid: notation.Grid) -> Board:
        return cls.trusted(grid.geometry, grid.values)

    @property
    def m(self) -> int:
        """The number of rows of a block."""
        return self.geometry.m

    @property
    def n(self) -> int:
        """The number of columns of a block."""
        return self.geometry.n

    @property
    def size(self) -> int:
        """N, which is the number of values, rows, columns and blocks."""
        return self.geometry.size

    @property
    def cells(self) -> tuple[int, ...]:
        """The N·N values, row by row, where 0 is empty."""
        return tuple(self._values)

    @property
    def values(self) -> bytes:
        """The N·N values as bytes, which is the cheapest form to copy, to compare, or to pass to numpy."""
        return self._values

    @property
    def rows(self) -> list[list[int]]:
        """The values as N lists of N values, where 0 is empty."""
        values, size = self._values, self.size
        return [list(values[start : start + size]) for start in range(0, size * size, size)]

    @property
    def empty_count(self) -> int:
        """The number of empty cells."""
        return self._values.count(0)

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty.

        A full board is a solution, because boards hold no clashes; if its geometry has constraints, however,
        `Geometry.violated` decides that.
        """
        return 0 not in self._values

    def empty_cells(self) -> Iterator[int]:
        """The empty cells in ascending order."""
        return (cell for cell, value in enumerate(self._values) if not value)

    def candidates(self, row: int, column: int) -> tuple[int, ...]:
        """The values that no peer of an empty cell holds, in ascending order; a filled cell has no candidates.

        `row` and `column` count from 0.

        >>> Board.parse("1... ..2. .3.. ...4").candidates(0, 2)
        (3, 4)
        """
        cell = self._cell(row, column)
        if self._values[cell]:
            return ()
        held = {self._values[peer] for peer in self.geometry.peers[cell]}
        return tuple(value for value in range(1, self.size + 1) if value not in held)

    def place(self, row: int, column: int, value: int) -> Board:
        """A new board with one more value; MoveError if the cell is filled or a peer holds the value.

        `row` and `column` count from 0, and `value` is from 1 to N.

        >>> Board.parse("1... ..2. .3.. ...4").place(0, 1, 3)
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.MoveError: expected a value that no peer of r1c2 holds; found 3, held at r3c2
        """
        cell = self._cell(row, column)
        if not 1 <= value <= self.size:
            raise MoveError(f"expected a value from 1 to {self.size} at {cell_name(row, column)}; found {value}")
        if self._values[cell]:
            raise MoveError(f"expected an empty cell at {cell_name(row, column)}; found {self._values[cell]} in it")
        for peer in self.geometry.peers[cell]:
            if self._values[peer] == value:
                name, where = cell_name(row, column), cell_name(*self.geometry.row_column(peer))
                raise MoveError(f"expected a value that no peer of {name} holds; found {value}, held at {where}")
        values = bytearray(self._values)
        values[cell] = value
        return Board.trusted(self.geometry, bytes(values))

    def without(self, cells: Iterable[int]) -> Board:
        """A new board in which `cells` are empty; they count from 0, row by row.

        >>> Board.parse("1... ..2. .3.. ...4").without([0, 15]).format("line")
        '......2..3......'
        """
        values = bytearray(self._values)
        for cell in cells:
            if not 0 <= cell < len(values):
                raise MoveError(f"expected a cell from 0 to {len(values) - 1}; found {cell}")
            values[cell] = 0
        return Board.trusted(self.geometry, bytes(values))

    def extends(self, other: BoardLike) -> bool:
        """Whether this board has the geometry of the board `other` and all its values.

        `other` is a `Board`, or what `of` makes one of.

        >>> Board.parse("1... ..2. .3.. ...4").extends("1... .... .... ....")
        True
        """
        other = Board.of(other)
        return self.geometry == other.geometry and Given(other._values).fits(self._values)

    def graph(self) -> networkx.Graph:  # type: ignore[type-arg] # not subscriptable when the docs are built
        """The constraint graph of the empty cells, which has an edge between two peers that share a candidate.

        The connected components of the graph can be completed independently of each other.

        >>> import networkx
        >>> sorted(map(sorted, networkx.connected_components(Board.parse(".... 3412 .... 4321").graph())))
        [[0, 1, 8, 9], [2, 3, 10, 11]]
        """
        import networkx

        options = {cell: set(self.candidates(*self.geometry.row_column(cell))) for cell in self.empty_cells()}
        graph: networkx.Graph[int] = networkx.Graph()
        graph.add_nodes_from(options)
        for cell, values in options.items():
            for peer in self.geometry.peers[cell]:
                if peer > cell and peer in options and values & options[peer]:
                    graph.add_edge(cell, peer)
        return graph

    def format(self, format: str = "grid", *, zero_based: bool = False) -> str:
        """The board as text, which `parse` can read back.

        `format` is the name of a notation (default "grid"). With `zero_based` (default False), the values are written
        as 0 to N - 1 in place of 1 to N. ShapeError if the notation cannot hold the board: only "variant" and
        "fpuzzles" hold the rules and regions of variants.

        >>> print(Board.empty(2, 2).place(0, 0, 3).format("tue"))
        2 2
        3 . . .
        . . . .
        . . . .
        . . . .
        """
        return notation.format_grid(notation.Grid.on(self.geometry, self._values), format, zero_based=zero_based)

    def _cell(self, row: int, column: int) -> int:
        row, column = index(row), index(column)  # plain integers, because numpy's small integers would overflow
        if not (0 <= row < self.size and 0 <= column < self.size):
            last = cell_name(self.size - 1, self.size - 1)
            raise MoveError(f"expected a cell from r1c1 to {last}; found {cell_name(row, column)}")
        return row * self.size + column

    def __getitem__(self, row_column: tuple[int, int]) -> int:
        return self._values[self._cell(*row_column)]

    def __iter__(self) -> Iterator[int]:
        """Iterate over the N·N values, row by row, where 0 is empty."""
        return iter(self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.integer[Any]]:
        import numpy as np

        array = np.frombuffer(self._values, dtype=np.uint8).reshape(self.size, self.size)
        return array.astype(dtype if dtype is not None else np.int64)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._values == other._values and self.geometry == other.geometry

    def __hash__(self) -> int:
        return hash((self._values, self.geometry))

    def __str__(self) -> str:
        return self.format("grid" if self.geometry.is_standard else "variant")

    def __repr__(self) -> str:
        return f"<Board {self.geometry.name}, {self.empty_count} empty>"

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return as_svg(self)

    def __reduce__(self) -> tuple[object, ...]:
        return Board.trusted, (self.geometry, self._values)


@hints_keywords
def load(
    path: str | PathLike[str], format: str | None = None, *, shape: Shape | None = None, zero_based: bool = False
) -> Board:
    """The only board in the file `path`, in any notation; NotationError if it holds no board or several boards.

    `path` is the path of the file; "-" stands for standard input. `format` is the name of a notation (see
    `csp_sudoku.notation`; default None: it is recognised). `shape` is the shape (m, n) of the board (default: from the
    text, or else the most square one). With `zero_based` (default False), the values are read as 0 to N - 1 in place of
    1 to N. Use `load_many` for a file with several boards.
    """
    with notation.opened(path) as stream:
        return Board._of(notation.read_one(stream, format, shape=shape, zero_based=zero_based))


@hints_keywords
def load_many(
    path: str | PathLike[str], format: str | None = None, *, shape: Shape | None = None, zero_based: bool = False
) -> Iterator[Board]:
    """Yield the boards of the file `path` one after the other; the file is read lazily.

    `path` is the path of the file; "-" stands for standard input. `format` is the name of a notation (see
    `csp_sudoku.notation`; default None: it is recognised). `shape` is the shape (m, n) of the boards (default: from the
    text, or else the most square one). With `zero_based` (default False), the values are read as 0 to N - 1 in place of
    1 to N.
    """
    with notation.opened(path) as stream:
        for grid in notation.read(stream, format, shape=shape, zero_based=zero_based):
            yield Board._of(grid)


def stack(boards: Sequence[Board]) -> NDArray[np.uint8]:
    """The boards, which must have the same geometry, as one array with a row of N·N values for each board."""
    import numpy as np

    joined = bytearray().join([board._values for board in boards])  # a bytearray, so that the array is writable
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(boards), -1)
