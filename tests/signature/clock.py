"""A virtual clock and a fixed amount of memory, so that players that plan by both do the same on every machine.

The clock stands still between two looks, and each look moves it by a tick. So a turn of so many seconds is a turn of so
many looks. A look that only measures how long something took, for a figure that accompanies an answer, does not move
the clock: such looks may come and go without changing what a player does.

The clock also ends turns, as the arena does: a look that comes after the end of a turn raises `TurnEndError`.

`install` must be called before `csp_sudoku` is imported, for modules that import `perf_counter` by its name keep what
they imported.
"""

from __future__ import annotations

import math
import sys
import time
from contextlib import contextmanager
from pathlib import Path

TICKS_PER_SECOND = 1024
"""A power of two, so that sums and differences of times are exact."""

OURS = ("csp_sudoku", "agents")
"""The top-level packages whose looks are answered by the virtual clock; all others get the true time."""

MEASURING = (
    *("csp_sudoku.compiled", "csp_sudoku.solvers", "csp_sudoku.moves"),
    *("csp_sudoku.puzzles.explain", "csp_sudoku.puzzles.smallest"),
)
"""Packages that read the clock only to measure, except in deadlines."""

FREE_BYTES = 1 << 28
"""The memory that the product believes to be free, in bytes."""

_ticks = 0
_end: int | None = None


class TurnEndError(BaseException):
    """The turn is over: raised by a look at the clock. No `except Exception` of a player may take it."""


def install() -> None:
    """Replace the clocks of the module `time` for our packages."""
    if any(name.partition(".")[0] == OURS[0] for name in sys.modules):
        raise RuntimeError("expected the clock to be replaced before csp_sudoku is imported")
    for name in ("perf_counter", "monotonic", "time", "process_time"):
        setattr(time, name, _clock(getattr(time, name)))
    time.sleep = _sleeper(time.sleep)


def prepare() -> None:
    """Fix the memory that seems free: the product finds no file about it, and falls back to a constant.

    RuntimeError if that has no effect, or if the looks of a deadline do not move the clock, which would never pass.
    """
    from csp_sudoku.search import free_memory
    from csp_sudoku.solvers.base import Deadline

    deadline = Deadline(10 / TICKS_PER_SECOND)
    if not any(deadline.passed() for _ in range(100)):
        raise RuntimeError("expected the looks of a deadline to move the clock; see MEASURING")
    free_memory.PROCESS = free_memory.GROUPS = Path("/nonexistent")
    free_memory.UNTOLD = 2 * FREE_BYTES
    if free_memory.free_bytes() != FREE_BYTES:
        raise RuntimeError(f"expected {FREE_BYTES} free bytes; found {free_memory.free_bytes()}")


@contextmanager
def turn(seconds):
    """End the work in this block at the first reading of the clock after this many virtual seconds."""
    global _end  # noqa: PLW0603 - there is one time
    _end = _ticks + round(seconds * TICKS_PER_SECOND)
    try:
        yield
    except TurnEndError:
        pass
    finally:
        _end = None


def _clock(true):
    """A clock for our packages, separate from the real one."""

    def look():
        global _ticks, _end  # noqa: PLW0603 - there is one time
        frame = sys._getframe(1)
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in OURS:
            return true()
        if not module.startswith(MEASURING) or frame.f_code.co_qualname.startswith("Deadline."):
            _ticks += 1
        if _end is not None and _ticks > _end:
            _end = None
            raise TurnEndError
        return _ticks / TICKS_PER_SECOND

    return look


def _sleeper(true):
    """A `sleep` that moves the virtual clock for our packages, and waits for all others."""

    def sleep(seconds):
        global _ticks  # noqa: PLW0603 - there is one time
        if sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] not in OURS:
            true(seconds)
        else:
            _ticks += math.ceil(seconds * TICKS_PER_SECOND)

    return sleep
