"""The default solver: exact whichever stage has the last word."""

import pytest

from csp_sudoku import (
    Board,
    Geometry,
    Limits,
    OptionError,
    Result,
    Stats,
    Status,
    UndecidedError,
    get_solver,
    solutions,
    solve_many,
)
from csp_sudoku.cli.arguments import board_of
from csp_sudoku.solvers import auto as portfolio
from csp_sudoku.solvers.auto import Portfolio
from csp_sudoku.solvers.registry import PRESETS
from tests.support import SMALL_SHAPES, count_by_force, is_solution_of, perturbed, planted, random_of

pytestmark = pytest.mark.quick

STAGES = pytest.mark.parametrize(("bound", "conflicts"), [(1, 0), (1, 3), (1, 200_000), (3000, 200_000)])
"""Shares of the first stages with which CP-SAT is asked as soon as possible, or late, or not at all."""


@STAGES
def test_counts_are_right_from_every_stage(bound, conflicts):
    """Counts on small boards agree with brute force, even if a later stage or the parts must answer."""
    solver = Portfolio(bound=bound, conflicts=conflicts)
    stages = set()
    for m, n in SMALL_SHAPES:
        for trial in range(8):
            board = perturbed(m, n, random_of("portfolio", m, n, trial), share=0.7)
            for up_to in (1, 2, 50):
                result = solver.count(board, up_to)
                stages.add(result.stats.stage)
                assert result.solutions == count_by_force(board, up_to)
                assert (result.status is Status.SOLVED) == (result.solutions > 0)
    assert {"search"} <= stages


def test_parts_are_counted_apart():
    """A board whose search does not end within its bound is counted part by part, exactly."""
    solver = Portfolio(bound=2)
    board = Board.parse(".... 3412 .... 4321")
    result = solver.count(board)
    assert (result.stats.stage, result.solutions, result.status) == ("parts", 4, Status.SOLVED)
    assert solver.count(board, 3).solutions == 3


@STAGES
def test_listings_are_complete_and_without_doubles(bound, conflicts):
    """`solutions` lists each solution once, also across a change of stage."""
    solver = Portfolio(bound=bound, conflicts=conflicts)
    for m, n in [*SMALL_SHAPES, (3, 3)]:
        for trial in range(3):
            board = perturbed(m, n, random_of("listings", m, n, trial), share=0.55)
            listed = list(solver.solutions(board))
            assert len({solution.values for solution in listed}) == len(listed) == count_by_force(board)
            assert all(is_solution_of(solution, board) for solution in listed)


@pytest.mark.parametrize(("conflicts", "stage"), [(200_000, "learning"), (0, "cpsat"), (1, "cpsat")])
def test_hard_boards_go_to_the_next_stage(conflicts, stage):
    """A board that outlasts the bound goes to the learning search, one that outlasts that to CP-SAT.

    The evidence says so, and adds up the stages.
    """
    board, _ = planted(4, 4, random_of("hard", 7), share=0.64)
    solver = Portfolio(bound=1, conflicts=conflicts)
    for result in (solver.solve(board), solver.count(board, 1), solver.count(board, 3)):
        assert result.status is Status.SOLVED
        assert (result.stats.stage, result.stats.solver) == (stage, "auto")
        assert is_solution_of(result.solution, board)
        assert result.stats.backtracks >= min(1, conflicts)
    assert solver.solve(board).solutions is None


def test_the_learning_search_gives_its_first_solution_after_the_last():
    """A count that finds all solutions gives one without another search, and many are counted by CP-SAT."""
    board, _ = planted(4, 4, random_of("unique", 2), share=0.6)
    result = Portfolio(bound=1).count(board, 10)
    assert result.stats.stage == "learning"
    assert result.solutions == get_solver("backtracking").count(board, 10).solutions
    assert is_solution_of(result.solution, board)
    assert Portfolio(bound=1).count(board, 11).stats.stage in ("cpsat", "parts")


def test_limits_give_unknown():
    """No time or no nodes give UNKNOWN, never a verdict; a listing raises."""
    board = Board.empty(4, 4)
    for limits in (Limits(seconds=0), Limits(nodes=0), Limits(nodes=3)):
        assert Portfolio().solve(board, limits).status is Status.UNKNOWN
        assert Portfolio().count(board, 2, limits).status is Status.UNKNOWN
        with pytest.raises(UndecidedError):
            list(Portfolio().solutions(board, limits))


def test_no_stage_begins_when_the_limits_are_reached(monkeypatch):
    """A board that is undecided at a limit is UNKNOWN at once, because building a model for CP-SAT takes long."""
    board, _ = planted(5, 5, random_of("late"), share=0.62)
    solver = Portfolio(bound=1)
    spent = Result(Status.UNKNOWN, None, Stats("learning", backtracks=10**6), 0)
    monkeypatch.setattr(solver, "_learn", lambda *_: spent)
    monkeypatch.setattr(solver, "_cpsat", None)
    limits = Limits(nodes=10**6)
    for result in (solver.solve(board, limits), solver.count(board, 2, limits)):
        assert (result.status, result.stats.stage) == (Status.UNKNOWN, "learning")
    with pytest.raises(UndecidedError, match="more may exist"):
        list(solver.solutions(board, limits))


def test_variants_and_all_stages():
    """Diagonal boards, which no bit board knows, are solved by the same default."""
    geometry = Geometry.diagonal(3, 3)
    for bound, conflicts in ((1, 0), (1, 1000), (3000, 0)):
        result = Portfolio(bound=bound, conflicts=conflicts).solve(Board(geometry, [0] * 81))
        assert result.status is Status.SOLVED
        assert len({result.solution.cells[i * 10] for i in range(9)}) == 9


def test_options_are_checked():
    """A bound below 1 is an error, and so is a negative number of conflicts."""
    with pytest.raises(OptionError, match="conflicts to be at least 0; found -1"):
        get_solver("auto", conflicts=-1)
    with pytest.raises(OptionError, match="bound to be at least 1; found 0"):
        get_solver("auto", bound=0)
    for number in (10**30, -(10**30)):
        with pytest.raises(OptionError, match=r"bound to be at most 2\*\*62; found"):
            get_solver("auto", bound=number)
    boards = [Board.empty(3, 3)] * 2
    assert [result.status for result in solve_many(boards, bound=2**62)] == [Status.SOLVED] * 2


@pytest.mark.parametrize("name", ["auto", "backtracking", "exact-cover", "learning", "cpsat"])
def test_complete_counts_come_with_a_solution(name):
    """A count that finds solutions gives one of them, whether it stopped at its limit or found all."""
    for board in (Board.parse(".... 3412 .... 4321"), planted(3, 3, random_of("one"), share=0.4)[0]):
        for up_to in (1, 2, None):
            result = get_solver(name).count(board, up_to)
            assert is_solution_of(result.solution, board)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_what_they_were(name):
    """No earlier system began its search anew."""
    assert get_solver(name).options["restarts"] == 0


def test_later_stages_list_what_they_are_asked_for(monkeypatch):
    """The first solution of a hard board comes from the learning search, without CP-SAT."""
    board, _ = planted(4, 4, random_of("hard", 7), share=0.64)
    monkeypatch.setattr(portfolio.CpSat, "solutions", None)
    assert is_solution_of(next(Portfolio(bound=1).solutions(board)), board)


def test_many_solutions_are_listed_by_the_first_stage_alone(monkeypatch):
    """When there are too many to be remembered, none is missing, none is there twice, and limits are kept."""
    monkeypatch.setattr(portfolio, "MOST_SEEN", 10)
    for bound in (1, 30, 3000):
        listed = list(Portfolio(bound=bound).solutions(Board.empty(2, 2)))
        assert len(listed) == len(set(listed)) == 288
    shares = []
    for name in ("renew", "go_on_alone"):
        method = getattr(portfolio._FirstStage, name)
        monkeypatch.setattr(
            portfolio._FirstStage, name, lambda self, name=name, method=method: (shares.append(name), method(self))
        )
    assert len(list(Portfolio().solutions(Board.empty(2, 2)))) == 288
    assert shares == ["renew"] * 10 + ["go_on_alone"]  # who has begun to go on alone does so to the end
    with pytest.raises(UndecidedError):
        list(solutions(Board.empty(3, 3), time_limit=0.2))
    with pytest.raises(UndecidedError):
        list(Portfolio().solutions(Board.empty(2, 3), Limits(nodes=500)))


@pytest.mark.parametrize("name", ["auto", "backtracking", "exact-cover", "learning", "brute-force"])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3), (2, 4)])
def test_a_count_remembers_its_first_solution(name, m, n, monkeypatch):
    """A complete count has one of the solutions, without another search."""
    boards = [perturbed(m, n, random_of("first", name, m, n, trial), share=0.45) for trial in range(20)]
    solver = get_solver(name)
    monkeypatch.setattr(type(solver), "solve", None)
    found = [solver.count(board, 50) for board in boards]
    for board, result in zip(boards, found, strict=True):
        assert result.solutions == count_by_force(board, 50)
        assert is_solution_of(result.solution, board) if result.solutions else result.solution is None


@pytest.mark.parametrize("pruning", ["forward", "forward+naked+hidden"])
def test_limits_of_nodes_are_exact(pruning):
    """A board that takes a number of nodes is decided within that limit, and not within one node less."""
    solver = get_solver("backtracking", pruning=pruning)
    decided = 0
    for trial in range(60):
        board = perturbed(2, 3, random_of("exact nodes", trial), share=0.6)
        for up_to in (1, 2, None):
            whole = solver.count(board, up_to)
            nodes = whole.stats.nodes
            limited = solver.count(board, up_to, Limits(nodes=nodes))
            assert (limited.status, limited.solutions) == (whole.status, whole.solutions)
            if nodes:
                less = solver.count(board, up_to, Limits(nodes=nodes - 1))
                assert (less.status, less.stats.nodes) == (Status.UNKNOWN, nodes - 1)
                decided += 1
    assert decided > 30


def test_parts_share_a_limit_of_nodes():
    """The nodes of all parts together are within it."""
    board = Board.parse(".... 3412 .... 4321")
    for nodes in range(2, 12):
        result = Portfolio(bound=2).count(board, None, Limits(nodes=nodes))
        assert result.stats.nodes <= nodes
        assert result.status is Status.UNKNOWN or result.solutions == 4


def test_large_boards_are_handed_over_sooner():
    """Beyond 16×16 the first stage gets a tenth of its bound, unless it hardly backtracks, as on an empty board."""
    hard, empty = board_of("hard-5x4"), Board.empty(5, 5)
    alone = get_solver("backtracking").solve(hard)
    assert 300 < alone.stats.nodes < 3000
    result = Portfolio().solve(hard)
    assert result.stats.stage == "learning"
    assert is_solution_of(result.solution, hard)
    assert Portfolio(bound=30_000).solve(hard).stats.stage == "search"
    assert get_solver("backtracking").solve(empty).stats.nodes > 300
    assert Portfolio().solve(empty).stats.stage == Portfolio().count(empty, 1).stats.stage == "search"
    assert Portfolio().solve(hard, Limits(nodes=20)).status is Status.UNKNOWN
