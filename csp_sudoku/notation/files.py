"""Opening files of boards."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from csp_sudoku.errors import NotationError

_REASONS: dict[type[Exception], str] = {
    FileNotFoundError: "no such file",
    IsADirectoryError: "a directory",
    NotADirectoryError: "no such file",
    PermissionError: "no permission to read it",
}


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file of boards as a binary stream, whose `name` is the path as the caller gave it.

    The path "-" is standard input, which stays open. Raise NotationError if the file cannot be read.

    >>> with opened("no/such/file"):
    ...     pass
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.NotationError: no/such/file: expected a file to read, found no such file
    """
    name = os.fspath(path)
    if name == "-":
        if sys.stdin is None:
            raise NotationError("boards on standard input", "no standard input")
        yield cast("BinaryIO", getattr(sys.stdin, "buffer", sys.stdin))  # a StringIO in its place has no buffer
        return
    try:
        stream = open(name, "rb")  # noqa: PTH123, SIM115 - the name as it was given; errors of the body are not ours
    except (OSError, ValueError) as error:
        reason = _REASONS.get(type(error)) or getattr(error, "strerror", None) or str(error)
        raise NotationError("a file to read", reason, source=name if name.isprintable() else repr(name)) from None
    with stream:
        yield stream
