"""Networks in compiled code: their outputs, the quality of their ranking of cells, and the games that they play.

A network is the tuple of arrays from `Network.arrays`. A board here is a row of ones for filled cells and zeros for
empty cells; the game is the filling game, in which the values of the cells do not matter.
"""

from __future__ import annotations

from math import exp, tanh
from typing import Any

import numpy as np

from csp_sudoku.compiled.compilation import kernel, part

IDENTITY, RELU, TANH, GAUSS = range(4)
"""The activation functions of a node, in the order of `network.ACTIVATIONS`."""

NETWORK, RANDOM, GREEDY = range(3)
"""The kinds of player."""

SCALE = 5.0
"""Scale of the logistic score: outputs that differ by SCALE are ranked with odds of e to 1."""

REWARDS = np.array([0, 1, 3, 7], np.int64)

Arrays = Any
"""The arrays of a network, as a tuple."""


@part
def _answer(network: Arrays, values: np.ndarray, cells: int) -> None:
    """Write the output of every node to `values`, after the inputs."""
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
    """Return how surely empty cells rank above filled ones (0 to 1), and on how many boards an empty one is first."""
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
    """Return the number of outputs below `threshold` for an empty cell, or above `-threshold` for a filled one."""
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
    """Return the cell that a player fills next: the best one, and among equal ones the first in `order`."""
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
    """Return the final lead of the first player, as a share of all points."""
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
    """Return the final lead of a network on each board, as a share of all points: as first and as second player."""
    margins = np.zeros((len(boards), 2))
    for board in range(len(boards)):
        given = boards[board], orders[board], regions_of
        margins[board, 0] = _game((NETWORK, who), (network, opponent), *given)
        margins[board, 1] = -_game((who, NETWORK), (opponent, network), *given)
    return margins
