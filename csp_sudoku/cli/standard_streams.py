"""Guards standard output and standard error: a failed write to them raises a StreamError.

Python raises the same OSError for a full disk, whichever file is on it. Only a failed write to standard output loses
results, and only a reader of standard output that goes away, as in `| head`, ends the program silently.
"""

from __future__ import annotations

import errno
import io
import sys
from typing import Any


class StreamError(OSError):
    """A failed write to standard output or standard error."""

    @property
    def is_closed_pipe(self) -> bool:
        """Whether the reader of the stream has gone away."""
        return self.errno == errno.EPIPE


class _Stream(io.TextIOWrapper):
    """A text stream whose errors in writing are StreamErrors.

    Python's own classes write the bytes below this one: in a `write` of ours, Ctrl-C could cause bytes to be written
    twice.
    """

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise StreamError(error.errno, error.strerror) from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise StreamError(error.errno, error.strerror) from error


def guard_streams() -> None:
    """Replace `sys.stdout` and `sys.stderr` by streams that raise StreamErrors and escape unsupported characters."""
    sys.stdout, sys.stderr = guarded(sys.stdout), guarded(sys.stderr)


def guarded(stream: Any) -> Any:
    """Return the guarded stream; the stream itself if it is None, or if it has no bytes below it."""
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        return stream
    stream.flush()
    return _Stream(
        io.BufferedWriter(getattr(buffer, "raw", buffer)),
        stream.encoding,
        "backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
