"""On Ctrl-C the program prints one line and exits with code 130 at once, even if its threads are busy."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from csp_sudoku.cli.codes import INTERRUPTED

SHOW_CURSOR = b"\x1b[?25h"
CLEAR_LINE = b"\r\x1b[K"
INTERRUPTION = b"interrupted\n"
"""The message on standard error."""
COMPILING = "compile "
"""The prefix of the names of threads that compile kernels."""


def obey_interrupts() -> None:
    """End the process on Ctrl-C, unless the parent process has set SIGINT to be ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    owner = os.getpid()

    def end(signal_number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - the signature of a handler
        """Exit without waiting: printed results are flushed already, and worker threads may be busy for seconds."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if os.getpid() == owner:  # A worker process that was forked with this handler skips this.
            with suppress(Exception):
                _end_workers()
            with suppress(Exception):
                sys.stdout.flush()
            with suppress(Exception):
                begin_line()
            with suppress(OSError):
                os.write(2, INTERRUPTION)
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt instead of ending the process; a second Ctrl-C does nothing.

    If the parent process has set SIGINT to be ignored, it stays ignored. Outside the main thread nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    if before in (None, signal.SIG_IGN) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def on_interrupt(stop: Callable[[], object]) -> Iterator[None]:
    """On Ctrl-C, call `stop` instead of ending the process, so that the block can end soon and properly.

    A second Ctrl-C acts as outside the block, and so does one during the compilation of a kernel, which cannot be
    stopped. If the parent process has set SIGINT to be ignored, it stays ignored. Outside the main thread nothing
    changes.
    """
    before = signal.getsignal(signal.SIGINT)
    if before in (None, signal.SIG_IGN) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(signal_number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        if callable(before) and any(thread.name.startswith(COMPILING) for thread in threading.enumerate()):
            before(signal_number, frame)
        else:
            stop()

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def begin_line() -> None:
    """Go to the beginning of an empty line of the terminal, so that a message does not continue another line.

    This removes the progress bars permanently, and the ^C that the terminal shows. Without a terminal nothing is
    written.
    """
    progress = sys.modules.get("csp_sudoku.cli.progress")
    was_hidden = progress is not None and progress.close_all()
    terminal = next((stream for stream in (2, 1) if os.isatty(stream)), None)
    if terminal is not None:
        os.write(terminal, CLEAR_LINE + (SHOW_CURSOR if was_hidden else b""))


def _end_workers() -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for worker in multiprocessing.active_children():
            worker.kill()
