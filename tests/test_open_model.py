"""The open model: further constraints and objectives of OR-Tools on the model of a board."""

import pytest

from csp_sudoku import Board, CpModel, Geometry, MoveError, Status, SudokuError, UndecidedError, Verdict, solutions
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.generic import AnyOf
from csp_sudoku.constraints.marks import Even, Odd
from csp_sudoku.constraints.regions import Diagonal

PLAIN = Board.empty(2, 2)


def grids():
    """All full 4×4 boards."""
    return [solution.values for solution in solutions(PLAIN)]


def test_a_model_without_additions_is_the_board():
    """It has the solutions of the board, with its givens and its constraints, and also of one that has none."""
    assert CpModel(PLAIN).count().solutions == 288
    geometry = PLAIN.geometry.with_constraints(Killer([0, 1], 3), Diagonal(falling=True))
    board = Board(geometry, [0, 0, 4] + [0] * 13)
    expected = {values for values in grids() if geometry.violated(values) is None and values[2] == 4}
    model = CpModel(board)
    assert {solution.values for solution in model.solutions()} == expected
    assert all(solution.geometry == geometry for solution in model.solutions())
    assert model.count(2).solutions == 2
    assert CpModel(Board(geometry, [3] + [0] * 15)).solve().status is Status.UNSOLVABLE
    assert CpModel(Board(geometry, [1] + [0] * 14 + [1])).solve().status is Status.UNSOLVABLE


def test_constraints_of_or_tools_count():
    """Constraints added to the model apply to every question."""
    model = CpModel(PLAIN)
    model.model.add(model.cell(0, 0) + model.cell(3, 3) == 7)
    model.model.add_implication(model.literal(0, 0, 3), model.literal(0, 1, 4))
    expected = {values for values in grids() if values[0] + values[15] == 7 and (values[0] != 3 or values[1] == 4)}
    assert {solution.values for solution in model.solutions()} == expected
    assert model.count().solutions == len(expected)
    result = model.solve(workers=2)
    assert result.solution.values in expected
    assert model.value(model.cell(0, 0)) == result.solution[0, 0]
    assert model.value(model.literal(0, 0, 3)) == (result.solution[0, 0] == 3)
    found = model.classify_moves()
    assert found.is_complete
    for move in found.legal:
        is_safe = any(values[move.row * 4 + move.col] == move.value for values in expected)
        assert found.verdict(*move) is (Verdict.SAFE if is_safe else Verdict.BOMB)


def test_further_variables_do_not_repeat_boards():
    """A board with several values of a further variable is listed and counted once."""
    model = CpModel("12.. .... .... ....")
    free = model.model.new_int_var(0, 3, "free")
    model.model.add(model.cell(2, 2) + free >= 3)
    expected = {values for values in grids() if values[:2] == bytes([1, 2])}
    listed = [solution.values for solution in model.solutions()]
    assert sorted(listed) == sorted(expected)
    assert model.count().solutions == len(expected)
    choice = CpModel(Board(PLAIN.geometry.with_constraints(AnyOf([Odd(0), Even(1)])), [1, 2] + [0] * 14))
    assert choice.count().solutions == len(expected)


def test_an_objective_is_optimised_with_proof():
    """The best solution with its value and bound; lists, counts and maps do without the objective."""
    model = CpModel(PLAIN)
    diagonal = [model.cell(at, at) for at in range(4)]
    model.model.maximize(sum((at + 1) * cell for at, cell in enumerate(diagonal)))
    best = max(sum((at + 1) * values[5 * at] for at in range(4)) for values in grids())
    result = model.solve()
    assert result.status is Status.SOLVED
    assert (model.optimum.value, model.optimum.bound, model.optimum.is_proven) == (best, best, True)
    assert sum((at + 1) * result.solution[at, at] for at in range(4)) == best
    assert model.count().solutions == 288
    assert not model.classify_moves().bombs
    assert CpModel(PLAIN).optimum is None


def test_givens_that_clash_with_additions_are_explained():
    """A minimal set of givens that admits no solution of the model; None if there is a solution."""
    model = CpModel(".2.. .... ..4. 3...")
    assert model.explain() is None
    model.model.add(model.cell(0, 1) + model.cell(2, 2) == 5)
    found = model.explain()
    assert found.givens == (1, 10)
    assert found.minimal
    assert found.among == 3
    assert "2 of the 3 givens admit no completion" in found.sentence()
    assert model.solve().status is Status.UNSOLVABLE
    with pytest.raises(UndecidedError):
        model.explain(time_limit=0)


def test_limits_and_wrong_cells():
    """Limits leave a question open, and a cell or a value out of range is an error."""
    model = CpModel(PLAIN)
    assert model.solve(time_limit=0).status is Status.UNKNOWN
    assert model.count(time_limit=0).status is Status.UNKNOWN
    assert model.classify_moves(0).unknown
    with pytest.raises(UndecidedError):
        list(model.solutions(time_limit=0))
    with pytest.raises(SudokuError, match="expected a solution to be found before"):
        CpModel(PLAIN).value(1)
    for ask in (lambda: model.cell(4, 0), lambda: model.cell(0, -1), lambda: model.literal(0, 0, 5)):
        with pytest.raises(MoveError, match="expected a"):
            ask()


def test_boards_of_one_value_and_without_blocks():
    """Even a board of one cell has a model, and a Latin square of order 3 has its 12."""
    one = CpModel(Board(Geometry.latin(1), [0]))
    assert one.count().solutions == 1
    assert one.solve().solution.cells == (1,)
    one.model.add(one.cell(0, 0) + one.literal(0, 0, 1) == 2)
    assert one.solve().status is Status.SOLVED
    assert CpModel(Board(Geometry.latin(1), [1])).explain() is None
    assert CpModel(Board(Geometry.latin(3), bytes(9))).count().solutions == 12
