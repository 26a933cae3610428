"""The processes that descend from this one: found wherever they hide, and ended.

Linux tells of each process its parent. Where a process has made itself a subreaper, all that descend from it stay so
when their parents end: whoever forks twice, or begins a session of its own, is found all the same.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from os import _exit, getppid  # now, because agents change modules
from pathlib import Path
from typing import NamedTuple

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

PATIENCE = 5.0
"""Seconds in which what was killed must be gone; longer takes only who hangs in the kernel."""

FEW = 50
"""How many processes are looked at one by one; for more, the whole system is."""


_libc = ctypes.CDLL(None, use_errno=True)


def _control(option: int, argument: int) -> None:
    if _libc.prctl(option, argument, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans() -> None:
    """Become the parent of all that descend from this process and lose their own."""
    _control(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Have this process killed when its parent, which has this id, ends."""
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if getppid() != parent:
        _exit(1)


class Entry(NamedTuple):
    """What the system tells of a process."""

    pid: int
    state: str
    """One letter; Z is one that has ended."""
    parent: int
    started: int
    """In ticks since the machine started: who has the id of another has another time."""
    status: int
    """How it ended, as `os.waitpid` tells it; 0 before that."""
    ticks: int
    """The processor time that it has used."""

    @property
    def ended(self) -> bool:
        return self.state in "ZX"


def entry(pid: int) -> Entry | None:
    """What the system tells of a process; None if there is none of this id."""
    try:
        data = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = data[data.rindex(b")") + 2 :].split()  # before that its name, which may be anything
    ticks = int(fields[11]) + int(fields[12])
    return Entry(pid, chr(fields[0][0]), int(fields[1]), int(fields[19]), int(fields[49]), ticks)


def processes() -> Iterator[int]:
    """The ids of all processes, and of those that are started while these are looked at.

    Who starts another and ends, in the moment between the system's list and a look at itself, would hide it from both.
    """
    seen: set[int] = set()
    latest = -1
    while latest != (latest := latest_pid()):
        new = {int(name) for name in os.listdir("/proc") if name.isdecimal()} - seen  # noqa: PTH208 - to be quick
        if not new:
            return
        yield from sorted(new)
        seen |= new


def descendants(root: int, without: Collection[int] = ()) -> list[Entry]:
    """The processes that descend from one, parents before children; children in `without` are left out, with theirs."""
    children: dict[int, list[Entry]] = {}
    for found in filter(None, map(entry, processes())):
        children.setdefault(found.parent, []).append(found)
    family = [one for one in children.get(root, ()) if one.pid not in without]
    for one in family:
        family += children.get(one.pid, ())
    return family


def end_descendants(spare: Collection[int] = ()) -> int:
    """Kill all that descend from this process but those to spare, and return how many that were.

    Returns when they are gone, and have been taken leave of.
    """
    killed: set[tuple[int, int]] = set()
    until = time.monotonic() + PATIENCE
    while True:
        has_children = reap()  # without any, whoever adopts orphans has no descendants at all
        family = descendants(os.getpid()) if has_children else []
        living = [one for one in family if not one.ended and one.pid not in spare]
        living += [one for one in map(_now, killed - {(one.pid, one.started) for one in living}) if one is not None]
        if not living or time.monotonic() > until:
            reap()  # the last ones may have ended since
            return len(killed)
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # who is stopped starts no others meanwhile
            for one in living:
                send(one, signal_number)
        killed |= {(one.pid, one.started) for one in living}
        if len(living) < 10:
            time.sleep(0.0005)


def end_strays(kept: Collection[int]) -> None:
    """Kill all that descend from this process but the children to be kept and what descends from them.

    Only the others are reaped: somebody may ask how those to be kept have ended.
    """
    this = os.getpid()
    until = time.monotonic() + PATIENCE
    while (family := descendants(this, kept)) and time.monotonic() < until:
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # who is stopped starts no others meanwhile
            for one in family:
                send(one, signal_number)
        for one in family:
            if one.parent == this:
                with suppress(ChildProcessError):
                    os.waitpid(one.pid, os.WNOHANG)
        time.sleep(0.0005)


def _now(known: tuple[int, int]) -> Entry | None:
    """A process that was killed, if it is not gone: where nobody adopts orphans, it may have another parent now."""
    pid, started = known
    one = entry(pid)
    return one if one is not None and one.started == started and not one.ended else None


def has_young(first: int, parents: Collection[int], known: Collection[int] = ()) -> bool:
    """Whether one of these parents may have a living child, not a known one, that was started after `first`.

    A few ids are looked at, and not the whole system; where that is not enough, the answer is yes.
    """
    latest = latest_pid()
    if not 0 <= latest - first <= FEW:
        return True
    found = map(entry, range(first + 1, latest + 1))
    young = (one for one in found if one is not None and one.pid not in known)
    # who starts another and ends, in the moment before it is looked at, is seen by the other's id
    return any(one.parent in parents and not one.ended for one in young) or latest_pid() != latest


def wait_until_stopped(pid: int, seconds: float) -> bool:
    """Whether all threads of a process that was told to stop have done so by then: now it starts nothing more."""
    until = time.monotonic() + seconds
    while any(not found.ended and found.state not in "Tt" for found in _threads(pid)):
        if time.monotonic() > until:
            return False
        time.sleep(0.0001)
    return True


def _threads(pid: int) -> list[Entry]:
    """What the system tells of the threads of a process; nothing if there is none of this id."""
    with suppress(OSError):
        return [found for name in os.listdir(f"/proc/{pid}/task") if (found := entry(int(name)))]  # noqa: PTH208
    return []


def send(one: Entry, signal_number: int) -> None:
    """Signal a process, unless it has ended and its id is another's."""
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
    """Take leave of all children that have ended, and return whether there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def latest_pid() -> int:
    """The id of the process that the system has started last: ids go up, and begin anew at the top."""
    return int(_load_average()[4])


def thread_count() -> int:
    """How many threads the system runs."""
    return int(_load_average()[3].partition(b"/")[2])


def _load_average() -> list[bytes]:
    return _read("/proc/loadavg").split()


def _read(path: str) -> bytes:
    """A short file of the system's. Every turn waits for some of these; a file object takes four times as long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 13)
    finally:
        os.close(descriptor)


def marked(mark: str) -> list[Entry]:
    """The processes with this text in the environment that they were given at their start."""
    found = []
    for pid in processes():
        with suppress(OSError):
            if mark.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(entry(pid))
    return [one for one in found if one is not None and not one.ended and one.pid != os.getpid()]
