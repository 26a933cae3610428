"""The time that compiling and loading took, which no limit and no figure contains.

Whatever compiles a kernel or loads it does so inside `loading()`. A `Deadline` and a `Stopwatch` leave out what their
own thread spent there since they were started. Like every look at the clock this is cheap: an addition.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class _Spent(threading.local):
    seconds = 0.0


_spent = _Spent()


def loading_seconds() -> float:
    """Return how long this thread has compiled and loaded so far, in seconds."""
    return _spent.seconds


@contextmanager
def loading() -> Iterator[None]:
    """Count the time of a block as loading."""
    started = time.perf_counter()
    before = _spent.seconds
    try:
        yield
    finally:
        _spent.seconds = before + time.perf_counter() - started  # what a block inside this one has added is part of it


class Stopwatch:
    """Measures time without compiling and loading.

    >>> stopwatch = Stopwatch()
    >>> with loading():
    ...     time.sleep(0.2)
    >>> stopwatch.seconds() < 0.2
    True
    """

    __slots__ = ("_loaded", "_started")

    def __init__(self) -> None:
        self._started, self._loaded = time.perf_counter(), _spent.seconds

    def seconds(self) -> float:
        """Return the time since the stopwatch was made, in seconds."""
        return time.perf_counter() - self._started - (_spent.seconds - self._loaded)
