"""The public API: every parameter is described, every field has a docstring, and a result is not a bool."""

import ast
import inspect

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku import _HOMES
from csp_sudoku.board import Board
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move_map import MoveMap
from csp_sudoku.solvers.base import Result, Stats, Status
from csp_sudoku.solvers.incremental import Incremental

PUBLIC = {name: getattr(cs, name) for names in _HOMES.values() for name in names}
CLASSES = ("Board", "Geometry", "Limits", "MoveMap", "MoveTracker")
"""The classes that users make, or whose methods they call with arguments."""


def functions():
    """The public functions, and the public methods and the constructors of the classes, with their docstrings."""
    for name, one in PUBLIC.items():
        if inspect.isfunction(one):
            yield name, one, one.__doc__
    for name in CLASSES:
        yield name, PUBLIC[name].__init__, PUBLIC[name].__doc__
        for method, one in vars(PUBLIC[name]).items():
            plain = getattr(one, "__func__", one)
            if not method.startswith("_") and inspect.isfunction(plain):
                yield f"{name}.{method}", plain, plain.__doc__


@pytest.mark.quick
@pytest.mark.parametrize(
    ("function", "docstring"), [pytest.param(one, text, id=name) for name, one, text in functions()]
)
def test_every_parameter_is_described(function, docstring):
    """The docstring of a function names each of its parameters; the docstring of a class, those of its constructor."""
    parameters = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    assert [name for name in parameters if f"`{name}`" not in docstring] == []


def test_the_functions_are_there():
    """The audit above sees the functions."""
    names = {name for name, *_ in functions()}
    assert {"solve", "solve_many", "explain_move", "generate", "load", "Board.of", "MoveTracker.place"} <= names


BOARD = Board.parse("1... ..2. .3.. ...4")

TAKERS = {
    "solve": cs.solve,
    "count_solutions": cs.count_solutions,
    "is_solvable": cs.is_solvable,
    "is_unique": cs.is_unique,
    "solutions": lambda board: set(cs.solutions(board)),
    "solve_many": lambda board: list(cs.solve_many([board])),
    "solve_array": lambda board: cs.solve_array([cs.Board.of(board).cells], count=2).counts.tolist(),
    "classify_moves": lambda board: list(cs.classify_moves(board).safe),
    "explain_move": lambda board: cs.explain_move(board, 0, 2, 3).verdict,
    "MoveTracker": lambda board: list(cs.MoveTracker(board).map.safe),
    "MoveTracker.move_to": lambda board: list(cs.MoveTracker("." * 16).move_to(board).safe),
    "CpModel": lambda board: cs.CpModel(board).count().solutions,
    "explain": cs.explain,
    "grade": cs.grade,
    "hint": lambda board: str(cs.hint(board)),
    "Board.extends": BOARD.extends,
    "GameState.start": GameState.start,
    "GameState.of": lambda board: GameState.of(board, initial=board),
    "Incremental": lambda board: Incremental(board).ask([]).status,
}
"""The functions of the API that take a board, and the answer of each as something that can be compared."""


def frame(empty):
    """The board as a data frame whose empty cells are NaN or None."""
    pandas = pytest.importorskip("pandas")
    rows = [[value or empty for value in row] for row in BOARD.rows]
    return pandas.DataFrame(rows, dtype=object if empty is None else float)


FORMS = {
    "text": lambda: "1... ..2. .3.. ...4",
    "lists": lambda: BOARD.rows,
    "array": lambda: np.array(BOARD.rows),
    "frame with NaN": lambda: frame(float("nan")),
    "frame with None": lambda: frame(None),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", TAKERS)
def test_a_board_may_be_a_text_or_a_table(name, form):
    """Every function of the API that takes a board also takes what `Board.of` makes one of."""

    def answer(board):
        found = TAKERS[name](board)
        return (found.status, found.solutions, found.solution) if isinstance(found, Result) else found

    def plain(found):
        if isinstance(found, list) and found and isinstance(found[0], Result):
            return [one.solution for one in found]
        return found

    assert plain(answer(FORMS[form]())) == plain(answer(BOARD))


def test_no_function_takes_a_board_alone():
    """A function that takes a board says that it takes a text or a table, too; only engines make a map."""
    asked = {
        f"{name}({parameter})": hint
        for name, one, _ in functions()
        if name != "MoveMap"
        for parameter, hint in inspect.get_annotations(one).items()
        if parameter != "return" and hint in ("Board", "Board | None", "Iterable[Board]")
    }
    assert asked == {}


@pytest.mark.parametrize("kind", [Result, Stats])
def test_fields_have_docstrings(kind):
    """`help` describes each field."""
    texts = [getattr(kind, name).__doc__ for name in kind._fields]
    assert all(text.endswith(".") and not text.startswith("Alias") for text in texts)


@pytest.mark.parametrize("kind", [GameState, MoveMap])
def test_attributes_have_docstrings(kind):
    """Each attribute is followed by its docstring, where editors and tools look for it."""
    body = ast.parse(inspect.getsource(kind)).body[0].body
    fields = [at for at, node in enumerate(body) if isinstance(node, ast.AnnAssign)]
    assert len(fields) >= 8
    for at in fields:
        following = body[at + 1]
        assert isinstance(following, ast.Expr), body[at].target.id
        assert isinstance(following.value, ast.Constant)


@pytest.mark.parametrize("board", ["1... ..2. .3.. ...4", "12.. .... ..3. ..4."])
def test_a_result_is_not_a_bool(board):
    """Neither a solution nor its absence has a truth value; the error names the expression to use."""
    result = cs.solve(board)
    with pytest.raises(TypeError, match=r"result\.status is Status\.SOLVED.*result\.solution"):
        bool(result)
    with pytest.raises(TypeError):
        any([result])


def test_the_repr_of_a_result_is_short():
    """It has the status, the solver, the work and the time, but no board."""
    stats = Stats("auto", nodes=1, build_seconds=0.001, solve_seconds=0.0005, stage="search")
    assert repr(Result(Status.UNKNOWN, None, stats)) == "<Result unknown by auto (search), 1 node, 1.5 ms>"
    long = Stats("cpsat", nodes=12345, solve_seconds=75.25)
    found = Result(Status.SOLVED, Board.empty(2, 2), long, 288)
    assert repr(found) == "<Result solved by cpsat, 288 solutions, 12,345 nodes, 75.2 s>"


def test_a_loop_over_a_board():
    """Iterating gives the values row by row."""
    board = cs.Board.of("1... ..2. .3.. ...4")
    assert tuple(board) == board.cells
    assert [cell for cell in board if cell] == [1, 2, 3, 4]
    assert cs.Board(board.geometry, board) == board
    assert 4 in board


def test_a_or_an():
    """Errors have the right article."""
    with pytest.raises(cs.OptionError, match="expected an auto option among"):
        cs.get_solver("auto", bonud=1)
    with pytest.raises(cs.OptionError, match="expected an engine among"):
        cs.classify_moves(cs.Board.empty(2, 2), "serach")
    with pytest.raises(cs.OptionError, match="expected a solver among"):
        cs.get_solver("simplex")
