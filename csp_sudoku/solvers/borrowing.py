"""Borrowing: what a search works in is large, so it is used again when that search is over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_SPARE = 8
"""Records that wait to be used again, of a kind; each may take tens of megabytes."""


class Borrowed:
    """A record to search in, for as long as this object lives: a spare one, or a new one."""

    def __init__(self, spare: list[np.ndarray], make: Callable[[], np.ndarray]) -> None:
        self.record = spare.pop() if spare else make()
        self._spare = spare

    def __del__(self) -> None:
        if hasattr(self, "_spare") and len(self._spare) < MOST_SPARE:  # without memory for a record there is none
            self._spare.append(self.record)
