"""Detects harm to a player from outside: while a player is at rest, it can harm neither itself nor its files.

A player at rest has stopped processes only. If one of them is killed, or a file in the working folder changes, another
process has done it. During its turn a player may do both itself, so harm then cannot be attributed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice

from csp_sudoku.sandbox.processes import entry

FILES = 200
"""Maximum number of watched files in the working folder."""
CHANGED = "its files were changed from outside before the turn"

Fingerprint = frozenset[tuple[str, int, int, int]]
"""The name, the inode, the size and the time of the last change of each file, in ns; nobody can set that time."""


def fingerprint(folder: str) -> Fingerprint:
    """Return the fingerprint of the files in a folder; that of an empty folder if it cannot be read."""
    found = set()
    with suppress(OSError), os.scandir(folder) as entries:
        for one in islice(entries, FILES):
            with suppress(OSError):
                about = one.stat(follow_symlinks=False)
                found.add((one.name, about.st_ino, about.st_size, about.st_ctime_ns))
    return frozenset(found)


def killed_from_outside(pid: int) -> str | None:
    """Describe the end of a process that has ended while it was at rest; None if no signal killed it.

    The process must not have been reaped yet.
    """
    one = entry(pid)
    if one is None or not one.ended or not os.WIFSIGNALED(one.status):
        return None
    return "its process was killed from outside"
