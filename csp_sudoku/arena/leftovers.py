"""What a player leaves behind that is known to be its own, and how it is removed."""

from __future__ import annotations

import os
from contextlib import suppress
from secrets import token_hex


def remove_folder(folder: str) -> None:
    """Remove a folder and all that is in it, whatever the permissions of its folders are and however deep they lie.

    Each folder within is made writable and moved to the top before it is emptied. So there is no recursion, no path
    grows too long, and at most three descriptors are open. Links are removed and not followed. What cannot be removed
    stays.
    """
    with suppress(OSError):
        os.unlink(folder)  # noqa: PTH108 - it need not be a Path; a player may have put something else in its place
    with suppress(OSError):
        top = _unlock(folder)
        try:
            waiting = _empty(top, top)
            while waiting:
                with suppress(OSError):
                    _remove(waiting.pop(), top, waiting)
        finally:
            os.close(top)
        os.rmdir(folder)  # noqa: PTH106 - it need not be a Path


def _remove(name: str, top: int, waiting: list[str]) -> None:
    """Remove a folder at the top; the folders in it are moved there, and wait for the same."""
    folder = _unlock(name, top)
    try:
        waiting += _empty(folder, top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _empty(folder: int, top: int) -> list[str]:
    """Remove the files of an open folder, move its folders to the top, and return their new names."""
    moved = []
    for name in os.listdir(folder):
        with suppress(OSError):
            try:
                os.unlink(name, dir_fd=folder)
            except IsADirectoryError:
                os.close(_unlock(name, folder))  # Linux moves only folders that can be written to
                new = token_hex(16)
                os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
                moved.append(new)
    return moved


def _unlock(name: str, parent: int | None = None) -> int:
    """Open a folder, which is no link, after its owner was given all permissions for it."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)
    try:
        place = f"/proc/self/fd/{handle}"
        with suppress(PermissionError):  # it may be another user's, but open to all
            os.chmod(place, 0o700)  # noqa: PTH101 - it need not be a Path
        return os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(handle)
