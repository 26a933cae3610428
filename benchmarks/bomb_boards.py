"""The boards for `bombs`: random cells of random solutions, and games of random safe moves."""

from __future__ import annotations

import random

import csp_sudoku as cs
from csp_sudoku.moves.move_map import Moves, legal_masks
from csp_sudoku.puzzles.generate import random_solution

Shape = tuple[int, int]

NO_GAME = "random cells of a random solution"
FROM_GAME = "in games of random safe moves"


def warm_board(shape: Shape) -> cs.Board:
    solution = random_solution(*shape, random.Random(0))
    return solution.without(range(0, solution.geometry.cell_count, 2))


def board_of(shape: Shape, family: str, number: int, fill: int, known: dict[int, list[cs.Board]]) -> cs.Board:
    """Return a board of a family that is `fill` percent full; `known` caches the games played so far.

    `number` seeds the random numbers of the board.
    """
    if family == FROM_GAME:
        if number not in known:
            known[number] = game(shape, number)
        return known[number][round((len(known[number]) - 1) * fill / 100)]
    rng = random.Random(f"cells {shape} {number}")
    solution = random_solution(*shape, rng)
    cells = solution.geometry.cell_count
    return solution.without(rng.sample(range(cells), cells)[round(cells * fill / 100) :])


def game(shape: Shape, number: int) -> list[cs.Board]:
    """Play a game, and return all its boards from the empty to the full one; each move is a random safe one.

    The function draws legal moves until the solver shows that one is safe, so it needs no move map.

    `number` seeds the random numbers of the game.
    """
    solver = cs.get_solver("learning")
    m, n = shape
    rng = random.Random(f"bombs {(m, n)} {number}")
    board = cs.Board.empty(m, n)
    played, bombs = [board], set[cs.Move]()
    while not board.is_full:
        moves = [move for move in Moves(legal_masks(board), board.size) if move not in bombs]
        while True:
            move = moves.pop(rng.randrange(len(moves)))
            after = board.place(*move)
            if solver.solve(after).solution is not None:
                break
            bombs.add(move)  # A bomb stays a bomb for the rest of the game.
        board = after
        played.append(board)
    return played
