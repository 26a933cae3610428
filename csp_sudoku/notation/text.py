"""Text: the input of every reader. It yields the lines of a stream one at a time, and records the current position.

A reader gets clean lines from any stream: UTF-8 without byte order mark, without line ends (LF, CRLF or CR), without
control characters, and no longer than `LINE_LIMIT`. Other content raises a NotationError.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, TypeAlias

from csp_sudoku.errors import NotationError

LINE_LIMIT = 1 << 16
"""Upper bound for the length of a line, in bytes: 100 times a 25×25 board of single characters."""

SHOWN = 40
"""Number of characters of the text that an error message quotes."""

Place = tuple[int, int]
"""A line and a column, both counted from one."""

Stream: TypeAlias = IO[bytes] | IO[str] | Iterable[bytes] | Iterable[str]
"""The readable inputs: a binary file (fastest), a text file, or any iterable of lines, with or without line ends."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_PLAIN = bytes(byte for byte in range(256) if byte in b"\t\n\v\f\r" or (byte >= 32 and byte != 127))


def shown(found: str) -> str:
    """Return a text as an error message quotes it: its repr, shortened to about `SHOWN` characters.

    The result has no line breaks.

    >>> print(shown("7"), shown("7" * 50))
    '7' '77777777777777777777777777777777777777…
    """
    quoted = repr(found[:SHOWN])
    return quoted if len(found) <= SHOWN and len(quoted) <= SHOWN + 2 else quoted[: SHOWN - 1] + "…"


def body(line: str) -> str:
    """Return a line without its # comment and the white space around it.

    >>> body("  1 2 3 .  # the first row")
    '1 2 3 .'
    """
    return line.partition("#")[0].strip()


class Text:
    """The text of a stream, read line by line on demand.

    `line` is the number of the line that was read last, and `current` its text, or the last part of it. `start` is the
    position at which the last board began.

    `name` is the source that errors name; with None (the default) they name none. `before` is the number of lines of
    the stream that were read earlier (default 0).

    >>> text = Text([b"first\\n", b"second"], "a.txt")
    >>> text.peek(), list(text.lines()), text.line
    ('first', ['first', 'second'], 2)
    >>> raise text.error("a board", "nothing", 3)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: a.txt, line 3: expected a board, found nothing
    """

    def __init__(self, stream: Stream, name: str | None = None, before: int = 0) -> None:
        self.name = name
        self.line = before
        self.current = ""
        self.start: Place = (before + 1, 1)
        self._pieces = _decoded(stream, name, before + 1)
        self._ahead: deque[str] = deque()

    def error(self, expected: str, found: str, line: int | None = None, column: int | None = None) -> NotationError:
        """Return the error to raise, with the name of this text.

        `expected` and `found` describe the mistake; `line` and `column` are its position, counted from 1, if it has
        one.
        """
        return NotationError(expected, found, line=line, column=column, source=self.name)

    def pieces(self) -> Iterator[str]:
        """Yield the lines with their "\\n"; a line longer than LINE_LIMIT comes in several parts."""
        ahead, pieces, new = self._ahead, self._pieces, True
        while True:
            piece = ahead.popleft() if ahead else next(pieces, None)
            if piece is None:
                return
            self.line += new
            self.current = piece
            yield piece
            new = piece[-1] == "\n"

    def lines(self) -> Iterator[str]:
        """Yield the lines without their ends; raise NotationError at one that is too long."""
        for piece in self.pieces():
            if piece[-1] == "\n":
                yield piece[:-1]
            elif self.peek() is None:
                yield piece  # the last line has no end
            else:
                raise self.error(f"a line of at most {LINE_LIMIT} bytes", "a longer one", self.line, len(piece) + 1)

    def peek(self, ahead: int = 0) -> str | None:
        """Return the next line (or the one after it, …) without reading it; None after the end of the text.

        `ahead` is the number of lines to look beyond the next one (default 0).
        """
        while len(self._ahead) <= ahead:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            self._ahead.append(piece)
        return self._ahead[ahead].removesuffix("\n")

    def following(self, count: int) -> Iterator[str]:
        """Yield the next lines without reading them, at most `count`."""
        for ahead in range(count):
            line = self.peek(ahead)
            if line is None:
                return
            yield line

    def skip_comments(self) -> bool:
        """Read the blank lines and # comments that follow; return whether there is more text after them."""
        lines = self.lines()
        while (line := self.peek()) is not None:
            if body(line):
                return True
            next(lines)
        return False


def _decoded(stream: Stream, name: str | None, line: int) -> Iterator[str]:
    """Yield the lines of a stream as clean text with "\\n" at their ends; lines over LINE_LIMIT come in parts.

    `line` is the number of the first line.
    """
    column, cut = 1, b""
    for part in _parts(stream, name):
        piece = cut + part if cut else part
        cut = b""
        if piece.translate(None, _PLAIN):
            raise _binary(piece, line, column, name)
        try:
            text = piece.decode()
        except UnicodeDecodeError as error:
            if error.end < len(piece) or len(piece) < LINE_LIMIT:
                raise _not_utf8(piece, error.start, line, column, name) from None
            cut = piece[error.start :]  # a part of an overlong line may end within a character
            text = piece[: error.start].decode()
        if text[-1] == "\n":
            line, column = line + 1, 1
        else:
            column += len(text)
        yield text
    if cut:
        raise _not_utf8(cut, 0, line, column, name)


def _parts(stream: Stream, name: str | None) -> Iterator[bytes]:
    """Yield the lines of a stream as bytes ended by "\\n", without byte order mark; over-long lines come in parts."""
    rest = b""
    parts = _raw(stream, name)
    first = next(parts, b"")
    if first[:2] in _UTF16:
        raise NotationError("UTF-8 text", "UTF-16 text", line=1, column=1, source=name)
    for part in chain([first.removeprefix(_BOM)], parts):
        if b"\r" not in part and b"\n" not in part[:-1] and not rest:
            if part:
                yield part
            continue
        *lines, rest = (rest + part).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for whole in lines:
            yield whole + b"\n"
        if rest and not lines:
            yield rest
            rest = b""
    if rest:
        yield rest


def _raw(stream: Stream, name: str | None) -> Iterator[bytes]:
    """Yield the pieces of the stream, of at most LINE_LIMIT each if the stream can limit them."""
    try:
        for part in _bounded(stream.readline) if hasattr(stream, "readline") else _ended(stream):
            yield part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
    except UnicodeDecodeError as error:
        raise NotationError("UTF-8 text", f"a byte that is not ({error.reason})", source=name) from None
    except OSError as error:
        raise NotationError("a readable file", error.strerror or str(error), source=name) from None


def _bounded(readline: Callable[[int], bytes] | Callable[[int], str]) -> Iterator[bytes | str]:
    while part := readline(LINE_LIMIT):
        yield part


def _ended(lines: Iterable[bytes] | Iterable[str]) -> Iterator[bytes | str]:
    for line in lines:
        if isinstance(line, str):
            yield line if line.endswith("\n") else line + "\n"
        else:
            yield line if line.endswith(b"\n") else line + b"\n"


def _binary(piece: bytes, line: int, column: int, name: str | None) -> NotationError:
    byte = piece.translate(None, _PLAIN)[0]
    before = piece[: piece.index(byte)].decode(errors="replace")
    found = f"binary data (byte 0x{byte:02x})"
    return NotationError("text", found, line=line, column=column + len(before), source=name)


def _not_utf8(piece: bytes, at: int, line: int, column: int, name: str | None) -> NotationError:
    before = piece[:at].decode()
    found = f"the byte 0x{piece[at]:02x}"
    return NotationError("UTF-8 text", found, line=line, column=column + len(before), source=name)
