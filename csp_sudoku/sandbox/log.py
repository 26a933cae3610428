"""The log: the output of a player, in a file of limited size."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from pathlib import Path

CHUNK = 1 << 16
"""Maximum number of bytes to read at a time."""


class Log:
    """The beginning and the end of the output that comes through a pipe; the bytes between are read and counted.

    Other processes write to the descriptor `target`. The owner calls `take` when the descriptor `source` is readable.
    """

    def __init__(self, path: str | None, limit: int) -> None:
        self.source, self.target = os.pipe()
        os.set_blocking(self.source, False)
        self._file = None if path is None else Path(path).open("wb", buffering=0)  # noqa: SIM115 - `close` does
        self._room = limit
        self._limit = limit
        self._tail: deque[bytes] = deque()
        self._kept = 0
        self._lost = 0

    def take(self) -> bool:
        """Read at most one chunk, and return whether there were any bytes."""
        try:
            data = os.read(self.source, CHUNK)
        except BlockingIOError:
            return False
        if self._file is not None:
            self._keep(data)
        return bool(data)

    def _keep(self, data: bytes) -> None:
        first, rest = data[: self._room], data[self._room :]
        self._room -= len(first)
        self._write(first)
        if not rest:
            return
        self._tail.append(rest)
        self._kept += len(rest)
        while self._kept - len(self._tail[0]) >= self._limit:
            self._lost += len(self._tail[0])
            self._kept -= len(self._tail.popleft())

    def close(self) -> None:
        """Read the rest of the output, and write the end of it to the file."""
        while self.take():
            pass
        if self._file is None:
            return
        tail = b"".join(self._tail)
        over = max(0, len(tail) - self._limit)
        lost = self._lost + over
        if lost:
            self._write(b"\n[%d bytes are left out here]\n" % lost)
        self._write(tail[over:])
        self._file.close()

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # a full disk ends no game
            if self._file is not None and data:
                self._file.write(data)
