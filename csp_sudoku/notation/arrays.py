"""Boards as numpy arrays, and files of them (`.npy`): a row of N·N values for each board, 0 for an empty cell.

A file of this kind is no text, so it is not among the notations of `formats`: its name ends in `.npy`. It is mapped
into memory, and read only as far as boards are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import TYPE_CHECKING, Any

from csp_sudoku.errors import NotationError, ShapeError, SudokuError
from csp_sudoku.geometry import Geometry, default_shape
from csp_sudoku.notation.files import opened
from csp_sudoku.notation.grid import Grid, Shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

PIECE = 4096
"""Number of boards that are checked at a time while a file is read board by board."""


def geometry_of(cells: NDArray[Any], shape: Shape | None) -> Geometry:
    """Return the geometry of the boards of an array; ShapeError or SudokuError if it cannot be one of boards.

    `cells` has a row of N·N values for each board, or N rows of N values. `shape` is their shape (m, n); None stands
    for the most square one of the size. The values themselves are not looked at.
    """
    is_square = cells.ndim == 3 and cells.shape[1] == cells.shape[2]
    size = cells.shape[1] if is_square else isqrt(cells.shape[1]) if cells.ndim == 2 else 0
    if not is_square and (cells.ndim != 2 or size * size != cells.shape[1]):
        raise ShapeError(f"expected an array of rows of N·N values; found one of the form {cells.shape}")
    if cells.dtype.kind not in "iu":
        raise SudokuError(f"expected an array of whole numbers; found one of {cells.dtype}")
    geometry = Geometry.standard(*(shape or default_shape(size)))
    if geometry.size != size:
        raise ShapeError(f"expected rows of {geometry.cell_count} values for {geometry.name}; found {size * size}")
    return geometry


def table_of(cells: ArrayLike, shape: Shape | None) -> tuple[NDArray[np.uint8], Geometry]:
    """Return boards as rows of bytes, and their geometry; ShapeError or SudokuError if they are no boards.

    The parameters are those of `geometry_of`; values may be any whole numbers from 0 to N.
    """
    import numpy as np

    given = np.asarray(cells)
    geometry = geometry_of(given, shape)
    given = given.reshape(len(given), geometry.cell_count)
    size = geometry.size
    if len(given) and not (given.min() >= 0 and given.max() <= size):
        wrong = int(given.max() if given.max() > size else given.min())
        board = int(np.flatnonzero((given == wrong).any(axis=1))[0])
        raise SudokuError(f"expected values from 0 (empty) to {size}; found {wrong} in board {board}, counted from 0")
    return np.require(given, np.uint8, ["C_CONTIGUOUS", "WRITEABLE"]), geometry


def mapped(path: str) -> NDArray[Any]:
    """Return the array in a file, mapped into memory; NotationError if the file cannot be read as one.

    Pickled objects are refused: to load them would run code of the file.
    """
    import numpy as np

    with opened(path) as stream:  # for its errors
        if stream.read(len(np.lib.format.MAGIC_PREFIX)) != np.lib.format.MAGIC_PREFIX:
            raise NotationError("an array of numpy", "another file", source=path)
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # noqa: BLE001 - a damaged header fails in numpy in a dozen ways
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise NotationError("an array of numpy", f"a damaged file ({reason})", source=path) from None
    if not len(found.shape) or not len(found):
        raise NotationError("an array of boards", "an empty array", source=path)
    array: NDArray[Any] = found
    return array


def read_table(path: str, shape: Shape | None = None) -> tuple[NDArray[np.uint8], Geometry]:
    """Return the boards of a file as rows of bytes, and their geometry; NotationError if it has none.

    `shape` is their shape (m, n); None, the default, stands for the most square one of the size.
    """
    try:
        return table_of(mapped(path), shape)
    except NotationError:
        raise
    except SudokuError as error:
        raise _in_file(path, error) from None


def read_grids(path: str, shape: Shape | None = None) -> Iterator[Grid]:
    """Yield the boards of a file; NotationError at the first that breaks the rules.

    `shape` is their shape (m, n); None, the default, stands for the most square one of the size.
    """
    found = mapped(path)
    try:
        geometry = geometry_of(found, shape)
    except SudokuError as error:
        raise _in_file(path, error) from None
    for start in range(0, len(found), PIECE):
        try:
            table, _ = table_of(found[start : start + PIECE], (geometry.m, geometry.n))
        except SudokuError as error:
            raise _in_file(path, error) from None
        for number, row in enumerate(table, start + 1):
            values = row.tobytes()
            try:
                geometry.require_no_clash(values)
            except SudokuError as error:
                raise _in_file(f"{path}, puzzle {number}", error) from None
            yield Grid(geometry.m, geometry.n, values)


def _in_file(path: str, error: SudokuError) -> NotationError:
    """Return the same error with the name of the file before it."""
    expected, _, found = str(error).removeprefix("expected ").partition("; found ")
    return NotationError(expected, found, source=path)
