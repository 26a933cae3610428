"""Arrays of boards: the same answers as board by board, in any number of threads."""

import pickle
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

from csp_sudoku import Board, KeywordError, ShapeError, Status, SudokuError, count_solutions, solve_array
from csp_sudoku.solvers.arrays import STATUSES
from tests.support import is_solution_of, most_slow, perturbed, planted, random_of

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 4)]


@pytest.mark.parametrize(("m", "n"), most_slow(SHAPES, [(2, 3), (3, 3)]))
@pytest.mark.parametrize("jobs", [1, 3])
def test_answers_are_those_of_single_boards(m, n, jobs):
    """Counts, statuses and solutions are right for each row, solvable or not, whatever the number of threads."""
    boards = [perturbed(m, n, random_of("arrays", trial), share=0.5) for trial in range(120)]
    result = solve_array(np.array([board.cells for board in boards]), count=3, jobs=jobs, shape=(m, n))
    for board, solution, count, code in zip(boards, *result, strict=True):
        assert count == count_solutions(board, 3)
        assert STATUSES[code] is (Status.SOLVED if count else Status.UNSOLVABLE)
        assert is_solution_of(Board((m, n), solution), board) if count else not solution.any()


def test_many_chunks_keep_their_order():
    """Thousands of boards in threads: each row has the solution that was planted."""
    pairs = [planted(3, 3, random_of("chunks", trial), share=0.3) for trial in range(300)] * 30
    result = solve_array(np.array([board.cells for board, _ in pairs], np.uint8), count=2, jobs=2)
    unique = result.counts == 1
    assert unique.mean() > 0.9
    assert (result.solutions[unique] == np.array([solution.cells for _, solution in pairs])[unique]).all()


def test_a_value_twice_in_a_region_is_no_solution():
    """An array may hold boards that Board refuses: a clash has no solution, in every shape."""
    for size in (4, 9):
        cells = np.zeros((3, size * size), int)
        cells[1, 0] = cells[1, 1] = 2
        result = solve_array(cells)
        assert result.status.tolist() == [1, 2, 1]
        assert result.counts.tolist() == [1, 0, 1]


def test_tables_and_no_boards_at_all():
    """Rows of N rows are boards as well, and an empty array has an empty answer."""
    assert solve_array(np.zeros((2, 9, 9), np.int8)).solutions.shape == (2, 81)
    assert solve_array(np.zeros((0, 81), np.uint8)).counts.shape == (0,)


@pytest.mark.parametrize(
    ("cells", "options", "error", "message"),
    [
        (np.zeros(81, int), {}, ShapeError, r"expected an array of rows of N·N values; found one of the form \(81,\)"),
        (np.zeros((1, 80), int), {}, ShapeError, "rows of N·N values"),
        (np.zeros((1, 49), int), {}, ShapeError, "expected a board size among"),
        (np.zeros((1, 81)), {}, SudokuError, "expected an array of whole numbers; found one of float64"),
        (np.full((2, 16), 5), {}, SudokuError, r"from 0 \(empty\) to 4; found 5 in board 0"),
        (np.full((2, 16), -1), {}, SudokuError, "found -1 in board 0"),
        (np.zeros((1, 81), int), {"shape": (2, 3)}, ShapeError, "expected rows of 36 values for 2x3; found 81"),
        (np.zeros((1, 81), int), {"jobs": 0}, SudokuError, "expected at least 1 job; found 0"),
        (np.zeros((1, 81), int), {"count": 0}, SudokuError, "expected to count up to at least 1 solution; found 0"),
        (np.zeros((1, 81), int), {"limit": 2}, KeywordError, "limit"),
    ],
)
def test_wrong_arrays(cells, options, error, message):
    """An argument that is no array of boards is reported in one line."""
    with pytest.raises(error, match=message):
        solve_array(cells, **options)


def test_any_executor_does_the_work():
    """Threads share the arrays; to other executors the boards go in arrays, and the answers come back in order."""
    pairs = [planted(3, 3, random_of("executor", trial), share=0.4) for trial in range(120)] * 40
    cells = np.array([board.cells for board, _ in pairs], np.uint8)
    cells[7, :2] = 5  # a clash
    alone = solve_array(cells, count=2)
    with ThreadPoolExecutor(2) as threads:
        for executor in (threads, Sending()):
            for found, expected in zip(solve_array(cells, count=2, executor=executor), alone, strict=True):
                assert found.dtype == expected.dtype
                assert (found == expected).all()
    assert alone.status[7] == 2
    assert solve_array(np.zeros((0, 81), int), executor=Sending()).counts.shape == (0,)


class Sending(Executor):
    """An executor that sends its work as another process would get it: pickled, with arrays that are read-only."""

    def submit(self, work, /, *arguments, **keywords):
        """Do the work at once."""
        buffers = []
        sent = pickle.dumps((work, arguments, keywords), 5, buffer_callback=buffers.append)
        work, arguments, keywords = pickle.loads(sent, buffers=[bytes(buffer) for buffer in buffers])
        future = Future()
        future.set_result(pickle.loads(pickle.dumps(work(*arguments, **keywords))))
        return future


@pytest.mark.slow
def test_a_cluster_does_the_work():
    """Dask takes the boards in arrays, and thousands of answers are those of this process."""
    distributed = pytest.importorskip("distributed")
    boards = [perturbed(3, 3, random_of("cluster", trial), share=0.5) for trial in range(100)]
    cells = np.array([board.cells for board in boards] * 30, np.uint8)
    alone = solve_array(cells, count=2)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        found = solve_array(cells, count=2, executor=executor)
    assert all((mine == theirs).all() for mine, theirs in zip(alone, found, strict=True))
