"""Searches side by side: isomorphs have the same solutions, moved, and whoever is first is right."""

import numpy as np
import pytest

from csp_sudoku import Board, Limits, OptionError, Status, count_solutions, get_solver, solve
from csp_sudoku.candidates import candidate_masks
from csp_sudoku.cli.arguments import board_of
from csp_sudoku.geometry import Geometry
from csp_sudoku.solvers.isomorphs import Isomorphism
from csp_sudoku.solvers.learning import run as learning_run
from csp_sudoku.solvers.learning.exchange import literal_maps, mailboxes
from csp_sudoku.solvers.learning.run import LearningRun
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


def clauses_of(mail):
    """The clauses in a piece of mail, as lists of literals."""
    found = []
    for number in mail.tolist():
        if number < 0:
            found.append([])
        else:
            found[-1].append(number)
    return found


@pytest.mark.parametrize("trial", range(3))
def test_exchanged_clauses_hold_and_are_used(trial, monkeypatch):
    """Each clause that a search sends is true in the only solution of the board, whichever isomorph it searches.

    Two searches take turns. Each receives what the other sends, and both find the moved solution.
    """
    monkeypatch.setattr(learning_run, "SLICE_WORK", 2000)
    random = random_of("exchange", trial)
    hard = board_of("hard-4x5")
    board = Isomorphism(hard.geometry, random).of(hard)
    solution = solve(board).solution
    way = Isomorphism(board.geometry, random)
    boxes = mailboxes([None, way])
    runs = [
        LearningRun(board, Limits(), 1, mailbox=boxes[0]),
        LearningRun(way.of(board), Limits(), 1, mailbox=boxes[1]),
    ]
    sent = [0, 0]
    statuses = [None, None]
    while None in statuses:
        for number, run in enumerate(runs):
            statuses[number] = run._slice() if statuses[number] is None else statuses[number]
            for mail in boxes[1 - number]._waiting:
                for clause in clauses_of(mail):
                    sent[number] += 1
                    assert any(
                        (solution.values[literal >> 6] - 1 == literal >> 1 & 31) != literal & 1 for literal in clause
                    )
            if statuses[1 - number] is not None:
                boxes[1 - number]._waiting.clear()  # nobody reads it any more
    assert statuses == [Status.SOLVED] * 2
    assert min(sent) > 0
    assert runs[0].solution() == solution
    assert way.back(runs[1].solution()) == solution


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (5, 5)])
def test_literals_are_translated_there_and_back(m, n):
    """A literal of the isomorph becomes that of the cell and the value which it comes from."""
    way = Isomorphism(Geometry.standard(m, n), random_of("literals", m, n))
    to_board, from_board = literal_maps(way)
    board, _ = planted(m, n, random_of("literals of", m, n), share=0.3)
    for cell, value in enumerate(way.of(board).values):
        if value:
            literal = int(to_board[2 * (cell * 32 + value - 1) + 1])
            assert board.values[literal >> 6] == (literal >> 1 & 31) + 1
            assert literal & 1
            assert from_board[literal] == 2 * (cell * 32 + value - 1) + 1


@pytest.mark.parametrize(("m", "n"), most_slow([(2, 3), (3, 3), (4, 4)], [(3, 3)]))
def test_exchange_leaves_the_answers_right(m, n, monkeypatch):
    """With tiny slices, so that clauses travel all the time, races decide as counts do."""
    monkeypatch.setattr(learning_run, "SLICE_WORK", 50)
    for trial in range(20):
        board = perturbed(m, n, random_of("mail", m, n, trial), share=0.6)
        result = race(Learning(), board, masks_of(board), Limits(), 3)
        assert (result.status is Status.SOLVED) == (count_solutions(board, 1) == 1)
        assert result.solution is None or is_solution_of(result.solution, board)


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
