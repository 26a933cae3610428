"""A checkpoint is the state of a training in a file, which is written atomically even if the program is killed.

The new file is written next to the old one, flushed to the disk, and then renamed to the old name. A reader checks the
digest of the file first, so a damaged file raises an error. A checkpoint is a pickle, and loading a pickle can run any
code: read only checkpoints that you have written yourself.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from pathlib import Path
from typing import Any

from csp_sudoku.errors import NotationError

MAGIC = b"csp-sudoku neat checkpoint 1\n"
_WHAT = "a checkpoint of csp-sudoku train neat"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: after a crash it has either these bytes or its former content.

    Raise NotationError if it cannot be written.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise NotationError("a file to write", (error.strerror or str(error)).lower(), source=str(path)) from error
    finally:
        new.unlink(missing_ok=True)


def write_checkpoint(path: Path, state: object) -> None:
    """Write a state to a checkpoint."""
    data = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    write_whole(path, MAGIC + hashlib.sha256(data).digest() + data)


def read_checkpoint(path: Path) -> Any:
    """Read the state of a checkpoint; None if there is no such file, NotationError if it is not a valid checkpoint."""
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotationError(_WHAT, (error.strerror or str(error)).lower(), source=str(path)) from error
    head = len(MAGIC) + hashlib.sha256().digest_size
    if not found.startswith(MAGIC):
        raise NotationError(_WHAT, "another file", source=str(path))
    if hashlib.sha256(found[head:]).digest() != found[len(MAGIC) : head]:
        raise NotationError(_WHAT, "a damaged one", source=str(path))
    try:
        return pickle.loads(found[head:])  # noqa: S301 - the user's own file
    except Exception as error:  # classes may have been removed or changed since the file was written
        raise NotationError(_WHAT, "one of another version", source=str(path)) from error
