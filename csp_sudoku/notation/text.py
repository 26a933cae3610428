"""Text: what every reader reads from - the lines of a stream, one at a time, and the place that has been reached.

Whatever the stream holds, a reader sees clean lines: UTF-8 without byte order mark, ended by LF, CRLF or CR (the ends
are taken off), free of control characters, none longer than `LINE_LIMIT`. Everything else is one NotationError.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, TypeAlias

from csp_sudoku.errors import NotationError

LINE_LIMIT = 1 << 16
"""Bytes of the longest line that is read as one: 100 times a 25×25 board of single characters."""

SHOWN = 40
"""Characters of the text that an error message quotes."""

Place = tuple[int, int]
"""A line and a column, both counted from one."""

Stream: TypeAlias = IO[bytes] | IO[str] | Iterable[bytes] | Iterable[str]
"""What can be read: a binary file (best), a text file, or anything that gives lines, with or without their ends."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_PLAIN = bytes(byte for byte in range(256) if byte in b"\t\n\v\f\r" or (byte >= 32 and byte != 127))


def shown(found: str) -> str:
    """What an error message quotes of a text: its repr, cut to about `SHOWN` characters, so never a line break.

    >>> print(shown("7"), shown("7" * 50))
    '7' '77777777777777777777777777777777777777…
    """
    quoted = repr(found[:SHOWN])
    return quoted if len(found) <= SHOWN and len(quoted) <= SHOWN + 2 else quoted[: SHOWN - 1] + "…"


def body(line: str) -> str:
    """A line without its # comment and the white space around it.

    >>> body("  1 2 3 .  # the first row")
    '1 2 3 .'
    """
    return line.partition("#")[0].strip()


class Text:
    """The text of a stream, read line by line as it is asked for.

    `line` is the number of the line that was handed out last; `start` is where the last board began.

    >>> text = Text([b"first\\n", b"second"], "a.txt")
    >>> text.peek(), list(text.lines()), text.line
    ('first', ['first', 'second'], 2)
    >>> raise text.error("a board", "nothing", 3)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: a.txt, line 3: expected a board, found nothing
    """

    def __init__(self, stream: Stream, name: str | None = None) -> None:
        self.name = name
        self.line = 0
        self.start: Place = (1, 1)
        self._pieces = _decoded(stream, name)
        self._ahead: deque[str] = deque()

    def error(self, expected: str, found: str, line: int | None = None, column: int | None = None) -> NotationError:
        """The error to raise, with the name of this text."""
        return NotationError(expected, found, line=line, column=column, source=self.name)

    def pieces(self) -> Iterator[str]:
        """The text as it comes: lines with their "\\n", but a line that is too long to be one in parts."""
        ahead, pieces, new = self._ahead, self._pieces, True
        while True:
            piece = ahead.popleft() if ahead else next(pieces, None)
            if piece is None:
                return
            self.line += new
            yield piece
            new = piece[-1] == "\n"

    def lines(self) -> Iterator[str]:
        """The lines without their ends; NotationError at one that is too long."""
        for piece in self.pieces():
            if piece[-1] == "\n":
                yield piece[:-1]
            elif self.peek() is None:
                yield piece  # the last line, without an end
            else:
                raise self.error(f"a line of at most {LINE_LIMIT} bytes", "a longer one", self.line, len(piece) + 1)

    def peek(self, ahead: int = 0) -> str | None:
        """The next line (or the one after it, …) without taking it; None after the end of the text."""
        while len(self._ahead) <= ahead:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            self._ahead.append(piece)
        return self._ahead[ahead].removesuffix("\n")

    def following(self, count: int) -> Iterator[str]:
        """The next lines without taking them, at most so many."""
        for ahead in range(count):
            line = self.peek(ahead)
            if line is None:
                return
            yield line

    def skip_comments(self) -> bool:
        """Take the blank lines and the # comments that come next; whether anything comes after them."""
        lines = self.lines()
        while (line := self.peek()) is not None:
            if body(line):
                return True
            next(lines)
        return False


def _decoded(stream: Stream, name: str | None) -> Iterator[str]:
    """The lines of a stream as clean text with "\\n" at their ends; over-long lines come in parts."""
    line, column, cut = 1, 1, b""
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
            cut = piece[error.start :]  # a part of an over-long line that ends within a character
            text = piece[: error.start].decode()
        if text[-1] == "\n":
            line, column = line + 1, 1
        else:
            column += len(text)
        yield text
    if cut:
        raise _not_utf8(cut, 0, line, column, name)


def _parts(stream: Stream, name: str | None) -> Iterator[bytes]:
    """The lines of a stream as bytes ended by "\\n", without byte order mark; over-long lines come in parts."""
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
    """What the stream gives, in parts of at most LINE_LIMIT where the stream can bound them."""
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
