"""Tallies of regions during a game: they always agree with a count from scratch, and so do the moves."""

from random import Random

import numpy as np
import pytest

from csp_sudoku import Board, solve
from csp_sudoku.game.state import GameState
from csp_sudoku.search.filling.kernels.filling import MAX_CELLS, MAX_REGIONS
from csp_sudoku.search.playouts.kernels import playouts, tallies
from csp_sudoku.search.playouts.tree import Playouts
from tests.game.support import model
from tests.support import SHAPES, VARIED_SHAPES, most_slow, random_of

pytestmark = pytest.mark.quick


def counted(game, empty):
    """By counting: the empty cells of each region, and per cell the regions that it completes and gives away."""
    left = [(int(game["region"][r]) & empty).bit_count() + int(game["extra"][r]) for r in range(int(game["regions"]))]
    cells = [i for i in range(int(game["cells"])) if empty >> i & 1]
    of = {cell: [left[region] for region in game["regions_of"][cell]] for cell in cells}
    return left, {cell: (counts.count(1), counts.count(2)) for cell, counts in of.items()}


def word(cells):
    return sum(1 << cell for cell in cells)


def part_filled(m, n, empty, random):
    """A filling game of a board with so many empty cells, or as many as there are."""
    full = solve(Board.empty(m, n)).solution
    values = bytearray(full.values)
    for cell in random.sample(range(len(values)), min(empty, len(values))):
        values[cell] = 0
    return model(GameState.start(Board(full.geometry, values)))


@pytest.mark.parametrize(("m", "n"), most_slow(SHAPES, VARIED_SHAPES))
def test_they_are_kept_up_to_date(m, n):
    """Whatever cells are filled, in whatever order, and with regions of which the game does not know all cells."""
    random = random_of("tallies", m, n)
    for _ in range(12):
        game = part_filled(m, n, random.choice([4, 12, 30, 90]), random).games[0]
        empty = word(range(int(game["cells"])))
        left = np.zeros(MAX_REGIONS, np.int64)
        words = tallies.tally(game, np.uint64(empty), left)
        for cell in random.sample(range(int(game["cells"])), int(game["cells"])):
            expected, worths = counted(game, empty)
            assert left[: len(expected)].tolist() == expected
            assert int(words[0]) == word(cell for cell, (gains, _) in worths.items() if gains)
            assert int(words[1]) == word(cell for cell, (_, gives) in worths.items() if gives)
            for other, (gains, gives) in worths.items():
                assert tallies.worth(game, left, other) == 16 * gains + gives
            empty &= ~(1 << cell)
            completed, words = tallies.fill(game, np.uint64(empty), left, cell, tuple(map(np.uint64, words)))
            assert completed == worths[cell][0]


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3), (4, 4)])
def test_a_game_takes_points_then_gives_nothing_then_skips_then_gives_little(m, n):
    """Nine moves of ten are of those, each as often as another; the tenth is any."""
    random = random_of("policy", m, n)
    for _ in range(12):
        game = part_filled(m, n, random.choice([4, 8, 16, 30]), random)
        record, empty, skips = game.games[0], int(game.position[0]), int(game.position[1])
        _, worths = counted(record, empty)
        gains = [8 * gain - gives for gain, gives in worths.values()]
        best = {cell for cell, worth in zip(worths, gains, strict=True) if worth == max(gains)}
        usable = {MAX_CELLS + skip for skip in range(64) if skips >> skip & 1}
        usual = best | usable if max(gains) == 0 else usable if max(gains) < 0 and usable else best
        search = Playouts(game, Random(1))
        left = np.zeros(MAX_REGIONS, np.int64)
        words = tuple(map(np.uint64, tallies.tally(record, np.uint64(empty), left)))
        chosen = [
            playouts.choose(search._settings[0], np.uint64(empty), np.uint64(skips), record, left, words)
            for _ in range(2000)
        ]
        share = (1 - 1 / playouts.SLIPS) / len(usual) + 1 / playouts.SLIPS / (len(worths) + len(usable))
        for move in usual:
            assert abs(chosen.count(move) - 2000 * share) < 6 * (2000 * share) ** 0.5
        assert all(move in worths or move in usable for move in chosen)


def test_the_bit_with_a_number():
    """Counted from the lowest, in words of any density."""
    random = random_of("bits")
    for _ in range(2000):
        bits = random.getrandbits(64) & random.getrandbits(64) | 1 << random.randrange(64)
        places = [place for place in range(64) if bits >> place & 1]
        number = random.randrange(len(places))
        assert playouts.bit_of(np.uint64(bits), number) == places[number]
