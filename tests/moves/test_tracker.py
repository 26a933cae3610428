"""The tracker: the map that it updates during a game agrees with a fresh classification."""

import pytest

from csp_sudoku.board import Board
from csp_sudoku.errors import MoveError
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.moves.tracker import MoveTracker
from tests.support import VARIED_SHAPES, most_slow, perturbed, planted, random_of

GAMES = {4: 1500, 6: 400, 8: 100, 9: 60, 10: 30, 12: 12, 14: 4, 15: 3, 16: 3}
"""How many games are played on boards of so many values; one on larger ones."""

FULL_FROM = {16: 0.45, 20: 0.62, 25: 0.62}
"""From which share of filled cells games on large boards begin, up to a size: the beginning takes seconds there."""


def same(one, other):
    return (one.safe, one.bombs, one.unknown, one.solvable) == (other.safe, other.bombs, other.unknown, other.solvable)


def start(m, n, random):
    """A board that a game may begin with: empty, or with some values."""
    size = m * n
    if size < 14:
        return planted(m, n, random, random.choice([1, 1, 0.8, 0.6]))[0]
    filled = next(share for most, share in FULL_FROM.items() if size <= most)
    return planted(m, n, random, 1 - filled)[0]


@pytest.mark.parametrize(("m", "n"), most_slow(VARIED_SHAPES, [(3, 3), (4, 4), (5, 5)]))
def test_after_every_move_the_map_is_that_of_a_fresh_classification(m, n):
    """A tracker that follows a random game agrees with classify_moves after each move, whatever the shape."""
    random = random_of("tracker", m, n)
    for _ in range(GAMES.get(m * n, 1)):
        tracker = MoveTracker(start(m, n, random))
        while not tracker.board.is_full:
            found = tracker.place(*random.choice(tracker.map.safe))
            assert found.board == tracker.board
            assert found.is_complete
            assert same(found, classify_moves(tracker.board))
        assert tracker.map.solvable
        assert len(tracker.map.legal) == 0


@pytest.mark.slow
@pytest.mark.parametrize("geometry", [Geometry.diagonal(2, 3), Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])])
def test_variants_are_tracked_too(geometry):
    """Diagonals and jigsaws are geometries like any other."""
    random = random_of("tracker", geometry.name)
    for _ in range(60):
        tracker = MoveTracker(Board.trusted(geometry, bytes(geometry.cell_count)))
        while not tracker.board.is_full:
            found = tracker.place(*random.choice(tracker.map.safe))
            assert same(found, classify_moves(tracker.board, "naive"))


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3), (3, 4)])
def test_after_a_bomb_every_move_is_a_bomb(m, n):
    """A bomb leaves a board without a completion, for which the tracker still answers."""
    random = random_of("bomb", m, n)
    exploded = 0
    while exploded < 20:
        tracker = MoveTracker(planted(m, n, random, random.uniform(0.3, 0.7))[0])
        if not tracker.map.bombs:
            continue
        found = tracker.place(*random.choice(tracker.map.bombs))
        exploded += 1
        assert found.solvable is False
        assert found.bombs == found.legal
        if found.bombs:
            assert tracker.place(*found.bombs[0]).solvable is False


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3), (3, 4)])
def test_an_illegal_move_changes_nothing(m, n):
    """MoveError, and the tracker stands where it stood."""
    tracker = MoveTracker(Board.empty(m, n))
    before = tracker.place(0, 0, 1)
    for move in [(0, 0, 2), (0, 1, 1), (0, 1, m * n + 1), (m * n, 0, 1)]:
        with pytest.raises(MoveError):
            tracker.place(*move)
        assert tracker.map is before
    assert same(tracker.place(0, 1, 2), classify_moves(Board.empty(m, n).place(0, 0, 1).place(0, 1, 2)))


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3), (3, 4)])
def test_a_tracker_can_be_moved_to_any_board(m, n):
    """To a board that extends the present one, or to one that does not, solvable or not."""
    random = random_of("anywhere", m, n)
    tracker = MoveTracker(Board.empty(m, n))
    for _ in range(60):
        board = tracker.board
        for _ in range(random.randint(1, 3)):
            options = [(c, v) for c in board.empty_cells() for v in board.candidates(*divmod(c, m * n))]
            if options:
                cell, value = random.choice(options)
                board = board.place(*divmod(cell, m * n), value)
        if random.random() < 0.3:
            board = perturbed(m, n, random, random.uniform(0.4, 0.8))
        assert same(tracker.move_to(board), classify_moves(board, "naive"))


@pytest.mark.parametrize(("m", "n"), [(3, 3), (3, 4)])
def test_a_deadline_leaves_moves_unknown_and_nothing_wrong(m, n):
    """With no time at all nothing is called safe or a bomb wrongly, and the work can be taken up again."""
    random = random_of("deadline", m, n)
    tracker = MoveTracker(Board.empty(m, n), time_limit=0)
    assert (m, n) == (3, 3) or not tracker.map.is_complete  # whose first slice of work is enough
    for _ in range(6):
        board = tracker.board
        cell = random.choice(list(board.empty_cells()))
        row, column = divmod(cell, m * n)
        partial = tracker.place(row, column, random.choice(board.candidates(row, column)), time_limit=0)
        exact = classify_moves(tracker.board)
        assert set(partial.safe) <= set(exact.safe)
        assert set(partial.bombs) <= set(exact.bombs)
    assert same(tracker.go_on(), classify_moves(tracker.board))


def test_trackers_do_not_disturb_each_other():
    """Two trackers whose turns alternate, of the same shape and of others, keep apart."""
    random = random_of("two")
    trackers = [MoveTracker(Board.empty(2, 3)), MoveTracker(Board.empty(2, 3)), MoveTracker(Board.empty(3, 4))]
    for _ in range(25):
        for tracker in trackers:
            assert same(tracker.place(*random.choice(tracker.map.safe)), classify_moves(tracker.board))


def test_what_a_map_shows_can_be_placed():
    """The values of its completions are numbers of numpy; a move that fails changes nothing."""
    for m, n in ((3, 3), (4, 4)):
        tracker = MoveTracker(Board.empty(m, n))
        witness = tracker.map.witnesses[0]
        for cell in range(4):
            found = tracker.place(0, cell, witness[cell])
            assert found.board[0, cell] == witness[cell]
        assert same(found, classify_moves(found.board))


def test_a_board_that_is_determined_has_one_completion():
    """However often it is asked about, that is known once."""
    board, _ = planted(3, 4, random_of("determined"), share=0.1)
    tracker = MoveTracker(board)
    for _ in range(5):
        found = tracker.go_on()
    assert found.is_complete
    assert len(found.witnesses) == 1
    cell = next(board.empty_cells())
    found = tracker.place(*divmod(cell, 12), found.witnesses[0][cell])
    assert len(found.witnesses) == 1
    assert same(found, classify_moves(found.board))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "filled", "boards"),
    [(4, 4, 0.4, 3), (4, 4, 0.55, 3), (2, 8, 0.4, 3), (6, 2, 0.35, 3), (5, 5, 0.55, 3)],
)
def test_large_maps_are_those_of_cpsat(m, n, filled, boards):
    """Where the search has to learn, another solver's map is the same, from scratch and after some moves.

    On a half-filled 5×5, CP-SAT takes about 10 s for each map, so there is one board of those.
    """
    for trial in range(boards):
        random = random_of("large maps", m, n, filled, trial)
        tracker = MoveTracker(planted(m, n, random, 1 - filled)[0])
        for _ in range(4 if boards > 1 else 2):
            found = tracker.map
            assert same(found, classify_moves(found.board, "cpsat"))
            assert same(found, classify_moves(found.board))
            tracker.place(*random.choice(found.safe))


def test_the_old_name_of_the_limit_is_accepted():
    """`deadline` is called time_limit now, and says so."""
    with pytest.warns(DeprecationWarning, match="deadline of place is called time_limit now"):
        assert MoveTracker(Board.empty(2, 2)).place(0, 0, 1, deadline=5).is_complete
