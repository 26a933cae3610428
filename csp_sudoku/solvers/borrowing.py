"""Borrowing: what a search works in is large, so it is used again when that search is over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


class Borrowed:
    """A record to search in, for as long as this object lives: a spare one, or a new one."""

    def __init__(self, spare: list[np.ndarray], make: Callable[[], np.ndarray]) -> None:
        self.record = spare.pop() if spare else make()
        self._spare = spare

    def __del__(self) -> None:
        self._spare.append(self.record)
