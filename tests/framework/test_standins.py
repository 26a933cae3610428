"""The stand-ins for the framework's modules, in both APIs."""

import copy
import inspect
import pickle
import sys
import threading
from multiprocessing import Array, Lock
from types import SimpleNamespace

import pytest

from csp_sudoku import NotationError, OptionError
from csp_sudoku.framework import standins
from csp_sudoku.framework.sudokuai import LARGEST, SudokuAI
from csp_sudoku.framework.v12 import sudoku as v12
from csp_sudoku.framework.v14 import sudoku as v14
from tests.support import SHAPES, planted, random_of

BOTH = pytest.mark.parametrize("api", [v12, v14], ids=["v12", "v14"])


def move(api, row, column, value, *, taboo=False):
    """A move in an API's own way."""
    kind = api.TabooMove if taboo else api.Move
    return kind(row, column, value) if api is v12 else kind((row, column), value)


def filled(api, m, n, seed):
    """A board of an API, half full."""
    board = api.SudokuBoard(m, n)
    board.squares = list(planted(m, n, random_of(seed))[0].cells)
    return board


@pytest.fixture
def _uninstalled():
    """Leave no stand-in behind."""
    before = {name: module for name, module in sys.modules.items() if name.startswith(standins.PACKAGE)}
    yield
    for name in [name for name in sys.modules if name.startswith(standins.PACKAGE)]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.mark.quick
@pytest.mark.usefixtures("_uninstalled")
@pytest.mark.parametrize("name", standins.APIS)
def test_installed_names_are_importable(name):
    """Once installed, an API's modules are imported the way agents do; before, there is no such package."""
    with pytest.raises(ModuleNotFoundError):
        __import__("competitive_sudoku")
    standins.install(name)
    namespace = {}
    exec(
        "import competitive_sudoku.sudokuai\n"
        "from competitive_sudoku.sudoku import *\n"
        "from competitive_sudoku.sudoku import GameState, Move, SudokuBoard, TabooMove\n"
        "from competitive_sudoku.sudokuai import SudokuAI\n"
        "from competitive_sudoku.execute import solve_sudoku\n"
        "assert competitive_sudoku.sudokuai.SudokuAI is SudokuAI\n"
        "assert random.choice([1]) == 1 and List[int] and Optional[int]\n",
        namespace,
    )
    assert namespace["Move"].__module__.startswith(f"csp_sudoku.framework.{name}")
    with pytest.raises(ModuleNotFoundError):
        __import__("competitive_sudoku.unknown")


def test_only_the_two_apis_exist():
    """An unknown API is an error that names the known ones."""
    with pytest.raises(OptionError, match="among v12, v14; found 'v13'"):
        standins.install("v13")


@BOTH
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_boards_read_and_write_squares(api, m, n):
    """A value is read back from the square to which it was written; all measures are those of the shape."""
    board = api.SudokuBoard(m, n)
    size = m * n
    assert (board.m, board.n, board.N, board.empty, api.SudokuBoard.empty) == (m, n, size, 0, 0)
    assert (board.region_width(), board.region_height()) == (n, m)
    assert (board.board_width(), board.board_height()) == (size, size)
    assert board.squares == [0] * size**2
    for row, column, value in [(0, 0, 1), (1, 0, 2), (size - 1, size - 1, size)]:
        index = row * size + column
        if api is v12:
            board.put(row, column, value)
            assert board.get(row, column) == value
            assert (board.rc2f(row, column), board.f2rc(index)) == (index, (row, column))
        else:
            board.put((row, column), value)
            assert board.get((row, column)) == board.get(square=[row, column]) == value
            assert (board.square2index((row, column)), board.index2square(index)) == (index, (row, column))
        assert board.squares[index] == value


def test_boards_have_a_usual_shape():
    """Without a shape, a board is 3×3."""
    assert v12.SudokuBoard().N == v14.SudokuBoard().N == 9


def test_old_columns_run_over():
    """Indices are not checked: beyond the last column the next row begins, as in the framework."""
    board = v12.SudokuBoard(2, 2)
    board.put(0, 4, 3)
    assert board.get(1, 0) == 3


@BOTH
def test_moves_are_equal_by_square_and_value(api):
    """Move and TabooMove are equal if they say the same, hash alike, and are nothing else's equal."""
    one, same, other = move(api, 1, 2, 3), move(api, 1, 2, 3, taboo=True), move(api, 1, 2, 4)
    assert one == same
    assert one != other
    assert [one, other].index(same) == 0
    assert {one: 1}[same] == 1
    assert isinstance(same, api.Move)
    assert not isinstance(one, api.TabooMove)
    assert one is not None
    assert one != (1, 2, 3)
    assert str(one) == "(1,2) -> 3"
    assert (one.i, one.j, one.value) == (1, 2, 3) if api is v12 else (one.square, one.value) == ((1, 2), 3)


def test_squares_may_be_lists():
    """A move on [row, column] equals the one on (row, column) ."""
    assert v14.Move([1, 2], 3) == v14.Move((1, 2), 3)
    assert len({v14.Move([1, 2], 3), v14.TabooMove((1, 2), 3)}) == 1


def test_members_take_their_arguments_by_name():
    """The names of parameters are the framework's, since agents use them."""
    assert v12.Move(i=0, j=1, value=2) == v12.Move(0, 1, 2)
    assert v14.Move(square=(0, 1), value=2) == v14.Move((0, 1), 2)
    names = ["initial_board", "board", "taboo_moves", "moves", "scores"]
    assert list(inspect.signature(v12.GameState).parameters) == names
    squares = ["allowed_squares1", "allowed_squares2", "occupied_squares1", "occupied_squares2"]
    assert list(inspect.signature(v14.GameState).parameters) == [*names, "current_player", *squares]


@BOTH
def test_states_copy_deeply(api):
    """A deep copy shares nothing mutable, and keeps classes, foreign attributes and identities."""

    class Own(api.GameState):
        def __init__(self, state):
            self.__dict__ = state.__dict__.copy()
            self.found = {"moves": [state.moves]}

    state = Own(api.GameState(filled(api, 2, 3, "copy"), None, [], [move(api, 0, 0, 1)], [1, 2]))
    state.board.note = [[1], [2]]
    state.same = state.board.squares
    after = copy.deepcopy(state)
    assert type(after) is Own
    assert after.moves == state.moves
    assert after.found["moves"][0] is after.moves
    assert after.same is after.board.squares
    after.board.squares[0] = 9
    after.moves.append(1)
    after.moves[0].value = 5
    after.scores[0] = 7
    after.board.note[0].append(3)
    assert state.board.squares[0] != 9
    assert (len(state.moves), state.moves[0].value, state.scores, state.board.note) == (1, 1, [1, 2], [[1], [2]])
    assert copy.copy(state).board is state.board
    plain = api.GameState(filled(api, 2, 3, "copy"), scores=[3, 4])
    again = pickle.loads(pickle.dumps(plain))
    assert (again.board.squares, again.scores) == (plain.board.squares, [3, 4])


def test_old_turns_are_told_by_the_moves():
    """In the old API it is player 1's turn after an even number of moves, taboo ones included."""
    state = v12.GameState()
    assert state.current_player() == 1
    state.moves.append(v12.TabooMove(0, 0, 1))
    assert state.current_player() == 2


def neighbours(square, size):
    """The squares around one."""
    row, column = square
    return {(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)} & {
        (r, c) for r in range(size) for c in range(size)
    }


@pytest.mark.parametrize("mode", ["rows", "border", "random"])
def test_player_squares_are_allowed_or_near_occupied_ones(mode):
    """The empty squares among the allowed ones and around the occupied ones, sorted and without doubles."""
    random = random_of("squares", mode)
    board = filled(v14, 3, 3, "squares")
    first, second = v14.allowed_squares(board, mode)
    whole = [board.index2square(k) for k in range(81)]
    occupied = [random.sample([square for square in whole if board.get(square)], 6) for _ in range(2)]
    state = v14.GameState(board, None, [], [], [0, 0], 1, first, second, *occupied)
    for player, allowed in ((1, first), (2, second)):
        state.current_player = player
        reached = {*allowed}.union(*(neighbours(square, 9) for square in occupied[player - 1]))
        assert state.player_squares() == sorted(square for square in reached if not board.get(square))
        assert state.occupied_squares() is occupied[player - 1]
    assert not state.is_classic_game()


def test_classic_games_limit_nobody():
    """In a classic game player_squares() is None."""
    state = v14.GameState(v14.SudokuBoard(2, 2))
    assert state.is_classic_game()
    assert state.player_squares() is None
    assert state.occupied_squares() is None


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (4, 4)])
def test_allowed_squares_of_the_play_modes(m, n):
    """Rows, border, 2N different random squares, or all."""
    board = v14.SudokuBoard(m, n)
    size = m * n
    assert v14.allowed_squares(board, "classic") == ([], [])
    rows = [[(row, column) for column in range(size)] for row in (0, size - 1)]
    assert v14.allowed_squares(board, "rows") == tuple(rows)
    first, second = v14.allowed_squares(board, "border")
    sides = [(row, column) for column in (0, size - 1) for row in range(1, size - 1)]
    assert first == second == [(row, column) for row in (0, size - 1) for column in range(size)] + sides
    assert first is not second
    first, second = v14.allowed_squares(board, "random")
    assert len({*first, *second}) == 2 * len(first) == 2 * len(second) == 2 * size
    with pytest.raises(OptionError, match="found 'columns'"):
        v14.allowed_squares(board, "columns")


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_boards_come_back_from_text(m, n, tmp_path):
    """Both APIs read the texts that they write, and those of this package."""
    for api, read, write in [
        (v12, v12.load_sudoku_from_text, v12.print_board),
        (v14, v14.parse_sudoku_board, v14.print_sudoku_board),
    ]:
        board = filled(api, m, n, "text")
        text = write(board)
        assert text == str(board)
        assert text.startswith(f"{m} {n}\n")
        assert (read(text).m, read(text).n, read(text).squares) == (m, n, board.squares)
        for format in ("tue", "properties"):
            assert read(planted(m, n, random_of("text"))[0].format(format)).squares == board.squares
    old = filled(v12, m, n, "text")
    v12.save_sudoku(tmp_path / "board.txt", old)
    assert v12.load_sudoku(str(tmp_path / "board.txt")).squares == old.squares


def same(one, other):
    """Whether two states agree in everything, also in which moves were taboo."""
    assert [type(played) for played in one.moves] == [type(played) for played in other.moves]
    return all(
        value.squares == other.__dict__[name].squares
        if isinstance(value, v14.SudokuBoard)
        else value == other.__dict__[name]
        for name, value in one.__dict__.items()
    )


def test_one_board_of_a_state_follows_from_the_other():
    """Missing parts of a state: two empty boards, or one board from the other and the moves."""
    state = v14.GameState()
    assert (str(state.board), state.board.N) == (str(state.initial_board), 4)
    assert state.board is not state.initial_board
    moves = [v14.Move((0, 1), 2), v14.Move((2, 2), 3)]
    board = filled(v14, 2, 2, "boards")
    board.put((0, 1), 2)
    state = v14.GameState(board=board, moves=moves)
    assert state.board is board
    assert [state.initial_board.get(move.square) for move in moves] == [0, 0]
    again = v14.GameState(state.initial_board, moves=moves)
    assert [again.board.get(move.square) for move in moves] == [2, 3]
    assert again.initial_board.get((0, 1)) == 0


def test_moves_equal_whatever_has_the_same_attributes():
    """An agent's own kind of move is found among the framework's moves; an object that is no move is not."""
    old, new = SimpleNamespace(i=0, j=1, value=2), SimpleNamespace(square=(0, 1), value=2)
    assert v12.TabooMove(0, 1, 2) == old == v12.Move(0, 1, 2)
    assert v12.TabooMove(0, 1, 3) != old != v12.Move(1, 1, 2)
    marked = v14.Move((0, 1), 2)
    marked.weight = 5
    assert marked == new == v14.TabooMove((0, 1), 2)
    assert v14.Move((1, 1), 2) != new != v14.TabooMove((0, 1), 1)
    assert marked not in [None, (0, 1, 2), old]


@pytest.mark.parametrize("mode", ["classic", "rows", "border", "random"])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 2), (5, 5)])
def test_states_come_back_from_text(mode, m, n):
    """A state is read back as it was written: squares, owners, taboo moves, everything."""
    initial = filled(v14, m, n, "states")
    allowed = (None, None) if mode == "classic" else v14.allowed_squares(initial, mode)
    state = v14.GameState(initial, None, [], [], [3, 10], 2, *allowed)
    empty = [initial.index2square(k) for k, value in enumerate(initial.squares) if not value]
    if mode != "classic":
        state.occupied_squares1, state.occupied_squares2 = [empty[2], empty[0]], []
    for square in empty[:3:2]:
        state.board.put(square, 1)
        state.moves.append(v14.Move(square, 1))
    state.taboo_moves.append(v14.TabooMove(empty[1], 2))
    state.moves.append(v14.TabooMove(empty[1], 2))
    text = v14.print_game_state(state)
    assert same(v14.parse_game_state(text, mode), state)
    assert v14.print_game_state(v14.parse_game_state(text, mode)) == text == str(state)
    assert (" 1+" in text) == (mode != "classic")
    without = "\n".join(line for line in text.splitlines() if not line.startswith("occupied"))
    if mode != "classic":
        assert v14.parse_game_state(without, mode).occupied_squares1 == sorted(state.occupied_squares1)
    assert v14.pretty_print_game_state(state)
    assert v14.pretty_print_sudoku_board(state.board, state).count("|") == (n and m * n * (m + 1))


def test_games_begin_from_either_text():
    """A board of the old form, or a text without squares, begins a game in the requested play mode."""
    for text in ("2 2" + " ." * 16, "rows = 2\ncolumns = 2\nboard =" + " ." * 16):
        state = v14.parse_game_state(text, "rows")
        assert state.allowed_squares1 == [(0, 0), (0, 1), (0, 2), (0, 3)]
        assert (state.occupied_squares1, state.moves, state.current_player) == ([], [], 1)
        assert v14.parse_game_state(text, "classic").is_classic_game()
    assert v14.parse_properties("a = 1\nb =\n  2\n  3") == {"a": "1", "b": "2\n3"}


@pytest.mark.parametrize(
    "line",
    [
        "moves = [(1,2) 3]",
        "scores = [1]",
        "current-player = 3",
        "taboo-moves = x",
        "moves = [(4,0) -> 1]",
        "taboo-moves = [(0,4) -> 1]",
        f"moves = [(0,0) -> {'9' * 5000}]",
        f"scores = [{'9' * 5000}, 0]",
        "allowed-squares1 = (0,16)\nallowed-squares2 = (0,0)",
        "occupied-squares2 = (16,0)",
    ],
)
def test_bad_states_are_errors(line):
    """A value that does not fit its key is an error: no move, a square beyond the board, a number without end."""
    with pytest.raises(NotationError):
        v14.parse_game_state("rows = 2\ncolumns = 2\nboard =" + " ." * 16 + "\n" + line)


@BOTH
@pytest.mark.parametrize("lock", [None, Lock(), threading.Lock()], ids=["none", "process", "thread"])
def test_proposals_are_remembered(api, lock):
    """A proposal is three integers in best_move, the host's array or its own list; the lock is free again."""
    agent = SudokuAI()
    assert (agent.player_number, list(agent.best_move), agent.lock) == (-1, [0, 0, 0], None)
    agent.lock = lock
    for agent.best_move in ([0, 0, 0], Array("i", [0, 0, 0])):
        agent.propose_move(move(api, 1, 2, 3))
        assert list(agent.best_move) == [1, 2, 3]
        for bad in (
            None,
            move(api, None, 0, 1),
            move(api, "1", 0, 1),
            move(api, 0, 0, 1.5),
            move(api, 0, 1, LARGEST + 1),
        ):
            with pytest.raises((AttributeError, TypeError, OverflowError)):
                agent.propose_move(bad)
            assert list(agent.best_move) == [1, 2, 3]
        if lock is not None:
            assert lock.acquire(timeout=1)
            lock.release()


def test_numbers_of_numpy_are_integers():
    """Integers of numpy, and floats without a fraction, count as integers."""
    import numpy as np

    agent = SudokuAI()
    agent.propose_move(v12.Move(np.int64(1), np.float64(2), np.uint8(3)))
    assert agent.best_move == [1, 2, 3]
    assert {type(number) for number in agent.best_move} == {int}


def test_attributes_exist_without_init():
    """A class that does not call its base's __init__ has the attributes all the same, each instance its own."""

    class Forgetful(SudokuAI):
        def __init__(self, depth=3):
            self.depth = depth

    one, other = Forgetful(), Forgetful(depth=4)
    one.propose_move(v14.Move((0, 1), 2))
    assert (one.best_move, other.best_move, other.lock, other.depth) == ([0, 1, 2], [0, 0, 0], None, 4)


def test_what_is_saved_is_loaded(tmp_path, monkeypatch):
    """save and load keep one object per player number in the current folder; there is None before."""
    monkeypatch.chdir(tmp_path)
    agent = SudokuAI()
    agent.player_number = 2
    assert agent.load() is None
    agent.save({"tree": [v14.Move((0, 1), 2)]})
    agent.save({"tree": [v14.Move((0, 1), 3)]})
    assert agent.load() == {"tree": [v14.Move((0, 1), 3)]}
    assert [path.name for path in tmp_path.iterdir()] == ["2.pkl"]
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        agent.save(lambda: None)
    assert agent.load() == {"tree": [v14.Move((0, 1), 3)]}
