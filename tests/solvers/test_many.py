"""Streams of boards: in order, as they are needed, on any executor."""

import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, count, islice, repeat
from multiprocessing import get_context

import pytest

from csp_sudoku import Board, OptionError, Status, SudokuError, solve_many
from tests.support import planted, random_of


def mixed(number):
    """Boards of several shapes in turn."""
    return [planted(*[(2, 2), (3, 3), (2, 5), (3, 3)][i % 4], random_of("mixed", i))[0] for i in range(number)]


def outcomes(results):
    """The parts of a result that do not depend on the clock."""
    return [(result.status, result.solution, result.stats.nodes) for result in results]


@pytest.mark.slow
def test_order_is_kept_on_every_executor():
    """In this process, in threads and in several processes, the results are the same and in order."""
    boards = mixed(150)
    alone = outcomes(solve_many(boards))
    assert all(solution.extends(board) for board, (_, solution, _) in zip(boards, alone, strict=True))
    with ThreadPoolExecutor(3) as executor:
        assert outcomes(solve_many(boards, executor)) == alone
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert outcomes(solve_many(boards, executor)) == alone
        counts = [result.solutions for result in solve_many(boards[:9], executor, count=2)]
    assert counts == [result.solutions for result in solve_many(boards[:9], count=2)]
    assert outcomes(solve_many(boards, jobs=2)) == alone
    assert outcomes(solve_many([], jobs=2)) == []
    assert outcomes(solve_many(boards[:1], jobs=2)) == alone[:1]


def test_boards_are_read_as_they_are_needed():
    """The first results of an endless stream come after few boards have been read."""
    read = []

    def endless():
        for number in count():
            read.append(number)
            yield Board.empty(3, 3)

    assert len(list(islice(solve_many(endless()), 5))) == 5
    assert len(read) < 30


def test_options_and_limits_reach_every_board():
    """The solver, its options and the limits hold for each board; wrong ones are errors at the call."""
    boards = [Board.empty(3, 3)] * 5
    results = list(solve_many(boards, solver="backtracking", variables="static", node_limit=2))
    assert [(r.status, r.stats.nodes, r.stats.options["variables"]) for r in results] == [
        (Status.UNKNOWN, 2, "static")
    ] * 5
    assert {r.status for r in solve_many(boards, time_limit=0)} == {Status.UNKNOWN}
    with pytest.raises(OptionError, match="expected a solver among"):
        solve_many(boards, solver="none")
    with pytest.raises(SudokuError, match="expected at least 1 job; found 0"):
        solve_many(boards, jobs=0)


def only_full(board):
    """A solver of the caller's, which other processes can import."""
    return board if board.is_full else None


@pytest.mark.slow
def test_python_code_of_the_caller_runs_in_processes():
    """A function is asked in processes; its answers come in order."""
    boards = [planted(2, 2, random_of("functions", trial), share=trial % 2)[0] for trial in range(6)]
    found = [result.status for result in solve_many(boards, solver=only_full, jobs=2)]
    assert found == [Status.SOLVED, Status.UNSOLVABLE] * 3


def test_abandoned_threads_end_soon():
    """If the caller stops reading, searches that would take hours end, and so do their threads."""
    endless = planted(5, 5, random_of("endless"), share=0.6)[0]
    results = solve_many(chain([Board.empty(2, 2)] * 2, repeat(endless)), solver="brute-force", jobs=2)
    assert [next(results).status for _ in range(2)] == [Status.SOLVED] * 2
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("solving")]
    assert len(threads) == 2
    results.close()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
