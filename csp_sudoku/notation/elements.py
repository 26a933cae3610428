"""Elements: the objects and lists of a JSON text as a stream, one after the other or the items of a list.

The reader examines only brackets and strings, so a list of a million boards is never completely in memory. The caller
parses each element with `loaded`. An element that is too large or too deeply nested is refused before that.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from csp_sudoku.errors import NotationError
from csp_sudoku.notation.text import Place, Text, shown

LIMIT = 1 << 20
"""Upper bound for the size of an element (a board with its other fields), in characters."""

DEPTH = 64
"""Upper bound for the depth of nested brackets."""

TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+("?)|[\[\]{}]')
"""A bracket, or a string; the group is empty if the string does not end."""

_WRONG = re.compile(r"[^\s,\[\]{}]+|.", re.DOTALL)


class Element(NamedTuple):
    """An object or list of the text, and the position at which it begins."""

    source: str
    start: Place

    def place(self, at: int) -> Place:
        """Return the line and column of an index.

        >>> Element('[1,\\n2]', (7, 3)).place(1), Element('[1,\\n2]', (7, 3)).place(4)
        ((7, 4), (8, 1))
        """
        line, column = self.start
        below = self.source.count("\n", 0, at)
        return (line + below, at - self.source.rfind("\n", 0, at)) if below else (line, column + at)


def elements(text: Text, expected: str) -> Iterator[Element]:
    """Yield the elements of a text; errors call them `expected`.

    >>> [element.source for element in elements(Text(['[{"a": "}"}, ', '{}] [1, [2]]']), "an object")]
    ['{"a": "}"}', '{}', '[1, [2]]']
    """
    splitter = _Splitter(text, expected)
    rest = ""
    for piece in text.pieces():
        rest = yield from splitter.take(rest + piece)
    splitter.finish(rest)


def loaded(text: Text, element: Element) -> Any:
    """Return an element as Python objects; raise NotationError if it is not JSON, or has a key twice.

    `text` makes the errors.
    """
    import json

    from csp_sudoku.notation import strict_json

    try:
        return strict_json.loads(element.source)
    except strict_json.RepeatedKeyError as error:
        key = error.args[0]
        again = [token.start() for token in TOKEN.finditer(element.source) if token[0] == json.dumps(key)][1:2]
        raise text.error("each key once", f"{shown(key)} again", *element.place(*again or [0])) from None
    except json.JSONDecodeError as error:
        wrong = _WRONG.match(element.source, error.pos)
        found = shown(wrong[0]) if wrong else "the end of the text"
        raise text.error(f"JSON ({error.msg})", found, *element.place(error.pos)) from None
    except ValueError:  # Python does not convert integers of thousands of digits
        raise text.error("the values of a board", "an integer of thousands of digits", *element.start) from None


class _Splitter:
    """The state of the reader between two pieces of the text."""

    def __init__(self, text: Text, expected: str) -> None:
        self.text = text
        self.expected = expected
        self.column = 0  # characters of the line before the current piece
        self.depth = 0  # open brackets of the current element
        self.start: Place = (1, 1)  # the place where the current element began
        self.kept: list[str] = []  # the pieces of the current element
        self.size = 0
        self.alone = False  # whether these contain no bracket but one "["
        self.in_list = False  # whether elements are the objects of a list
        self.gap = ""  # the text between the last element and the next
        self.due = ""  # the required text there

    def take(self, piece: str) -> Generator[Element, None, str]:
        """Yield the elements that end in a piece; return the beginning of a string that continues in the next one."""
        done, rest = 0, ""
        for token in TOKEN.finditer(piece):
            at, mark = token.start(), token[0]
            if self.depth == 0:
                self._between(piece, done, at)
                done = at
            if mark[0] == '"':
                if self.depth == 0:
                    raise self._error(self.expected, shown(mark), at)
                if not token[1]:
                    if piece.endswith("\n"):
                        raise self._error('a closing " of the string', "the end of the line", len(piece) - 1)
                    piece, rest = piece[:at], piece[at:]
                    break
            elif mark in "[{":
                if mark == "{" and self.alone and "".join([*self.kept, piece[done:at]]).strip() == "[":
                    self.in_list, self.depth, self.kept, done = True, 0, [], at
                self.alone = mark == "[" and self.depth == 0 and not self.in_list
                if self.depth == 0:
                    self._open(mark, at)
                self.depth += 1
                if self.depth > DEPTH:
                    raise self._error(f"at most {DEPTH} brackets within each other", "more", at)
            elif self.depth == 0:
                self._close_list(mark, at)
                done = at + 1
            else:
                self.depth -= 1
                if self.depth == 0:
                    yield Element("".join([*self.kept, piece[done : at + 1]]), self.start)
                    self.kept, self.size, done = [], 0, at + 1
                    self.due = "," if self.in_list else ""
        if self.depth == 0:
            self._between(piece, done, len(piece))
        else:
            self.kept.append(piece[done:])
            self.size += len(piece) - done
            if self.size + len(rest) > LIMIT:
                raise self._error(f"boards of at most {LIMIT} characters", "a longer one", len(piece) - 1)
        self.column = 0 if piece.endswith("\n") else self.column + len(piece)
        return rest

    def finish(self, rest: str) -> None:
        """Raise NotationError if the text ends within an element or a list."""
        if rest or self.depth or self.in_list:
            line, column = self.text.line, self.column + len(rest)
            what = 'a closing " of the string' if rest else "a closing bracket"
            raise self.text.error(what, "the end of the text", line if column else line + 1, column + 1)

    def _between(self, piece: str, start: int, end: int) -> None:
        """Check the text between elements; raise NotationError if it is more than one comma in its place."""
        found = piece[start:end].strip()
        self.gap += found
        if not found or self.gap == self.due:
            return
        at = start + piece[start:end].index(found)
        if not self.due or self.gap[0] != self.due:
            raise self._error("a comma" if self.due else self.expected, shown(found), at)
        behind = self.gap[1:].lstrip()
        raise self._error(self.expected, shown(behind), at + len(found) - len(behind))

    def _open(self, mark: str, at: int) -> None:
        """Begin an element."""
        if self.gap != self.due:
            raise self._error("a comma", shown(mark), at)
        if self.in_list and mark != "{":
            raise self._error("an object, like the others of the list", shown(mark), at)
        self.gap = self.due = ""
        self.start = self.text.line, self.column + at + 1

    def _close_list(self, mark: str, at: int) -> None:
        """End a list of objects."""
        if mark == "}" or not self.in_list or self.gap:
            raise self._error(self.expected, shown(mark), at)
        self.in_list, self.due = False, ""

    def _error(self, expected: str, found: str, at: int) -> NotationError:
        return self.text.error(expected, found, self.text.line, self.column + at + 1)
