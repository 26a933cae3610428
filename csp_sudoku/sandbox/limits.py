"""The limits of a player: memory, processor time, processes and files."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from csp_sudoku.sandbox.processes import entry, processes

if sys.platform == "linux":
    import resource

MEGABYTE = 1 << 20
MOST = 2**62
"""Upper bound for a limit that is passed to the system."""
PROCESSORS = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Limits of a player. Memory and file size count for each process; processes and load time for the whole player."""

    memory: int = 4096
    """Memory limit of each process, in megabytes."""
    file: int = 256
    """Size limit of each file that a process writes, in megabytes."""
    processes: int = 200
    """Maximum number of processes and threads at a time."""
    load: float = 180.0
    """Upper bound for the time in which the player is loaded, in seconds."""
    log: int = 256
    """Size limit of each part of the log, in kilobytes: the beginning of the output, and the end of it."""

    def apply(self) -> None:
        """Apply the limits to this process, whose descendants inherit them."""
        # RLIMIT_DATA and not RLIMIT_AS: compilers and threads reserve much more address space than they ever use
        _limit(resource.RLIMIT_DATA, self.memory * MEGABYTE)
        _limit(resource.RLIMIT_FSIZE, self.file * MEGABYTE)
        _limit(resource.RLIMIT_CORE, 0)
        if os.getuid():  # it has no effect for root; it counts all threads of the user, not only the player's
            _limit(resource.RLIMIT_NPROC, _threads_of_user() + self.processes)
        with suppress(OSError):  # if memory runs out all the same, the kernel kills a player first
            Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


DEFAULT_LIMITS = PlayerLimits()


def limit_processor_time(seconds: float) -> None:
    """Limit the processor time of this process to a turn of `seconds`, in case the supervisor cannot end the turn."""
    _limit(resource.RLIMIT_CPU, _allowance(seconds))


def extend_processor_time(pid: int, seconds: float) -> None:
    """Extend the processor time limit of another process by the allowance for a turn of `seconds`."""
    one = entry(pid)
    used = 0.0 if one is None else one.ticks / os.sysconf("SC_CLK_TCK")
    with suppress(OSError, ValueError):
        _, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
        soft = int(used) + _allowance(seconds)
        resource.prlimit(pid, resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _allowance(seconds: float) -> int:
    """Return the processor seconds that a turn can use on all processors, with one second of wall time in reserve."""
    return int((seconds + 1) * PROCESSORS) + 1


def _limit(kind: int, amount: int) -> None:
    """Set the soft and the hard limit of this process, without raising the hard limit."""
    _, hard = resource.getrlimit(kind)
    amount = min(amount, MOST)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (amount, amount))


def _threads_of_user() -> int:
    """Count the threads that the user of this process runs."""
    count = 0
    for pid in processes():
        place = Path(f"/proc/{pid}")
        with suppress(OSError):
            if place.stat().st_uid == os.getuid():
                count += len(list((place / "task").iterdir()))
    return count
