"""Borrowing: the record of a search is large, so later searches reuse it when the search is over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_SPARE = 8
"""Maximum number of unused records of one kind to keep; each may take tens of megabytes."""


class Borrowed:
    """A record for a search, borrowed for as long as this object lives.

    The record comes from the list `spare`, or from `make` if the list is empty; at the end it goes back to the list.
    """

    def __init__(self, spare: list[np.ndarray], make: Callable[[], np.ndarray]) -> None:
        self.record = spare.pop() if spare else make()
        self._spare = spare

    def __del__(self) -> None:
        if hasattr(self, "_spare") and len(self._spare) < MOST_SPARE:  # `make` may have failed for lack of memory
            self._spare.append(self.record)
