"""Matchings: they keep exactly the candidates that some permutation uses."""

from itertools import permutations

import numpy as np
import pytest

from csp_sudoku.candidates import candidate_masks
from csp_sudoku.compiled.compilation import kernel
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.kernels import matching
from csp_sudoku.solvers.matching import matched
from tests.support import SHAPES, perturbed, planted, random_of

pytestmark = pytest.mark.quick


@kernel
def keep(records: np.ndarray, size: int) -> bool:
    """The part under test, as a kernel."""
    return matching.keep_matchable(records[0], size)


def by_force(rows, size):
    """The columns of each row in some permutation within the relation; None if there is no permutation."""
    kept = [0] * size
    for order in permutations(range(size)):
        if all(rows[i] >> column & 1 for i, column in enumerate(order)):
            for i, column in enumerate(order):
                kept[i] |= 1 << column
    return kept if any(kept) else None


def masks_of(board):
    """The candidates that the givens of a board leave, as an array."""
    return np.array(candidate_masks(board.geometry, board.values), np.uint32)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_members_are_kept_if_and_only_if_a_permutation_uses_them(size):
    """Thousands of random relations, sparse and dense, against all permutations."""
    random = random_of("matching", size)
    for _ in range(2000 if size < 6 else 300):
        share = random.uniform(0.2, 0.9)
        rows = [sum((random.random() < share) << column for column in range(size)) for _ in range(size)]
        record = matching.new_matching()
        record["relation"][0, :size] = rows
        possible = keep(record, size)
        expected = by_force(rows, size)
        assert possible == (expected is not None)
        if possible:
            assert record["relation"][0, :size].tolist() == expected


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_no_candidate_of_a_solution_is_taken(m, n):
    """The values of a known solution of a board remain candidates."""
    random = random_of("kept", m, n)
    for _ in range(5):
        board, solution = planted(m, n, random, random.uniform(0.3, 0.9))
        masks = masks_of(board)
        left = matched(board.geometry, masks)
        assert left is not None
        for before, after, value in zip(masks.tolist(), left.tolist(), solution.values, strict=True):
            assert after & ~before == 0
            assert after >> value - 1 & 1


def test_matchings_find_what_singles_do_not():
    """Some perturbed boards without solutions are refuted; none with a solution is."""
    from csp_sudoku.solvers.questions import is_solvable

    random = random_of("refuted")
    refuted = 0
    for _ in range(200):
        board = perturbed(3, 3, random, 0.5)
        if matched(board.geometry, masks_of(board)) is None:
            refuted += 1
            assert not is_solvable(board)
    assert refuted > 20


def test_variants_have_matchings_too():
    """Extra regions count like others."""
    geometry = Geometry.diagonal(2, 2)
    assert matched(geometry, np.full(16, 15, np.uint32)).tolist() == [15] * 16
