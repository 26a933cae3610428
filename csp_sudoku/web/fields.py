"""The fields of a request: a JSON object, each of whose values is checked as it is taken.

Any error is a SudokuError that names the field. Unknown fields are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from math import isfinite
from typing import Any, NoReturn

from csp_sudoku.errors import SudokuError
from csp_sudoku.notation import strict_json

MAX_TEXT = 1 << 18
"""Upper bound for the length of a text, in characters."""
SHOWN = 40
"""Maximum number of characters of a wrong value to quote in an error."""
REQUIRED = object()
"""The default of a field that has none."""


class Fields:
    """The fields of a JSON object.

    >>> fields = Fields.read(b'{"text": "1...", "limit": 3}')
    >>> fields.text("text"), fields.whole("limit", 1, 10), fields.number("seconds", 0, 60, 2.5)
    ('1...', 3, 2.5)
    >>> fields.whole("limit", 4, 10)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.SudokuError: expected a whole number from 4 to 10 as "limit"; found 3
    """

    def __init__(self, data: Any, path: str = "") -> None:
        self._path = path
        if not isinstance(data, dict):
            where = f' as "{path}"' if path else " as the body of the request"
            raise SudokuError(f"expected a JSON object{where}; found {shown(data)}")
        self._data = data

    @staticmethod
    def read(body: bytes) -> Fields:
        """Return the fields of a JSON text."""
        try:
            return Fields(strict_json.loads(body.decode()))
        except strict_json.RepeatedKeyError as error:
            raise SudokuError(f"expected each key once; found {shown(error.args[0])} again") from None
        except RecursionError:
            raise SudokuError("expected JSON with few brackets within each other; found too many") from None
        except SudokuError:
            raise
        except ValueError:  # no UTF-8, no JSON, or an integer of thousands of digits
            raise SudokuError("expected JSON as the body of the request; found something else") from None

    def has(self, name: str) -> bool:
        """Return whether a field is there and not null."""
        return self._data.get(name) is not None

    def get(self, name: str, default: Any = REQUIRED) -> Any:
        """Return the raw value of a field; `default` if it is missing or null."""
        found = self._data.get(name)
        if found is not None:
            return found
        if default is REQUIRED:
            self.fail("a value", name, found)
        return default

    def text(self, name: str, default: Any = REQUIRED, most: int = MAX_TEXT) -> Any:
        """Return a text of at most `most` characters."""
        found = self.get(name, default)
        if found is not default and not (isinstance(found, str) and len(found) <= most):
            self.fail(f"a text of at most {most} characters", name, found)
        return found

    def choice(self, name: str, known: Collection[str], default: Any = REQUIRED) -> Any:
        """Return one of some names."""
        found = self.get(name, default)
        if found is not default and not (isinstance(found, str) and found in known):
            self.fail(f"one of {', '.join(sorted(known))}", name, found)
        return found

    def whole(self, name: str, least: int, most: int, default: Any = REQUIRED) -> Any:
        """Return a whole number from `least` to `most`."""
        found = self.get(name, default)
        if found is not default and not is_whole(found, least, most):
            self.fail(f"a whole number from {least} to {most}", name, found)
        return found

    def number(self, name: str, least: float, most: float, default: Any = REQUIRED) -> Any:
        """Return a number from `least` to `most`."""
        found = self.get(name, default)
        if found is default:
            return found
        if type(found) not in (int, float) or not (least <= found <= most and isfinite(found)):
            self.fail(f"a number from {least:g} to {most:g}", name, found)
        return float(found)

    def flag(self, name: str, default: Any = REQUIRED) -> Any:
        """Return true or false."""
        found = self.get(name, default)
        if found is not default and not isinstance(found, bool):
            self.fail("true or false", name, found)
        return found

    def wholes(self, name: str, least: int, most: int, count: int | None = None, longest: int = 10_000) -> list[int]:
        """Return a list of whole numbers from `least` to `most`: of `count` numbers, or of at most `longest`."""
        found = self.get(name)
        expected = f"{'a list of' if count is None else count} whole numbers from {least} to {most}"
        right = isinstance(found, list) and (len(found) == count or (count is None and len(found) <= longest))
        if not (right and all(is_whole(one, least, most) for one in found)):
            self.fail(expected, name, found)
        numbers: list[int] = found
        return numbers

    def list_of(self, name: str, longest: int) -> list[Any]:
        """Return a list of at most `longest` items; an empty one if the field is missing."""
        found = self.get(name, [])
        if not (isinstance(found, list) and len(found) <= longest):
            self.fail(f"a list of at most {longest} items", name, found)
        items: list[Any] = found
        return items

    def part(self, name: str) -> Fields:
        """Return the fields of an object within this one."""
        return Fields(self.get(name), self._named(name))

    def fail(self, expected: str, name: str, found: object) -> NoReturn:
        """Raise SudokuError for a field."""
        raise SudokuError(f'expected {expected} as "{self._named(name)}"; found {shown(found)}')

    def _named(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def is_whole(found: object, least: int, most: int) -> bool:
    """Return whether a value is a whole number in a range; true and false are none.

    >>> is_whole(3, 1, 4), is_whole(True, 0, 4), is_whole(3.0, 1, 4)
    (True, False, False)
    """
    return type(found) is int and least <= found <= most


def shown(found: object) -> str:
    """Return a value as errors quote it.

    >>> shown(None), shown("x" * 50)
    ('null', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…')
    """
    if isinstance(found, list | dict) and len(found) > SHOWN:
        return f"{'a list' if isinstance(found, list) else 'an object'} of {len(found)} items"
    if isinstance(found, int) and abs(found) > 10**18:
        return "a very large number"
    try:
        text = json.dumps(found)
    except (ValueError, RecursionError):
        return "a value"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
