"""The amount of memory that a search may allocate.

It depends on the free memory of the system, and on the limits of this process and of its control groups.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

UNTOLD = 1 << 31
"""Assumed amount of free memory if the system does not report it, in bytes."""

PROCESS, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
"""The folders in which Linux reports on processes and on control groups."""

LIMITS = (("memory.max", "memory.current", "file"), ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"))
"""For control groups of version 2 and version 1: the file of the limit, the file of the usage, and the name of a row.

That row of `memory.stat` gives the page cache, which the system frees when memory is needed.
"""


def free_bytes() -> int:
    """Half of the free memory in bytes; the other half is left for other programs.

    >>> 0 <= free_bytes()
    True
    """
    return min([*_of_system(), *_of_groups(), *_of_process()], default=UNTOLD) // 2


def _of_system() -> Iterator[int]:
    """The memory of the system that is available without swapping; the page cache counts as available."""
    found = _table(PROCESS / "meminfo").get("MemAvailable:")
    if found is not None:
        yield found * 1024


def _of_groups() -> Iterator[int]:
    """The free memory within the limits of this process's control group and of the groups above it."""
    for line in _lines(PROCESS / "self" / "cgroup"):
        _, kinds, path = line.split(":", 2)
        if kinds and "memory" not in kinds.split(","):
            continue
        top = GROUPS / "memory" if kinds else GROUPS
        group = top / path.strip("/")
        while group.is_relative_to(top):
            yield from _of_group(group)
            group = group.parent


def _of_group(group: Path) -> Iterator[int]:
    for most, used, spare in LIMITS:
        limit, now = _lines(group / most), _lines(group / used)
        if limit and now and limit[0].isdecimal():
            remembered = _table(group / "memory.stat").get(spare, 0)
            yield max(0, int(limit[0]) - max(0, int(now[0]) - remembered))


def _of_process() -> Iterator[int]:
    """The free memory within this process's own limits, RLIMIT_AS (address space) and RLIMIT_DATA."""
    sizes = _lines(PROCESS / "self" / "statm")
    if sizes and sys.platform == "linux":
        import resource  # Windows has no such module

        pages = sizes[0].split()
        for kind, used in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            limit, _ = resource.getrlimit(kind)
            if limit != resource.RLIM_INFINITY:
                yield max(0, limit - int(used) * resource.getpagesize())


def _table(path: Path) -> dict[str, int]:
    """The numbers in a file by their names, one name and number per line."""
    rows = (line.split() for line in _lines(path))
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}


def _lines(path: Path) -> list[str]:
    """The lines of a system file; an empty list if it cannot be read."""
    with suppress(OSError):
        return path.read_text("ascii", "replace").splitlines()
    return []
