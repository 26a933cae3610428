"""The bit boards of 3×3: the same answers as the slow search, alone, in batches and slice by slice."""

import numpy as np
import pytest

from csp_sudoku import Board, Limits, Status, solve_many
from csp_sudoku.board import stack
from csp_sudoku.solvers.auto import Portfolio
from csp_sudoku.solvers.backtracking.solver import Backtracking
from csp_sudoku.solvers.nine import batch as nine_batch
from csp_sudoku.solvers.nine import direct
from csp_sudoku.solvers.nine import run as nine_run
from csp_sudoku.solvers.nine.batch import search_batch
from csp_sudoku.solvers.nine.kernels import digits
from csp_sudoku.solvers.nine.kernels import search as nine
from csp_sudoku.solvers.nine.run import NineRun
from tests.support import is_solution_of, perturbed, planted, random_of

SLOW = Backtracking(variables="mrv", pruning="forward", restarts=0)


def counted(board, up_to):
    """The outcome of a run of the bit boards: status and number of solutions."""
    run = NineRun(board, Limits(), up_to)
    return run.advance(), run.counters().solutions


@pytest.mark.slow
def test_counts_are_those_of_the_plain_search():
    """On thousands of random boards, solvable or not, the count up to 20 is that of forward checking alone."""
    seen = set()
    for trial in range(3000):
        random = random_of("nine", trial)
        board = perturbed(3, 3, random, share=random.uniform(0.3, 0.68))
        expected = SLOW.count(board, 20).solutions
        seen.add(min(expected, 2))
        assert counted(board, 20)[1] == expected
    assert seen == {0, 1, 2}


def test_tables_hold_permutations():
    """A set of minirows keeps exactly its members that lie on a permutation of rows and boxes within the set."""
    for present in range(512):
        cells = [divmod(i, 3) for i in range(9) if present >> i & 1]
        kept = set()
        for a in cells:
            for b in cells:
                for c in cells:
                    if len({a[0], b[0], c[0]}) == len({a[1], b[1], c[1]}) == 3:
                        kept |= {a, b, c}
        assert [divmod(i, 3) for i in range(9) if digits.PERMUTED[present] >> i & 1] == sorted(kept)


def test_batches_are_in_order_and_right():
    """A batch gives each board its own answer, in order, whatever the boards before it were."""
    boards = [perturbed(3, 3, random_of("batch", trial), share=0.6) for trial in range(500)]
    for board, result in zip(boards, solve_many(boards), strict=True):
        assert (result.status is Status.SOLVED) == (SLOW.solve(board).status is Status.SOLVED)
        assert result.solution is None or is_solution_of(result.solution, board)


@pytest.mark.parametrize("work", [1, 2, 3, 7])
def test_slices_change_nothing(work, monkeypatch):
    """However short the slices, runs and batches give the same counts, solutions and nodes."""
    boards = [planted(3, 3, random_of("slices", trial), share=0.68)[0] for trial in range(40)]
    whole_batch = search_batch(stack(boards), 1, -1)
    whole = [counted(board, 30) for board in boards]
    monkeypatch.setattr(nine_run, "SLICE_WORK", work)
    monkeypatch.setattr(nine_batch, "SLICE_WORK", work)
    batch = search_batch(stack(boards), 1, -1)
    assert (batch.solutions == whole_batch.solutions).all()
    assert (batch.info == whole_batch.info).all()
    assert [counted(board, 30) for board in boards] == whole


def test_listing_gives_each_solution_once():
    """One more at a time, a run lists as many different solutions as it counts at once."""
    for trial in range(20):
        board, _ = planted(3, 3, random_of("listing", trial), share=0.66)
        run = NineRun(board, Limits(), 1)
        found = []
        while len(found) < 50 and run.advance() is Status.SOLVED:
            found.append(run.solution())
            run.allow_one_more()
        assert len(set(found)) == len(found) == counted(board, 50)[1]
        assert all(is_solution_of(solution, board) for solution in found)


def test_node_limits_can_be_raised():
    """A run that its node limit stopped continues there when the limit is raised, without losing a solution."""
    for trial in range(20):
        board, _ = planted(3, 3, random_of("raised", trial), share=0.68)
        run = NineRun(board, Limits(nodes=0), 200)
        nodes = 0
        while (status := run.advance()) is Status.UNKNOWN:
            assert run.counters().nodes == nodes
            nodes += 1
            run.limit_nodes(nodes)
        assert (status, run.counters().solutions) == counted(board, 200)


def test_givens_that_contradict_are_no_solution():
    """Clashing givens, which no Board can hold, are still no solution to the kernel."""
    cells = np.zeros((1, 81), np.uint8)
    cells[0, :2] = 5
    info = np.zeros((1, digits.INFO), np.int64)
    assert nine.solve_nines(nine.new_state(), cells, np.zeros_like(cells), info, 1, -1, 1000)
    assert (info[0, digits.COUNT], info[0, digits.COMPLETE]) == (0, 1)


def test_full_and_empty_boards():
    """A full board is its own only solution; the empty board has at least the requested number."""
    full = planted(3, 3, random_of("full"), share=0)[0]
    assert counted(full, 2) == (Status.UNSOLVABLE, 1)
    run = NineRun(full, Limits(), 1)
    assert run.advance() is Status.SOLVED
    assert run.solution() == full
    assert counted(Board.empty(3, 3), 10_000) == (Status.SOLVED, 10_000)


def evidence(result):
    """Everything of a result but its times."""
    return result.status, result.solution, result.solutions, result.stats._replace(build_seconds=0, solve_seconds=0)


@pytest.mark.parametrize("trials", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_one_call_is_like_a_run(trials, monkeypatch):
    """On random boards, one call of the kernel gives the same results as a run does, with limits and without."""
    auto = Portfolio()
    asked = []
    for trial in range(trials):
        random = random_of("direct", trial)
        board = perturbed(3, 3, random, share=random.uniform(0.3, 0.75))
        limits = Limits(nodes=random.choice([None, 0, 1, 5]))
        asked.append((board, random.choice([1, 2, 20]), limits))
    answers = [[auto.solve(board, limits), auto.count(board, up_to, limits)] for board, up_to, limits in asked]
    assert {answer.stats.stage for both in answers for answer in both} == {direct.STAGE}
    monkeypatch.setattr(Portfolio, "_at_once", lambda *_, **__: None)
    for (board, up_to, limits), both in zip(asked, answers, strict=True):
        runs = auto.solve(board, limits), auto.count(board, up_to, limits)
        assert [*map(evidence, both)] == [*map(evidence, runs)]


def test_a_board_that_takes_long_is_left_to_a_run(monkeypatch):
    """A search that one slice does not finish is begun anew by a run, and no array of it is used again."""
    auto = Portfolio()
    board = planted(3, 3, random_of("long"), share=0.75)[0]
    expected = auto.count(board, 500)
    monkeypatch.setattr(direct, "SLICE_WORK", 3)
    assert evidence(auto.count(board, 500)) == evidence(expected)
    assert evidence(auto.solve(Board.empty(3, 3))) == evidence(Portfolio().solve(Board.empty(3, 3)))


def test_counts_in_batches_are_those_of_one_board():
    """A batch that counts gives the results that `count` gives, also where the count ends at its limit."""
    boards = [planted(3, 3, random_of("counted", trial), share=0.68)[0] for trial in range(40)]
    auto = Portfolio()
    for up_to in (1, 2, 30):
        batch = [evidence(result) for result in auto.solve_batch(boards, up_to)]
        assert batch == [evidence(auto.count(board, up_to)) for board in boards]
    assert [evidence(r) for r in auto.solve_batch(boards)] == [evidence(auto.solve(board)) for board in boards]


def test_a_batch_leaves_hard_boards_to_the_portfolio():
    """Boards beyond the bound of nodes are answered by themselves, at their places."""
    boards = [planted(3, 3, random_of("bound", trial), share=0.6)[0] for trial in range(20)]
    boards[7] = boards[11] = Board.empty(3, 3)
    auto = Portfolio(bound=1)
    results = list(auto.solve_batch(boards, 200))
    assert [result.solutions for result in results] == [Portfolio().count(board, 200).solutions for board in boards]
    assert 0 < search_batch(stack(boards), 200, auto.nine_node_limit).decided(200).sum() < 18
