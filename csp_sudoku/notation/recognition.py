"""Recognition of the notation of a text, by its first line that is neither blank nor a # comment, or by a few more.

    a link, or LZ-string in base64        fpuzzles
    begins with the word board            variant
    begins with { or [                    json, but values if numbers are in [ ] without commas (as numpy prints)
    a field quizzes, quiz or puzzle(s)    csv
    begins with key =                     properties
    has a | or is drawn with - = +        grid
    two integers and no more              tue; also with the m·n·m·n cells behind them
    has commas                            values
    N·N numbers                           values
    N numbers, or N characters            grid: the first of N rows
    N·N characters                        line

Here N is a board size, numbers have blanks around them, and a prefix such as "3x2:" that names the shape is ignored.

A line of sixteen cells is ambiguous. It is a 4×4 board, unless similar lines follow and one of up to sixteen lines has
a value beyond 4: then it is a row of a 16×16 board. If the caller gives a shape, that decides.
"""

from __future__ import annotations

import re

from csp_sudoku.geometry import MAX_SIZE, is_shape
from csp_sudoku.notation import drawing, kaggle
from csp_sudoku.notation.grid import ReadOptions, are_rows, named_shape
from csp_sudoku.notation.symbols import EMPTY, SIZE_OF_COUNT, are_cells, are_values
from csp_sudoku.notation.text import Text, body, shown
from csp_sudoku.notation.variants.recognition import begins_variant, is_packed

_KEY = re.compile(r"[A-Za-z][\w-]*\s*=")
_UNSEPARATED = re.compile(r"[0-9.]\s+[-0-9.]")
_SURE = frozenset("0123456789" + EMPTY)


def recognised(text: Text, options: ReadOptions, known: str) -> str:
    """Return the name of the notation that the next line of a text begins.

    Raise NotationError, which lists the `known` notations, if there is none.

    `options` holds the caller's settings.
    """
    raw = text.peek() or ""
    line = drawing.plain_lines(body(raw))
    name = _with_rules(line) or _marked(line) or _counted(text, line, options)
    if name is None:
        place = text.line + 1, len(raw) - len(raw.lstrip()) + 1
        raise text.error(f"a board in one of the notations {known}", shown(body(raw)), *place)
    return name


def _with_rules(line: str) -> str | None:
    """Return the notation of boards with rules that a line begins, or None."""
    if is_packed(line):
        return "fpuzzles"
    return "variant" if begins_variant(line) else None


def _marked(line: str) -> str | None:
    """Return the notation that a characteristic mark identifies, or None."""
    if line[0] in "{[":
        return "values" if line[0] == "[" and _UNSEPARATED.search(line) and "," not in line else "json"
    if kaggle.is_header(line):
        return "csv"
    if _KEY.match(line):
        return "properties"
    if "|" in line or drawing.is_border(line):
        return "grid"
    return None


def _counted(text: Text, line: str, options: ReadOptions) -> str | None:
    """Return the notation that the number of words and characters identifies, or None."""
    named, begin = named_shape(line)
    words = line[begin:].replace(",", " ").split()
    if named is None and _is_tue(words):
        return "tue"
    if "," in line or not words:
        return "values" if not words or are_values(words, MAX_SIZE, options.zero_based) else None
    count, characters = len(words), sum(map(len, words))
    if count == 16 and named is None and are_values(words, 16, options.zero_based):
        return "grid" if _is_row(text, options, words=True) else "values"
    if are_values(words, SIZE_OF_COUNT.get(count, 0), options.zero_based):
        return "values"
    if count < characters and are_values(words, count, options.zero_based):
        return "grid"
    cells = "".join(words)
    if characters == 16 and named is None and are_cells(cells, 16, options.zero_based):
        return "grid" if _is_row(text, options, words=False) else "line"
    if are_cells(cells, SIZE_OF_COUNT.get(characters, 0), options.zero_based):
        return "line"
    if named is None and are_cells(cells, characters, options.zero_based):
        return "grid"
    # The number of cells fits no board; the reader of the most probable notation reports this.
    if 1 < count < characters and are_values(words, MAX_SIZE, options.zero_based):
        return "values"
    return "line" if 2 * sum(map(_SURE.__contains__, line)) > characters else None


def _is_tue(words: list[str]) -> bool:
    """Return whether the words are the shape alone, or the shape with all its cells, of the notation `tue`.

    A shape alone has at most three digits, because four digits are a row of a 4×4 board.
    """
    if len(words) < 2 or not re.fullmatch("[0-9]{1,2} [0-9]{1,2}", " ".join(words[:2])):
        return False
    m, n = map(int, words[:2])
    return (len(words) == 2 and len("".join(words)) < 4) or (is_shape(m, n) and len(words) == 2 + (m * n) ** 2)


def _is_row(text: Text, options: ReadOptions, *, words: bool) -> bool:
    """Return whether sixteen cells are a row of a 16×16 board rather than a 4×4 board."""
    if options.shape is not None:
        return options.shape[0] * options.shape[1] == 16
    return are_rows(text.following(16), options.zero_based, words)
