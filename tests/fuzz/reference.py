"""The slow references: completions, moves and pencil techniques by the definition of sudoku, within a budget of nodes.

A board is a list of regions (each a list of N cells) and a list of values, 0 for an empty cell. Nothing here uses the
geometry tables, the solvers or the boards of the product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from tests.fuzz.case import Budget

Regions = Sequence[Sequence[int]]
Pair = tuple[int, int]
"""A cell and a value."""


def completions(
    regions: Regions, cells: Sequence[int], budget: Budget, random: Random | None = None
) -> Iterator[tuple]:
    """Every completion, in a random order if requested: each value in turn in an empty cell with the fewest values."""
    grid, whole = list(cells), (2 << len(regions[0])) - 2
    regions_of = [[number for number, region in enumerate(regions) if cell in region] for cell in range(len(grid))]
    held = [0] * len(regions)
    for number, region in enumerate(regions):
        for cell in region:
            if grid[cell] and held[number] >> grid[cell] & 1:
                return  # a clash
            held[number] |= 1 << grid[cell] if grid[cell] else 0

    def put(cell: int, value: int) -> None:
        grid[cell] = value
        for number in regions_of[cell]:
            held[number] |= 1 << value

    def take(cell: int) -> None:
        for number in regions_of[cell]:
            held[number] &= ~(1 << grid[cell])
        grid[cell] = 0

    def choices() -> tuple[int, list[int]]:
        """An empty cell with the fewest possible values, and these."""
        best, fewest = -1, whole
        for cell, value in enumerate(grid):
            if not value:
                mask = whole
                for number in regions_of[cell]:
                    mask &= ~held[number]
                if best < 0 or mask.bit_count() < fewest.bit_count():
                    best, fewest = cell, mask
        values = [value for value in range(1, len(regions[0]) + 1) if fewest >> value & 1]
        return best, random.sample(values, len(values)) if random else values

    path: list[tuple[int, list[int]]] = []  # the cells that are filled, and the values still to be tried in them
    while True:
        budget.spend()
        cell, values = choices()
        if cell < 0:
            yield tuple(grid)
        else:
            path.append((cell, values))
        while path:
            cell, values = path[-1]
            if grid[cell]:
                take(cell)
            if values:
                put(cell, values.pop(0))
                break
            path.pop()
        else:
            return


def is_solution(regions: Regions, cells: Sequence[int], given: Sequence[int]) -> bool:
    """Whether every region holds each value once, and the given values are there."""
    whole = list(range(1, len(regions[0]) + 1))
    kept = len(cells) == len(given) and all(old in (0, new) for old, new in zip(given, cells, strict=True))
    return kept and all(sorted(cells[cell] for cell in region) == whole for region in regions)


def first_solution(regions: Regions, cells: Sequence[int], budget: Budget) -> tuple | None:
    """A completion, or None."""
    return next(completions(regions, cells, budget), None)


def some_solutions(regions: Regions, cells: Sequence[int], most: int, budget: Budget) -> list[tuple]:
    """The completions, at most so many."""
    return list(islice(completions(regions, cells, budget), most))


def with_values(cells: Sequence[int], pairs: Sequence[Pair]) -> list[int]:
    """The values with some more."""
    grid = list(cells)
    for cell, value in pairs:
        grid[cell] = value
    return grid


def candidates(regions: Regions, cells: Sequence[int], cell: int) -> list[int]:
    """The values that no cell of a region of this cell holds."""
    seen = {cells[other] for region in regions if cell in region for other in region}
    return [value for value in range(1, len(regions[0]) + 1) if value not in seen]


def legal_moves(regions: Regions, cells: Sequence[int]) -> set[Pair]:
    """Every move that clashes with nothing."""
    empty = [cell for cell, value in enumerate(cells) if not value]
    return {(cell, value) for cell in empty for value in candidates(regions, cells, cell)}


def safe_moves(regions: Regions, cells: Sequence[int], budget: Budget) -> set[Pair]:
    """The legal moves after which there is a completion: each that no completion so far has shown is searched for."""
    safe: set[Pair] = set()
    for move in sorted(legal_moves(regions, cells)):
        if move not in safe:
            solution = first_solution(regions, with_values(cells, [move]), budget)
            if solution is not None:
                safe |= {(cell, value) for cell, value in enumerate(solution) if not cells[cell]}
            elif not safe and first_solution(regions, cells, budget) is None:
                return set()  # the board has no completion at all, so no move has one
    return safe


def left_by_singles(regions: Regions, cells: Sequence[int], *, hidden: bool) -> int | None:
    """How many cells stay empty when naked singles (and hidden ones) are filled for as long as there are any.

    None if a cell is left without a value, or, with hidden singles, a value without a place in a region.
    """
    grid = list(cells)
    while True:
        empty = {cell: candidates(regions, grid, cell) for cell, value in enumerate(grid) if not value}
        if any(not values for values in empty.values()):
            return None
        singles = [(cell, values[0]) for cell, values in empty.items() if len(values) == 1]
        if hidden:
            for region in regions:
                for value in set(range(1, len(region) + 1)) - {grid[cell] for cell in region}:
                    places = [cell for cell in region if value in empty.get(cell, ())]
                    if not places:
                        return None
                    singles += [(places[0], value)] if len(places) == 1 else []
        if not singles:
            return len(empty)
        for cell, value in singles[:1]:
            grid[cell] = value
