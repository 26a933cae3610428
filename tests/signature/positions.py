"""The fixed boards and positions that the layers work on, the same on every machine and with every Python."""

from __future__ import annotations

from itertools import product

from csp_sudoku.board import Board
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.classification import classify_moves
from tests.support import perturbed, planted, random_of

SHAPES = sorted(product(range(2, 6), repeat=2), key=lambda shape: (shape[0] * shape[1], shape))
"""Every shape from 2×2 to 5×5, by size."""

MODES = tuple(PlayMode)


def name_of(shape):
    """A shape as people write it."""
    return f"{shape[0]}x{shape[1]}"


def solvable(shape, share=0.5, seed=0):
    """A board with a completion, about that share of whose cells is empty, and the completion."""
    return planted(*shape, random_of("signature", "planted", shape, share, seed), share)


def doubtful(shape, share=0.6, seed=0):
    """A board without clashes that may have no completion."""
    return perturbed(*shape, random_of("signature", "perturbed", shape, share, seed), share)


def ending(shape, empty, seed=0):
    """A board with a completion, and so many empty cells (or all of them, if it has fewer), and the completion."""
    random = random_of("signature", "ending", shape, empty, seed)
    _, solution = planted(*shape, random)
    cells = random.sample(range(solution.geometry.cell_count), min(empty, solution.geometry.cell_count))
    return solution.without(cells), solution


def boards(shape):
    """The boards of a shape that every solver and engine is given, by name."""
    return {
        "half": solvable(shape)[0],
        "sparse": solvable(shape, 0.7)[0],
        "doubtful": doubtful(shape),
    }


def fills(board, solution, count, seed=0):
    """This many safe moves of a completion, in a random order."""
    cells = random_of("signature", "fills", board.m, board.n, count, seed).sample(
        list(board.empty_cells()), min(count, board.empty_count)
    )
    return [(*divmod(cell, board.size), solution.values[cell]) for cell in cells]


def position(shape, mode, share=0.5, empty=None):
    """A position of a game in some mode: some moves have been played, and a bomb was skipped if there was one."""
    board, solution = solvable(shape, share) if empty is None else ending(shape, empty)
    rng = random_of("signature", "squares", shape, mode.value)
    state = GameState.start(board, mode, rng)
    for _ in range(3):
        moves = [move for move in state.moves() if solution[move.row, move.col] == move.value]
        if not moves or state.board.empty_count <= 4:
            break
        state, _ = state.place(rng.choice(moves))
    bombs = set(classify_moves(state.board).bombs)
    bomb = next((move for move in state.moves() if move in bombs), None)
    if bomb is not None:
        state, _ = state.skip(bomb)
    return state.play(None)[0] if state.must_pass else state


def start(text, mode=PlayMode.CLASSIC):
    """The start of a game on a board that is written out."""
    return GameState.start(Board.parse(text), mode)
