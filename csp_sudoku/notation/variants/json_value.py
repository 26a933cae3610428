"""The values within a JSON object, each with the path to it, so that an error can name its position."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from csp_sudoku.errors import NotationError
from csp_sudoku.notation.text import shown

Fail = Callable[[str, str], NotationError]
"""A function that makes an error from two texts: the expected value, and the value found."""

_CELL = re.compile(r"\s*R(\d{1,2})C(\d{1,2})\s*", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"\s*[+-]?\d{1,9}\s*", re.ASCII)


class JsonValue:
    """A value of a JSON text: an object, a list, a text, a number, true, false or null.

    `data` is the value as a Python object. `path` is the path to it, such as "killercage[2].cells", with indices from
    0. `fail` makes the errors.
    """

    __slots__ = ("data", "fail", "path")

    def __init__(self, data: Any, path: str, fail: Fail) -> None:
        self.data = data
        self.path = path
        self.fail = fail

    def error(self, expected: str) -> NotationError:
        """Return the error for a value that is not as expected."""
        where = f" as {self.path}" if self.path else ""
        return self.fail(f"{expected}{where}", shown(json.dumps(self.data)))

    @property
    def is_empty(self) -> bool:
        """Whether the value is empty: null, false, a blank text, or an empty list or object."""
        data = self.data
        return data is None or data is False or (isinstance(data, str) and not data.strip()) or data in ([], {})

    def fields(self) -> dict[str, JsonValue]:
        """Return the values of an object by their keys."""
        if not isinstance(self.data, dict):
            raise self.error("an object")
        before = f"{self.path}." if self.path else ""
        return {key: JsonValue(value, f"{before}{key}", self.fail) for key, value in self.data.items()}

    def items(self) -> Iterator[JsonValue]:
        """Yield the values of a list; null counts as an empty list."""
        if self.data is None:
            return
        if not isinstance(self.data, list):
            raise self.error("a list")
        for at, value in enumerate(self.data):
            yield JsonValue(value, f"{self.path}[{at}]", self.fail)

    def flag(self) -> bool:
        """Return a value that is true or false; null counts as false."""
        if self.data is None or isinstance(self.data, bool):
            return bool(self.data)
        raise self.error("true or false")

    def text(self) -> str:
        """Return a text; null becomes an empty text, and a number its digits."""
        if self.data is None:
            return ""
        if isinstance(self.data, str):
            return self.data
        if isinstance(self.data, int | float) and not isinstance(self.data, bool):
            return str(self.data)
        raise self.error("a text")

    def whole(self, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`, given as a number or as text."""
        data = self.data
        if isinstance(data, str):
            is_whole = _WHOLE.fullmatch(data) is not None
        else:
            is_whole = isinstance(data, int | float) and not isinstance(data, bool) and data == data // 1
        if not (is_whole and least <= int(data) <= most):
            raise self.error(f"a whole number from {least} to {most}")
        return int(data)

    def place(self, size: int, *, outside: bool = False) -> tuple[int, int]:
        """Return the row and the column of a cell such as "R4C2", both from 0.

        `size` is N. With `outside` (default False) the cell is beside the board: its row or its column is -1 or N.
        """
        found = _CELL.fullmatch(self.data) if isinstance(self.data, str) else None
        if found is not None:
            row, column = int(found[1]) - 1, int(found[2]) - 1
            beside = sum(at in (-1, size) for at in (row, column))
            inside = sum(0 <= at < size for at in (row, column))
            if beside + inside == 2 and (beside > 0) == outside:
                return row, column
        what = "a cell beside the board, such as R0C1" if outside else f"a cell from R1C1 to R{size}C{size}"
        raise self.error(what)

    def cell(self, size: int) -> int:
        """Return the cell that a name such as "R4C2" stands for, on a board with N = `size`."""
        row, column = self.place(size)
        return row * size + column

    def cells(self, size: int) -> list[int]:
        """Return the cells of a list of names, on a board with N = `size`."""
        return [value.cell(size) for value in self.items()]
