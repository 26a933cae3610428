"""Runs several searches alternately, and gives each its share of the time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.compiled.loading import loading_seconds

if TYPE_CHECKING:
    from csp_sudoku.search.filling.deepening import SearchResult


@dataclass(slots=True)
class SharedSearch:
    """One of the searches that share the time."""

    name: str
    """The name of the search."""
    steps: Iterator[SearchResult | None]
    """The slices of the search; each yields a verdict, or None if it has found nothing new."""
    share: float
    """The weight of the search: it gets time in proportion to this number."""
    seconds: float = 0.0
    """The time that the search has used so far, in seconds, without compiling and loading its kernels."""


def by_turns(turns: list[SharedSearch]) -> Iterator[tuple[str, SearchResult | None]]:
    """Run slices of the searches alternately, and yield the name of the search and its result after each slice.

    The next slice goes to the search that is furthest behind its share. A search leaves the list when it ends, and the
    loop ends when the list is empty. The caller may change shares and remove searches from the list in between.
    """
    while turns:
        turn = min(turns, key=lambda each: each.seconds / each.share)
        begun = time.perf_counter() - loading_seconds()
        for found in turn.steps:
            turn.seconds += time.perf_counter() - loading_seconds() - begun
            yield turn.name, found
            break
        else:
            turns.remove(turn)
