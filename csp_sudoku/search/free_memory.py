"""How much memory may be taken: what the system has left, and what the limits of this process and its group leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

UNTOLD = 1 << 31
"""Bytes, where nothing tells."""

PROCESS, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")

LIMITS = (("memory.max", "memory.current", "file"), ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"))
"""Files of a group's limit and of what it uses, and what is called in its `memory.stat` that need not be kept."""


def free_bytes() -> int:
    """Half of what is left, so that others have some, too.

    >>> 0 <= free_bytes()
    True
    """
    return min([*_of_system(), *_of_groups(), *_of_process()], default=UNTOLD) // 2


def _of_system() -> Iterator[int]:
    """What can be had without swapping: files that are only remembered give way."""
    found = _table(PROCESS / "meminfo").get("MemAvailable:")
    if found is not None:
        yield found * 1024


def _of_groups() -> Iterator[int]:
    """What is left of the limits of this process's control group, and of those above it."""
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
    """What is left of its own limits, of address space and of data."""
    sizes = _lines(PROCESS / "self" / "statm")
    if sizes:
        import resource  # where there are such files, there is such a module; elsewhere there may be neither

        pages = sizes[0].split()
        for kind, used in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            limit, _ = resource.getrlimit(kind)
            if limit != resource.RLIM_INFINITY:
                yield max(0, limit - int(used) * resource.getpagesize())


def _table(path: Path) -> dict[str, int]:
    """A file of names and numbers."""
    rows = (line.split() for line in _lines(path))
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}


def _lines(path: Path) -> list[str]:
    """The lines of a file of the system's; none if it is not there."""
    with suppress(OSError):
        return path.read_text("ascii", "replace").splitlines()
    return []
