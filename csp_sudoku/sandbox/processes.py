"""Finds and kills the processes that descend from this one, wherever they hide.

Linux reports the parent of each process. If a process has made itself a subreaper, it adopts its descendants when
their parents end. So a process that forks twice, or begins a session of its own, is found as well.

This is hand-written, because psutil takes two to three times as long to list descendants, and every turn waits for it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from os import _exit, getppid  # now, because agents change modules
from pathlib import Path
from typing import NamedTuple

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

PATIENCE = 5.0
"""Seconds to wait for killed processes to be gone; only a process that hangs in the kernel takes longer."""

FEW = 50
"""Maximum number of new pids that are examined one by one; for more, the whole of /proc is listed."""


if sys.platform == "linux":
    _libc = ctypes.CDLL(None, use_errno=True)


def _control(option: int, argument: int) -> None:
    if _libc.prctl(option, argument, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans() -> None:
    """Make this process a subreaper, which adopts all of its descendants that lose their parents."""
    _control(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent, which has this id, ends; exit if it has ended already."""
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if getppid() != parent:
        _exit(1)


class ProcessEntry(NamedTuple):
    """A process, as /proc describes it."""

    pid: int
    state: str
    """The state as one letter; Z is a process that has ended but was not reaped."""
    parent: int
    started: int
    """The start time, in ticks since the machine started. It differs between two processes that had the same pid."""
    status: int
    """The exit status, as `os.waitpid` returns it; 0 before the process has ended."""
    ticks: int
    """The processor time that the process has used, in ticks."""

    @property
    def ended(self) -> bool:
        return self.state in "ZX"


def entry(pid: int) -> ProcessEntry | None:
    """Return the entry of a process; None if no process has this id."""
    try:
        data = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = data[data.rindex(b")") + 2 :].split()  # the name before it may contain anything
    ticks = int(fields[11]) + int(fields[12])
    return ProcessEntry(pid, chr(fields[0][0]), int(fields[1]), int(fields[19]), int(fields[49]), ticks)


def processes() -> Iterator[int]:
    """Yield the ids of all processes, and of those that are started while the caller examines them.

    A process that forks and exits between listing /proc and reading its entry would be missed, and so would its child.
    So /proc is listed again until no new pid appears.
    """
    seen: set[int] = set()
    latest = -1
    while latest != (latest := latest_pid()):
        new = {int(name) for name in os.listdir("/proc") if name.isdecimal()} - seen  # noqa: PTH208 - to be quick
        if not new:
            return
        yield from sorted(new)
        seen |= new


def descendants(root: int, without: Collection[int] = ()) -> list[ProcessEntry]:
    """Return the descendants of a process, parents before children, without the children in `without` and theirs."""
    children: dict[int, list[ProcessEntry]] = {}
    for found in filter(None, map(entry, processes())):
        children.setdefault(found.parent, []).append(found)
    family = [one for one in children.get(root, ()) if one.pid not in without]
    for one in family:
        family += children.get(one.pid, ())
    return family


def end_descendants(spare: Collection[int] = ()) -> int:
    """Kill all descendants of this process but the spared ones, and return how many were killed.

    The function returns when they are gone and reaped, or after PATIENCE seconds.
    """
    killed: set[tuple[int, int]] = set()
    until = time.monotonic() + PATIENCE
    while True:
        has_children = reap()  # a process that adopts orphans and has no children has no descendants
        family = descendants(os.getpid()) if has_children else []
        living = [one for one in family if not one.ended and one.pid not in spare]
        living += [one for one in map(_now, killed - {(one.pid, one.started) for one in living}) if one is not None]
        if not living or time.monotonic() > until:
            reap()  # the last ones may have ended since
            return len(killed)
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process starts no others meanwhile
            for one in living:
                send(one, signal_number)
        killed |= {(one.pid, one.started) for one in living}
        if len(living) < 10:
            time.sleep(0.0005)


def end_strays(kept: Collection[int]) -> None:
    """Kill all descendants of this process but the kept children and their descendants.

    Kept children are not reaped, since the caller may still ask for their exit status.
    """
    this = os.getpid()
    until = time.monotonic() + PATIENCE
    while (family := descendants(this, kept)) and time.monotonic() < until:
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process starts no others meanwhile
            for one in family:
                send(one, signal_number)
        for one in family:
            if one.parent == this:
                with suppress(ChildProcessError):
                    os.waitpid(one.pid, os.WNOHANG)
        time.sleep(0.0005)


def _now(known: tuple[int, int]) -> ProcessEntry | None:
    """Return a killed process if it still runs; without a subreaper, it may have another parent now."""
    pid, started = known
    one = entry(pid)
    return one if one is not None and one.started == started and not one.ended else None


def has_young(first: int, parents: Collection[int], known: Collection[int] = ()) -> bool:
    """Whether one of these parents may have a living child, not a known one, that was started after the pid `first`.

    The function examines at most FEW pids. If more processes were started since, the answer is yes.
    """
    latest = latest_pid()
    if not 0 <= latest - first <= FEW:
        return True
    found = map(entry, range(first + 1, latest + 1))
    young = (one for one in found if one is not None and one.pid not in known)
    # if a process forks and exits before its entry is read, the pid of its child has changed the latest pid
    return any(one.parent in parents and not one.ended for one in young) or latest_pid() != latest


def wait_until_stopped(pid: int, seconds: float) -> bool:
    """Wait until all threads of a signalled process have stopped, and return whether they did so within this time."""
    until = time.monotonic() + seconds
    while any(not found.ended and found.state not in "Tt" for found in _threads(pid)):
        if time.monotonic() > until:
            return False
        time.sleep(0.0001)
    return True


def _threads(pid: int) -> list[ProcessEntry]:
    """Return the entries of the threads of a process; an empty list if no process has this id."""
    with suppress(OSError):
        return [found for name in os.listdir(f"/proc/{pid}/task") if (found := entry(int(name)))]  # noqa: PTH208
    return []


def send(one: ProcessEntry, signal_number: int) -> None:
    """Signal a process, unless it has ended and its pid is reused."""
    try:
        descriptor = os.pidfd_open(one.pid)
    except OSError:
        return
    try:
        now = entry(one.pid)
        if now is not None and now.started == one.started:
            with suppress(OSError):
                signal.pidfd_send_signal(descriptor, signal_number)
    finally:
        os.close(descriptor)


def reap() -> bool:
    """Reap all children that have ended, and return whether other children are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def latest_pid() -> int:
    """Return the pid that the system has given out last; pids increase, and begin again after the maximum."""
    return int(_load_average()[4])


def thread_count() -> int:
    """Return the number of threads in the whole system."""
    return int(_load_average()[3].partition(b"/")[2])


def _load_average() -> list[bytes]:
    return _read("/proc/loadavg").split()


def _read(path: str) -> bytes:
    """Read a short file of /proc. Every turn waits for some of these; a file object takes four times as long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 13)
    finally:
        os.close(descriptor)


def marked(mark: str) -> list[ProcessEntry]:
    """Return the living processes, other than this one, whose initial environment contains this text."""
    found = []
    for pid in processes():
        with suppress(OSError):
            if mark.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(entry(pid))
    return [one for one in found if one is not None and not one.ended and one.pid != os.getpid()]
