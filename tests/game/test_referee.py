"""The referee: exact on every board, by its memory or by search."""

import pytest

from csp_sudoku import Board, Geometry, MoveError, SudokuError, UndecidedError, solve
from csp_sudoku.compiled import compilation as compiled
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from tests.game.support import turns_of
from tests.support import SHAPES, SMALL_SHAPES, count_by_force, perturbed, planted, random_of

pytestmark = pytest.mark.quick


def legal(board):
    return GameState.start(board).moves()


@pytest.mark.parametrize(("m", "n"), SMALL_SHAPES)
def test_the_referee_agrees_with_brute_force(m, n):
    """One referee, asked about boards that have nothing to do with each other, is right about every move."""
    referee = Referee()
    for trial in range(12):
        rng = random_of("referee", m, n, trial)
        board = perturbed(m, n, rng, share=0.55)
        moves = legal(board)
        for move in rng.sample(moves, min(25, len(moves))):
            assert referee.is_safe(board, move) == (count_by_force(board.place(*move), 1) > 0)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3)])
def test_the_referee_is_right_whichever_way_it_goes(m, n):
    """Along a game, back, and to sister positions: it never applies a fact to a board for which it does not hold."""
    rng = random_of("to and fro", m, n)
    state = GameState.start(Board.empty(m, n))
    boards = [before.board for before, _, _ in turns_of(state, rng)]
    boards = [board for board in boards if board.empty_count <= 20]
    referee = Referee()
    for _ in range(60):
        board = rng.choice(boards)
        moves = legal(board)
        for move in rng.sample(moves, min(2, len(moves))):
            assert referee.is_safe(board, move) == (count_by_force(board.place(*move), 1) > 0)


def test_a_move_of_a_witness_needs_no_search():
    """Moves of a known completion are safe without a solver, along the whole game that agrees with it."""
    referee = Referee()
    board = Board.empty(3, 3)
    solution = solve(board).solution
    referee.require_solvable(board)
    assert referee.searches == 1
    moves = legal(board)
    assert all(referee.is_safe(board, move) for move in moves)
    searches = referee.searches
    assert searches < len(moves) / 2
    assert all(referee.is_safe(board, move) for move in moves)
    for cell, value in enumerate(solution.cells):
        move = Move(*divmod(cell, 9), value)
        assert referee.is_safe(board, move)
        board = board.place(*move)
    assert referee.searches == searches


def test_a_bomb_is_remembered_while_the_board_grows():
    """A bomb of a board is one of every board that extends it, without a second search, and of no other for that."""
    referee, bomb = Referee(), Move(1, 3, 3)
    board = Board.parse("12.. .... ..3. ....")
    assert not referee.is_safe(board, bomb)
    assert referee.is_safe(board, Move(3, 3, 1))
    searches = referee.searches
    assert not referee.is_safe(board.place(3, 3, 1), bomb)
    assert referee.searches == searches
    assert referee.is_safe(Board.parse("12.. .... .... ...."), Move(1, 2, 1))
    assert referee.is_safe(Board.empty(2, 2), bomb)
    assert referee.is_safe(Board.empty(2, 3), bomb)


def test_every_move_of_a_board_without_completion_is_a_bomb():
    """On a board without a completion no move is safe."""
    board = Board.parse("12.. ..3. .... ....")
    referee = Referee()
    assert not any(referee.is_safe(board, move) for move in legal(board))


def test_a_board_without_completion_is_refused_when_a_game_starts():
    """Such a game could only be lost by the first player to run out of moves."""
    with pytest.raises(SudokuError, match="expected a board with a completion to play on; found one without"):
        Referee().require_solvable(Board.parse("12.. ..3. .... ...."))
    Referee().require_solvable(Board.empty(5, 5))


def test_a_board_is_refused_whatever_was_known_before():
    """A completion of another board does not make a board without completion one to play on."""
    referee = Referee()
    referee.require_solvable(Board.empty(2, 2))
    with pytest.raises(SudokuError, match="found one without"):
        referee.require_solvable(Board.parse("12.. ..3. .... ...."))


def test_what_is_known_of_a_geometry_is_nothing_for_another():
    """A bomb and a completion of a plain 4×4 board say nothing about a 6×6 board, nor about one with diagonals."""
    referee, bomb = Referee(), Move(1, 3, 3)
    assert not referee.is_safe(Board.parse("12.. .... ..3. ...."), bomb)
    assert referee.is_safe(Board.empty(2, 3), bomb)
    plain = Board.parse("1234 3412 .... ....")
    crossed = Board(Geometry.diagonal(2, 2), plain.values)
    for move, safe in ((Move(2, 0, 2), False), (Move(2, 0, 4), True)):
        assert referee.is_safe(plain, move)
        assert referee.is_safe(crossed, move) is safe


def test_a_copy_knows_the_same_and_learns_by_itself():
    """A copy needs no search for facts that the original knows, and the original does not learn from the copy."""
    board, known = Board.parse("12.. .... ..3. ...."), [Move(1, 3, 3), Move(3, 3, 1)]
    referee = Referee(solver="backtracking", time_limit=60.0)
    assert [referee.is_safe(board, move) for move in known] == [False, True]
    twin = referee.copy()
    assert (twin.solver, twin.time_limit) == ("backtracking", 60.0)
    assert [twin.is_safe(board, move) for move in known] == [False, True]
    assert twin.searches == 0
    searches, verdicts = referee.searches, [twin.is_safe(board, move) for move in legal(board)]
    assert [referee.is_safe(board, move) for move in legal(board)] == verdicts
    assert referee.searches - searches == twin.searches > 0


def test_after_a_warm_up_no_search_compiles_anything(monkeypatch):
    """Whatever stage decides a board of whatever shape, its kernels were made ready by the warm-up."""
    ready = set()
    monkeypatch.setattr(compiled, "_ready", ready)
    Referee.warm_up()
    warm = set(ready)
    for m, n in SHAPES:
        board, _ = planted(m, n, random_of("warm", m, n))
        Referee().require_solvable(board)
        solve(board, bound=1)  # as if it had withstood the first stage
    assert ready == warm


@pytest.mark.parametrize("move", [(0, 0, 3), (0, 3, 1), (0, 4, 1), (2, 2, 5)])
def test_a_move_that_is_not_legal_is_an_error(move):
    """The referee judges legal moves; witnesses and bombs or not, it says so of others."""
    referee = Referee()
    board = Board.parse("12.. .... .... ....")
    referee.require_solvable(board)
    with pytest.raises(MoveError):
        referee.is_safe(board, Move(*move))


def test_an_undecided_move_is_never_a_bomb():
    """A referee whose time is over says so, and the turn is not played; later it may ask again."""
    referee = Referee(time_limit=0)
    board = Board.empty(5, 5)
    state = GameState.start(board)
    with pytest.raises(UndecidedError, match=r"expected a verdict on r1c1=1 within 0 s; found none"):
        referee.is_safe(board, Move(0, 0, 1))
    with pytest.raises(UndecidedError):
        state.play((0, 0, 1), referee)
    with pytest.raises(UndecidedError):
        referee.require_solvable(board)
    referee.time_limit = None
    assert referee.is_safe(board, Move(0, 0, 1))
