"""Why a move is a bomb: the fewest givens that admit no completion with it, against brute force."""

from functools import cache, partial
from itertools import combinations

import pytest

from csp_sudoku import Board, MoveError, Status, SudokuError, UndecidedError, explain, get_solver
from csp_sudoku.moves import explaining
from csp_sudoku.puzzles import smallest as hitting
from csp_sudoku.puzzles.explain import Thinning
from csp_sudoku.puzzles.smallest import smallest
from csp_sudoku.solvers.base import Deadline
from tests.support import count_by_force, is_solution_of, most_slow, perturbed, planted, random_of

explain_move = partial(explaining.explain_move, patience=3600)
"""No machine uses up this patience on boards as small as these; where the search must end earlier, checks count."""
SMALL, LARGE = get_solver("backtracking"), get_solver("cpsat")
"""Explanations use the latter where nothing else decides, as on none of these boards."""


def solvable(board):
    """Whether a board has a completion: by brute force if it is tiny."""
    if board.size == 4:
        return count_by_force(board, 1) == 1
    return (SMALL if board.size == 6 else LARGE).solve(board).status is Status.SOLVED


def legal_moves(board):
    """Every legal move."""
    for cell in board.empty_cells():
        row, column = board.geometry.row_column(cell)
        for value in board.candidates(row, column):
            yield row, column, value


def some_moves(shape, number, share, *seed):
    """Random boards with a completion, and a random legal move of each."""
    for trial in range(number):
        random = random_of("moves", shape, trial, *seed)
        board, _ = planted(*shape, random, share)
        moves = list(legal_moves(board))
        if moves:
            yield board, random.choice(moves)


def only(after, cells):
    """An empty board with only the values of another board in these cells."""
    return after.without(cell for cell in range(after.geometry.cell_count) if cell not in cells)


def check_clash(found):
    """The givens are the board's, admit no completion with the move, and admit one without any one of them."""
    clash, after = found.clash, found.after
    cell = after.geometry.cell(found.move.row, found.move.col)
    assert clash.kept == (cell,)
    assert clash.minimal
    assert cell not in clash.givens
    assert all(found.board.values[given] for given in clash.givens)
    assert clash.board == only(after, {cell, *clash.givens})
    assert clash.among == after.geometry.cell_count - after.empty_count - 1
    assert not solvable(clash.board)
    assert all(solvable(clash.board.without([given])) for given in clash.givens)


def tire_after(checks, monkeypatch):
    """Let the time of every thinning end when it has solved this many boards."""
    solve = Thinning.solve

    def tired(self, cells):
        if self.checks >= checks:
            self.deadline = Deadline(0)
        return solve(self, cells)

    monkeypatch.setattr(Thinning, "solve", tired)


@pytest.mark.parametrize(
    ("shape", "trials", "share", "bombs"),
    [((2, 2), 120, 0.6, 25), ((2, 3), 40, 0.6, 12), ((3, 2), 40, 0.6, 12)],
    ids=["2x2", "2x3", "3x2"],
)
def test_no_smaller_set_of_givens_clashes(shape, trials, share, bombs):
    """Every move gets the right verdict; and no smaller set of givens admits no completion with a bomb."""
    explained = 0
    for board, move in some_moves(shape, trials, share):
        found = explain_move(board, *move)
        assert found.verdict.value == ("safe" if solvable(board.place(*move)) else "bomb")
        assert found.solvable
        if found.clash is None:
            assert is_solution_of(found.completion, found.after)
            continue
        check_clash(found)
        assert found.clash.minimum
        cell = board.geometry.cell(*move[:2])
        givens = [given for given, value in enumerate(board.values) if value]
        for fewer in combinations(givens, len(found.clash.givens) - 1):
            assert solvable(only(found.after, {cell, *fewer}))
        explained += 1
    assert explained >= bombs


@pytest.mark.parametrize(
    ("shape", "trials"), most_slow([((3, 3), 12), ((2, 4), 12), ((4, 4), 6)], [((2, 4), 12)]), ids=str
)
def test_larger_bombs_are_explained(shape, trials, monkeypatch):
    """On larger boards another exact solver agrees, and small sets of givens are proven to be the smallest."""
    explained = 0
    tire_after(2500, monkeypatch)  # the few are proven after 1,538 at most, and what are many would take hours
    for board, move in some_moves(shape, trials, 0.5):
        found = explain_move(board, *move)
        if found.clash is None:
            assert is_solution_of(found.completion, found.after)
        else:
            check_clash(found)
            assert found.clash.minimum or len(found.clash.givens) > 25
            explained += 1
    assert explained > 0


def test_fewer_are_found_than_by_sparing():
    """Sparing givens one by one does not lead to the fewest; the search does, and never finds more."""
    fewer = 0
    for board, move in some_moves((3, 3), 25, 0.6, "fewer"):
        cell, after = board.geometry.cell(*move[:2]), board.place(*move)
        spared = explain(after, keep=[cell])
        if spared is not None:
            found = explain_move(board, *move).clash
            assert len(found.givens) <= len(spared.givens)
            fewer += len(found.givens) < len(spared.givens)
    assert fewer > 0


def test_kept_cells_are_not_spared():
    """explain() with cells to keep has them on its board, not among its givens, and is minimal with them."""
    explained = 0
    for trial in range(40):
        board = perturbed(2, 3, random_of("keep", trial), share=0.4)
        kept = [cell for cell, value in enumerate(board.values) if value][::4]
        explanation = explain(board, keep=kept)
        assert (explanation is None) == solvable(board)
        if explanation:
            assert explanation.kept == tuple(kept)
            assert not set(kept) & set(explanation.givens)
            assert explanation.board == only(board, {*kept, *explanation.givens})
            assert not solvable(explanation.board)
            assert all(solvable(explanation.board.without([given])) for given in explanation.givens)
            assert explanation.sentence().startswith("with ")
            explained += 1
    assert explained > 3


def test_kept_cells_that_need_no_givens():
    """Cells that admit no completion by themselves need no givens."""
    board = Board.parse("12.. ..3. .... ...4")
    explanation = explain(board, keep=[0, 1, 6])
    assert (explanation.givens, explanation.minimal) == ((), True)
    assert explanation.sentence() == (
        "with r1c1=1, r1c2=2, r2c3=3, 0 of the 1 givens admit no completion: "
        "row 1 has no place for 3. None of them can be spared."
    )


@pytest.mark.parametrize("cell", [2, -1, 16])
def test_only_filled_cells_can_be_kept(cell):
    """A cell to keep must hold a value."""
    message = (
        "filled cells to keep; found r1c3, which is empty" if cell == 2 else f"cells from 0 to 15 to keep; found {cell}"
    )
    with pytest.raises(SudokuError, match=message):
        explain(Board.parse("12.. ..3. .... ...4"), keep=[cell])


def test_what_is_no_legal_move():
    """A filled cell and a value that a peer holds are reported as such; the peer is named."""
    board = Board.parse("12.. .... ...4 ....")
    found = explain_move(board, 0, 0, 3)
    assert (found.verdict.value, found.solvable) == ("filled", None)
    assert found.sentence() == "r1c1=3 is no move: the cell is filled with 1"
    found = explain_move(board, 0, 3, 4)
    assert (found.verdict.value, found.peer) == ("illegal", (2, 3))
    assert found.sentence() == "r1c4=4 is illegal: its peer r3c4 holds 4"


@pytest.mark.parametrize("move", [(4, 0, 1), (0, 4, 1), (-1, 0, 1), (0, 0, 0), (0, 0, 5)])
def test_what_is_not_on_the_board(move):
    """A cell or a value that the board does not have is an error."""
    with pytest.raises(MoveError, match=r"expected a move from r1c1=1 to r4c4=4"):
        explain_move(Board.empty(2, 2), *move)


def test_a_board_without_completion():
    """If every move is a bomb, that is the explanation."""
    found = explain_move(Board.parse("12.. ..3. .... ...."), 0, 2, 4)
    assert (found.verdict.value, found.solvable, found.clash) == ("bomb", False, None)
    assert found.sentence() == "r1c3=4 is a bomb, as every move is: the board has no completion even without it"


def test_without_time():
    """Without any time nothing is known of a move."""
    found = explain_move(Board.parse("12.. .... ...4 ...."), 0, 2, 3, time_limit=0)
    assert (found.verdict.value, found.solvable, found.clash) == ("unknown", None, None)
    assert found.sentence() == "whether r1c3=3 is safe or a bomb is undecided within the time limit"


@cache
def bomb_of_many():
    """A board, and a bomb whose fewest givens are not found at once."""
    for board, move in some_moves((3, 3), 100, 0.55, "many"):
        found = explain_move(board, *move)
        if found.clash is not None and len(found.clash.givens) > 12:
            return board, move
    pytest.fail("expected a bomb of many givens")


@pytest.mark.slow
def test_without_patience():
    """Without time to look for fewer, none of the givens can be spared, and fewer are not claimed to be none."""
    board, move = bomb_of_many()
    found = explain_move(board, *move, patience=0)
    check_clash(found)
    assert found.clash.minimum is False
    assert "None of them can be spared, though fewer others might do: " in found.sentence()


@pytest.mark.slow
def test_time_that_ends_on_the_way(monkeypatch):
    """Whenever the time ends, the givens admit no completion, none can be spared, and nothing more is claimed."""
    board, move = bomb_of_many()
    cell, after = board.geometry.cell(*move[:2]), board.place(*move)
    known = explain(after, keep=[cell]).givens
    fewest, proven = smallest(Thinning(after, [cell]), known)
    assert proven
    for checks in (0, 1, 2, 5, 20, 60, 100, 200):
        with monkeypatch.context() as patch:
            tire_after(checks, patch)
            givens, proven = smallest(Thinning(after, [cell]), known)
        assert not proven or len(givens) == len(fewest)
        assert len(fewest) <= len(givens) <= len(known)
        assert not solvable(only(after, {cell, *givens}))
        assert all(solvable(only(after, {cell, *givens} - {given})) for given in givens)


@pytest.mark.slow
def test_time_that_ends_in_a_hitting_set(monkeypatch):
    """A hitting set that CP-SAT did not finish proves nothing."""
    board, move = bomb_of_many()
    cell, after = board.geometry.cell(*move[:2]), board.place(*move)
    known = explain(after, keep=[cell]).givens
    hitting_set = hitting._hitting_set
    monkeypatch.setattr(
        hitting, "_hitting_set", lambda sets, most, _: hitting_set(sets, most, Deadline(0) if sets else Deadline(None))
    )
    givens, proven = smallest(Thinning(after, [cell]), known)
    assert not proven
    assert not solvable(only(after, {cell, *givens}))


def test_a_time_limit_that_ends_before_the_givens_are_thinned_out(monkeypatch):
    """A bomb is a bomb, if time is left for no more than that: all givens then explain it, and may be too many."""

    def undecided(*_, **__):
        raise UndecidedError("expected to know")

    monkeypatch.setattr(explaining, "explain", undecided)
    found = explain_move(Board.parse("12.. .... ...4 ...."), 0, 2, 3)
    assert (found.verdict.value, found.clash.givens) == ("bomb", (0, 1, 11))
    assert not found.clash.minimal
    assert not found.clash.minimum
    assert "Some of them may be spared" in found.sentence()
