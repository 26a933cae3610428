"""Solves the end of a game within a turn, by the values of all its endings or of the endings with some of its skips.

Such a game depends on who uses the last skip, and so on the number of skips that each move kills. Often only one of
thirty moves wins, and only the values of all endings show which one. If there is no time for all endings of the game,
there may be time for the endings of the same game without some pairs of similar skips. The best move of that smaller
game is not proven to be the best move of the whole game, but far more often than the estimate it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening, SearchResult
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.search.free_memory import free_bytes

if TYPE_CHECKING:
    from csp_sudoku.search.filling.model import FillingModel

ENDINGS_BYTES = 150_000_000
"""Upper bound on the memory of the endings per second of a turn, in bytes. Filling that much takes about a second."""

GLIMPSE = 0.02
"""Share of the endings that is valued before the search predicts the time for the rest."""

LEAN = 12, 10, 8, 6, 4
"""The numbers of skips to try, in this order, if time or memory does not suffice for all skips."""


class Endgame:
    """The search for the value of a filling game, the `model`, within one turn.

    The turn takes `seconds` in all and ends when `time.perf_counter()` reaches `at`. The search gets the `share` of the
    time of the turn, from 0 to 1. If the endings of the game would take longer, the search continues with the same game
    with fewer skips.
    """

    def __init__(self, model: FillingModel, seconds: float, at: float, share: float) -> None:
        self._model = model
        self._at = at
        self._share = share
        self._is_restricted = bool(model.games[0]["restricted"])
        self._room = int(seconds * ENDINGS_BYTES)
        self._whole = self._endings(model)
        self._rest = self._all()
        self._first = next(self._rest)
        self._valued = 0
        self._seconds = 0.0
        self.is_in_time = True
        """Whether the search expects a verdict before the turn ends, if `seconds` is the length of the turn."""

    @property
    def has_endings(self) -> bool:
        """Whether the game is not restricted, and the endings fit into memory at least with some of the skips.

        In a restricted game, endings shorten the search only a little.
        """
        return not self._is_restricted and self._first[1].count > 0

    def steps(self) -> Iterator[SearchResult | None]:
        """Yield the verdict of each game that is tried, and None for each slice that finds no verdict.

        A verdict with fewer skips than the game has is marked as not exact.
        """
        given_up = []
        for model, endings in chain([self._first], self._rest):
            if self._needs(endings) > self._left():
                continue
            steps = self._timed(model, endings)
            verdict = None
            while verdict is None and self._needs(endings) <= self._left():
                yield (verdict := next(steps))
            if verdict is not None:
                break
            given_up.append(steps)
        self.is_in_time = False
        for steps in reversed(given_up):
            yield from steps

    def _all(self) -> Iterator[tuple[FillingModel, Endings]]:
        """Yield the game, then the game with fewer and fewer skips, each with its endings if they fit into memory.

        If no endings fit into memory, yield the game without endings.
        """
        has_any = self._whole.count > 0
        if has_any:
            yield self._model, self._whole
        live = int(self._model.position[1]).bit_count()
        for skips in LEAN if self._whole.has_room and not self._is_restricted else ():
            if skips < live and (endings := self._endings(lean := without_pairs(self._model, skips)[0])).count:
                has_any = True
                yield lean, endings
        if not has_any:
            yield self._model, self._whole

    def _endings(self, model: FillingModel) -> Endings:
        return Endings(model, min(self._room, free_bytes()))

    def _timed(self, model: FillingModel, endings: Endings) -> Iterator[SearchResult | None]:
        """Yield the steps of the search of one of these games up to its verdict, and time the endings."""
        steps = Deepening(model, endings=endings).proof()
        verdict = None
        while verdict is None:
            begun, before = time.perf_counter(), endings.valued
            verdict = next(steps)
            if endings.valued > before:
                self._seconds += time.perf_counter() - begun
                self._valued += endings.valued - before
            yield verdict and (verdict if model is self._model else replace(verdict, is_exact=False))

    def _needs(self, endings: Endings) -> float:
        """The predicted time until all endings are valued, in seconds; 0 until enough of them are valued to predict."""
        if self._valued < GLIMPSE * endings.count or not self._valued:
            return 0.0
        return self._seconds / self._valued * (endings.count - endings.valued) / self._share

    def _left(self) -> float:
        """The time that is left of the turn, in seconds; infinite if the turn lasts longer than expected."""
        left = self._at - time.perf_counter()
        return left if left > 0 else float("inf")
