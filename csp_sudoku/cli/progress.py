"""A progress bar on standard error for work that takes more than a second; it is shown only on a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Time without output after which the bar appears, in seconds."""
CLOSING_S = 0.5
"""Upper bound for the time to remove the bars on Ctrl-C, in seconds."""


class Bar:
    """A counter of the items that are done, with a progress bar.

    The bar appears after one second without output, and disappears while something is printed. rich is imported only
    when the bar appears. If standard error is no terminal, this class only counts.

    `label` names the work on the bar, and `total` is the number of items; None (the default) means that it is unknown.
    """

    def __init__(self, label: str, total: int | None = None) -> None:
        self.label = label
        self.total = total
        self.done = 0
        self.note = ""
        """A text after the amount, such as the standings so far."""
        self._display: Progress | None = None
        self._started = self._quiet_since = time.monotonic()
        self._lock = threading.Lock()
        self._over = threading.Event()

    def step(self, count: int = 1) -> None:
        """Count one more item as done, or `count` of them."""
        self.done += count

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the bar while something is printed, if standard output is a terminal too."""
        if sys.stdout is None or not sys.stdout.isatty():
            yield
            return
        with self._lock:
            self._hide()
            yield
            self._quiet_since = time.monotonic()

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            _open.add(self)
            threading.Thread(target=self._watch, name="progress", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bar permanently."""
        self._over.set()
        with self._lock:
            self._hide()
        _open.discard(self)

    def _watch(self) -> None:
        """Show the bar after the waiting time, and keep it up to date; this is the body of a thread."""
        while not self._over.wait(0.1):
            with self._lock:
                if self._over.is_set():
                    return
                if self._display is not None:
                    self._display.update(self._display.task_ids[0], completed=self.done, note=self.note)
                elif time.monotonic() - self._quiet_since > PATIENCE:
                    self.show()

    def show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        amount = "{task.completed}" if self.total is None else "{task.completed} of {task.total}"
        note = TextColumn("{task.fields[note]}", style="dim", markup=False)
        columns = [TextColumn("{task.description}"), TextColumn(amount), TimeElapsedColumn(), note]
        if self.total is not None and self.total > 1:
            columns.insert(1, BarColumn())
        console = Console(stderr=True)
        self._display = Progress(
            SpinnerColumn(),
            *columns,
            console=console,
            transient=True,
            redirect_stdout=False,
        )
        self._display.add_task(self.label, total=self.total, completed=self.done, note=self.note)
        self._display.tasks[0].start_time = self._started
        _shown.add(self)
        self._display.start()

    def _hide(self) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None
            _shown.discard(self)


_open: set[Bar] = set()
"""The bars that may appear, or are on the screen."""
_shown: set[Bar] = set()
"""The bars on the screen."""


def close_all() -> bool:
    """Remove all bars permanently; return whether a bar was on the screen, since a bar hides the cursor.

    A signal handler calls this. The interrupted thread may hold the lock of a bar, so a separate thread removes the
    bars; the handler waits for it at most CLOSING_S seconds. A bar that remains locked is already being hidden.
    """
    bars, were_shown = list(_open), bool(_shown)

    def close() -> None:
        for bar in bars:
            bar.close()

    for bar in bars:
        bar._over.set()
    if bars:
        closing = threading.Thread(target=close, name="closing", daemon=True)
        closing.start()
        closing.join(CLOSING_S)
    return were_shown
