"""The framework's two text forms of a board, read without heavy imports.

    old: "m n", then N·N values, "." for an empty square
    new: key = value, where indented lines continue a value: rows, columns, board; in the restricted play modes each
         value of the board that a player has filled in carries + (player 1) or - (player 2)

In both, # begins a comment. Unlike the readers of `csp_sudoku.notation`, this one accepts clashes: the referee answers
questions about such boards as well (they have no solution).
"""

from __future__ import annotations

from typing import NamedTuple

from csp_sudoku.errors import NotationError
from csp_sudoku.geometry import MAX_SIZE, is_shape

EMPTY = "."
SIGNS = {"+": 1, "-": 2}
"""The marks of the squares that a player has filled, with the number of the player."""


class BoardText(NamedTuple):
    """The shape m×n of a board, its values row by row (0 is empty), and the owner of each square.

    The owner of a square is the number of the player that filled it, or 0.
    """

    m: int
    n: int
    values: list[int]
    owners: list[int]


def read_board(text: str, key: str = "board") -> BoardText:
    """Read the board of a text in either form; in the new form, the one of this `key` (default "board").

    Raise NotationError if there is none.

    >>> read_board("2 2  1 . . 4  . . . .  . . . .  . . . .").values[:4]
    [1, 0, 0, 4]
    >>> read_board("rows = 2\\ncolumns = 2\\nboard =\\n  1+ .  .  4-" + " ." * 12).owners[:4]
    [1, 0, 0, 2]
    """
    if not is_new_form(text):
        words = plain(text).split()
        return _board(words[:2], words[2:])
    entries = properties(text)
    for needed in ("rows", "columns", key):
        if needed not in entries:
            raise NotationError(f"the keys rows, columns and {key}", f"no {needed}")
    return _board([entries["rows"], entries["columns"]], entries[key].split())


def is_new_form(text: str) -> bool:
    """Return whether a text consists of key = value lines."""
    return "=" in plain(text)


def plain(text: str) -> str:
    """Return a text without its comments."""
    return "\n".join(line.partition("#")[0].rstrip() for line in text.splitlines()) if "#" in text else text


def properties(text: str) -> dict[str, str]:
    """Return the values by their keys; lines that continue a value stay separate lines, without their indentation.

    >>> properties("rows = 2 # of a block\\nboard =\\n  1 2\\n  2 1\\nmoves = []")
    {'rows': '2', 'board': '1 2\\n2 1', 'moves': '[]'}
    """
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for number, line in enumerate(plain(text).splitlines(), 1):
        if not line.strip():
            continue
        key, equals, value = line.partition("=")
        if equals and not line[0].isspace():
            lines = found[key.strip()] = [value.strip()]
        elif found:
            lines.append(line.strip())
        else:
            raise NotationError("key = value", repr(line.strip()[:40]), line=number)
    return {key: "\n".join(filter(None, lines)) for key, lines in found.items()}


def integer(word: str) -> int | None:
    """Return the integer that a word denotes, in ASCII digits with or without a sign; None if it is no integer.

    >>> integer("-12"), integer("1_0"), integer("٣"), integer("3.0")
    (-12, None, None, None)
    """
    digits = word[1:] if word[:1] in ("+", "-") else word
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def _board(shape: list[str], words: list[str]) -> BoardText:
    m, n = (integer(word) or 0 for word in [*shape, "", ""][:2])
    if not is_shape(m, n):
        found = " ".join(shape)[:40]
        raise NotationError(
            f"m and n, the rows and columns of a block, with 2 ≤ m, 2 ≤ n and m·n ≤ {MAX_SIZE}", repr(found)
        )
    size = m * n
    table = {EMPTY: 0} | {str(value): value for value in range(size + 1)}
    if len(words) != size * size:
        raise NotationError(f"{size * size} squares for blocks of {m}×{n}", str(len(words)))
    values, owners = [], []
    for word in words:
        owner = SIGNS.get(word[-1], 0)
        value = table.get(word[:-1] if owner else word)
        if value is None or (owner and not value):
            raise NotationError(f"a value from 1 to {size}, or {EMPTY} for an empty square", repr(word[:40]))
        values.append(value)
        owners.append(owner)
    return BoardText(m, n, values, owners)
