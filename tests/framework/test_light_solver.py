"""The light solver of solve_sudoku: exact, or UndecidedError."""

import json
import subprocess
import sys

import pytest

from csp_sudoku import Board, UndecidedError, is_solvable
from csp_sudoku.framework import light_solver, oracle
from csp_sudoku.framework.light_solver import complete
from csp_sudoku.framework.oracle import Oracle
from tests.support import (
    SHAPES,
    SMALL_SHAPES,
    VARIED_SHAPES,
    count_by_force,
    is_solution_of,
    most_slow,
    perturbed,
    planted,
    random_of,
)

SHARES = (0.3, 0.5, 0.6, 0.8)


def check(board, budget=light_solver.BUDGET):
    """Whether the light solver decided; its decisions are right."""
    try:
        found = complete(board.m, board.n, board.cells, budget)
    except UndecidedError:
        return False
    assert (found is not None) == is_solvable(board)
    if found is not None:
        assert is_solution_of(Board((board.m, board.n), found), board)
    return True


@pytest.mark.parametrize(("m", "n"), most_slow(SHAPES, VARIED_SHAPES))
def test_answers_are_those_of_the_toolkit(m, n):
    """On solvable and on perturbed boards of every shape, its decisions agree with the exact solvers."""
    decided = 0
    for share in SHARES:
        decided += check(planted(m, n, random_of("light", m, n, share), share)[0])
        decided += check(perturbed(m, n, random_of("light", m, n, share), share))
    assert decided >= (8 if m * n <= 16 else 2)


@pytest.mark.parametrize(("m", "n"), SMALL_SHAPES)
def test_answers_on_small_boards_are_those_of_brute_force(m, n):
    """On many small boards, solvable or not, it always decides, and as brute force does."""
    outcomes = set()
    for trial in range(60):
        board = perturbed(m, n, random_of("light small", m, n, trial), share=0.6)
        found = complete(m, n, board.cells)
        assert (found is not None) == (count_by_force(board, 1) == 1)
        outcomes.add(found is not None)
    assert outcomes == {True, False}


@pytest.mark.parametrize("budget", [1, 3, 10, 40, 300])
def test_a_small_budget_is_never_a_wrong_answer(budget):
    """However early it has to stop, it says that it stopped, or it is right."""
    outcomes = set()
    for trial in range(20):
        for make in (lambda *given: planted(*given)[0], perturbed):
            outcomes.add(check(make(3, 3, random_of("budget", trial), 0.75), budget))
    assert True in outcomes
    assert (False in outcomes) == (budget < 300)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3), (4, 4)])
def test_clashes_have_no_solution(m, n):
    """Two equal values in a row, a column or a block are no error but a board without solution."""
    size = m * n
    for other in (1, size, size + 1):
        cells = [0] * size**2
        cells[0] = cells[other] = 1
        assert complete(m, n, cells) is None
        assert Oracle(m, n, cells).solution() == "The sudoku has no solution."


@pytest.mark.parametrize(("m", "n"), [(3, 3), (3, 4), (4, 4)])
def test_the_oracle_is_exact_without_a_budget(m, n, monkeypatch):
    """The compiled solvers decide the boards that the light solver leaves open."""
    asked = []

    def undecided(*board):
        asked.append(board)
        raise UndecidedError("expected more time")

    monkeypatch.setattr(oracle, "complete", undecided)
    for trial in range(4):
        board = perturbed(m, n, random_of("no light", trial), 0.5)
        expected = "a" if is_solvable(board) else "no"
        assert Oracle(m, n, board.cells).solution() == f"The sudoku has {expected} solution."
    assert len(asked) == 4


def test_boards_of_the_repository_up_to_4x4_need_no_heavy_package():
    """No board up to 4×4 among those shipped makes the command import numba, ortools or numpy."""
    script = (
        "import json, sys; from pathlib import Path; from csp_sudoku.framework.solve_sudoku import run; "
        "lines = {path: run([path])[1] for path in sys.argv[1:]}; "
        "print(json.dumps([lines, sorted({'numba', 'ortools', 'numpy', 'click', 'random'} & {*sys.modules})]))"
    )
    kinds = ("empty", "random", "easy", "medium", "hard")
    boards = [f"boards/{kind}-{m}x{n}.txt" for kind in kinds for m, n in [(2, 2), (3, 3), (4, 4)]]
    done = subprocess.run([sys.executable, "-c", script, *boards], capture_output=True, check=True, text=True)
    lines, heavy = json.loads(done.stdout)
    assert set(lines.values()) == {"The sudoku has a solution."}
    assert heavy == []
