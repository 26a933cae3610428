"""The two phases of training: a network first learns to recognise empty cells, and then to play.

Phase one: each generation has its own partly filled boards. The fitness measures how surely the outputs of empty cells
are above the outputs of filled cells, as the mean over all pairs of cells on all boards. So every small improvement of
an output counts. The fitness of phase one still counts in phase two, since mutations would otherwise break a network
that has only just passed. A network passes if an empty cell has the highest output, on these boards and on all further
boards.

Phase two: a network that has passed plays the filling game, in which values do not matter. It plays against random
moves, against greedy moves, and in knock-out rounds against the other networks that have passed. A round is played in
groups of four, from boards that are empty, about one third full and about two thirds full; each pair plays from both
sides, and the best network of a group advances. The fitness is the lead at the end of the games, as a share of the
points, plus the share of the rounds that the network has survived.

The fitness `threshold` is phase one in its authors' version: on six boards, each output has to be at least 0.1 for an
empty cell and at most -0.1 for a filled cell. The fitness counts the wrong outputs, and a network without wrong outputs
passes.

The seed and the number of a generation determine all its boards and games. So the result does not depend on the process
that evaluates a network, or on interruptions of the training.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from csp_sudoku.compiled.compilation import get_ready
from csp_sudoku.geometry import Geometry
from csp_sudoku.neuroevolution.kernels.games import GREEDY, NETWORK, RANDOM, games, ranked, wrong_answers
from csp_sudoku.neuroevolution.network import ACTIVATIONS, Network
from csp_sudoku.neuroevolution.settings import EvolutionSettings

RANKED = 60
"""Number of boards on which phase one ranks the cells."""
GATE = 200
"""Number of further boards on which a network must rank an empty cell first to pass."""
GAMES = 24
"""Number of boards for the games against random moves and against greedy moves."""
HELD_OUT = 500
"""Number of boards for testing phase one that are not used for the fitness."""
TRIALS = 200
"""Number of boards for test games that are not used for the fitness."""

FILLED = (0.0, 1 / 3, 2 / 3)
"""Mean shares of filled cells on the boards of phase two."""
SPREAD = 0.1
"""Standard deviation of the share of filled cells on the boards of phase two."""
GROUP = 4
"""Number of networks in a group of the knock-out."""
THRESHOLD = 0.1
"""Minimum output for an empty cell, and minus the maximum output for a filled cell, with the fitness `threshold`."""

PASSED = 100.0
"""Upper bound on the fitness of phase one, and the bonus for passing it."""
PLAYED = 80.0
"""Upper bound on the fitness from games against random and greedy moves."""
SURVIVED = 20.0
"""Upper bound on the fitness from the knock-out."""


class Score(NamedTuple):
    """The score of a network by itself, without the knock-out."""

    first: float
    """The score in phase one, from 0 to 1."""
    has_passed: bool
    """Whether the network passes phase one."""
    second: float = 0.0
    """The score in the games of phase two, from 0 to 1; 0 if the network has not passed phase one."""


class NetworkQuality(NamedTuple):
    """The quality of a network on boards that are not used for the fitness; larger numbers are better."""

    firsts: int
    """The number of boards, out of `HELD_OUT`, on which an empty cell has the highest output."""
    margin: float
    """The mean lead against random moves and against greedy moves, as a share of the points."""
    against_random: float
    """The share of games won against random moves, from 0 to 1; a draw is half a win."""
    against_greedy: float
    """The share of games won against greedy moves, from 0 to 1; a draw is half a win."""

    @property
    def has_passed(self) -> bool:
        """Whether the network passes phase one on all these boards."""
        return self.firsts == HELD_OUT

    @property
    def worth(self) -> tuple[int, float]:
        """The key by which networks are compared: the better network has the larger key."""
        return self.firsts, self.margin


class Generation:
    """The boards and the games of generation `number`, which depend only on the settings and the number."""

    def __init__(self, settings: EvolutionSettings, number: int) -> None:
        rng = Random(f"{settings.seed} {number}")
        self.settings = settings
        self.ranked = half_filled(rng, settings.cells, RANKED)
        self.gate = half_filled(rng, settings.cells, GATE)
        self.six = np.array(
            [[0] * settings.cells, [1] * settings.cells, *around(rng, settings.cells, 4, FILLED[1:])], np.int8
        )
        self.boards = around(rng, settings.cells, GAMES)
        self.orders = orders(rng, settings.cells, GAMES)
        self.shuffled = rng.getrandbits(64)

    def score(self, network: Network) -> Score:
        """The score of a network by itself, without the knock-out."""
        given = arrays(network)
        if self.settings.fitness == "threshold":
            wrong = wrong_answers(given, self.six, THRESHOLD)
            first, has_passed = 1 - wrong / self.six.size, wrong == 0
        else:
            first, firsts = ranked(given, self.ranked)
            has_passed = firsts == RANKED and ranked(given, self.gate)[1] == GATE
        if not has_passed:
            return Score(first, has_passed=False)
        margins = [_played(self.settings, given, who, self.boards, self.orders) for who in (RANDOM, GREEDY)]
        return Score(first, True, (1 + float(np.mean(margins))) / 2)

    def duels(self, group: Sequence[Network]) -> list[float]:
        """For each network of a group, the sum of its leads in the games against the others."""
        count = len(FILLED)
        given = [arrays(network) for network in group]
        found = [0.0] * len(group)
        for one in range(len(group)):
            for other in range(one):
                margin = float(
                    games(
                        *(given[one], given[other], NETWORK, self.boards[:count], self.orders[:count]),
                        regions_of(self.settings.m, self.settings.n),
                    ).sum()
                )
                found[one] += margin
                found[other] -= margin
        return found


def standing(settings: EvolutionSettings, network: Network) -> NetworkQuality:
    """The quality of a network on boards that are not used for the fitness."""
    rng = Random(f"{settings.seed} held out")
    given = arrays(network)
    firsts = ranked(given, half_filled(rng, settings.cells, HELD_OUT))[1]
    boards, order = around(rng, settings.cells, TRIALS), orders(rng, settings.cells, TRIALS)
    margins = [_played(settings, given, who, boards, order) for who in (RANDOM, GREEDY)]
    won = [float(((margin > 0) + (margin == 0) / 2).mean()) for margin in margins]
    return NetworkQuality(firsts, float(np.mean(margins)), *won)


@lru_cache(maxsize=2)
def generation(settings: EvolutionSettings, number: int) -> Generation:
    """The boards and the games of a generation, cached for the two latest calls."""
    return Generation(settings, number)


def warm_up() -> None:
    """Compile or load the kernels; if that takes long, a message on standard error announces it."""
    cells = 16
    network = arrays(Network.of(cells, dict.fromkeys(range(cells), (0.0, "identity")), []))
    boards = np.zeros((1, cells), np.int8)
    get_ready(ranked, network, boards)
    get_ready(wrong_answers, network, boards, THRESHOLD)
    get_ready(games, network, network, NETWORK, boards, np.zeros((1, cells), np.int64), regions_of(2, 2))


def half_filled(rng: Random, cells: int, count: int) -> np.ndarray[Any, Any]:
    """Random boards of `cells` cells, `count` of them, as rows of ones (filled) and zeros (empty).

    The number of filled cells is equally likely to be any number from 1 to `cells` - 1.
    """
    return np.array([_filled(rng, cells, rng.randrange(1, cells)) for _ in range(count)], np.int8)


def around(rng: Random, cells: int, count: int, shares: Sequence[float] = FILLED) -> np.ndarray[Any, Any]:
    """Random boards of `cells` cells, `count` of them, whose mean shares of filled cells are `shares` in turn.

    Each board has at least one empty cell. The default of `shares` is `FILLED`.
    """
    wanted = [abs(rng.gauss(shares[number % len(shares)], SPREAD)) for number in range(count)]
    return np.array([_filled(rng, cells, min(cells - 1, round(share * cells))) for share in wanted], np.int8)


def orders(rng: Random, cells: int, count: int) -> np.ndarray[Any, Any]:
    """Random orders of `cells` cells, `count` of them, one for each game.

    A random move fills the first empty cell in the order of its game.
    """
    return np.array([rng.sample(range(cells), cells) for _ in range(count)], np.int64)


def _filled(rng: Random, cells: int, count: int) -> list[int]:
    chosen = set(rng.sample(range(cells), count))
    return [int(cell in chosen) for cell in range(cells)]


def _played(settings: EvolutionSettings, given: Any, who: int, boards: Any, order: Any) -> Any:
    """The lead of a network in each game against random or greedy moves, as a share of the points."""
    return games(given, given, who, boards, order, regions_of(settings.m, settings.n))


@lru_cache
def regions_of(m: int, n: int) -> np.ndarray[Any, Any]:
    """For each cell, the numbers of its row, its column and its block."""
    return np.array(Geometry.standard(m, n).regions_of, np.int64)


def arrays(network: Network) -> tuple[np.ndarray[Any, Any], ...]:
    """A network as the six arrays that the kernels take.

    They hold the index of the first link of each node, the source of each link, the weight of each link, the bias of
    each node, the activation of each node, and the index of each output. Nodes are in the order of their evaluation.
    Sources and outputs are indices into the inputs followed by the values of the nodes.
    """
    kinds = list(ACTIVATIONS)
    links = [link for node in network.nodes for link in node.links]
    starts = np.cumsum([0] + [len(node.links) for node in network.nodes])
    places = {node.key: network.cells + number for number, node in enumerate(network.nodes)}
    return (
        starts.astype(np.int32),
        np.array([source for source, _ in links], np.int32),
        np.array([weight for _, weight in links], np.float64),
        np.array([node.bias for node in network.nodes], np.float64),
        np.array([kinds.index(node.activation) for node in network.nodes], np.int8),
        np.array([places[cell] for cell in range(network.cells)], np.int32),
    )
