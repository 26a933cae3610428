"""Finds and removes the working folder and the shared memory that a player leaves behind.

Shared memory counts as the player's if it has appeared since the player's supervisor was started, and

- as a file in /dev/shm, was open or mapped in a process of the player when its turn ended, and is in none now;
- as a System V segment, was created by a process of the player that has ended since.

Linux does not report the creator of anything else, so closed files, semaphores and message queues stay.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from csp_sudoku.sandbox.processes import descendants, entry, processes

SHARED = "/dev/shm"  # noqa: S108 - the arena creates no file here
"""The folder in which Linux keeps named shared memory."""
SEGMENTS = Path("/proc/sysvipc/shm")
"""The file in which Linux lists the System V shared memory segments."""
LOOKS = 20
"""Maximum number of times that `look` lists the player's processes, again if one of them ends meanwhile."""

FILE_LIMIT = 1000
"""Maximum number of entries of /dev/shm that are examined."""

_IPC_RMID = 0

if sys.platform == "linux":
    _libc = ctypes.CDLL(None, use_errno=True)


class SharedFile(NamedTuple):
    """A file in /dev/shm."""

    name: str
    inode: int


class Segment(NamedTuple):
    """A System V shared memory segment."""

    number: int
    creator: int
    """The id of the process that created the segment."""


class Leftovers:
    """The shared memory of the player whose supervisor is this process. Make the object before the player starts."""

    def __init__(self) -> None:
        self._files_before = shared_files()
        self._segments_before = segments()
        self._files = set[SharedFile]()
        self._segments = set[Segment]()

    def look(self) -> None:
        """Note the shared memory that the player's processes have now. Call this before they are killed."""
        files = shared_files() - self._files_before - self._files
        new = segments() - self._segments_before - self._segments
        if not files and not new:
            return
        for _ in range(LOOKS):
            family = descendants(os.getpid())
            pids = {one.pid for one in family}
            self._segments |= {segment for segment in new if segment.creator in pids}
            if files:
                self._files |= files & held(pids)
            if not any(_is_gone(one.pid) for one in family if not one.ended):
                return  # else one has ended meanwhile: its child may have what it had, and not be listed

    def remove(self) -> None:
        """Remove the noted files that no process uses now, and the noted segments whose creators have ended."""
        if self._files:
            unused = self._files - held(processes())
            for file in unused & shared_files():
                with suppress(OSError):
                    os.unlink(f"{SHARED}/{file.name}")  # noqa: PTH108 - a name, not a Path
            self._files -= unused
        if self._segments:
            orphaned = {segment for segment in self._segments if _is_gone(segment.creator)}
            for segment in orphaned & segments():
                _libc.shmctl(segment.number, _IPC_RMID, None)
            self._segments -= orphaned


def shared_files() -> set[SharedFile]:
    """Return the files of this user in /dev/shm."""
    found = set()
    with suppress(OSError), os.scandir(SHARED) as entries:
        for one in islice(entries, FILE_LIMIT):
            with suppress(OSError):
                if one.is_file(follow_symlinks=False) and one.stat(follow_symlinks=False).st_uid == os.getuid():
                    found.add(SharedFile(one.name, one.inode()))
    return found


def segments() -> set[Segment]:
    """Return the System V shared memory segments of all users."""
    try:
        _, *rows = SEGMENTS.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return set()
    return {Segment(int(row[1]), int(row[4])) for row in map(str.split, rows)}


def held(pids: Iterable[int]) -> set[SharedFile]:
    """Return the shared files that one of these processes has mapped or open."""
    found = set()
    for pid in pids:
        with suppress(OSError, ValueError):
            for line in Path(f"/proc/{pid}/maps").read_text("utf-8", "surrogateescape").splitlines():
                *_, inode, place = line.split(maxsplit=5) if SHARED in line else ("", "")
                if place.startswith(f"{SHARED}/"):
                    found.add(SharedFile(place.removeprefix(f"{SHARED}/"), int(inode)))
        with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as descriptors:
            for one in descriptors:
                with suppress(OSError):
                    place = os.readlink(one.path)  # noqa: PTH115 - a text, not a Path
                    if place.startswith(f"{SHARED}/"):
                        found.add(SharedFile(place.removeprefix(f"{SHARED}/"), one.stat().st_ino))
    return found


def _is_gone(pid: int) -> bool:
    """Whether no process has this id, or the process has ended."""
    one = entry(pid)
    return one is None or one.ended


def remove_folder(folder: str) -> None:
    """Remove a folder with its contents, whatever the permissions of its subfolders and however deep they lie.

    Each subfolder is made writable and moved to the top before it is emptied. So there is no recursion, no path grows
    too long, and at most three descriptors are open. Links are removed and not followed. Files that the system refuses
    to remove stay.
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
    """Remove a folder at the top; move its subfolders to the top and append their names to `waiting`."""
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
    """Give the owner all permissions for a folder, and open it; a link is an error."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)
    try:
        place = f"/proc/self/fd/{handle}"
        with suppress(PermissionError):  # it may be another user's, but open to all
            os.chmod(place, 0o700)  # noqa: PTH101 - it need not be a Path
        return os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(handle)
