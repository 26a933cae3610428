"""What a player leaves behind that is known to be its own, and how it is removed.

Its working folder is. Shared memory is if it has appeared since the player's host was started, and

- as a file in /dev/shm, was open or mapped in a process of the player when its turn ended, and is in none now;
- as a segment of System V, was created by a process of the player that has ended since.

Linux does not say who created anything else: files that were closed again, semaphores and message queues stay.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from csp_sudoku.arena.processes import descendants, entry, processes

SHARED = "/dev/shm"  # noqa: S108 - only what is there already is looked at
"""Where Linux keeps shared memory that has a name."""
SEGMENTS = Path("/proc/sysvipc/shm")
"""Where Linux lists the segments of shared memory of System V."""
FILE_LIMIT = 1000
"""How many of the shared files are looked at."""

_IPC_RMID = 0

_libc = ctypes.CDLL(None, use_errno=True)


class SharedFile(NamedTuple):
    """A file in /dev/shm."""

    name: str
    inode: int


class Segment(NamedTuple):
    """A segment of shared memory of System V."""

    number: int
    creator: int
    """The id of the process that created it."""


class Leftovers:
    """The shared memory of the player whose host this process is. Make it before the player is started."""

    def __init__(self) -> None:
        self._files_before = shared_files()
        self._segments_before = segments()
        self._files = set[SharedFile]()
        self._segments = set[Segment]()

    def look(self) -> None:
        """Note what the processes of the player have now. Call it before they are ended."""
        files = shared_files() - self._files_before - self._files
        new = segments() - self._segments_before - self._segments
        if files or new:
            family = descendants(os.getpid())
            pids = {one.pid for one in family}
            self._segments |= {segment for segment in new if segment.creator in pids}
            if files:
                self._files |= files & _held(one.pid for one in family)

    def remove(self) -> None:
        """Remove what was noted and is no longer used."""
        if self._files:
            unused = self._files - _held(processes())
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
    """The files of this user in /dev/shm."""
    found = set()
    with suppress(OSError), os.scandir(SHARED) as entries:
        for one in islice(entries, FILE_LIMIT):
            with suppress(OSError):
                if one.is_file(follow_symlinks=False) and one.stat(follow_symlinks=False).st_uid == os.getuid():
                    found.add(SharedFile(one.name, one.inode()))
    return found


def segments() -> set[Segment]:
    """The segments of shared memory of System V, of all users."""
    try:
        _, *rows = SEGMENTS.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return set()
    return {Segment(int(row[1]), int(row[4])) for row in map(str.split, rows)}


def _held(pids: Iterable[int]) -> set[SharedFile]:
    """The shared files that one of these processes has mapped or open."""
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
    """Whether there is no process of this id, or one that has ended."""
    one = entry(pid)
    return one is None or one.ended


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
