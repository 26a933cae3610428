"""The table of notations, and its operations: read, write, parse, format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from io import BytesIO
from types import ModuleType
from typing import NamedTuple

from csp_sudoku.errors import NotationError, ShapeError, SudokuError, expect_name
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation import drawing, kaggle, line, objects, properties, tue, values
from csp_sudoku.notation.grid import Grid, ReadOptions, Shape
from csp_sudoku.notation.recognition import recognised
from csp_sudoku.notation.text import Stream, Text, shown
from csp_sudoku.notation.variants.recognition import is_fpuzzles, is_sudokupad


class Format(NamedTuple):
    """A notation: its description, its reader, and its writer."""

    description: str
    read: Callable[[Text, ReadOptions], Iterator[Grid]]
    write: Callable[[Grid, bool], str]
    header: str = ""
    """The line before the first board; empty if there is none."""
    is_one_line: bool = False
    """Whether each board is one line."""


FORMATS = {
    "tue": Format('the TU/e text form: "m n", then N·N integers, "." for an empty cell', tue.read, tue.write),
    "properties": Format(
        "the newer TU/e form: rows, columns and board as key = value", properties.read, properties.write
    ),
    "line": Format(
        "a puzzle per line, a character per cell, letters beyond 9", line.read, line.write, is_one_line=True
    ),
    "values": Format(
        "integers with white space or commas between them, 0 for an empty cell",
        values.read,
        values.write,
        is_one_line=True,
    ),
    "grid": Format("a drawing with the borders of the blocks, as boards are printed", drawing.read, drawing.write),
    "csv": Format("a table with a column quizzes, as on Kaggle", kaggle.read, kaggle.write, kaggle.HEADER, True),
    "json": Format(
        "an object with rows, columns and board per line, or a list of them",
        objects.read,
        objects.write,
        is_one_line=True,
    ),
}
"""Every notation of plain boards by name. Each is recognised, and each written text can be read back."""


def _with_rules(description: str, module: str, write: str, *, is_one_line: bool = True) -> Format:
    """Return a notation of boards with rules. Its module in `variants` is loaded at the first use."""

    def loaded() -> ModuleType:
        return import_module(f"csp_sudoku.notation.variants.{module}")

    def read_all(text: Text, options: ReadOptions) -> Iterator[Grid]:
        grids: Iterator[Grid] = loaded().read(text, options)
        return grids

    def written(grid: Grid, zero_based: bool) -> str:
        found: str = getattr(loaded(), write)(grid, zero_based)
        return found

    return Format(description, read_all, written, is_one_line=is_one_line)


VARIANT_FORMATS = {
    "variant": _with_rules(
        "a board below the word board, then a rule on each line", "text_form", "write", is_one_line=False
    ),
    "fpuzzles": _with_rules("the JSON object of f-puzzles", "fpuzzles", "write_object"),
    "fpuzzles-packed": _with_rules("the same as LZ-string in base64", "fpuzzles", "write_packed"),
    "fpuzzles-url": _with_rules("a link that opens the puzzle on f-puzzles", "fpuzzles", "write_link"),
}
"""Every notation of boards with rules, which can hold plain boards too, by name. Each is recognised.

An object of f-puzzles is recognised as `json`, whose reader reads it, and the other two forms as `fpuzzles`.
"""


def format_names() -> list[str]:
    """Return the names of all notations.

    >>> format_names()[:2], format_names()[-1]
    (['tue', 'properties'], 'fpuzzles-url')
    """
    return [*FORMATS, *VARIANT_FORMATS]


def _named(name: str) -> Format:
    return FORMATS.get(name) or VARIANT_FORMATS[name]


def read(
    stream: Stream,
    format: str | None = None,
    *,
    shape: Shape | None = None,
    zero_based: bool = False,
    source: str | None = None,
) -> Iterator[Grid]:
    """Yield the boards of a stream, one after the other, each as soon as the caller asks for it.

    `format` names the notation; None (the default) recognises it by the rules in `csp_sudoku.notation.recognition`.
    `shape` is the shape (m, n) of the boards; a text that names another shape is an error. By default (None), the text
    determines the shape. With `zero_based` (default False), the values 0 to N - 1 stand for 1 to N. Errors name
    `source`, or if it is None, the name of the stream. Raise NotationError at the first mistake, or if there is no
    board.

    >>> [grid.values[:4] for grid in read(BytesIO(b"1...............\\n..2............."))]
    [b'\\x01\\x00\\x00\\x00', b'\\x00\\x00\\x02\\x00']
    """
    return _read(_text(stream, source), format, _options(format, shape, zero_based))


def _options(format: str | None, shape: Shape | None, zero_based: bool) -> ReadOptions:
    """Check the caller's settings before reading, and return them."""
    if format is not None:
        expect_name("format", format, format_names())
    if shape is not None:
        Geometry.standard(*shape)
    return ReadOptions(shape, zero_based)


def _text(stream: Stream, source: str | None, before: int = 0) -> Text:
    name = getattr(stream, "name", None) if source is None else source
    if not isinstance(name, str):  # the stream has no name, or only the number of a file descriptor
        return Text(stream, before=before)
    return Text(stream, name if name.isprintable() else repr(name), before)


def read_on(stream: Stream, format: str, before: int) -> Iterator[Grid]:
    """Yield the boards in the rest of a stream, if any; `before` is the number of lines that were read from it.

    `format` names the notation. Raise NotationError at the first mistake.

    >>> [grid.values[:4] for grid in read_on(BytesIO(b"..2............."), "line", 1)]
    [b'\\x00\\x00\\x02\\x00']
    """
    yield from FORMATS[format].read(_text(stream, None, before), ReadOptions(None, False))


def _read(text: Text, format: str | None, options: ReadOptions) -> Iterator[Grid]:
    if not text.skip_comments():
        raise text.error("a board", "only blank lines and comments" if text.line else "an empty text")
    name = format or recognised(text, options, ", ".join(format_names()))
    grids = _named(name).read(text, options)
    try:
        first = next(grids, None)
        if first is None:
            raise text.error("a board", "the end of the text", text.line + 1, 1)
        yield first
        yield from grids
    except NotationError as error:
        word = text.current.split(maxsplit=1)[0] if text.current.strip() else ""
        if name in FORMATS and error.line == text.line and _is_rule(word):
            raise text.error("the line board above a board with rules", shown(word), text.line, 1) from None
        raise


def _is_rule(word: str) -> bool:
    """Return whether the reader of a plain notation has met a rule."""
    if not word[:1].isalpha():
        return False
    from csp_sudoku.notation.variants.rules import name_of

    return name_of(word) is not None


def read_one(
    stream: Stream,
    format: str | None = None,
    *,
    shape: Shape | None = None,
    zero_based: bool = False,
    source: str | None = None,
) -> Grid:
    """Return the only board of a stream; raise NotationError if it holds several.

    The parameters are the same as of `read`.

    >>> read_one(BytesIO(b"1...............\\n..2............."))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: line 2, column 1: expected one board, found another
    """
    text = _text(stream, source)
    grids = _read(text, format, _options(format, shape, zero_based))
    grid = next(grids)
    if next(grids, None) is not None:
        raise text.error("one board", "another", *text.start)
    return grid


def parse(text: str, format: str | None = None, *, shape: Shape | None = None, zero_based: bool = False) -> Grid:
    """Return the only board of a text; raise NotationError if it holds none or several.

    The other parameters are the same as of `read`.

    >>> parse("2 2  1 . . .  . . 2 .  . 3 . .  . . . 4").values == parse("1.....2..3.....4").values
    True
    """
    stream = BytesIO(text.encode("utf-8", "surrogatepass"))
    return read_one(stream, format, shape=shape, zero_based=zero_based)


def parse_object(data: object, *, shape: Shape | None = None) -> Grid | None:
    """Return the board of a puzzle of f-puzzles or SudokuPad, given as Python objects; None for any other value.

    SudokuError for a value that JSON does not have, and NotationError for a wrong puzzle. `shape` is the same as of
    `read`.

    >>> parse_object({"size": 4, "grid": [[{}] * 4] * 4}).m, parse_object([1, 2])
    (2, None)
    """
    if not (is_fpuzzles(data) or is_sudokupad(data)):
        return None
    import json

    try:
        text = json.dumps(data)
    except (TypeError, ValueError, RecursionError):
        raise SudokuError("expected a JSON object as a dictionary; found values that JSON does not have") from None
    return parse(text, "json", shape=shape)


def format_grid(grid: Grid, format: str = "grid", *, zero_based: bool = False) -> str:
    """Return the board as text, without a line break at the end.

    `format` names the notation (default "grid"). With `zero_based` (default False), the values 1 to N are written as 0
    to N - 1.

    >>> format_grid(parse("1.....2..3.....4"), "csv")
    'quizzes\\n1.....2..3.....4'
    """
    return "\n".join(write([grid], format, zero_based=zero_based))


def write(grids: Iterable[Grid | None], format: str, *, zero_based: bool = False) -> Iterator[str]:
    """Yield the lines of a text of many boards, without line ends, each as soon as the caller asks for it.

    None in place of a board is written as an empty line if the notation has one line per board; otherwise it is
    omitted. `format` names the notation; ShapeError if it cannot hold a board. With `zero_based` (default False), the
    values 1 to N are written as 0 to N - 1.

    >>> list(write([parse("1.....2..3.....4")] * 2, "csv"))
    ['quizzes', '1.....2..3.....4', '1.....2..3.....4']
    """
    expect_name("format", format, format_names())
    return _write(grids, format, zero_based)


def _write(grids: Iterable[Grid | None], name: str, zero_based: bool) -> Iterator[str]:
    format = _named(name)
    if format.header:
        yield format.header
    follows = False
    for grid in grids:
        if grid is None:
            if format.is_one_line:
                yield ""
            continue
        if grid.variant is not None and name in FORMATS:
            others = ", ".join(VARIANT_FORMATS)
            raise ShapeError(f"expected a plain m×n board to write as {name}; found {grid.variant!r} (try {others})")
        if follows and not format.is_one_line:
            yield ""  # a blank line separates boards of several lines
        yield from format.write(grid, zero_based).split("\n")
        follows = True
