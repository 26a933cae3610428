"""The parts of the peers' models: regions, the candidates that the givens leave, and two encodings of them.

This is the code that a competent user of the peers would write, on plain integers and without csp_sudoku, so that a
mistake of ours can neither help nor harm a peer. For the same reason `is_completion` checks every answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

Cells = Sequence[int]
Candidate = tuple[int, int]
"""A cell and a value that it may take."""


class PeerPuzzle(NamedTuple):
    """The puzzle for a peer: the shape of a block (m rows, n columns) and the cells row by row, 0 for empty."""

    m: int
    n: int
    cells: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number N of values."""
        return self.m * self.n


@cache
def regions(m: int, n: int) -> list[list[int]]:
    """Return the cells of each row, each column and each block."""
    size = m * n
    rows = [[row * size + column for column in range(size)] for row in range(size)]
    columns = [list(cells) for cells in zip(*rows, strict=True)]
    blocks = [
        [row * size + column for row in range(top, top + m) for column in range(left, left + n)]
        for top in range(0, size, m)
        for left in range(0, size, n)
    ]
    return rows + columns + blocks


@cache
def regions_of(m: int, n: int) -> list[list[int]]:
    """Return the numbers of each cell's three regions."""
    return [[number for number, region in enumerate(regions(m, n)) if cell in region] for cell in range((m * n) ** 2)]


@cache
def peers_of(m: int, n: int) -> list[list[int]]:
    """Return, for each cell, the cells that share a region with it."""
    everywhere = regions(m, n)
    return [
        sorted({peer for number in numbers for peer in everywhere[number]} - {cell})
        for cell, numbers in enumerate(regions_of(m, n))
    ]


def candidates(puzzle: PeerPuzzle) -> dict[int, list[int]]:
    """Return the values of each empty cell that no peer holds."""
    cells, peers = puzzle.cells, peers_of(puzzle.m, puzzle.n)
    every_value = frozenset(range(1, puzzle.size + 1))
    return {
        cell: list(every_value.difference([cells[peer] for peer in peers[cell]]))
        for cell, value in enumerate(cells)
        if not value
    }


def completed(puzzle: PeerPuzzle, chosen: Iterable[Candidate]) -> list[int]:
    """Return the cells with the chosen values filled in."""
    cells = list(puzzle.cells)
    for cell, value in chosen:
        cells[cell] = value
    return cells


def clauses(puzzle: PeerPuzzle) -> tuple[list[list[int]], list[Candidate]]:
    """Return the CNF over the candidates, and the candidate of each variable from 1 on.

    Every cell has a value, and every value has a place in each region; clauses on pairs state that there is at most
    one. Without the pairs in a cell, which follow from the other clauses, the SAT solvers are up to ten times slower on
    large boards.
    """
    peers, everywhere = peers_of(puzzle.m, puzzle.n), regions(puzzle.m, puzzle.n)
    found: list[list[int]] = []
    meanings: list[Candidate] = []
    places: list[dict[int, int]] = [{} for _ in range(puzzle.size + 1)]
    for cell, values in candidates(puzzle).items():
        literals = []
        for value in values:
            meanings.append((cell, value))
            places[value][cell] = len(meanings)
            literals.append(len(meanings))
        found.append(literals)
        found += [[-first, -second] for first, second in combinations(literals, 2)]
    for value in range(1, puzzle.size + 1):
        variables, holders = places[value], _holders(puzzle, value)
        for number, region in enumerate(everywhere):
            if number not in holders:
                found.append([variables[cell] for cell in region if cell in variables])
        for cell, variable in variables.items():
            found += [[-variable, -variables[peer]] for peer in peers[cell] if peer > cell and peer in variables]
    return found, meanings


def _holders(puzzle: PeerPuzzle, value: int) -> set[int]:
    """Return the regions in which the value is given."""
    numbers = regions_of(puzzle.m, puzzle.n)
    return {number for cell, given in enumerate(puzzle.cells) if given == value for number in numbers[cell]}


def exact_cover(puzzle: PeerPuzzle) -> tuple[list[list[int]], int, list[Candidate]]:
    """Return the exact cover over the candidates: the items and the candidate of each option, and the number of items.

    An item is an empty cell, or a value that a region lacks; items are numbered from 0.
    """
    numbers = regions_of(puzzle.m, puzzle.n)
    count = 3 * puzzle.size
    index: dict[int, int] = {}
    for value in range(1, puzzle.size + 1):
        for number in set(range(count)) - _holders(puzzle, value):
            index[value * count + number] = len(index)
    options: list[list[int]] = []
    meanings: list[Candidate] = []
    items = len(index)
    for cell, values in candidates(puzzle).items():
        row, column, block = numbers[cell]
        for value in values:
            base = value * count
            options.append([items, index[base + row], index[base + column], index[base + block]])
            meanings.append((cell, value))
        items += 1
    return options, items, meanings


def is_completion(answer: Cells, puzzle: PeerPuzzle) -> bool:
    """Return whether the answer keeps the givens and has every value once in each region."""
    values = set(range(1, puzzle.size + 1))
    return (
        len(answer) == len(puzzle.cells)
        and all(given in (0, value) for given, value in zip(puzzle.cells, answer, strict=True))
        and all({answer[cell] for cell in region} == values for region in regions(puzzle.m, puzzle.n))
    )


def warm_up(m: int, n: int) -> PeerPuzzle:
    """Return an easy board of this shape for warming up: a full grid without its 1s and 2s."""
    size = m * n
    full = (
        (row % m * n + row // m + column) % size + 1 for row in range(size) for column in range(size)
    )  # each row is the first, shifted; rows of a band by n
    return PeerPuzzle(m, n, tuple(value if value > 2 else 0 for value in full))
