"""Schedules: the games of a match or a tournament in their order, each made on demand."""

from itertools import islice, product

import pytest

from csp_sudoku import Board
from csp_sudoku.arena.schedule import NamedBoard, Schedule, gauntlet, round_robin
from csp_sudoku.arena.scheduled_game import pair

BOARDS = [NamedBoard(f"empty-{m}x{n}", Board.empty(m, n)) for m, n in ((2, 2), (2, 3), (3, 2))]
TIMES = [0.5, 1.0]


def schedule_of(count=3, boards=2, times=2, games=2, pairings=round_robin, **options):
    """A schedule of so many players, boards and times."""
    players = [chr(ord("a") + number) for number in range(count)]
    return Schedule(players, pairings(count), BOARDS[:boards], TIMES[:times], games=games, **options)


def games_by_loops(players, pairings, boards, times, games, met):
    """The same games by loops over everything."""
    pairs = (games + 1) // 2
    for number in range(pairs):
        for seconds, (name, board), (one, other) in product(times, boards, pairings):
            both = pair(
                players[one], players[other], board, seconds, number + pairs * met.get((one, other), 0), name=name
            )
            yield from both[: min(2, games - 2 * number)]


@pytest.mark.parametrize("games", range(1, 6))
@pytest.mark.parametrize(("count", "boards", "times"), [(2, 1, 1), (3, 2, 1), (4, 3, 2), (5, 1, 2)])
def test_the_order_of_the_games(count, boards, times, games):
    """The games, their places and their positions are those of plain loops, even if some players have met before."""
    for pairings, met in ((round_robin, {}), (gauntlet, {(0, 1): 2})):
        schedule = schedule_of(count, boards, times, games, pairings, met=met)
        expected = list(games_by_loops(schedule.players, pairings(count), BOARDS[:boards], TIMES[:times], games, met))
        assert list(schedule) == schedule[:] == expected
        assert len(schedule) == len(expected) == len({game.key for game in expected})
        assert [schedule.place(game) for game in expected] == list(range(len(expected)))
        for place, game in enumerate(expected):
            at = schedule.at(place)
            one, other = (schedule.players[player] for player in at.pairing)
            assert (game.first, game.second) == ((one, other) if at.is_home else (other, one))
            assert (game.name, game.seconds, game.number) == (at.board, at.seconds, at.number)


def test_a_player_against_itself():
    """Both games of such a pair have the same players; the second one is marked."""
    schedule = Schedule(("a", "a"), [(0, 1)], BOARDS[:1], [0.5], games=4)
    games = list(schedule)
    assert [game.again for game in games] == [False, True, False, True]
    assert [schedule.place(game) for game in games] == [0, 1, 2, 3]


def test_a_limit_cuts_a_schedule_short():
    """A match has its number of games on all boards together."""
    schedule = schedule_of(count=2, times=1, games=4, limit=5)
    assert len(schedule) == len(list(schedule)) == 5
    with pytest.raises(IndexError):
        schedule[5]


def test_a_schedule_of_any_length_begins_at_once():
    """A trillion games take no more time and memory than two."""
    schedule = schedule_of(games=10**12)
    assert len(schedule) == 12 * 10**12
    assert [schedule.place(game) for game in islice(schedule, 20)] == list(range(20))
    assert schedule.place(schedule[10**13]) == 10**13
