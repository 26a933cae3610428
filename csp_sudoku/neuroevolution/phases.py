"""The two phases: a network first tells empty cells from filled ones, then plays; its fitness says how well.

Phase one: a generation has boards that are filled here and there. The fitness is how surely the outputs of empty cells
are above those of filled ones, in the mean of all pairs on all boards; so everything that makes one output a little
better counts, and goes on to count in phase two, where what is passed barely would be lost to each child's mutations. A
network passes if on other boards, too, the highest output of all is always that of an empty cell.

Phase two: who passes plays the filling game, in which values do not matter, against any moves, against greedy ones,
and in knock-out rounds against the others: in groups of four, from empty boards and from those that are about a third
and two thirds full, each pair from both sides; the best one of a group goes on. The fitness is what a network is ahead
by at the end, as a share of the points, and the rounds that it has survived.

`threshold` is phase one as its authors had it: each output is to be at least 0.1 for an empty cell, at most -0.1 for a
filled one, on six boards; the fitness counts the answers that are wrong, and who has none passes.

All boards and games of a generation come from the seed and its number alone. So who evaluates which network where, and
whether the run was interrupted, makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from csp_sudoku.geometry import Geometry
from csp_sudoku.neuroevolution.kernels.games import GREEDY, NETWORK, RANDOM, games, ranked, wrong_answers
from csp_sudoku.neuroevolution.network import ACTIVATIONS, Network
from csp_sudoku.neuroevolution.settings import Settings
from csp_sudoku.solvers.kernels.compiled import get_ready

RANKED = 60
"""Boards on which cells are ranked."""
GATE = 200
"""Further boards that a network must pass."""
GAMES = 24
"""Boards for the games against any and against greedy moves."""
HELD_OUT = 500
"""Boards that no fitness has seen."""
TRIALS = 200
"""Boards for games that no fitness has seen."""

FILLED = (0.0, 1 / 3, 2 / 3)
SPREAD = 0.1
"""How full the boards of phase two are, and the standard deviation of that."""
GROUP = 4
"""Networks that play each other in a round."""
THRESHOLD = 0.1

PASSED = 100.0
"""The fitness of phase one, at most; and what passing it adds."""
PLAYED = 80.0
"""What games against any and greedy moves add, at most."""
SURVIVED = 20.0
"""What the knock-out adds, at most."""


class Score(NamedTuple):
    """What a network is found to be worth by itself."""

    first: float
    """Of phase one, 0 to 1."""
    has_passed: bool
    second: float = 0.0
    """Of the games of phase two, 0 to 1, if it has passed."""


class Standing(NamedTuple):
    """How good a network is on boards that no fitness has seen; more is better."""

    firsts: int
    """On how many of HELD_OUT boards the highest output is an empty cell's."""
    margin: float
    """What it is ahead by in the mean, against any moves and against greedy ones, as a share of the points."""
    against_random: float
    """The share of games won against any moves; a draw is half a win."""
    against_greedy: float

    @property
    def has_passed(self) -> bool:
        """Whether it passes phase one."""
        return self.firsts == HELD_OUT

    @property
    def worth(self) -> tuple[int, float]:
        """What the better of two networks has more of."""
        return self.firsts, self.margin


class Generation:
    """The boards and the games of one generation."""

    def __init__(self, settings: Settings, number: int) -> None:
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
        """What a network is worth by itself."""
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
        """What each network of a group is ahead by in its games with the others, in the sum."""
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


def standing(settings: Settings, network: Network) -> Standing:
    """How good a network is on boards that no fitness has seen."""
    rng = Random(f"{settings.seed} held out")
    given = arrays(network)
    firsts = ranked(given, half_filled(rng, settings.cells, HELD_OUT))[1]
    boards, order = around(rng, settings.cells, TRIALS), orders(rng, settings.cells, TRIALS)
    margins = [_played(settings, given, who, boards, order) for who in (RANDOM, GREEDY)]
    won = [float(((margin > 0) + (margin == 0) / 2).mean()) for margin in margins]
    return Standing(firsts, float(np.mean(margins)), *won)


@lru_cache(maxsize=2)
def generation(settings: Settings, number: int) -> Generation:
    """The boards and the games of a generation."""
    return Generation(settings, number)


def warm_up() -> None:
    """Have the kernels compiled, aloud if that takes long."""
    cells = 16
    network = arrays(Network.of(cells, dict.fromkeys(range(cells), (0.0, "identity")), []))
    boards = np.zeros((1, cells), np.int8)
    get_ready(ranked, network, boards)
    get_ready(wrong_answers, network, boards, THRESHOLD)
    get_ready(games, network, network, NETWORK, boards, np.zeros((1, cells), np.int64), regions_of(2, 2))


def half_filled(rng: Random, cells: int, count: int) -> np.ndarray[Any, Any]:
    """Boards with some cells filled and some empty, any number equally likely."""
    return np.array([_filled(rng, cells, rng.randrange(1, cells)) for _ in range(count)], np.int8)


def around(rng: Random, cells: int, count: int, shares: Sequence[float] = FILLED) -> np.ndarray[Any, Any]:
    """Boards that are about so full, the shares in turn; each has an empty cell."""
    wanted = [abs(rng.gauss(shares[number % len(shares)], SPREAD)) for number in range(count)]
    return np.array([_filled(rng, cells, min(cells - 1, round(share * cells))) for share in wanted], np.int8)


def orders(rng: Random, cells: int, count: int) -> np.ndarray[Any, Any]:
    """Orders of the cells: in a game, any move is the first empty cell of its order."""
    return np.array([rng.sample(range(cells), cells) for _ in range(count)], np.int64)


def _filled(rng: Random, cells: int, count: int) -> list[int]:
    chosen = set(rng.sample(range(cells), count))
    return [int(cell in chosen) for cell in range(cells)]


def _played(settings: Settings, given: Any, who: int, boards: Any, order: Any) -> Any:
    """What a network is ahead by in each game against any or greedy moves."""
    return games(given, given, who, boards, order, regions_of(settings.m, settings.n))


@lru_cache
def regions_of(m: int, n: int) -> np.ndarray[Any, Any]:
    """The row, the column and the block of each cell."""
    return np.array(Geometry.standard(m, n).regions_of, np.int64)


def arrays(network: Network) -> tuple[np.ndarray[Any, Any], ...]:
    """A network as the kernels take it: where the links of each node begin, their sources, their weights; the biases
    and kinds of the nodes; the place of each output.

    Nodes are in the order in which they are evaluated; sources and outputs are places behind the inputs.
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
