"""Checkpoint: the state of a training in a file, whole or not at all, whatever ends the program.

It is written beside the old file and then put in its place, once it is on the disk. What is read is checked against its
digest first, so a damaged file is told and not followed. It is a pickle: read nobody's but your own.
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
    """Write a file so that it has either these bytes or those that it had before."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def write_checkpoint(path: Path, state: object) -> None:
    """Keep a state."""
    data = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    write_whole(path, MAGIC + hashlib.sha256(data).digest() + data)


def read_checkpoint(path: Path) -> Any:
    """The state that is kept there, None if there is no such file; NotationError if it is something else."""
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
        return pickle.loads(found[head:])  # noqa: S301 - its own
    except Exception as error:  # whatever a class that is gone, or a parameter that is new, leads to
        raise NotationError(_WHAT, "one of another version", source=str(path)) from error
