"""One suite for every solver and preset: the same boards, the same answers, checked without any of our own tables.

A test that takes a `case` runs all solvers that were asked for on that board: what is known about the board is found
once, by the reference, and a failure says which solver gave the wrong answer.
"""

import time
from contextlib import contextmanager
from itertools import islice

import pytest

from csp_sudoku import Board, Limits, Status, UndecidedError, get_solver
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.conformance.cases import CASES, MOST, hall_board, long_board
from tests.conformance.reference import is_solution, standard
from tests.support import (
    SHAPES,
    VARIED_SHAPES,
    count_by_force,
    is_solution_of,
    most_slow,
    perturbed,
    planted,
    random_of,
)

WEAK = Limits(nodes=60_000)
"""For the presets, which earlier systems had: enough for small boards, and little time lost on the others."""

PROVEN = {True: Status.SOLVED, False: Status.UNSOLVABLE}

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def limits_of(solver_name, case):
    """The limits of a solver for a case."""
    return WEAK if solver_name in PRESETS and not case.is_small else Limits()


@contextmanager
def naming(solver_name):
    """Say in each failure which solver it is about."""
    try:
        yield
    except Exception as error:
        error.add_note(f"solver: {solver_name}")
        raise


def check_verdict(result, case, *, must_decide):
    """The status is right, or UNKNOWN where that is allowed, and the solution is one."""
    allowed = {PROVEN[len(case.completions) > 0]} | (set() if must_decide else {Status.UNKNOWN})
    assert result.status in allowed
    assert (result.status is Status.SOLVED) <= (result.solution is not None or result.solutions is not None)
    if result.solution is not None:
        assert is_solution(case.regions, result.solution.cells, case.board.cells)
        assert result.solution.geometry == case.board.geometry


@each_case
def test_solve(solver_names, case):
    """Every board is solved, or proven unsolvable; a preset may also say UNKNOWN on a large one within its limits."""
    for name in solver_names:
        with naming(name):
            limits = limits_of(name, case)
            result = get_solver(name).solve(case.board, limits)
            check_verdict(result, case, must_decide=limits is not WEAK)
            assert (result.solution is not None) == (result.status is Status.SOLVED)


@each_case
def test_count(solver_names, case):
    """Counts are exact, or the requested number."""
    for name in solver_names:
        solver, limits = get_solver(name), limits_of(name, case)
        for up_to in (1, 2, 7, MOST + 1):
            with naming(f"{name}, counting up to {up_to}"):
                result = solver.count(case.board, up_to, limits)
                check_verdict(result, case, must_decide=limits is not WEAK)
                exact = min(up_to, len(case.completions))
                assert result.solutions == exact or (result.status is Status.UNKNOWN and result.solutions < exact)


@each_case
def test_listing(solver_names, case):
    """`solutions` lists every solution once."""
    for name in solver_names:
        limits = limits_of(name, case)
        with naming(name):
            try:
                listed = [found.cells for found in islice(get_solver(name).solutions(case.board, limits), MOST + 1)]
            except UndecidedError:
                assert limits is WEAK
                continue
            assert len(listed) == len(set(listed))
            if case.is_counted:
                assert set(listed) == set(case.completions)
            else:
                assert len(listed) == MOST + 1
                assert all(is_solution(case.regions, cells, case.board.cells) for cells in listed)


@pytest.mark.quick
def test_all_grids_of_2x2(solver_name):
    """The 2×2 has 288 grids."""
    solver, board = get_solver(solver_name), Board.empty(2, 2)
    assert solver.count(board).solutions == 288
    assert len({solution.values for solution in solver.solutions(board)}) == 288


@pytest.mark.parametrize("shape", most_slow(SHAPES, VARIED_SHAPES, is_one_argument=True), ids="{0[0]}x{0[1]}".format)
def test_empty_boards(solver_names, shape):
    """The empty board of every shape is solved; a preset may say UNKNOWN."""
    board = Board.empty(*shape)
    for name in solver_names:
        with naming(name):
            result = get_solver(name).solve(board, WEAK if name in PRESETS else Limits())
            assert result.status is Status.SOLVED or (result.status is Status.UNKNOWN and name in PRESETS)
            assert result.solution is None or is_solution(standard(*shape), result.solution.cells, board.cells)


@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=0), Limits(nodes=1), Limits(seconds=1e-4)], ids=str)
def test_tight_limits_never_give_a_wrong_answer(solver_name, limits):
    """With almost no time or nodes, unproven answers are UNKNOWN, and a count is a number of solutions found."""
    solver = get_solver(solver_name)
    for case in CASES[::3]:
        check_verdict(solver.solve(case.board, limits), case, must_decide=False)
        result = solver.count(case.board, 5, limits)
        check_verdict(result, case, must_decide=False)
        assert result.solutions <= min(5, len(case.completions))


def seconds_of_giving_up(ask, board, limits):
    """How long a solver takes to say UNKNOWN, which it must."""
    started = time.perf_counter()
    assert ask(board, limits).status is Status.UNKNOWN
    return time.perf_counter() - started


def test_a_limit_of_seconds_is_kept(solver_name, clock):
    """A search that takes longer is given up in time: UNKNOWN, or an UndecidedError from a listing."""
    solver, board, limits = get_solver(solver_name), long_board(), Limits(seconds=0.003)
    solver.solve(board, Limits(seconds=0))  # compiling and importing is not what is measured
    for ask in (solver.solve, lambda board, limits: solver.count(board, None, limits)):
        clock.holds(lambda ask=ask: seconds_of_giving_up(ask, board, limits), below=1.5)  # alone, it is 0.05 s late
    with pytest.raises(UndecidedError):
        next(solver.solutions(board, limits))


@pytest.mark.parametrize("decider", ["auto", "learning"])
def test_a_pigeonhole_is_seen_without_search(decider):
    """Fifteen values for fourteen cells: matchings at the root refute a case that no search can finish."""
    result = get_solver(decider).solve(hall_board())
    assert result.status is Status.UNSOLVABLE
    assert result.stats.nodes <= 3000  # which is the share that auto gives to its plain search
    assert next(get_solver(decider).solutions(hall_board()), None) is None


def test_a_limit_of_nodes_is_kept(solver_name):
    """A search that is out of nodes says UNKNOWN, and has not used many more."""
    result = get_solver(solver_name).solve(long_board(), Limits(nodes=200))
    assert result.status is Status.UNKNOWN
    assert result.solution is None
    assert result.stats.backtracks <= 1000


def test_counts_that_are_cut_short(solver_name):
    """A count that a limit ends is UNKNOWN, and the solutions found so far are solutions."""
    result = get_solver(solver_name).count(Board.empty(3, 3), None, Limits(seconds=0.1))
    assert result.status is Status.UNKNOWN
    assert 0 <= result.solutions < 6_670_903_752_021_072_936_960


def test_results_carry_their_evidence(solver_name):
    """The solver, its options, its time, and its work."""
    solver = get_solver(solver_name)
    board, _ = planted(3, 3, random_of("evidence"), share=0.6)
    for result in (solver.solve(board), solver.count(board, 2), solver.solve(long_board(), Limits(nodes=300))):
        stats = result.stats
        assert stats.solver == solver.name
        assert stats.options == solver.options
        assert stats.build_seconds >= 0
        assert stats.solve_seconds >= 0
        assert min(stats.nodes, stats.backtracks, stats.propagations) >= 0
    assert stats.nodes > 0
    assert stats.propagations > 0
    assert stats.solve_seconds > 0


def test_nothing_is_kept_between_calls(solver_name):
    """The same question has the same answer, with the same work, whatever was asked in between."""
    solver = get_solver(solver_name)
    board, _ = planted(3, 3, random_of("kept"), share=0.55)

    def ask():
        result = solver.solve(board, Limits(nodes=5000))
        return result.status, result.solution, result.stats.nodes, result.stats.backtracks

    before = ask()
    solver.solve(long_board(), Limits(nodes=50))
    solver.count(Board.empty(2, 2))
    next(solver.solutions(Board.empty(2, 3)))  # and abandoned
    assert ask() == before
    other = solver.solve(Board.empty(2, 2))
    assert is_solution_of(other.solution, Board.empty(2, 2))


def test_listings_can_run_side_by_side_and_be_abandoned(solver_name, clock):
    """Two listings of one solver do not disturb each other, and closing one ends it at once."""
    solver = get_solver(solver_name)

    def seconds_of_closing():
        first, second = solver.solutions(Board.empty(2, 2)), solver.solutions(Board.empty(2, 2))
        found = [next(first).values for _ in range(10)]
        assert len({solution.values for solution in second}) == 288
        found += [next(first).values for _ in range(10)]
        assert len(set(found)) == 20
        started = time.perf_counter()
        first.close()
        return time.perf_counter() - started

    clock.holds(seconds_of_closing, below=0.5)


def option_values():
    """Every named value of every option of every solver, one at a time."""
    for name, entry in SOLVERS.items():
        for option, choice in entry.option_table().items():
            values = choice.allowed if isinstance(choice.allowed, tuple) else ()
            values = (True, False) if choice.allowed is bool else (0, 1, 5) if option == "seed" else values
            for value in values:
                yield pytest.param(name, {option: value}, id=f"{name} {option}={value}")


@pytest.mark.parametrize(("name", "options"), list(option_values()))
def test_every_option_is_exact(name, options):
    """No setting of an option changes an answer."""
    solver = get_solver(name, **options)
    assert dict(options).items() <= dict(solver.options).items()
    assert solver.count(Board.empty(2, 2)).solutions == 288
    for case in CASES:
        if case.is_small and case.is_counted:
            check_verdict(solver.solve(case.board), case, must_decide=True)
            assert solver.count(case.board).solutions == len(case.completions)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)], ids=str)
def test_random_small_boards_agree_with_brute_force(shape):
    """On thousands of random small boards, each solver counts the same as brute force."""
    solvers = [get_solver(name) for name in [*SOLVERS, *PRESETS]]
    for trial in range(3000 if shape == (2, 2) else 1000):
        rng = random_of("agree", shape, trial)
        board = perturbed(*shape, rng, share=rng.uniform(0.3, 0.8 if shape == (2, 2) else 0.65))
        expected = count_by_force(board, 50)
        for solver in solvers:
            assert solver.count(board, 50).solutions == expected, (solver.name, board)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "trials"), [((3, 3), 4000), ((3, 4), 1000), ((4, 4), 300), ((5, 5), 30)], ids=str)
def test_random_large_boards_have_one_verdict(shape, trials):
    """On random larger boards, solvable or not, the solvers agree, and each solution is one."""
    solvers = [get_solver(name) for name in SOLVERS if name != "exact-cover" or shape[0] * shape[1] < 16]
    seen = set()
    for trial in range(trials):
        rng = random_of("verdict", shape, trial)
        board = perturbed(*shape, rng, share=rng.uniform(0.3, 0.5))
        results = [solver.solve(board) for solver in solvers]
        assert len({result.status for result in results}) == 1, board
        seen.add(results[0].status)
        assert all(result.solution is None or is_solution_of(result.solution, board) for result in results)
    assert seen == {Status.SOLVED, Status.UNSOLVABLE}
