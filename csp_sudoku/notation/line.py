"""The notation `line`: a puzzle per line, a character per cell.

    # comments and blank lines are ignored
    53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    1... ..2. .3.. ...4      # white space between the cells is allowed
    3x2:1.................................2.   # a shape m×n that is not the default one of its size is named

Values beyond 9 are letters: A = 10 … P = 25.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt

from csp_sudoku.errors import NotationError
from csp_sudoku.geometry import MAX_SIZE, Geometry, default_shape
from csp_sudoku.notation.grid import SIZES_TEXT, FoundGrid, Grid, ReadOptions, checked, named_shape, prefix, settled
from csp_sudoku.notation.symbols import (
    SIZE_OF_COUNT,
    character_table,
    expected_character,
    value_range,
    written_characters,
)
from csp_sudoku.notation.text import Text, body, shown


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, one per line.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    quick = quick_reader(options)
    for line in text.lines():
        grid = quick(line)
        if grid is None:
            if not body(line):
                continue
            grid = read_cells(text, line.partition("#")[0], options)
        text.start = text.line, 1
        yield grid


def quick_reader(options: ReadOptions) -> Callable[[str], Grid | None]:
    """Return a fast function from N·N correct characters to their board, which serves nearly every line.

    The function returns None for any other line; then `read_cells` reads the line slowly, and reports the mistake.

    >>> quick = quick_reader(ReadOptions())
    >>> quick("1..21..31..41..5"), quick("1..2" * 4), list(quick("1.....2..3.....4").values[:8])
    (None, None, [1, 0, 0, 0, 0, 0, 2, 0])
    """
    table = character_table(options.zero_based)
    plans: dict[int, tuple[int, int, bytes, Geometry] | None] = {}

    def quick(line: str) -> Grid | None:
        cells = line.encode()
        count = len(cells)
        if count not in plans:
            plans[count] = _plan(count, options)
        plan = plans[count]
        if plan is None:
            return None
        m, n, known, geometry = plan
        values = cells.translate(table)
        if values.translate(None, known) or geometry.clash(values) is not None:
            return None
        return Grid(m, n, values)

    return quick


def _plan(count: int, options: ReadOptions) -> tuple[int, int, bytes, Geometry] | None:
    """Return the shape, values and geometry of a bare line of `count` cells; None if there is no such board."""
    size = SIZE_OF_COUNT.get(count)
    if size is None or (options.shape is not None and options.shape[0] * options.shape[1] != size):
        return None
    shape = options.shape or default_shape(size)
    return *shape, value_range(size), Geometry.standard(*shape)


def read_cells(text: Text, line: str, options: ReadOptions, column: int = 1) -> Grid:
    """Return the board in a line, or in a field that begins at `column` (default 1).

    Raise NotationError at the first mistake.

    `options` holds the caller's settings; `text` makes the errors.
    """
    found = FoundGrid()
    named, begin = named_shape(line)
    found.add(text.line, line[begin:], column + begin)
    cells = "".join(line[begin:].split())
    values = cells.encode("ascii", "replace").translate(character_table(options.zero_based))
    known = named is not None or options.shape is not None
    if known:
        m, n = settled(text, options, 0, named, (text.line, column))
        size = m * n
    else:
        size = SIZE_OF_COUNT[min(SIZE_OF_COUNT, key=lambda count: abs(count - len(cells)))]
    wrong = values.translate(None, value_range(size if known or len(cells) == size * size else MAX_SIZE))
    if wrong:
        at = values.index(wrong[0])
        raise text.error(expected_character(size, options.zero_based), shown(cells[at]), *found.place(at))
    if len(cells) != size * size:
        raise _miscounted(text, len(cells), size, found, known)
    shape = settled(text, options, size, named, (text.line, column))
    return checked(text, shape, values, found)


def _miscounted(text: Text, count: int, size: int, found: FoundGrid, known: bool) -> NotationError:
    """Return the error for a wrong number of cells."""
    root = isqrt(count)
    if not known and root * root == count:
        return text.error(f"a board size among {SIZES_TEXT}", f"{root} ({count} cells)", *found.place(0))
    expected = f"{size * size} cells" + ("" if known else " (or N·N of another board size)")
    return text.error(expected, str(count), *found.place(min(count, size * size)))


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board as one line.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False)
    '1..21..21..21..2'
    """
    return prefix(grid) + grid.values.translate(written_characters(zero_based)).decode()
