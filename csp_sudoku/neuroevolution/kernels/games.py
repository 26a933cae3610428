"""Networks in compiled code: what they answer, how well that ranks the cells, and the games they play.

A network is the arrays of `Network.arrays`. A board here is a row of ones and zeros, cells that are filled and cells
that are empty; a game is that of filling cells, whose values do not score.
"""

from __future__ import annotations

from math import exp, tanh
from typing import Any

import numpy as np

from csp_sudoku.solvers.kernels.compiled import kernel, part

IDENTITY, RELU, TANH, GAUSS = range(4)
"""What a node makes of its sum, in the order of `network.ACTIVATIONS`."""

NETWORK, RANDOM, GREEDY = range(3)
"""Who chooses a cell."""

SCALE = 5.0
"""The difference of two outputs that are ranked with odds of e to 1: up to a few times that there is more to win."""

REWARDS = np.array([0, 1, 3, 7], np.int64)

Arrays = Any
"""The arrays of a network, as a tuple."""


@part
def _answer(network: Arrays, values: np.ndarray, cells: int) -> None:
    """Put what every node gives into `values`, behind the inputs."""
    starts, sources, weights, biases, kinds, _ = network
    for node in range(len(kinds)):
        total = 0.0
        for link in range(starts[node], starts[node + 1]):
            total += weights[link] * values[sources[link]]
        total += biases[node]
        kind = kinds[node]
        if kind == RELU:
            total = max(total, 0.0)
        elif kind == TANH:
            total = tanh(2.5 * total)
        elif kind == GAUSS:
            total = exp(-5.0 * total * total)
        values[cells + node] = total


@part
def _room(network: Arrays, cells: int) -> np.ndarray:
    return np.zeros(cells + len(network[4]))


@kernel
def ranked(network: Arrays, boards: np.ndarray) -> tuple[float, int]:
    """How surely empty cells are ranked above filled ones, 0 to 1; and on how many boards an empty one comes first."""
    cells = boards.shape[1]
    outputs = network[5]
    values = _room(network, cells)
    total, firsts = 0.0, 0
    for board in range(len(boards)):
        values[:cells] = boards[board]
        _answer(network, values, cells)
        pairs, share, best = 0, 0.0, 0
        for cell in range(cells):
            output = values[outputs[cell]]
            if output > values[outputs[best]]:
                best = cell
            if not boards[board, cell]:
                for other in range(cells):
                    if boards[board, other]:
                        pairs += 1
                        share += 1.0 / (1.0 + exp(min(60.0, (values[outputs[other]] - output) / SCALE)))
        firsts += not boards[board, best]
        total += share / pairs
    return total / len(boards), firsts


@kernel
def wrong_answers(network: Arrays, boards: np.ndarray, threshold: float) -> int:
    """How many answers are not above the threshold for an empty cell, or not below minus that for a filled one."""
    cells = boards.shape[1]
    outputs = network[5]
    values = _room(network, cells)
    wrong = 0
    for board in range(len(boards)):
        values[:cells] = boards[board]
        _answer(network, values, cells)
        for cell in range(cells):
            output = values[outputs[cell]]
            wrong += not (output <= -threshold if boards[board, cell] else output >= threshold)
    return wrong


@part
def _gain(cell: int, regions_of: np.ndarray, empty: np.ndarray) -> int:
    completed = 0
    for place in range(3):
        completed += empty[regions_of[cell, place]] == 1
    return REWARDS[completed]


@part
def _choice(
    who: int, network: Arrays, values: np.ndarray, order: np.ndarray, regions_of: np.ndarray, empty: np.ndarray
) -> int:
    """The cell that a player fills next; of equal ones the first in the order, for random any means all are equal."""
    cells = len(order)
    best, best_worth = -1, 0.0
    if who == NETWORK:
        _answer(network, values, cells)
    for cell in order:
        if values[cell] == 0.0:
            worth = 0.0
            if who == NETWORK:
                worth = values[network[5][cell]]
            elif who == GREEDY:
                worth = _gain(cell, regions_of, empty)
            if best < 0 or worth > best_worth:
                best, best_worth = cell, worth
    return best


@part
def _game(
    players: tuple[int, int],
    networks: tuple[Arrays, Arrays],
    board: np.ndarray,
    order: np.ndarray,
    regions_of: np.ndarray,
) -> float:
    """What the first player is ahead by at the end, as a share of all points."""
    cells = len(board)
    first, second = networks
    mine, others = _room(first, cells), _room(second, cells)
    mine[:cells] = board
    others[:cells] = board
    empty = np.zeros(3 * cells, np.int64)
    left = 0
    for cell in range(cells):
        if not board[cell]:
            left += 1
            for place in range(3):
                empty[regions_of[cell, place]] += 1
    margin, total = 0, 0
    for turn in range(left):
        if turn % 2 == 0:
            cell = _choice(players[0], first, mine, order, regions_of, empty)
        else:
            cell = _choice(players[1], second, others, order, regions_of, empty)
        gain = _gain(cell, regions_of, empty)
        for place in range(3):
            empty[regions_of[cell, place]] -= 1
        mine[cell] = others[cell] = 1.0
        total += gain
        margin += gain if turn % 2 == 0 else -gain
    return margin / total if total else 0.0


@kernel
def games(
    network: Arrays,
    opponent: Arrays,
    who: int,
    boards: np.ndarray,
    orders: np.ndarray,
    regions_of: np.ndarray,
) -> np.ndarray:
    """What a network is ahead by at the end of each game, as a share of all points; as the first and as the second."""
    margins = np.zeros((len(boards), 2))
    for board in range(len(boards)):
        given = boards[board], orders[board], regions_of
        margins[board, 0] = _game((NETWORK, who), (network, opponent), *given)
        margins[board, 1] = -_game((who, NETWORK), (opponent, network), *given)
    return margins
