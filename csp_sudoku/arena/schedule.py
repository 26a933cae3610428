"""Schedule: the pairings of a tournament, and the games of a match or a tournament in their order.

Players are numbers from 0, in the order of the command line. A schedule makes a game when it is asked for it, so a
match or a tournament begins at once, and takes no memory for games that are not due.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, overload

from csp_sudoku.arena.scheduled_game import ScheduledGame
from csp_sudoku.board import Board
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms

Pairing = tuple[int, int]
"""Two players, the smaller number first."""


class NamedBoard(NamedTuple):
    """A board and its name in tables."""

    name: str
    board: Board


class Place(NamedTuple):
    """The position of a game among others: its pairing, board, time control, pair number and first player."""

    pairing: Pairing
    board: str
    seconds: float
    number: int
    is_home: bool
    """Whether the first player of the pairing moves first."""


class Schedule(Sequence[ScheduledGame]):
    """The games of some pairings: the first pair of each at each time on each board, then the second pair, and so on.

    All games are different if the players, the boards and the times are. `players` are the texts of the specs. `terms`
    are those of all games, and `seed` is the one from which the seeds of the games are derived (default 0). `games` is
    the number of games of each pairing at each time on each board; if it is odd, the last pair has one game. The
    schedule ends after `limit` games (default None: no limit). A pairing that has `met` in earlier schedules, so many
    times, plays pairs with higher numbers, and so other games.

    >>> boards = [NamedBoard("empty-2x2", Board.empty(2, 2))]
    >>> schedule = Schedule(["a", "b", "c"], round_robin(3), boards, [0.5], games=3)
    >>> len(schedule), [(game.first, game.second, game.number) for game in schedule[4:]]
    (9, [('b', 'c', 0), ('c', 'b', 0), ('a', 'b', 1), ('a', 'c', 1), ('b', 'c', 1)])
    >>> schedule.place(schedule[7]), schedule.at(7)
    (7, Place(pairing=(0, 2), board='empty-2x2', seconds=0.5, number=1, is_home=True))
    """

    def __init__(
        self,
        players: Sequence[str],
        pairings: Sequence[Pairing],
        boards: Sequence[NamedBoard],
        times: Sequence[float],
        terms: GameTerms = DEFAULT_TERMS,
        *,
        seed: int = 0,
        games: int,
        limit: int | None = None,
        met: Mapping[Pairing, int] | None = None,
    ) -> None:
        self.players = players
        self.terms = terms
        self._seed = seed
        self.pairings = pairings
        self._boards = boards
        self._times = times
        self._width = len(pairings) * len(boards) * len(times)
        """The number of pairs before the next pair of the same pairing at the same time on the same board."""
        self._complete = games // 2 * self._width
        """The number of pairs of which both games are played."""
        self._length = games * self._width if limit is None else min(limit, games * self._width)
        pairs = (games + 1) // 2
        self._first_numbers = {pairing: pairs * times_met for pairing, times_met in (met or {}).items()}
        self._pairing_places = {(players[one], players[other]): at for at, (one, other) in enumerate(pairings)}
        self._board_places = {board: at for at, (_, board) in enumerate(boards)}
        self._time_places = {seconds: at for at, seconds in enumerate(times)}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> ScheduledGame: ...

    @overload
    def __getitem__(self, place: slice) -> list[ScheduledGame]: ...

    def __getitem__(self, place: int | slice) -> ScheduledGame | list[ScheduledGame]:
        if isinstance(place, slice):
            return [self[each] for each in range(self._length)[place]]
        pairing, (name, board), seconds, number, is_home = self._parts(range(self._length)[place])
        one, other = (self.players[player] for player in pairing)
        first, second = (one, other) if is_home else (other, one)
        again = one == other and not is_home
        return ScheduledGame(first, second, board, seconds, number, again, self._seed, self.terms, name)

    def __iter__(self) -> Iterator[ScheduledGame]:
        return map(self.__getitem__, range(self._length))

    def at(self, place: int) -> Place:
        """Return the position of the game at a place in the schedule, counted from 0."""
        pairing, board, seconds, number, is_home = self._parts(place)
        return Place(pairing, board.name, seconds, number, is_home)

    def _parts(self, place: int) -> tuple[Pairing, NamedBoard, float, int, bool]:
        """Return the pairing, the board, the time, the number of the pair, and whether its first player begins."""
        pair, side = divmod(place, 2)
        if pair >= self._complete:
            pair, side = place - self._complete, 0
        rest, pairing_place = divmod(pair, len(self.pairings))
        rest, board_place = divmod(rest, len(self._boards))
        number, time_place = divmod(rest, len(self._times))
        pairing = self.pairings[pairing_place]
        number += self._first_numbers.get(pairing, 0)
        return pairing, self._boards[board_place], self._times[time_place], number, not side

    def place(self, game: ScheduledGame) -> int:
        """Return the place of a game of the schedule, counted from 0."""
        players = game.first, game.second
        is_home = players in self._pairing_places and not game.again
        pairing_place = self._pairing_places[players if is_home else players[::-1]]
        pair = game.number - self._first_numbers.get(self.pairings[pairing_place], 0)
        pair = pair * len(self._times) + self._time_places[game.seconds]
        pair = pair * len(self._boards) + self._board_places[game.board]
        pair = pair * len(self.pairings) + pairing_place
        return pair + self._complete if pair >= self._complete else 2 * pair + (not is_home)


def round_robin(count: int) -> list[Pairing]:
    """Return the pairings in which every player meets every other one.

    >>> round_robin(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(count), 2))


def gauntlet(count: int) -> list[Pairing]:
    """Return the pairings in which the first player meets all the others.

    >>> gauntlet(3)
    [(0, 1), (0, 2)]
    """
    return [(0, other) for other in range(1, count)]


def swiss_rounds(count: int) -> int:
    """Return the number of rounds after which at most one player can have won all its games.

    >>> [swiss_rounds(count) for count in (2, 3, 4, 5, 16)]
    [1, 2, 2, 3, 4]
    """
    return (count - 1).bit_length()


def swiss_round(scores: Sequence[float], met: Collection[Pairing], rested: Collection[int]) -> list[Pairing]:
    """Return the pairings of the next round: players of about the same score, who have not met.

    `scores` are the scores so far, `met` the pairings so far, and `rested` the players who have had a round off. If the
    number of players is odd, the last player who has not rested yet rests. Two players meet again only if nothing else
    is possible.

    >>> swiss_round([2, 0, 1, 1], met=[(0, 1), (2, 3)], rested=[])
    [(0, 2), (1, 3)]
    >>> swiss_round([1, 1, 0], met=[(0, 2)], rested=[1])
    [(0, 1)]
    """
    import networkx

    count = len(scores)
    if count < 2:
        return []
    order = sorted(range(count), key=lambda player: (-scores[player], player))
    rank = {player: place for place, player in enumerate(order)}
    table: Any = networkx.Graph()
    for one, other in round_robin(count):
        cost = (scores[one] - scores[other]) ** 2 * count + abs(rank[one] - rank[other]) / count
        table.add_edge(one, other, weight=-cost - (1e6 if (one, other) in met else 0))
    if count % 2:
        for player in range(count):
            cost = count - rank[player] + (1e6 if player in rested else 0)
            table.add_edge(player, count, weight=-cost)
    found = networkx.max_weight_matching(table, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found if count not in pair)
