"""The notation `csv`: a header line, then a puzzle per line, as in the data sets on Kaggle.

    quizzes,solutions
    1......3.4....2.,12344321…

The columns may be in any order, and there may be others. The column of puzzles is required. A solution must be full and
agree with its puzzle. Puzzles and solutions are written as in the notation `line`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import ne

from csp_sudoku.notation import line as line_notation
from csp_sudoku.notation.grid import Grid, ReadOptions, named_shape
from csp_sudoku.notation.symbols import character_table, expected_character, value_range
from csp_sudoku.notation.text import Text, shown

HEADER = "quizzes"
PUZZLES = (HEADER, "quiz", "puzzles", "puzzle")
SOLUTIONS = ("solutions", "solution")


def is_header(line: str) -> bool:
    """Return whether a line names a column of puzzles.

    >>> is_header("id,Puzzle,solution"), is_header("1,2,3")
    (True, False)
    """
    return _column(line.split(","), PUZZLES) is not None


def _column(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((index for index, name in enumerate(names) if name.strip(' "').lower() in known), None)


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the puzzles of a table, one per line below the header.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    lines = text.lines()
    first = next(lines, "")
    header = _fields(text, first)
    puzzle, solution = _column(header, PUZZLES), _column(header, SOLUTIONS)
    if puzzle is None:
        raise text.error(f"a header with a column among {', '.join(PUZZLES)}", shown(first), text.line, 1)
    quick = line_notation.quick_reader(options)
    for line in lines:
        if not line.strip() or line == first:  # concatenated tables repeat the header
            continue
        fields = _fields(text, line)
        if len(fields) != len(header):
            column = _place(line, fields, min(len(fields), len(header)))
            raise text.error(f"{len(header)} fields, as in the header", str(len(fields)), text.line, column)
        grid = quick(fields[puzzle])
        if grid is None:
            grid = line_notation.read_cells(text, fields[puzzle], options, _place(line, fields, puzzle))
        if solution is not None and fields[solution]:
            _check(text, grid, fields[solution], options, _place(line, fields, solution))
        text.start = text.line, 1
        yield grid


def _fields(text: Text, line: str) -> list[str]:
    if '"' not in line:
        return line.split(",")
    import csv

    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise text.error(
            "a line of fields with commas between them", f"{shown(line)} ({error})", text.line, 1
        ) from None


def _place(line: str, fields: list[str], index: int) -> int:
    """Return the column where a field begins; for the field after the last, the end of the line."""
    at = 0
    for field in fields[:index]:
        comma = line.find(",", max(at, line.find(field, at) + len(field)))
        at = comma + 1 if comma >= 0 else len(line)
    return max(at, line.find(fields[index], at) if index < len(fields) else at) + 1


def _check(text: Text, grid: Grid, field: str, options: ReadOptions, column: int) -> None:
    """Raise NotationError unless a solution is full and has the values of its puzzle."""
    begin = named_shape(field)[1] if ":" in field else 0
    begin += len(field[begin:]) - len(field[begin:].lstrip())
    cells = field[begin:].rstrip()
    values = cells.encode("ascii", "replace").translate(character_table(options.zero_based))
    size, count, column = grid.m * grid.n, len(grid.values), column + begin
    if len(values) != count:
        place = column + min(len(values), count)
        raise text.error(f"a solution of {count} cells, like its puzzle", str(len(values)), text.line, place)
    wrong = values.translate(None, value_range(size)[1:])
    if wrong:
        at = values.index(wrong[0])
        expected = expected_character(size, options.zero_based).partition(",")[0]
        raise text.error(f"{expected} (a solution has no empty cells)", shown(cells[at]), text.line, column + at)
    if sum(map(ne, grid.values, values)) != grid.values.count(0):
        at = next(at for at, value in enumerate(grid.values) if value not in (0, values[at]))
        raise text.error("a solution with the values of its puzzle", shown(cells[at]), text.line, column + at)


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board as a line of the table; the header is `HEADER`.

    With `zero_based`, the value 1 is written as 0, and so on.
    """
    return line_notation.write(grid, zero_based)
