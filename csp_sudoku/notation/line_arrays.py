"""Files of the notation `line` as arrays: a line of N·N characters is a row of values, thousands of lines at a time.

`LineArrays` reads a stream as long as every line has the same number of characters, without comments and blanks. It
leaves the rest to the reader of the notation, which handles every form and every mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from itertools import chain
from typing import TYPE_CHECKING, Any

from csp_sudoku.notation.symbols import NO_VALUE, SIZE_OF_COUNT, character_table, written_characters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE = 1 << 16
"""Maximum number of bytes to read at a time. A pipe may return fewer, so that its first lines need not wait."""

_END = NO_VALUE - 1
_TABLE = bytearray(character_table(False))
_TABLE[ord("\n")] = _END


class LineArrays:
    """The lines of a binary stream as arrays with a row per line, up to the first irregular line.

    `lines` is the number of lines read so far. After the last array, `rest` is a stream of the remaining bytes, or None
    if there are none. `stream` must be binary. `count` is the number of cells in a line.

    >>> from io import BytesIO
    >>> arrays = LineArrays(BytesIO(b"1.....2..3.....4\\n" * 3 + b"# end\\n"), 16)
    >>> [array[:, :4].tolist() for array in arrays], arrays.lines, arrays.rest.read()
    ([[[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]], 3, b'# end\\n')
    """

    def __init__(self, stream: Any, count: int) -> None:
        self.lines = 0
        self.rest: BufferedReader | None = None
        self._stream = stream
        self._count = count

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        read = getattr(self._stream, "read1", self._stream.read)
        length = self._count + 1
        kept = b""
        while piece := read(PIECE):
            kept += piece
            table = regular_rows(kept, self._count)
            self.lines += len(table)
            kept = kept[len(table) * length :]
            if len(table):
                yield table
            if len(kept) >= length or b"\n" in kept:
                break
        else:
            last = regular_rows(kept + b"\n", self._count)  # the last line may have no end
            if len(last) and len(kept) < length:
                self.lines, kept = self.lines + 1, b""
                yield last
        if kept:
            self.rest = BufferedReader(_Rest(kept, self._stream))


def regular_rows(lines: bytes, count: int) -> NDArray[np.uint8]:
    """Return the lines of `count` characters, each with its end, as rows of values, up to the first irregular line.

    >>> regular_rows(b"1.....2..3.....4\\n1.....2..3..x..4\\n", 16).shape
    (1, 16)
    """
    import numpy as np

    whole = len(lines) // (count + 1) * (count + 1)  # bytes
    table = np.frombuffer(bytearray(lines[:whole].translate(bytes(_TABLE))), np.uint8).reshape(-1, count + 1)
    cells = np.ascontiguousarray(table[:, :-1])
    largest = SIZE_OF_COUNT[count]
    if len(table) and (cells.max() > largest or (table[:, -1] != _END).any()):
        is_wrong = (cells.max(axis=1) > largest) | (table[:, -1] != _END)
        return np.ascontiguousarray(cells[: int(is_wrong.argmax())])
    return cells


def lines_of(table: NDArray[np.uint8]) -> bytes:
    """Return rows of values as lines of the notation `line`.

    >>> import numpy as np
    >>> lines_of(np.array([[1, 0, 0, 16]], np.uint8))
    b'1..G\\n'
    """
    import numpy as np

    lines = np.full((len(table), table.shape[1] + 1), _END, np.uint8)
    lines[:, :-1] = table
    characters = bytearray(written_characters(False))
    characters[_END] = ord("\n")
    return lines.tobytes().translate(bytes(characters))


class _Rest(RawIOBase):
    """A stream of the bytes that were read, followed by the rest of the original stream, whose name it keeps."""

    def __init__(self, kept: bytes, stream: Any) -> None:
        self.name = getattr(stream, "name", None)
        read = getattr(stream, "read1", stream.read)  # `read` would wait for the whole piece
        self._pieces = chain([kept], iter(lambda: read(PIECE), b""))
        self._ahead = b""

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Put the next bytes into a buffer, and return their number."""
        ahead = self._ahead or next(self._pieces, b"")
        taken = ahead[: len(buffer)]
        buffer[: len(taken)] = taken
        self._ahead = ahead[len(taken) :]
        return len(taken)
