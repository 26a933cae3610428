"""The table of notations, and what is done with them: read, write, parse, format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import NamedTuple

from csp_sudoku.errors import expect_name
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation import drawing, kaggle, line, objects, properties, tue, values
from csp_sudoku.notation.grid import Grid, Shape, Wish
from csp_sudoku.notation.recognition import recognised
from csp_sudoku.notation.text import Stream, Text


class Format(NamedTuple):
    """A notation: what it is, how it is read, and how a board is written in it."""

    description: str
    read: Callable[[Text, Wish], Iterator[Grid]]
    write: Callable[[Grid, bool], str]
    header: str = ""
    """The line that goes before the first board."""


FORMATS = {
    "tue": Format('the TU/e text form: "m n", then N·N integers, "." for an empty cell', tue.read, tue.write),
    "properties": Format(
        "the newer TU/e form: rows, columns and board as key = value", properties.read, properties.write
    ),
    "line": Format("a puzzle per line, a character per cell, letters beyond 9", line.read, line.write),
    "values": Format(
        "integers with white space or commas between them, 0 for an empty cell", values.read, values.write
    ),
    "grid": Format("a drawing with the borders of the blocks, as boards are printed", drawing.read, drawing.write),
    "csv": Format("a table with a column quizzes, as on Kaggle", kaggle.read, kaggle.write, kaggle.HEADER),
    "json": Format("an object with rows, columns and board per line, or a list of them", objects.read, objects.write),
}
"""Every notation by name. All are recognised, and all that is written is read back."""


def read(
    stream: Stream,
    format: str | None = None,
    *,
    shape: Shape | None = None,
    zero_based: bool = False,
    source: str | None = None,
) -> Iterator[Grid]:
    """The boards of a stream, one after the other, read as they are asked for; at least one, or NotationError.

    `format` is recognised if it is not given (the rules are in `csp_sudoku.notation.recognition`). `shape` is that of
    the boards: it is an error if the text names another. With `zero_based`, the values 0 to N - 1 stand for 1 to N.
    Errors name `source`, or else the name of the stream.

    >>> [grid.values[:4] for grid in read(BytesIO(b"1...............\\n..2............."))]
    [b'\\x01\\x00\\x00\\x00', b'\\x00\\x00\\x02\\x00']
    """
    return _read(_text(stream, source), format, _wish(format, shape, zero_based))


def _wish(format: str | None, shape: Shape | None, zero_based: bool) -> Wish:
    """What the caller says, checked before anything is read."""
    if format is not None:
        expect_name("format", format, FORMATS)
    if shape is not None:
        Geometry.standard(*shape)
    return Wish(shape, zero_based)


def _text(stream: Stream, source: str | None) -> Text:
    name = getattr(stream, "name", None) if source is None else source
    if not isinstance(name, str):  # no name, or the number of a file descriptor
        return Text(stream)
    return Text(stream, name if name.isprintable() else repr(name))


def _read(text: Text, format: str | None, wish: Wish) -> Iterator[Grid]:
    if not text.skip_comments():
        raise text.error("a board", "only blank lines and comments" if text.line else "an empty text")
    grids = FORMATS[format or recognised(text, wish, ", ".join(FORMATS))].read(text, wish)
    first = next(grids, None)
    if first is None:
        raise text.error("a board", "the end of the text", text.line + 1, 1)
    yield first
    yield from grids


def read_one(
    stream: Stream,
    format: str | None = None,
    *,
    shape: Shape | None = None,
    zero_based: bool = False,
    source: str | None = None,
) -> Grid:
    """The one board of a stream; NotationError if it holds several.

    >>> read_one(BytesIO(b"1...............\\n..2............."))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: line 2, column 1: expected one board, found another
    """
    text = _text(stream, source)
    grids = _read(text, format, _wish(format, shape, zero_based))
    grid = next(grids)
    if next(grids, None) is not None:
        raise text.error("one board", "another", *text.start)
    return grid


def parse(text: str, format: str | None = None, *, shape: Shape | None = None, zero_based: bool = False) -> Grid:
    """The one board of a text; NotationError if it holds none or several.

    >>> parse("2 2  1 . . .  . . 2 .  . 3 . .  . . . 4").values == parse("1.....2..3.....4").values
    True
    """
    stream = BytesIO(text.encode("utf-8", "surrogatepass"))
    return read_one(stream, format, shape=shape, zero_based=zero_based)


def format_grid(grid: Grid, format: str = "grid", *, zero_based: bool = False) -> str:
    """The board as text, without a line break at the end.

    >>> format_grid(parse("1.....2..3.....4"), "csv")
    'quizzes\\n1.....2..3.....4'
    """
    return "\n".join(write([grid], format, zero_based=zero_based))


def write(grids: Iterable[Grid], format: str, *, zero_based: bool = False) -> Iterator[str]:
    """The lines (without their ends) of a text of many boards, made as they are asked for.

    >>> list(write([parse("1.....2..3.....4")] * 2, "csv"))
    ['quizzes', '1.....2..3.....4', '1.....2..3.....4']
    """
    expect_name("format", format, FORMATS)
    return _write(grids, FORMATS[format], zero_based)


def _write(grids: Iterable[Grid], format: Format, zero_based: bool) -> Iterator[str]:
    if format.header:
        yield format.header
    for number, grid in enumerate(grids):
        lines = format.write(grid, zero_based).split("\n")
        if number and len(lines) > 1:
            yield ""  # between boards of several lines
        yield from lines
