"""Two solvers of the earlier systems in plain Python, to show the scale: they use lists, dicts and sets only.

`csp_sudoku` has the same algorithms compiled: `exact-cover`, and the preset `single-guess`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from .models import Cells, PeerPuzzle, completed, exact_cover, regions, regions_of

DEEP = 10_000
"""The recursion limit; a 25×25 board needs more than Python's default."""


class AlgorithmX:
    """The idea of 002: Knuth's Algorithm X with dicts of sets instead of links, by the item with the fewest options.

    D. E. Knuth, Dancing links, 2000.
    """

    def __init__(self, puzzle: PeerPuzzle) -> None:
        self.puzzle = puzzle
        self.items_of, count, self.meanings = exact_cover(puzzle)
        self.options_of: dict[int, set[int]] = {item: set() for item in range(count)}
        for option, items in enumerate(self.items_of):
            for item in items:
                self.options_of[item].add(option)
        self.nodes = 0

    def __call__(self) -> Cells | None:
        """Return the values of a solution, or None."""
        sys.setrecursionlimit(max(DEEP, sys.getrecursionlimit()))
        chosen: list[int] = []
        if not self._search(chosen):
            return None
        return completed(self.puzzle, [self.meanings[option] for option in chosen])

    def _search(self, chosen: list[int]) -> bool:
        """Choose options until no item is left; return whether that succeeds."""
        if not self.options_of:
            return True
        item = min(self.options_of, key=lambda each: len(self.options_of[each]))
        for option in list(self.options_of[item]):
            self.nodes += 1
            chosen.append(option)
            covered = self._cover(option)
            if self._search(chosen):
                return True
            self._uncover(option, covered)
            chosen.pop()
        return False

    def _cover(self, option: int) -> list[set[int]]:
        """Remove the items of an option, and all other options that have one of them."""
        covered = []
        for item in self.items_of[option]:
            rivals = self.options_of.pop(item)
            for rival in rivals:
                for other in self.items_of[rival]:
                    if other in self.options_of:
                        self.options_of[other].discard(rival)
            covered.append(rivals)
        return covered

    def _uncover(self, option: int, covered: list[set[int]]) -> None:
        """Restore the removed items and options, the last one first."""
        for item in reversed(self.items_of[option]):
            rivals = covered.pop()
            for rival in rivals:
                for other in self.items_of[rival]:
                    if other in self.options_of:
                        self.options_of[other].add(rival)
            self.options_of[item] = rivals


class SinglesAndGuess:
    """The idea of 001: fill cells with one value left until there are none, then guess the first empty cell."""

    def __init__(self, puzzle: PeerPuzzle) -> None:
        size = puzzle.size
        self.cells = list(puzzle.cells)
        self.regions_of = regions_of(puzzle.m, puzzle.n)
        self.missing = [
            set(range(1, size + 1)) - {self.cells[cell] for cell in region} for region in regions(puzzle.m, puzzle.n)
        ]
        self.random = Random(1)
        self.nodes = 0

    def __call__(self) -> Cells | None:
        """Return the values of a solution, or None."""
        sys.setrecursionlimit(max(DEEP, sys.getrecursionlimit()))
        return self.cells if self._search() else None

    def _values(self, cell: int) -> set[int]:
        row, column, block = self.regions_of[cell]
        return self.missing[row] & self.missing[column] & self.missing[block]

    def _set(self, cell: int, value: int) -> None:
        self.cells[cell] = value
        for region in self.regions_of[cell]:
            self.missing[region].remove(value)

    def _clear(self, cell: int) -> None:
        for region in self.regions_of[cell]:
            self.missing[region].add(self.cells[cell])
        self.cells[cell] = 0

    def _search(self) -> bool:
        """Fill the board and return True; if that is impossible, restore it and return False."""
        filled: list[int] = []
        first = self._fill_singles(filled)
        if first is None:
            return True
        values = list(self._values(first))
        self.random.shuffle(values)
        for value in values:
            self.nodes += 1
            self._set(first, value)
            if self._search():
                return True
            self._clear(first)
        for cell in filled:
            self._clear(cell)
        return False

    def _fill_singles(self, filled: list[int]) -> int | None:
        """Fill the cells with one value left; return the first cell that is still empty, or None if there is none.

        A cell without any value left is returned at once.
        """
        while True:
            first = single = None
            for cell, held in enumerate(self.cells):
                if held:
                    continue
                values = self._values(cell)
                if not values:
                    return cell
                if len(values) == 1:
                    single = cell, values.pop()
                    break
                first = cell if first is None else first
            if single is None:
                return first
            self._set(*single)
            filled.append(single[0])


class Plain(NamedTuple):
    """A plain solver: its label in the tables, and its loader, which works in two steps like those of the peers."""

    label: str
    load: Callable[[], Callable[[PeerPuzzle], Callable[[], Cells | None]]]


PLAIN: Mapping[str, Plain] = {
    "algorithm-x": Plain("Algorithm X on dicts, Python", lambda: AlgorithmX),
    "singles-and-guess": Plain("naked singles and guessing, Python", lambda: SinglesAndGuess),
}
