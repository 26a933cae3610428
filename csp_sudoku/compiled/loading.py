"""The time that a thread spends on compiling and loading kernels, which does not count towards limits and timings.

Code that compiles or loads a kernel runs inside a `loading()` block. A `Deadline` and a `Stopwatch` exclude the time
that their own thread has spent in such blocks since they started. This costs them only an addition.
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
    """Return the time that this thread has spent on compiling and loading so far, in seconds."""
    return _spent.seconds


@contextmanager
def loading() -> Iterator[None]:
    """Count the time of a block as loading."""
    started = time.perf_counter()
    before = _spent.seconds
    try:
        yield
    finally:
        _spent.seconds = before + time.perf_counter() - started  # includes the time of nested blocks


class _Compiled:
    seconds = 0.0


_compiled = _Compiled()


def compiling_seconds() -> float:
    """Return the time that all threads of this process have waited for kernels that no cache had, in seconds."""
    return _compiled.seconds


def add_compiling(seconds: float) -> None:
    """Count time that a thread has waited for kernels to be compiled, in seconds."""
    _compiled.seconds += seconds


class Stopwatch:
    """Measures time without compiling and loading, and the time of compiling and loading.

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
        return time.perf_counter() - self._started - self.loading_seconds()

    def loading_seconds(self) -> float:
        """Return the time that this thread has spent on compiling and loading since the stopwatch was made."""
        return _spent.seconds - self._loaded
