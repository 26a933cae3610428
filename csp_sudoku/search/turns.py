"""Searches that take turns, each with its share of the time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csp_sudoku.search.deepening import Verdict


@dataclass(slots=True)
class Turn:
    """A search that takes part: what it has found comes slice by slice."""

    name: str
    steps: Iterator[Verdict | None]
    share: float
    """How much time it gets, compared with the others."""
    seconds: float = 0.0
    """How much it has had."""


def by_turns(turns: list[Turn]) -> Iterator[tuple[str, Verdict | None]]:
    """What each search has found, and which it was, as long as there are some; whoever asks may take out some."""
    while turns:
        turn = min(turns, key=lambda each: each.seconds / each.share)
        begun = time.perf_counter()
        for found in turn.steps:
            turn.seconds += time.perf_counter() - begun
            yield turn.name, found
            break
        else:
            turns.remove(turn)
