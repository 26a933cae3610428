"""`csp-sudoku solve --npy OUT.npy`: the boards of all arguments as one array, and the answers as another.

No object is made for a board of a file that is an array. Texts are read board by board, and then put together.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp_sudoku.atomic_file import write_atomically
from csp_sudoku.cli.answers import CODES
from csp_sudoku.cli.codes import worst
from csp_sudoku.cli.output import duration, number, remark, writing
from csp_sudoku.errors import ShapeError, SudokuError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.cli.arguments import BoardArgument
    from csp_sudoku.cli.inputs import BoardSource
    from csp_sudoku.geometry import Geometry


def solve_to_array(source: BoardSource, out: Path, count: int | None, jobs: int) -> int:
    """Solve all boards of a source, write their solutions to a file, and return the exit code.

    `count` is the number at which counting stops: then the numbers of solutions are written. With None, the solutions
    are. `jobs` is the number of threads. Nothing is written if the input has a mistake.
    """
    from csp_sudoku.solvers.arrays import STATUSES, solve_array

    tables = list(_tables(source))
    for _ in source.in_turn(()):  # prints the complaints
        pass
    if source.code or not tables:
        return source.code
    table, geometry = _joined(tables)
    started = time.perf_counter()
    found = solve_array(table, count=count or 1, jobs=jobs, shape=(geometry.m, geometry.n))
    seconds = time.perf_counter() - started
    with writing(out):
        _write(out, found.solutions if count is None else found.counts)
    totals = {status.value: int((found.status == code).sum()) for code, status in enumerate(STATUSES)}
    words = {"solved": "solved", "unsolvable": "unsolvable", "unknown": "undecided"}
    told = [f"{totals[status]:,} {word}" for status, word in words.items() if totals[status]]
    remark(f"{number(len(table), 'puzzle')}: {', '.join(told)}; {duration(seconds)} in all; {out}")
    return worst([CODES[status] for status in words if totals[status]])


def _tables(source: BoardSource) -> Iterator[tuple[NDArray[np.uint8], Geometry, str]]:
    """Yield the boards of each argument as rows, with their geometry and the name of the argument."""
    for argument in source.arguments():
        with source.noting(argument.source):
            yield from _table(source, argument)


def _table(source: BoardSource, argument: BoardArgument) -> Iterator[tuple[NDArray[np.uint8], Geometry, str]]:
    from csp_sudoku.board import Board, stack
    from csp_sudoku.notation.arrays import read_table

    if argument.is_array and argument.path is not None:
        argument.require_array_options(source.format, zero_based=source.zero_based)
        yield *read_table(argument.path, source.shape), argument.source
        return
    boards: list[Board] = []
    for board in argument.boards(source.format, source.shape, zero_based=source.zero_based):
        if not board.geometry.is_standard:
            raise ShapeError(f"{argument.source}: expected boards m×n for an array; found {board.geometry.name}")
        if boards and board.geometry is not boards[0].geometry:
            raise _other_shape(boards[0].geometry, board.geometry, argument.source)
        boards.append(board)
    yield stack(boards), boards[0].geometry, argument.source


def _joined(tables: list[tuple[NDArray[np.uint8], Geometry, str]]) -> tuple[NDArray[np.uint8], Geometry]:
    """Return all boards in one table; ShapeError if their shapes differ."""
    import numpy as np

    first = tables[0][1]
    for _, geometry, name in tables:
        if geometry is not first:
            raise _other_shape(first, geometry, name)
    return np.concatenate([table for table, *_ in tables]), first


def _other_shape(first: Geometry, other: Geometry, source: str) -> SudokuError:
    return ShapeError(f"{source}: expected boards of one shape for an array; found {first.name} and {other.name}")


def _write(out: Path, array: NDArray[Any]) -> None:
    """Write an array to a file of numpy's form, completely or not at all."""
    import numpy as np

    content = BytesIO()
    np.save(content, array, allow_pickle=False)
    write_atomically(out, content.getvalue())
