"""The questions of the public API: boards and solvers in every form, and keyword arguments that do not exist."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.solvers.function import FunctionSolver
from csp_sudoku.solvers.many import _solve_chunk_fully, _Task
from csp_sudoku.solvers.registry import get_solver

TEXT = "1... ..2. .3.. ...4"
BOARD = cs.Board.parse(TEXT)
SOLUTION = "1243342143122134"
LISTS = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]

FORMS = {
    "text": TEXT,
    "lists": LISTS,
    "flat": [value for row in LISTS for value in row],
    "array": np.array(LISTS),
    "characters": [[str(value or ".") for value in row] for row in LISTS],
}

QUESTIONS = {
    "solve": lambda board: cs.solve(board).solution,
    "count_solutions": cs.count_solutions,
    "is_unique": cs.is_unique,
    "is_solvable": cs.is_solvable,
    "solutions": lambda board: list(cs.solutions(board)),
    "solve_many": lambda board: [result.solution for result in cs.solve_many([board, board])],
    "explain": cs.explain,
    "grade": cs.grade,
    "classify_moves": lambda board: list(cs.classify_moves(board).safe),
    "explain_move": lambda board: cs.explain_move(board, 0, 1, 2).verdict,
}


@pytest.mark.quick
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_function_takes_a_board_in_every_form(name, form):
    """The answer about a text or a table is the answer about its board."""
    assert QUESTIONS[name](FORMS[form]) == QUESTIONS[name](BOARD)


def test_a_wrong_board_is_told():
    """The functions raise the same errors as Board.of."""
    for ask in QUESTIONS.values():
        with pytest.raises(cs.SudokuError, match=r"at r2c3; found 2\.5"):
            ask([[1, 0, 0, 0], [0, 0, 2.5, 0], [0] * 4, [0] * 4])


@pytest.mark.parametrize("boards", [BOARD, TEXT], ids=["board", "text"])
def test_many_boards_are_not_one(boards):
    """A single board is no list of boards."""
    with pytest.raises(cs.SudokuError, match="expected several boards"):
        cs.solve_many(boards)


def test_neither_numpy_nor_pandas_is_imported_to_read_a_board():
    """A table of lists costs no import."""
    code = (
        "import sys; from csp_sudoku.board import Board; "
        f"Board.of({LISTS}); print({{'numpy', 'pandas'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def brute(board):
    """A solver that is a function: the first solution in plain order."""
    return get_solver("brute-force").solve(board).solution


def rows(board):
    """The same, as lists."""
    solution = brute(board)
    return None if solution is None else solution.rows


def line(board):
    """The same, as text."""
    solution = brute(board)
    return None if solution is None else solution.format("line")


def result(board):
    """The same, as a Result."""
    return get_solver("brute-force").solve(board)


FUNCTIONS = [brute, rows, line, result]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_is_a_solver(function):
    """Whatever it returns, its answers are those of a solver, even for more than one solution."""
    assert cs.solve(BOARD, function).solution.format("line") == SOLUTION
    assert cs.solve("12.. .... ..3. ..4.", function).status is cs.Status.UNSOLVABLE
    assert cs.is_unique(BOARD, function)
    assert not cs.is_unique(cs.Board.empty(2, 2), function)
    assert cs.count_solutions(cs.Board.empty(2, 2).place(0, 0, 1), solver=function) == 72
    assert len(set(cs.solutions(cs.Board.empty(2, 2).place(0, 0, 1), function))) == 72
    assert [one.solution.format("line") for one in cs.solve_many([BOARD], solver=function)] == [SOLUTION]
    shaped = cs.Board.empty(3, 2)
    assert cs.solve(shaped, function).solution.extends(shaped)


def test_a_function_works_on_variants():
    """The geometry of the answer is that of the board."""
    board = cs.Board(cs.Geometry.diagonal(2, 2), [0] * 16)
    assert cs.solve(board, rows).solution.geometry is board.geometry


def test_the_evidence_of_a_function():
    """The solver has the name of the function, and a call is a node."""
    stats = cs.solve(BOARD, brute).stats
    assert (stats.solver, dict(stats.options), stats.nodes) == ("brute", {}, 1)
    assert isinstance(FunctionSolver(brute), cs.Solver)


def test_the_limits_of_a_function():
    """The number of calls is limited, and an answer UNKNOWN is passed on."""
    assert cs.solve(BOARD, brute, node_limit=0).status is cs.Status.UNKNOWN
    counted = FunctionSolver(brute).count(cs.Board.empty(2, 2), None, cs.Limits(nodes=10))
    assert counted.status is cs.Status.UNKNOWN
    assert counted.solutions < 288
    with pytest.raises(cs.UndecidedError):
        list(FunctionSolver(brute).solutions(cs.Board.empty(2, 2), cs.Limits(nodes=10)))
    with pytest.raises(cs.UndecidedError):
        cs.is_unique(cs.Board.empty(2, 2), lambda board: cs.solve(board, "backtracking", node_limit=0))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (BOARD, "found a board with 12 empty cells"),
        ([[1] * 4] * 4, "found a wrong one: expected each value once in row 1"),
        ("2143341243211234", "expected wrong to return a full board with all the values of its board; found another"),
        (7, "found a wrong one: expected a board, a text"),
        (True, "found a wrong one: expected a board, a text"),
    ],
)
def test_a_wrong_answer_of_a_function(answer, message):
    """A returned object that is no solution is an error that names the function."""

    def wrong(_):
        return answer

    with pytest.raises(cs.SudokuError, match=message):
        cs.solve(BOARD, wrong)


def test_a_solver_object():
    """An object with the methods of a solver is used unchanged; options belong to names."""
    solver = get_solver("backtracking", values="random", seed=7)
    assert get_solver(solver) is solver
    assert cs.solve(BOARD, solver).stats.options["seed"] == 7
    assert cs.is_unique(BOARD, solver)
    assert [one.stats.solver for one in cs.solve_many([BOARD], solver=solver)] == ["backtracking"]
    for given, words in ((solver, "a solver object"), (brute, "a function")):
        with pytest.raises(cs.OptionError, match=f"with {words}"):
            get_solver(given, seed=1)


@pytest.mark.parametrize(("wrong", "found"), [(7, "7"), (None, "None"), (FunctionSolver, "the class FunctionSolver")])
def test_what_is_no_solver(wrong, found):
    """Any other object is an OptionError that lists the accepted ones."""
    with pytest.raises(cs.OptionError, match=f"expected the name of a solver, an object .* found {found}"):
        cs.solve(BOARD, wrong)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: cs.solve(BOARD, timeout=1), "time_limit"),
        (lambda: cs.solve(BOARD, timelimit=1), "time_limit"),
        (lambda: cs.solve(BOARD, nodes=1), "node_limit"),
        (lambda: cs.solve(BOARD, sede=1), "seed"),
        (lambda: cs.solve(BOARD, "backtracking", valeus="random"), "values"),
        (lambda: cs.solve(BOARD, brute, timeout=1), "time_limit"),
        (lambda: cs.count_solutions(BOARD, max_solutions=2), "limit"),
        (lambda: cs.is_unique(BOARD, timeout=1), "time_limit"),
        (lambda: cs.is_solvable(BOARD, method="cpsat"), "solver"),
        (lambda: cs.solutions(BOARD, timeout=1), "time_limit"),
        (lambda: cs.solve_many([BOARD], workers=2), "jobs"),
        (lambda: cs.explain(BOARD, timeout=1), "time_limit"),
        (lambda: cs.grade(BOARD, deadline=1), "time_limit"),
        (lambda: cs.explain_move(BOARD, 0, 1, 2, timeout=1), "time_limit"),
        (lambda: cs.explain_move(BOARD, row=0, column=1, value=2), "col"),
        (lambda: cs.generate(2, 2, seed=1), "rng"),
        (lambda: cs.load("no-file", notation="line"), "format"),
        (lambda: cs.load_many("no-file", box=(2, 2)), "shape"),
    ],
)
def test_an_unknown_keyword_is_hinted_at(call, hint):
    """A keyword argument that no one has is a TypeError, and an OptionError, with the nearest name."""
    with pytest.raises(TypeError, match=rf"did you mean {hint}\?$") as caught:
        call()
    assert isinstance(caught.value, cs.KeywordError)
    assert isinstance(caught.value, cs.OptionError)


def test_an_unknown_keyword_of_an_unknown_solver():
    """The solver is reported first."""
    with pytest.raises(cs.OptionError, match="did you mean 'cpsat'"):
        cs.solve(BOARD, "cpsta", timeout=1)


@pytest.mark.parametrize("solver", [brute, FunctionSolver(brute), get_solver("backtracking", values="random")])
def test_solvers_of_every_kind_work_in_other_processes(solver):
    """A function and a solver can be sent to a worker, and their results back."""
    task = pickle.loads(pickle.dumps(_Task(solver, {}, cs.Limits(), None)))
    [found] = pickle.loads(pickle.dumps(_solve_chunk_fully([BOARD], task)))
    assert found.solution.format("line") == SOLUTION
