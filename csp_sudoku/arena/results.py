"""Results: the summaries of many games by their places in a schedule, in 33 bytes each.

A match may have a million games, and a Python object for each would take ten times as much memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from csp_sudoku.arena.failures import NO_FAILURES, GameFailures
from csp_sudoku.arena.scheduled_game import GameSummary

_NONE = 3
"""The mark of a place whose game is not finished, where twice the score of another one stands."""
_COUNTS = 4
"""The numbers of a game: the points and the skips of both players."""


class Results:
    """The summaries of the games that are finished, by their places in a schedule.

    >>> results = Results()
    >>> results[2] = GameSummary(0.5, (7, 7), (1, 0))
    >>> 2 in results, 1 in results, len(results), results[2].points, list(results)
    (True, False, 1, (7, 7), [2])
    """

    def __init__(self) -> None:
        self._halves = bytearray()
        self._counts = array("q")
        self._failures: dict[int, tuple[GameFailures, GameFailures]] = {}
        self._kinds: dict[tuple[GameFailures, GameFailures], tuple[GameFailures, GameFailures]] = {}
        """Equal failures are one object: a player that fails in each game often fails in the same way."""
        self._finished = 0

    def __setitem__(self, place: int, summary: GameSummary) -> None:
        missing = place + 1 - len(self._halves)
        if missing > 0:
            self._halves.extend(bytes([_NONE]) * missing)
            self._counts.extend([0] * (_COUNTS * missing))
        self._finished += self._halves[place] == _NONE
        self._halves[place] = round(2 * summary.score)
        self._counts[_COUNTS * place : _COUNTS * (place + 1)] = array("q", (*summary.points, *summary.skips))
        self._failures.pop(place, None)
        if any(failures != NO_FAILURES for failures in summary.failures):
            self._failures[place] = self._kinds.setdefault(summary.failures, summary.failures)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and 0 <= place < len(self._halves) and self._halves[place] != _NONE

    def __getitem__(self, place: int) -> GameSummary:
        if place not in self:
            raise KeyError(place)
        ours, theirs, our_skips, their_skips = self._counts[_COUNTS * place : _COUNTS * (place + 1)]
        failures = self._failures.get(place, (NO_FAILURES, NO_FAILURES))
        return GameSummary(self._halves[place] / 2, (ours, theirs), (our_skips, their_skips), failures)

    def score(self, place: int) -> float:
        """Return the score of a finished game."""
        return self._halves[place] / 2

    def totals(self, end: int) -> tuple[int, int, int, int]:
        """Return the sums of the points and of the skips of both players, over the places before `end`."""
        ours, theirs, our_skips, their_skips = (
            sum(self._counts[kind : _COUNTS * end : _COUNTS]) for kind in range(_COUNTS)
        )
        return ours, theirs, our_skips, their_skips

    def failed(self) -> Iterator[tuple[int, tuple[GameFailures, GameFailures]]]:
        """Yield the places of the games in which a player has failed, in order, with the failures of both."""
        yield from sorted(self._failures.items())

    def __len__(self) -> int:
        return self._finished

    def __iter__(self) -> Iterator[int]:
        """Yield the places of the finished games, in order."""
        return (place for place, half in enumerate(self._halves) if half != _NONE)

    @property
    def end(self) -> int:
        """The place after the last finished game."""
        return len(self._halves)
