"""The notations of f-puzzles: its JSON object, the object as LZ-string in base64, and a link that contains this text.

Puzzles of SudokuPad are read from the same forms (see `sudokupad`).

    {"size": 9, "grid": [[{"value": 5, "given": true}, {}, …], …], "antiknight": true, …}
    N4IgzglgXgpiBcBOANCALhNAbO8QDkBXAWwCM…          one puzzle per line
    https://f-puzzles.com/?load=N4IgzglgXgpiB…      one link per line; a link to SudokuPad, too

Objects may follow each other or form a list, as in the notation `json`. # comments between texts and links are ignored.
`fpuzzles_reading` and `fpuzzles_rules` describe the meaning of an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from csp_sudoku.errors import NotationError
from csp_sudoku.notation.elements import LIMIT, Element, elements, loaded
from csp_sudoku.notation.grid import Grid, ReadOptions
from csp_sudoku.notation.text import Text, shown
from csp_sudoku.notation.variants import lzstring, sudokupad
from csp_sudoku.notation.variants.fpuzzles_reading import grid_of
from csp_sudoku.notation.variants.fpuzzles_writing import object_of
from csp_sudoku.notation.variants.recognition import is_fpuzzles, is_sudokupad

SITE = "https://f-puzzles.com/?load="
"""The beginning of the links that are written."""

_WHAT = 'a puzzle of f-puzzles: {"size": N, "grid": […], …}'
_LINK = re.compile(r"\s*[a-z]+://", re.IGNORECASE)
_LOAD = re.compile(r"[?&](?:load|puzzleid)=([^&#]*)|/((?:fpuz|scl|ctc)[^?&#]{30,})", re.IGNORECASE)
_COMMENT = re.compile(r"(^|\s)#.*", re.DOTALL)
_PREFIX = re.compile(r"^fpuz(?:zles)?:?", re.IGNORECASE)
_PAD = re.compile(r"^(?:scl|ctc)", re.IGNORECASE)


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the puzzles of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    if text.skip_comments() and (text.peek() or "").lstrip()[:1] in ("{", "["):
        for element in elements(text, _WHAT):
            text.start = element.start
            yield read_object(text, element, loaded(text, element), options)
        return
    for line, place in _lines(text):
        if _COMMENT.sub("", line).strip():
            text.start = place
            yield _read_compressed(text, line, options)


def read_object(text: Text, element: Element, data: object, options: ReadOptions) -> Grid:
    """Return the puzzle of an object; raise NotationError at the first mistake. `data` is the object in Python.

    `text` makes the errors, `element` has the place of the object, and `options` holds the caller's settings.
    """

    def fail(expected: str, found: str) -> NotationError:
        return text.error(expected, found, *element.start)

    if is_sudokupad(data):
        return fitting(text, sudokupad.grid_of(data, fail), options)
    if not is_fpuzzles(data):
        raise fail(_WHAT, shown(json.dumps(data)))
    return fitting(text, grid_of(data, fail), options)


def fitting(text: Text, grid: Grid, options: ReadOptions) -> Grid:
    """Return the grid; raise NotationError if the caller requires another shape, or values that count from zero.

    `text` makes the errors, and `options` holds the caller's settings.
    """
    if options.zero_based:
        raise text.error("values that count from 1 in a puzzle with rules", "values that count from 0", *text.start)
    if options.shape not in (None, (grid.m, grid.n)):
        asked = "×".join(map(str, options.shape or ()))
        raise text.error(f"the shape {asked} that was asked for", repr(grid.geometry.plain.name), *text.start)
    return grid


def _lines(text: Text) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the lines of a text, of up to LIMIT characters, with their places."""
    parts: list[str] = []
    for piece in text.pieces():
        parts.append(piece)
        if sum(map(len, parts)) > LIMIT:
            raise text.error(f"puzzles of at most {LIMIT} characters", "a longer one", text.line, 1)
        if piece.endswith("\n"):
            yield "".join(parts), (text.line, 1)
            parts = []
    if parts:
        yield "".join(parts), (text.line, 1)


def _read_compressed(text: Text, line: str, options: ReadOptions) -> Grid:
    """Return the puzzle of a line that is a link or LZ-string."""
    packed = _packed(text, line)
    is_pad = _PAD.match(packed) is not None
    packed = (_PAD if is_pad else _PREFIX).sub("", packed, count=1)
    try:
        unpacked = lzstring.decompress(packed, LIMIT)
    except lzstring.LZStringError as error:
        raise text.error("a puzzle of f-puzzles, compressed by LZ-string", str(error), *text.start) from None
    if is_pad and not unpacked.lstrip().startswith('{"'):
        unpacked = sudokupad.expanded(unpacked)
    name = f"{text.name}, line {text.start[0]}" if text.name else f"line {text.start[0]}"
    inner = Text([unpacked], f"{name}, unpacked")
    found = list(elements(inner, _WHAT))
    if len(found) != 1:
        raise text.error("one puzzle of f-puzzles, compressed by LZ-string", f"{len(found)} of them", *text.start)
    inner.start = found[0].start
    return read_object(inner, found[0], loaded(inner, found[0]), options)


def _packed(text: Text, line: str) -> str:
    """Return the LZ-string of a line, which may be a link."""
    packed = _COMMENT.sub("", line).strip()
    if _LINK.match(packed):
        found = _LOAD.search(packed)
        if found is None:
            expected = "a link that holds the puzzle, with ?load="
            raise text.error(expected, f"{shown(packed)}, and this program opens no web page", *text.start)
        packed = found[1] or found[2] or ""
    return unquote(packed)


def write_object(grid: Grid, zero_based: bool) -> str:
    """Return the puzzle as a JSON object on one line; ConstraintError if f-puzzles lacks one of its rules.

    With `zero_based`, it is an error, because values always count from 1.
    """
    return json.dumps(object_of(grid, zero_based=zero_based), separators=(",", ":"))


def write_packed(grid: Grid, zero_based: bool) -> str:
    """Return the puzzle as LZ-string in base64; parameters and errors are as for `write_object`."""
    return lzstring.compress(write_object(grid, zero_based))


def write_link(grid: Grid, zero_based: bool) -> str:
    """Return a link that opens the puzzle on f-puzzles; parameters and errors are as for `write_object`."""
    return SITE + quote(write_packed(grid, zero_based), safe="")
