"""Agents that take or leave too much: output, memory, files, descriptors, shared memory, saves."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import os
import sys
from contextlib import suppress
from pathlib import Path

from tests.attack.hostiles import EITHER, TOKEN, Hostile, detach

SHARED = Path("/dev/shm")
MEGABYTE = 1 << 20
_CREATE = 0o1600
"""IPC_CREAT, for the owner."""


class Prints(Hostile):
    """Prints 20 megabytes in each turn."""

    def before(self, state):
        for _ in range(20):
            os.write(1, b"x" * MEGABYTE)
            sys.stderr.write("y" * 1000)


class FillsOutput(Hostile):
    """Writes to standard output and standard error until it is ended."""

    is_endless = True

    def after(self, state):
        line = b"z" * (1 << 16)
        while True:
            os.write(1, line)
            os.write(2, line)


class Hoards(Hostile):
    """Allocates memory until there is none left."""

    options = ("--memory", "300")

    def after(self, state):
        kept = []
        while True:
            kept.append(bytearray(b"x" * (1 << 24)))


class Maps(Hostile):
    """Allocates memory from the system until there is none left."""

    options = ("--memory", "300")

    def after(self, state):
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 1 << 26, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


class Opens(Hostile):
    """Opens 20,000 files, or as many as it may."""

    def after(self, state):
        with suppress(OSError):
            for _ in range(20_000):
                os.open("/dev/null", os.O_RDWR)


class Closes(Hostile):
    """Closes every descriptor, and takes their places."""

    def before(self, state):
        os.closerange(0, 1 << 16)
        for _ in range(20):
            os.open("/dev/null", os.O_RDWR)


class ClosesWhenMade(Hostile):
    """Closes every descriptor when it is made, with the pipes to its supervisor."""

    expected = EITHER

    def make(self):
        os.closerange(3, 1 << 16)


class LocksFolder(Hostile):
    """Takes all permissions from its working folder, and from folders in it."""

    def before(self, state):
        with suppress(OSError):
            Path("outer/inner").mkdir(parents=True, exist_ok=True)
            Path("outer/inner/file").touch()
        for folder in ("outer/inner", "outer", "."):
            with suppress(OSError):
                Path(folder).chmod(0)


class FillsFolder(Hostile):
    """Fills its working folder with a large file, a thousand small ones, and folders 1,500 deep."""

    def before(self, state):
        if Path("large").exists():
            return
        Path("large").write_bytes(bytes(50 * MEGABYTE))
        for number in range(1000):
            Path(f"small-{number}").touch()
        here = os.open(".", os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("a" * 60, dir_fd=here)
            inner = os.open("a" * 60, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(here)


class WritesHugeFile(Hostile):
    """Writes a file beyond the limit."""

    options = ("--memory", "1000")

    def after(self, state):
        if Path("huge").exists():
            return
        with Path("huge").open("wb") as file:
            file.writelines(bytes(MEGABYTE) for _ in range(400))


class SharesMemory(Hostile):
    """Leaves a file in /dev/shm that a daemon has mapped, and a shared memory segment of System V."""

    def after(self, state):
        with (SHARED / os.environ[TOKEN]).open("w+b") as file:
            file.truncate(MEGABYTE)
            self.kept = mmap.mmap(file.fileno(), MEGABYTE)
        detach()
        ctypes.CDLL(None).shmget(_key(), 1 << 12, _CREATE)


class LeavesJunk(Hostile):
    """Leaves objects without a known owner: a closed file in /dev/shm, a semaphore, a message queue."""

    harms = frozenset({"shared"})

    def after(self, state):
        (SHARED / f"{os.environ[TOKEN]}-closed").write_bytes(bytes(1 << 12))
        ctypes.CDLL(None).semget(_key(), 1, _CREATE)
        ctypes.CDLL(None).msgget(_key(), _CREATE)


def _key() -> int:
    return int(os.environ[TOKEN][-7:], 16)


class HasFifos(Hostile):
    """Has a named pipe and links to devices in its folder, which a reader must not open."""

    @staticmethod
    def prepare(folder):
        os.mkfifo(folder / "zz.py")
        (folder / "zero.py").symlink_to("/dev/zero")
        (folder / "loop.py").symlink_to("loop.py")


class Saves(Hostile):
    """The base of those that save."""

    saved: object = None

    def save(self):
        return self.saved

    def load(self, saved):
        self.loaded = saved


class SavesUnpicklable(Saves):
    """Saves an object that cannot be pickled."""

    saved = staticmethod(lambda: None)


class SavesGigantic(Saves):
    """Saves 60 megabytes in each turn."""

    def save(self):
        return bytes(60 * MEGABYTE)


class _Endless:
    """An object whose pickling never ends."""

    def __reduce__(self):
        return list, (), None, itertools.count()


class SavesEndless(Saves):
    """Saves a pickle that never ends."""

    is_endless = True
    saved = _Endless()


class _Nested:
    """An object that contains another object of its kind when it is pickled."""

    def __reduce__(self):
        return list, ([_Nested()],)


class SavesNested(Saves):
    """Saves a pickle that is infinitely deep."""

    saved = _Nested()


class _Exiting:
    """An object that ends the process that loads it."""

    def __reduce__(self):
        return os._exit, (5,)


class SavesTrap(Saves):
    """Saves a pickle that ends the process that loads it, which is its own."""

    expected = EITHER
    saved = _Exiting()
