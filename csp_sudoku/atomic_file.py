"""A file that is written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file under a temporary name, and rename it in one step, so that no reader sees a part of it.

    `path` is the path of the file; `content` is its bytes, or a text, which is written as UTF-8.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
