"""The notation `properties`: the key = value form of the newer TU/e framework.

    # a position, or a whole state of a game, of which only the board is read
    rows = 2
    columns = 3
    board =
      1+ .  .  .  .  .         lines that continue a value are indented;
      …                        a + or - behind a value (the player who placed it) is ignored
    taboo-moves = []

Another `rows` begins another board.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.notation.grid import FoundGrid, Grid, ReadOptions, checked, read_number, read_words, settled
from csp_sudoku.notation.symbols import WORD, expected_word, word_table
from csp_sudoku.notation.text import Place, Text, shown
from csp_sudoku.notation.tue import write_rows

NEEDED = ("rows", "columns", "board")
KNOWN = (
    *NEEDED,
    *("initial-board", "taboo-moves", "moves", "scores", "current-player"),
    *("allowed-squares1", "allowed-squares2", "occupied-squares1", "occupied-squares2"),
)


class _Entry:
    """A key with its value: the words, and their places."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.words: list[str] = []
        self.found = FoundGrid()

    def add(self, line: int, text: str, column: int) -> None:
        self.words += text.split()
        self.found.add(line, text, column, WORD)


def read(text: Text, options: ReadOptions) -> Iterator[Grid]:
    """Yield the boards of a text, one after the other.

    `options` holds the caller's settings. Raise NotationError at the first mistake.
    """
    entries: dict[str, _Entry] = {}
    key = ""
    for whole in text.lines():
        line = whole.partition("#")[0].rstrip()
        if not line:
            continue
        if not line[0].isspace():
            key, value, column = _key(text, line)
            if key == "rows" and key in entries:
                yield _grid(text, entries, options)
                entries = {}
            if key in entries:
                raise text.error(f"each key once (first at line {entries[key].place[0]})", shown(key), text.line, 1)
            entries[key] = _Entry((text.line, 1))
            entries[key].add(text.line, value, column)
        elif key:
            entries[key].add(text.line, line, 1)
        else:
            raise text.error("key = value", shown(line.strip()), text.line, 1 + len(line) - len(line.lstrip()))
    if entries:
        yield _grid(text, entries, options)


def _key(text: Text, line: str) -> tuple[str, str, int]:
    """Return the key and the value of a line, and the column where the value begins."""
    key, equals, value = line.partition("=")
    key = key.rstrip()
    if not equals:
        raise text.error("key = value, or an indented line that continues a value", shown(line), text.line, 1)
    if key not in KNOWN:
        raise text.error(f"a key among {', '.join(KNOWN)}", shown(key), text.line, 1)
    return key, value, 1 + len(line) - len(value)


def _grid(text: Text, entries: dict[str, _Entry], options: ReadOptions) -> Grid:
    """Return the board of the keys rows, columns and board."""
    text.start = next(iter(entries.values())).place
    for key in NEEDED:
        if key not in entries:
            raise text.error(f"the keys {', '.join(NEEDED)}", f"no {key}", *text.start)
    m, n = (_number(text, key, entries[key]) for key in NEEDED[:2])
    shape = settled(text, options, None, (m, n), entries["rows"].place)
    size = shape[0] * shape[1]
    words, found = entries["board"].words, entries["board"].found
    table = word_table(size, options.zero_based)
    table = table | {word + sign: value for word, value in table.items() if value for sign in "+-"}
    values = read_words(text, words[: size * size], table, expected_word(size, options.zero_based), found)
    if len(words) != size * size:
        at = min(len(words), size * size)
        raise text.error(f"{size * size} cells as the value of board", str(len(words)), *found.place(at))
    return checked(text, shape, values, found)


def _number(text: Text, key: str, entry: _Entry) -> int:
    expected = f"the number of {key} of a block"
    if len(entry.words) != 1:
        raise text.error(expected, shown(" ".join(entry.words)), *entry.place)
    return read_number(text, entry.words[0], expected, entry.found.place(0))


def write(grid: Grid, zero_based: bool) -> str:
    """Return the board as the keys rows, columns and board.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> print(write(Grid(2, 2, bytes([1, 0, 0, 2] * 4)), False))
    rows = 2
    columns = 2
    board =
      1 . . 2
      1 . . 2
      1 . . 2
      1 . . 2
    """
    return f"rows = {grid.m}\ncolumns = {grid.n}\nboard =\n{write_rows(grid, zero_based, indent='  ')}"
