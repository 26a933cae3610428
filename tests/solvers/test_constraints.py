"""Boards with constraints: some solvers solve them, the others refuse them, and the answers follow the rules."""

from itertools import permutations

import pytest

from csp_sudoku import (
    Board,
    ConstraintError,
    Geometry,
    Limits,
    OptionError,
    Status,
    SudokuError,
    UndecidedError,
    classify_moves,
    count_solutions,
    get_solver,
    is_solvable,
    is_unique,
    solutions,
    solve,
    solve_many,
)
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.constraints.generic import AnyOf
from csp_sudoku.constraints.marks import Even, Odd
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.constraints.regions import AllDifferent, Diagonal, DisjointGroups
from csp_sudoku.constraints.thermometers import Thermometer
from csp_sudoku.solvers.cpsat.solver import CpSat

FOUR = Geometry.standard(2, 2)
CAGED = FOUR.with_constraints(Killer([0, 1], 3), Thermometer([2, 3, 7]))
"""r1c1 and r1c2 hold 1 and 2, and r1c3 < r1c4 < r2c4, which cannot be."""
TRAINED = FOUR.with_constraints(Killer([0, 1], 3), Thermometer([2, 3]))


def empty(geometry):
    """The empty board of a geometry."""
    return Board(geometry, bytes(geometry.cell_count))


def test_public_questions_know_constraints():
    """Solving, counting and listing give boards of the geometry that was asked about, which satisfy it."""
    board = empty(TRAINED)
    result = solve(board)
    assert result.status is Status.SOLVED
    assert result.stats.solver == "auto"
    assert result.stats.stage == "cpsat"
    assert result.solution.geometry == TRAINED
    assert TRAINED.violated(result.solution.values) is None
    listed = {solution.values for solution in solutions(board)}
    plain = {solution.values for solution in solutions(Board.empty(2, 2))}
    assert listed == {values for values in plain if TRAINED.violated(values) is None}
    assert count_solutions(board) == len(listed)
    assert count_solutions(board, 2) == 2
    assert is_solvable(board)
    assert not is_unique(board)
    assert [result.status for result in solve_many([board, empty(CAGED)])] == [Status.SOLVED, Status.UNSOLVABLE]
    assert not is_solvable(empty(CAGED))


def test_givens_that_violate_a_constraint_leave_no_solution():
    """They are no error: the board is unsolvable, also if it is full."""
    for cells in ([3, 4] + [0] * 14, [3, 4, 1, 2, 1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3]):
        board = Board(FOUR.with_constraints(Killer([0, 1], 3)), cells)
        assert solve(board).status is Status.UNSOLVABLE
        assert CpSat(propagate=False).solve(board).status is Status.UNSOLVABLE
        assert count_solutions(board) == 0


@pytest.mark.parametrize("name", ["backtracking", "learning", "exact-cover", "fighter"])
def test_searches_that_know_only_regions_refuse_constraints(name):
    """One line that names the solvers for the board; never a wrong answer."""
    solver, board = get_solver(name), empty(TRAINED)
    for question in (solver.solve, solver.count, lambda board: list(solver.solutions(board))):
        with pytest.raises(
            ConstraintError, match=r"expected a board without constraints for .*; found one with 2, which"
        ):
            question(board)


@pytest.mark.parametrize("engine", ["search", "rule"])
def test_engines_that_know_only_regions_refuse_constraints(engine):
    """The compiled search and the rule do not map a board with constraints."""
    with pytest.raises(SudokuError, match="expected a"):
        classify_moves(empty(TRAINED), engine)


def test_constraints_that_are_regions_are_solved_as_regions():
    """Diagonals and disjoint groups become extra regions, which the compiled searches know."""
    diagonals = FOUR.with_constraints(Diagonal(falling=True), Diagonal(falling=False))
    assert reduced(diagonals).constraints == ()
    assert solve(empty(diagonals)).stats.stage == "search"
    assert solve(empty(diagonals)).solution.geometry == diagonals
    assert count_solutions(empty(diagonals)) == count_solutions(empty(Geometry.diagonal(2, 2))) == 48
    assert count_solutions(empty(diagonals), solver="cpsat") == 48
    clash = Board(diagonals, [1] + [0] * 14 + [1])
    assert solve(clash).status is Status.UNSOLVABLE
    assert count_solutions(clash) == 0
    assert list(solutions(clash)) == []
    mixed = FOUR.with_constraints(AllDifferent(range(4)), DisjointGroups(), Odd(0))
    assert reduced(mixed).constraints == (Odd(0),)
    assert len(reduced(mixed).extra) == 4
    assert reduced(TRAINED) is TRAINED


def test_more_regions_than_the_searches_have_room_for_go_to_cpsat():
    """Nine regions of one cell are too many for the compiled searches, and no error."""
    regions = [
        AllDifferent([0, *((row + 1) * 4 + columns[row] for row in range(3))]) for columns in permutations([1, 2, 3])
    ]
    geometry = FOUR.with_constraints(*regions)
    expected = sum(geometry.violated(solution.values) is None for solution in solutions(Board.empty(2, 2)))
    result = get_solver("auto").count(empty(geometry))
    assert result.solutions == expected
    assert result.stats.stage == "cpsat"


def test_a_choice_of_constraints_is_counted_once():
    """A board that satisfies both alternatives is one solution, for listing, counting and every encoding."""
    either = FOUR.with_constraints(AnyOf([Odd(0), Even(3), Killer([5, 6], 4)]))
    plain = [solution.values for solution in solutions(Board.empty(2, 2))]
    expected = {values for values in plain if either.violated(values) is None}
    for encoding in ("boolean", "integer"):
        solver = CpSat(encoding=encoding)
        board = Board(either, [0, 1] + [0] * 14)
        assert [values for values in expected if values[1] == 1]
        listed = [solution.values for solution in solver.solutions(board)]
        assert sorted(listed) == sorted(values for values in expected if values[1] == 1)
        result = solver.count(board)
        assert (result.status, result.solutions) == (Status.SOLVED, len(listed))
        assert solver.count(board, 3).solutions == 3
        assert solver.count(board, None, Limits(seconds=0)).status is Status.UNKNOWN
        with pytest.raises(UndecidedError):
            list(solver.solutions(board, Limits(seconds=0)))


def test_latin_squares_of_any_size():
    """Boards without blocks: 12 squares of order 3, 576 of order 4, and one of order 7 with a constraint."""
    assert count_solutions(empty(Geometry.latin(3))) == count_solutions(empty(Geometry.latin(3)), solver="cpsat") == 12
    assert count_solutions(empty(Geometry.latin(4))) == 576
    seven = Geometry.latin(7).with_constraints(AntiKing())
    solution = solve(empty(seven)).solution
    assert seven.violated(solution.values) is None


def test_workers_are_for_one_answer():
    """Several workers find a solution or a proof; counting and listing stay with one, and so stay right."""
    solver = CpSat(workers=2)
    assert solver.solve(empty(TRAINED)).status is Status.SOLVED
    assert solver.solve(empty(CAGED)).status is Status.UNSOLVABLE
    assert solver.count(Board.empty(2, 2)).solutions == 288
    assert len(set(solver.solutions(Board.empty(2, 2)))) == 288
    for workers in (0, 65):
        with pytest.raises(OptionError, match=f"expected cpsat option workers to be from 1 to 64; found {workers}"):
            CpSat(workers=workers)


def test_a_function_must_satisfy_the_constraints():
    """A solver made of a function is not believed if its board violates one."""
    wrong = Board.parse("3412 1234 4321 2143")
    board = empty(TRAINED)
    with pytest.raises(SudokuError, match="that satisfies its constraints; found that not: the values of r1c1 r1c2"):
        solve(board, lambda _: Board(TRAINED, wrong.values))
    right = solve(board).solution
    assert solve(board, lambda _: right.rows).solution == right


def test_a_wrong_solution_is_not_passed_on(monkeypatch):
    """The solutions of CP-SAT are checked against the constraints, too."""
    wrong = Board.parse("3412 1234 4321 2143").values
    monkeypatch.setattr("csp_sudoku.solvers.cpsat.model.EncodedBoard.decode", lambda self, solution: wrong)
    with pytest.raises(RuntimeError, match="expected a completion"):
        CpSat().solve(empty(TRAINED))


def test_limits_leave_a_board_with_constraints_unknown():
    """No time and no conflicts: UNKNOWN, and not UNSOLVABLE."""
    nine = empty(Geometry.standard(3, 3).with_constraints(AntiKnight(), AntiKing()))
    assert solve(nine, time_limit=0).status is Status.UNKNOWN
    assert get_solver("auto").count(nine, None, Limits(seconds=0)).status is Status.UNKNOWN
