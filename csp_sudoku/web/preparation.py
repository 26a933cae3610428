"""The kernels that questions need: compiled before the time of a question begins, so no answer is late because of it.

Kernels are compiled once for a computer, which takes about a minute. The server begins with that when it starts. A
question that comes meanwhile waits for the groups of kernels that it needs, and reports how far the work is.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import TYPE_CHECKING

from csp_sudoku.errors import UndecidedError

if TYPE_CHECKING:
    from csp_sudoku.web.workers import Job

EVERYTHING = "champion"
"""The player that needs all kernels that any question needs."""
LOOK_S = 0.2
"""Time between two looks at how far the compilation is, in seconds."""


class Preparation:
    """Compiles kernels, and loads them into this process."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._loading = threading.Lock()
        self._loaded: set[str] = set()

    def begin(self) -> None:
        """Begin to compile all kernels that the cache lacks, in processes of their own."""
        self._thread = threading.Thread(target=self._compile, name="compile kernels", daemon=True)
        self._thread.start()

    def wait(self, names: Collection[str], job: Job) -> None:
        """Wait until the kernels of `names` (keys of `csp_sudoku.warm_up.NEEDS`) are in this process.

        The job reports how many groups are compiled. UndecidedError if it is cancelled meanwhile.
        """
        from csp_sudoku.warm_up import compile_group, is_ready, needed

        if not names:
            return
        groups = [group for group in needed(names) if group not in self._loaded]
        while self._thread is not None and self._thread.is_alive():
            missing = [group for group in groups if not is_ready(group)]
            if not missing:
                break
            done = len(groups) - len(missing)
            job.report_waiting(f"Preparing the search for this computer, once: {done} of {len(groups)} parts …")
            self._thread.join(LOOK_S)
            if job.is_cancelled:
                raise UndecidedError("expected to prepare the search; found it cancelled")
        for group in groups:
            with self._loading:
                if group not in self._loaded:
                    compile_group(group)
                    self._loaded.add(group)

    def _compile(self) -> None:
        from csp_sudoku.warm_up import WarmUpError, prepare

        try:
            prepare([EVERYTHING])
        except WarmUpError:  # then each question compiles what it needs, and says why that fails
            return
