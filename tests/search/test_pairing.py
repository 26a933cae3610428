"""Pairs of skips: the most similar are removed first, no other skip is, and the rest loses little of the value."""

from itertools import combinations

import pytest

from csp_sudoku.game.state import GameState
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.kernels.filling import EXACT
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model
from tests.support import most_slow, random_of


def killers(game):
    """The cells that kill each live skip."""
    kills = [int(word) for word in game.games[0]["kills"][: len(game.cells)]]
    live = [skip for skip in range(len(game.skips)) if int(game.position[1]) >> skip & 1]
    return {skip: frozenset(cell for cell, word in enumerate(kills) if word >> skip & 1) for skip in live}


def plainly(game, most):
    """The skips that are left, and the partners that were taken out first, by looking at all pairs again and again."""
    left, first = killers(game), None
    while len(left) > most:
        one, other = min(combinations(left, 2), key=lambda pair: (len(left[pair[0]] ^ left[pair[1]]), pair))
        first = first or {skip: len(left[skip]) for skip in (one, other)}
        del left[one], left[other]
    return set(left), first


@pytest.mark.parametrize("most", most_slow([1, 2, 3, 6], [2, 3], is_one_argument=True))
@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)])
def test_the_most_alike_go(m, n, most):
    """As by the definition; the spare skip is the one of the first pair that more cells kill."""
    random = random_of("pairs", m, n, most)
    taken = 0
    for _ in range(12):
        game = model(GameState.start(ending(m, n, random.randint(5, 60), random)[0]))
        lean, spare = without_pairs(game, most)
        left, first = plainly(game, most)
        assert set(killers(lean)) == left
        assert (spare is None) == (first is None)
        assert lean.position[[0, 2, 3]].tolist() == game.position[[0, 2, 3]].tolist()
        if first:
            assert spare in first
            assert first[spare] == max(first.values())
            taken += 1
    assert taken or m == 2


@pytest.mark.parametrize("mode", ["rows", "border", "random"])
def test_in_restricted_modes_all_stay(mode):
    """There a skip answers another one only where its square is open."""
    random = random_of("restricted pairs", mode)
    for _ in range(5):
        game = model(GameState.start(ending(3, 3, 30, random)[0], mode, random))
        assert without_pairs(game, 0) == (game, None)


@pytest.mark.slow
def test_little_is_lost():
    """The best move of the game without pairs is best in most endings, more often than with any one skip less."""
    random = random_of("little is lost")
    lost = {"pairs": 0.0, "short": 0.0}
    played = 0
    while played < 40:
        game = model(GameState.start(ending(3, 3, 12, random)[0]))
        lean, spare = without_pairs(game, 2)
        if spare is None:
            continue
        played += 1
        short = game.position.copy()
        short[1] &= short[1] - 1
        truth = Deepening(game, bits=16)
        value = truth.exact(Deadline(None)).value
        for name, position in (("pairs", lean.position), ("short", short)):
            other = type(game)(**{field: getattr(game, field) for field in game.__slots__} | {"position": position})
            points, after = truth.after(game.position, Deepening(other, bits=16).exact(Deadline(None)).move)
            lost[name] += value - points + truth.value(after, EXACT, Deadline(None))
    assert lost["pairs"] / played < 1
    assert lost["pairs"] < lost["short"]
