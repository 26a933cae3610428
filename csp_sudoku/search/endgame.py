"""The end of a game within a turn: all its endings, or those with some of its skips, whichever are valued in time.

What decides is who has the last skip, and which moves kill how many: of thirty moves often one alone wins, and nothing
but all endings tells which. Where there is no time for those of the game, there may be for those of the game without
some pairs of skips that are alike: its best move is not proven to be that of the game, but is so far more often than a
guess.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from csp_sudoku.search.deepening import Deepening, Verdict
from csp_sudoku.search.endings import Endings
from csp_sudoku.search.free_memory import free_bytes
from csp_sudoku.search.pairing import without_pairs

if TYPE_CHECKING:
    from csp_sudoku.search.model import Model

ENDINGS_BYTES = 150_000_000
"""Of endings, for each second of a turn: about a second's work."""

GLIMPSE = 0.02
"""The share of the endings after which it can be told how long the rest of them takes."""

LEAN = 12, 10, 8, 6, 4
"""How many skips may be left when there is no time for all."""


class Endgame:
    """The search for the value of a game in a turn of so many `seconds`, which ends `at` some time of `perf_counter`.

    It has that `share` of the time; what takes longer gives way to the same with fewer skips.
    """

    def __init__(self, model: Model, seconds: float, at: float, share: float) -> None:
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
        """Whether there will be a verdict before the turn is over, as far as is known how long it is."""

    @property
    def has_endings(self) -> bool:
        """Whether there is room for the endings with some skips at least, and no squares are restricted.

        With restricted squares they shorten the search, but leave much of it.
        """
        return not self._is_restricted and self._first[1].count > 0

    def steps(self) -> Iterator[Verdict | None]:
        """None for each slice of a search that has not sufficed, and verdicts: one that knows all skips is the last."""
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

    def _all(self) -> Iterator[tuple[Model, Endings]]:
        """The game and the same with fewer and fewer skips, where there is room; if there is none, without endings."""
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

    def _endings(self, model: Model) -> Endings:
        return Endings(model, min(self._room, free_bytes()))

    def _timed(self, model: Model, endings: Endings) -> Iterator[Verdict | None]:
        """The steps of the search of one of these games, up to its verdict."""
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
        """The seconds until all endings are valued; 0 as long as nobody can tell."""
        if self._valued < GLIMPSE * endings.count or not self._valued:
            return 0.0
        return self._seconds / self._valued * (endings.count - endings.valued) / self._share

    def _left(self) -> float:
        """The seconds that are left of the turn; no end of them if it goes on although it should be over."""
        left = self._at - time.perf_counter()
        return left if left > 0 else float("inf")
