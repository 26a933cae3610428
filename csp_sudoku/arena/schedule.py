"""Schedule: the pairings of a tournament. Players are numbers from 0, in the order of the command line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any

Pairing = tuple[int, int]
"""Two players, the smaller number first."""


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
