"""What tests share: random boards with planted solutions, an independent verifier, and an obviously right count.

Nothing here uses the geometry tables or the solvers that it is to check.
"""

from __future__ import annotations

from random import Random

import pytest

from csp_sudoku.board import Board
from csp_sudoku.geometry import shapes

SHAPES = list(shapes())
VARIED_SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (4, 4), (2, 12), (5, 5)]
"""Shapes of each kind and size: usual tests check a property on these, the slow tests on all shapes."""
SMALL_SHAPES = [(m, n) for m, n in SHAPES if m * n <= 6]


def most_slow(cases, quick, *, is_one_argument=False):
    """Return the cases as parameters of a test, those that are not among the quick ones marked as slow."""
    return [
        pytest.param(*([case] if is_one_argument else case), marks=[] if case in quick else [pytest.mark.slow])
        for case in cases
    ]


def pattern(m, n, random):
    """A full grid: the cyclic pattern, relabelled, with rows, columns, bands and stacks permuted."""
    size = m * n
    labels = random.sample(range(1, size + 1), size)
    rows = [band * m + r for band in random.sample(range(n), n) for r in random.sample(range(m), m)]
    columns = [stack * n + c for stack in random.sample(range(m), m) for c in random.sample(range(n), n)]
    return [[labels[(r % m * n + r // m + c) % size] for c in columns] for r in rows]


def planted(m, n, random, share=0.5):
    """A board with a known solution: (board, solution), where about `share` of the cells are empty."""
    full = [value for row in pattern(m, n, random) for value in row]
    cells = [0 if random.random() < share else value for value in full]
    return Board((m, n), cells), Board((m, n), full)


def perturbed(m, n, random, share=0.5):
    """A board without clashes that may or may not have a solution: a planted one with a few values replaced."""
    board, _ = planted(m, n, random, share)
    for _ in range(random.randint(1, 4)):
        cell = random.randrange((m * n) ** 2)
        board = board.without([cell])
        row, column = divmod(cell, m * n)
        options = board.candidates(row, column)
        if options:
            board = board.place(row, column, random.choice(options))
    return board


def is_solution_of(solution, board):
    """Whether a full board is a completion of another, by the definition of sudoku."""
    m, n, size = board.m, board.n, board.m * board.n
    grid = [list(solution.cells[i * size : (i + 1) * size]) for i in range(size)]
    whole = set(range(1, size + 1))
    rows_and_columns = all(set(line) == whole for line in [*grid, *zip(*grid, strict=True)])
    blocks = all(
        {grid[top + r][left + c] for r in range(m) for c in range(n)} == whole
        for top in range(0, size, m)
        for left in range(0, size, n)
    )
    kept = all(given in (0, value) for given, value in zip(board.cells, solution.cells, strict=True))
    return rows_and_columns and blocks and kept


def count_by_force(board, up_to=10**9):
    """The number of completions, by trying every value in every empty cell."""
    m, n, size = board.m, board.n, board.m * board.n
    grid = [list(board.cells[i * size : (i + 1) * size]) for i in range(size)]

    def fits(row, column, value):
        top, left = row - row % m, column - column % n
        return (
            value not in grid[row]
            and all(grid[r][column] != value for r in range(size))
            and all(grid[top + r][left + c] != value for r in range(m) for c in range(n))
        )

    def count(cell, left):
        while cell < size * size and grid[cell // size][cell % size]:
            cell += 1
        if cell == size * size:
            return 1
        row, column = divmod(cell, size)
        found = 0
        for value in range(1, size + 1):
            if found < left and fits(row, column, value):
                grid[row][column] = value
                found += count(cell + 1, left - found)
                grid[row][column] = 0
        return found

    return count(0, up_to)


def random_of(*seed):
    """A source of random numbers, the same for the same seed on every machine."""
    return Random(repr(seed))
