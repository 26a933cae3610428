"""The tools of a check: the exceptions that end it, a budget of nodes, and a limit on memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class MismatchError(Exception):
    """The product and the reference disagree; the message is one line that says on what."""


class SpentError(Exception):
    """The reference has used up its budget: the case stays open, which is no failure."""


class Budget:
    """The number of nodes that the reference may still search in this case."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def spend(self, nodes: int = 1) -> None:
        """Count some nodes; SpentError once the budget is used up."""
        self.left -= nodes
        if self.left < 0:
            raise SpentError


def expect(condition: bool, message: str) -> None:
    """Raise MismatchError with the message unless the condition holds."""
    if not condition:
        raise MismatchError(message)


def expect_equal(what: str, found: object, expected: object) -> None:
    """Raise MismatchError unless both are equal; the message quotes the beginning of each."""
    if found != expected:
        raise MismatchError(f"{what} is {short(found)}, reference says {short(expected)}")


def short(value: object) -> str:
    """A value as a message quotes it: on one line, at most 120 characters."""
    text = repr(value)
    return text if len(text) <= 120 else text[:119] + "…"


def shown(cell: int, value: int, size: int) -> str:
    """A move as sudoku people write it.

    >>> shown(13, 7, 4)
    'r4c2=7'
    """
    row, column = divmod(cell, size)
    return f"r{row + 1}c{column + 1}={value}"


@contextmanager
def memory_limit(megabytes: int) -> Iterator[None]:
    """Let the process allocate at most so many more megabytes while the block runs; beyond that is a MemoryError.

    The limit is on the data of the process (RLIMIT_DATA), which only Linux counts; elsewhere there is no limit.
    """
    status = Path("/proc/self/status")
    if sys.platform != "linux" or not status.exists():
        yield
        return
    import resource

    lines = status.read_text().splitlines()
    used = next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:"))
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = used + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
