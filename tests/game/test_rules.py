"""The rules that need no state: rewards, modes, squares."""

from random import Random

import pytest

from csp_sudoku import Board, Geometry, OptionError
from csp_sudoku.game.rules import (
    PlayMode,
    allowed_squares,
    completed_regions,
    has_open_square,
    is_open,
    mode_named,
    neighbours,
    open_squares,
    reward,
)
from tests.support import SHAPES, planted, random_of

pytestmark = pytest.mark.quick

SOLVED = Board.parse("1234 3412 2143 4321")


def standard(m, n, mode, rng=None):
    return allowed_squares(Geometry.standard(m, n), mode, rng)


@pytest.mark.parametrize(
    ("holes", "square", "points"),
    [
        ([0, 1, 4, 3, 12], 0, 0),
        ([0, 4, 1], 0, 0),
        ([0, 4, 8], 0, 1),
        ([0, 4], 0, 1),
        ([0, 5], 0, 3),
        ([0, 3], 0, 3),
        ([0, 12], 0, 3),
        ([0], 0, 7),
    ],
)
def test_reward_is_0_1_3_7_for_0_1_2_3_completed_regions(holes, square, points):
    """A value that completes 0, 1, 2 or 3 of its row, column and block is worth 0, 1, 3 or 7."""
    row, col = divmod(square, 4)
    board = SOLVED.without(holes).place(row, col, SOLVED[row, col])
    assert reward(len(completed_regions(board, row, col))) == points


def test_variants_go_on_doubling():
    """A fourth and a fifth region, of a variant, go on as the first three began: 15 and 31."""
    geometry = Geometry.diagonal(3, 3)
    full = Board.trusted(geometry, bytes([1] * 81))  # whatever is in it
    assert reward(len(completed_regions(full, 4, 4))) == 31
    assert reward(len(completed_regions(full, 0, 0))) == 15
    assert reward(len(completed_regions(full, 0, 1))) == 7


def test_classic_has_no_allowed_squares():
    """In the mode classic there is no restriction."""
    assert standard(3, 3, PlayMode.CLASSIC) is None


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_rows_allows_the_top_row_to_player_1_and_the_bottom_row_to_player_2(m, n):
    """In the mode rows each player has the row on its side."""
    size = m * n
    assert standard(m, n, PlayMode.ROWS) == (
        {(0, col) for col in range(size)},
        {(size - 1, col) for col in range(size)},
    )


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_border_allows_the_whole_border_to_both(m, n):
    """In the mode border both players have the 4N - 4 squares at the edge."""
    first, second = standard(m, n, PlayMode.BORDER)
    size = m * n
    assert first == second
    assert len(first) == 4 * size - 4
    assert all(row in (0, size - 1) or col in (0, size - 1) for row, col in first)


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_random_allows_n_squares_each_all_distinct(m, n):
    """In the mode random 2N distinct squares are drawn, N for each, and a seed draws the same again."""
    first, second = standard(m, n, PlayMode.RANDOM, Random(5))
    assert len(first) == len(second) == m * n
    assert not first & second
    assert all(0 <= row < m * n and 0 <= col < m * n for row, col in first | second)
    assert standard(m, n, PlayMode.RANDOM, Random(5)) == (first, second)
    assert standard(m, n, PlayMode.RANDOM, Random(6)) != (first, second)


def test_random_needs_an_rng():
    """Without a source of random numbers the mode random says so."""
    with pytest.raises(OptionError, match="expected an rng, or allowed squares, in the mode random; found neither"):
        standard(2, 2, PlayMode.RANDOM)


def test_modes_have_names():
    """A mode has a name, and an unknown name is reported with the nearest one."""
    assert [mode_named(name) for name in ("classic", "rows", "border", "random")] == list(PlayMode)
    with pytest.raises(OptionError, match="did you mean 'rows'"):
        mode_named("row")


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3)])
def test_a_player_may_play_on_empty_allowed_squares_and_empty_neighbours_of_occupied_ones(m, n):
    """The open squares are sorted, without duplicates, and exactly those of the definition."""
    for trial in range(30):
        rng = random_of("open", m, n, trial)
        board, _ = planted(m, n, rng)
        size = m * n
        every = [(row, col) for row in range(size) for col in range(size)]
        allowed = rng.sample(every, rng.randrange(size))
        occupied = [square for square in rng.sample(every, rng.randrange(size)) if board[square]]
        expected = [
            (row, col)
            for row, col in every
            if not board[row, col]
            and ((row, col) in allowed or any(max(abs(row - r), abs(col - c)) == 1 for r, c in occupied))
        ]
        assert list(open_squares(board, allowed, occupied)) == expected
        assert has_open_square(board, allowed, occupied) == bool(expected)
        assert [
            square for square in every if not board[square] and is_open(size, square, allowed, occupied)
        ] == expected


@pytest.mark.parametrize(("square", "count"), [((0, 0), 3), ((0, 2), 5), ((3, 3), 3), ((2, 0), 5), ((1, 2), 8)])
def test_neighbours_do_not_leave_the_board(square, count):
    """A square has 8 neighbours, 5 at a side and 3 in a corner."""
    assert len(list(neighbours(4, square))) == count
