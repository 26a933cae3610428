"""The end of a game within a turn: with all skips if there is time for that, else with as many as there is time for."""

from functools import cache

import pytest

from csp_sudoku.game.state import GameState
from csp_sudoku.search.endings import endgame
from csp_sudoku.search.endings.endgame import Endgame
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model
from tests.support import random_of

pytestmark = pytest.mark.quick

FOR_EVER = Deadline(None)
LARGE = 1 << 28
LEAN = 3, 2, 1
PACE = 1e-6
"""Seconds for each ending, on the clock of these tests."""


class Clock:
    """A clock that advances only by valued endings."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        value = Endings.go_on

        def go_on(endings):
            count = value(endings)
            self.now += count * PACE
            return count

        monkeypatch.setattr(Endings, "go_on", go_on)
        monkeypatch.setattr(endgame.time, "perf_counter", lambda: self.now)


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr("csp_sudoku.search.endings.table.SLICE_VALUES", 2000)
    monkeypatch.setattr(endgame, "LEAN", LEAN)
    monkeypatch.setattr(endgame, "ENDINGS_BYTES", 1e12)
    return Clock(monkeypatch)


@cache
def games():
    """Games with four skips or more, all different."""
    random = random_of("endgame")
    found = []
    while len(found) < 12:
        board, _ = ending(3, 3, 17, random)
        game = model(GameState.start(board))
        if int(game.position[1]).bit_count() >= 4:
            found.append(game)
    return found


def exact(game):
    return Deepening(game, bits=14, endings=Endings(game, LARGE)).exact(FOR_EVER).value


def test_with_enough_time_the_value_is_exact(clock):
    """There is one verdict, and no skip is omitted."""
    for game in games():
        search = Endgame(game, 1.0, clock.now + 1000, 0.8)
        *nothing, verdict = search.steps()
        assert (verdict.value, verdict.is_exact) == (exact(game), True)
        assert not any(nothing)


@pytest.mark.parametrize("share", [0.4, 0.8])
def test_with_less_time_pairs_of_skips_are_left_out(clock, share):
    """As few skips as necessary, so that the verdict comes in time; then all others, for as long as it takes."""
    left_out = 0
    for game in games():
        counts = {skips: Endings(without_pairs(game, skips)[0], LARGE).count for skips in LEAN}
        at = clock.now + (counts[2] * PACE) * 1.15 / share
        search = Endgame(game, 1.0, at, share)
        verdicts = []
        in_time = True
        for step in search.steps():
            if step is not None:
                verdicts.append((step, clock.now <= at, in_time))
            in_time = search.is_in_time
        (first, in_time, foreseen), *others = verdicts
        assert in_time
        assert foreseen
        values = {skips: exact(without_pairs(game, skips)[0]) for skips in LEAN}
        assert (verdicts[-1][0].value, verdicts[-1][0].is_exact) == (exact(game), True)
        if others:
            left_out += 1
            assert not first.is_exact
            assert first.value in {value for skips, value in values.items() if counts[skips] * PACE / share <= at}
            assert not search.is_in_time
    assert left_out > 5


def test_where_all_skips_have_no_room_there_may_be_some_for_fewer(clock, monkeypatch):
    """The verdict says that it is not exact, and is that of the game without the others."""
    for game in games():
        lean = without_pairs(game, 2)[0]
        count = Endings(lean, LARGE).count
        monkeypatch.setattr(endgame, "ENDINGS_BYTES", count + 12 * 256)
        search = Endgame(game, 1.0, clock.now + 1000, 0.8)
        assert search.has_endings
        verdict = next(step for step in search.steps() if step is not None)
        assert (verdict.value, verdict.is_exact) == (exact(lean), False)
        monkeypatch.setattr(endgame, "ENDINGS_BYTES", 1000)
        assert not Endgame(game, 1.0, clock.now + 1000, 0.8).has_endings


def test_a_turn_that_goes_on_after_its_end_is_used(clock):
    """Nothing is given up when it should be over already."""
    game = games()[0]
    search = Endgame(game, 1.0, clock.now - 1, 0.8)
    verdicts = [step for step in search.steps() if step is not None]
    assert [(verdict.value, verdict.is_exact) for verdict in verdicts] == [(exact(game), True)]


def test_restricted_games_have_no_endings(clock):
    """Their value is searched for without."""
    random = random_of("restricted endgame")
    board, _ = ending(3, 3, 8, random)
    game = model(GameState.start(board, "rows"))
    search = Endgame(game, 1.0, clock.now + 1, 0.8)
    assert not search.has_endings
    *_, verdict = search.steps()
    expected = Deepening(game, bits=14).exact(FOR_EVER).value
    assert (verdict.value, verdict.depth, verdict.is_exact) == (expected, filling.EXACT, True)


def test_without_room_for_any_endings_the_value_is_searched_for(clock, monkeypatch):
    """In very short turns."""
    monkeypatch.setattr(endgame, "ENDINGS_BYTES", 1 << 9)
    monkeypatch.setattr(endgame, "LEAN", ())
    random = random_of("no room")
    searched = 0
    for _ in range(40):
        game = model(GameState.start(ending(3, 3, 9, random)[0]))
        search = Endgame(game, 1.0, clock.now + 1000, 0.8)
        if not search.has_endings:
            *_, verdict = search.steps()
            assert (verdict.value, verdict.is_exact) == (exact(game), True)
            searched += 1
    assert searched > 5
