"""Streams of boards: in order, as they are needed, on any executor."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice

import pytest

from csp_sudoku import Board, OptionError, Status, SudokuError, solve_many
from tests.support import planted, random_of


def mixed(number):
    """Boards of several shapes in turn."""
    return [planted(*[(2, 2), (3, 3), (2, 5), (3, 3)][i % 4], random_of("mixed", i))[0] for i in range(number)]


def outcomes(results):
    """What does not depend on the clock."""
    return [(result.status, result.solution, result.stats.nodes) for result in results]


@pytest.mark.slow
def test_order_is_kept_on_every_executor():
    """In this process, in threads and in several processes, the results are the same and in order."""
    boards = mixed(150)
    alone = outcomes(solve_many(boards))
    assert all(solution.extends(board) for board, (_, solution, _) in zip(boards, alone, strict=True))
    with ThreadPoolExecutor(3) as executor:
        assert outcomes(solve_many(boards, executor)) == alone
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
