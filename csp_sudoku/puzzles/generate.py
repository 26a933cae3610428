"""Generates puzzles with one solution, of any shape and of a given difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, hints_keywords
from csp_sudoku.geometry import Geometry
from csp_sudoku.puzzles.grade import is_within, measure
from csp_sudoku.puzzles.variants import generate_on
from csp_sudoku.solvers.backtracking.solver import Backtracking

if TYPE_CHECKING:
    import numpy as np

    from csp_sudoku.constraints.base import Constraint

CELLS_TRIED = 2500
"""Maximum total number of cells of the boards that one call tries: many small boards or few large ones."""

CLOSE_ENOUGH = 0.05
"""Maximum distance of a score below the difficulty with which a puzzle is accepted without another try."""


@hints_keywords
def generate(
    m: int,
    n: int,
    *,
    difficulty: float = 0.5,
    rng: Random | np.random.Generator | int | None = None,
    constraints: Sequence[Constraint] = (),
    rules: Sequence[str] = (),
) -> Board:
    """Generate a puzzle of the shape m×n with one solution, whose score comes close to `difficulty` from below.

    `m` and `n` are the numbers of rows and of columns of a block, each at least 2. `difficulty` is a score as in
    `Grade`, from 0 to 1 (default 0.5). `rng` is a source of random numbers or a seed; by default, every call returns
    another puzzle. `constraints` are further rules for the solution (default none), and `rules` are kinds of
    constraints, such as "killer", of which random ones are added (default none). A puzzle with constraints has no
    grade, so `difficulty` is ignored, and as many clues as possible are removed.

    The generator removes clues from a random solution as long as the puzzle has one solution and its score does not
    exceed the difficulty. In the end, no further clue can be removed. Small shapes have no hard puzzles; then the
    hardest puzzle found is returned.

    >>> puzzle = generate(2, 3, difficulty=0.3, rng=1)
    >>> measure(puzzle).score <= 0.3, puzzle == generate(2, 3, difficulty=0.3, rng=1)
    (True, True)
    """
    if not 0 <= difficulty <= 1:
        raise SudokuError(f"expected a difficulty from 0 to 1; found {difficulty}")
    geometry = Geometry.standard(m, n)  # raises ShapeError if there is no such shape
    random = _as_random(rng)
    if constraints or rules:
        return generate_on(geometry.with_constraints(*constraints), random, kinds=rules)
    best, best_score = None, -1.0
    for _ in range(max(1, CELLS_TRIED // (m * n) ** 2)):
        puzzle = _thinned(random_solution(m, n, random), difficulty, random)
        score = measure(puzzle).score
        if abs(score - difficulty) < abs(best_score - difficulty):
            best, best_score = puzzle, score
        if difficulty - CLOSE_ENOUGH <= score <= difficulty:
            break
    assert best is not None
    return best


def _thinned(puzzle: Board, difficulty: float, random: Random) -> Board:
    """Remove clues from a solution in random order, until no more can be removed."""
    clues = list(range(puzzle.geometry.cell_count))
    random.shuffle(clues)
    width = max(1, len(clues) // 8)
    at = 0
    while at < len(clues):
        # The first groups are large, because most clues can be removed together and each try costs a proof.
        group = clues[at : at + width]
        thinner = puzzle.without(group)
        if is_within(thinner, difficulty):
            puzzle = thinner
            at += len(group)
            width *= 2
        elif len(group) > 1:
            width = len(group) // 2
        else:
            at += 1
            width = 1
    return puzzle


def random_solution(m: int, n: int, random: Random) -> Board:
    """A full board of the shape m×n, found by a search that tries values in an order that `random` determines."""
    search = Backtracking(values="random", seed=random.getrandbits(60))
    solution = search.solve(Board.empty(m, n)).solution
    assert solution is not None
    return solution


def _as_random(rng: Random | np.random.Generator | int | None) -> Random:
    """A `Random`: the given one, one seeded by a number or by numpy's generator, or one seeded by the system."""
    if isinstance(rng, Random):
        return rng
    if rng is None or isinstance(rng, int):
        return Random(rng)
    generator: Any = rng
    return Random(int(generator.integers(2**62)))
