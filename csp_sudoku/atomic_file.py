"""A file that is written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file: first beside its place, and then in one step to it, so that no reader meets a part of it.

    `path` is its path, and `content` are its bytes, or a text, which is written as UTF-8.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
