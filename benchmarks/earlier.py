"""The figures in the reports of the earlier systems, from other machines and boards, for comparison."""

from __future__ import annotations

from collections.abc import Mapping

SYSTEMS: Mapping[str, str] = {
    "000": "000, heuristic and skipping minimax, MCTS (TU/e, 2023)",
    "001": "001, parity minimax (TU/e, 2022)",
    "002": "002, MCTS, NEAT and Algorithm X (TU/e, 2023)",
    "003": "003, backtracking on 9×9",
    "004": "004, Sudoku Fighter on 16×16 and 25×25 (2019)",
}

NEVER = float("inf")

PLACEMENT: Mapping[str, Mapping[str, float]] = {
    "Hexa-81": {"never": NEVER, "before": 3.380, "during": 1.358},
    "Hexa-82": {"never": NEVER, "before": 10.469, "during": 7.202},
    "Hexa-101": {"never": 1.027, "before": 3.390, "during": 18.557},
}
"""004, Table 7: seconds on three 16×16 puzzles by when it prunes; NEVER means no answer in 5 minutes."""

ORDER: Mapping[str, Mapping[str, float]] = {
    "Hexa-81": {"mrv": 1.358, "degree": 7.470},
    "Hexa-82": {"mrv": 7.202, "degree": 136.856},
    "Hexa-101": {"mrv": 18.557, "degree": NEVER},
}
"""004, Table 8: seconds on the same puzzles by the order of variables, with pruning before and during search."""

GIANTS: Mapping[str, float] = {
    "Sudoku_1_1": NEVER,
    "Sudoku_1_2": NEVER,
    "Sudoku_2_1": 1132.983,
    "Sudoku_2_2": 245.402,
    "Sudoku_3_1": 266.124,
    "Sudoku_3_2": 241.797,
    "Sudoku_3_3": 251.133,
    "Sudoku_3_4": 505.061,
    "Sudoku_3_5": 264.073,
    "Sudoku_3_6": 219.728,
}
"""004, Table 9: seconds on ten 25×25 with a limit of one hour (the first one took 7725.790 s in the end)."""

THOUSAND: Mapping[str, float] = {"brute-force": 13.571531, "most-constrained": 4.515533, "lookup-table": 2.770192}
"""003: seconds for 1000 boards of 9×9, one after the other, in Python."""

PRUNING_FACTOR, NAIVE_FACTOR = 6, 15
"""001: how many times as fast its search became on random-2x3, by alpha-beta and by all its improvements together."""

WINS: Mapping[tuple[str, str, float], float] = {
    ("random", "random-3x3", 0.5): 1.0,
    ("random", "random-3x3", 1): 1.0,
    ("random", "random-3x3", 5): 1.0,
    ("greedy", "random-3x3", 0.5): 0.5,
    ("greedy", "random-3x3", 1): 0.2,
    ("greedy", "random-3x3", 5): 0.6,
    ("random", "empty-3x3", 0.5): 0.3,
    ("random", "empty-3x3", 1): 0.1,
    ("random", "empty-3x3", 5): 0.6,
    ("greedy", "empty-3x3", 0.5): 0.2,
    ("greedy", "empty-3x3", 1): 0.2,
    ("greedy", "empty-3x3", 5): 0.8,
}
"""001, Table 1: the share of ten games that it won, by opponent, board and seconds per turn."""
