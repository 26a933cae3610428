"""Limits: what a player may use."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from csp_sudoku.arena.processes import entry, processes

MEGABYTE = 1 << 20
MOST = 2**62
"""The system takes no larger limit."""
PROCESSORS = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What each of a player's processes may use, and all of them together where the system allows it."""

    memory: int = 4096
    """Megabytes of memory of a process."""
    file: int = 256
    """Megabytes of the largest file that it may write."""
    processes: int = 200
    """How many processes and threads it may have at a time."""
    load: float = 180.0
    """Seconds in which it must be ready to play."""
    log: int = 256
    """Kilobytes that are kept of what it prints: from the beginning, and as many from the end."""

    def apply(self) -> None:
        """Put them on this process, and on all that descend from it."""
        # RLIMIT_DATA and not RLIMIT_AS: compilers and threads reserve much more address space than they ever use
        _limit(resource.RLIMIT_DATA, self.memory * MEGABYTE)
        _limit(resource.RLIMIT_FSIZE, self.file * MEGABYTE)
        _limit(resource.RLIMIT_CORE, 0)
        if os.getuid():  # for root it has no effect; and it counts all that the user runs, not this player's only
            _limit(resource.RLIMIT_NPROC, _threads_of_user() + self.processes)
        with suppress(OSError):  # should memory run out all the same, a player is ended first
            Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def limit_processor_time(seconds: float) -> None:
    """End this process when it has used so much of all processors: if whoever was to end it cannot."""
    _limit(resource.RLIMIT_CPU, _allowance(seconds))


def extend_processor_time(pid: int, seconds: float) -> None:
    """The same for another process and what it uses from now on."""
    one = entry(pid)
    used = 0.0 if one is None else one.ticks / os.sysconf("SC_CLK_TCK")
    with suppress(OSError, ValueError):
        _, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
        soft = int(used) + _allowance(seconds)
        resource.prlimit(pid, resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _allowance(seconds: float) -> int:
    """The processor time that a turn can take, and some more."""
    return int((seconds + 1) * PROCESSORS) + 1


def _limit(kind: int, amount: int) -> None:
    """Lower a limit; what is lower already stays."""
    _, hard = resource.getrlimit(kind)
    amount = min(amount, MOST)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (amount, amount))


def _threads_of_user() -> int:
    """How many threads the user of this process runs."""
    count = 0
    for pid in processes():
        place = Path(f"/proc/{pid}")
        with suppress(OSError):
            if place.stat().st_uid == os.getuid():
                count += len(list((place / "task").iterdir()))
    return count
