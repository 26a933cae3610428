"""Searches side by side: isomorphs have the same solutions, moved, and whoever is first is right."""

import numpy as np
import pytest

from csp_sudoku import Board, Limits, OptionError, Status, count_solutions, get_solver, solve
from csp_sudoku.candidates import candidate_masks
from csp_sudoku.solvers.isomorphs import Isomorphism
from csp_sudoku.solvers.learning.solver import Learning
from csp_sudoku.solvers.race import race
from tests.support import is_solution_of, most_slow, perturbed, planted, random_of

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5)]


def masks_of(board):
    """The candidates of a board, as propagation gives them."""
    return np.array(candidate_masks(board.geometry, board.values), np.uint32)


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_isomorphs_keep_the_rules(m, n):
    """An isomorph has a solution where its board has one, candidates move with it, and everything moves back."""
    for trial in range(5):
        random = random_of("isomorphs", m, n, trial)
        board, solution = planted(m, n, random)
        isomorphism = Isomorphism(board.geometry, random)
        moved = isomorphism.of(board)
        assert is_solution_of(isomorphism.of(solution), moved)
        assert isomorphism.back(moved) == board
        assert isomorphism.back(isomorphism.of(solution)) == solution
        assert isomorphism.masks(masks_of(board)).tolist() == masks_of(moved).tolist()


@pytest.mark.parametrize(("m", "n"), most_slow([(2, 3), (3, 3), (4, 4), (3, 5)], [(2, 3), (3, 3)]))
def test_a_race_has_the_right_answer(m, n):
    """On boards with and without solutions, a race of three decides as a count does."""
    seen = set()
    for trial in range(20):
        board = perturbed(m, n, random_of("race", m, n, trial), share=0.5)
        result = race(Learning(), board, masks_of(board), Limits(), 3)
        seen.add(result.status)
        assert (result.status is Status.SOLVED) == (count_solutions(board, 1) == 1)
        assert result.solution is None or is_solution_of(result.solution, board)
    assert seen == {Status.SOLVED, Status.UNSOLVABLE}


def test_limits_bound_each_search():
    """A race that no search finishes within the limits is undecided."""
    board = planted(5, 5, random_of("limits"), share=0.6)[0]
    assert race(Learning(), board, masks_of(board), Limits(nodes=1), 2).status is Status.UNKNOWN
    assert race(Learning(), board, masks_of(board), Limits(seconds=0), 2).status is Status.UNKNOWN


def test_the_default_solver_runs_races():
    """With the option `jobs`, auto races on hard boards, with the same answers, and refuses invalid numbers of jobs."""
    board = planted(4, 4, random_of("option"), share=0.6)[0]
    result = solve(board, bound=1, jobs=2)
    assert result.stats.stage == "learning"
    assert is_solution_of(result.solution, board)
    assert solve(Board.empty(2, 2), jobs=2).solution.is_full
    for jobs in (0, 65):
        with pytest.raises(OptionError, match=f"expected auto option jobs to be from 1 to 64; found {jobs}"):
            get_solver("auto", jobs=jobs)
