"""The puzzles for measurements, generated or from the user's files, and boards for games; a seed repeats them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import csp_sudoku as cs
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.state import GameState
from csp_sudoku.puzzles.generate import random_solution
from csp_sudoku.solvers.isomorphs import permuted

from .models import PeerPuzzle

KINDS = {"easy": 0.25, "medium": 0.55, "hard": 0.9}
EMPTIED = 0.6
"""The share of cells that are empty in a start position, as in boards/, and in the test boards of 003."""
_NAME = re.compile(r"(empty|random|easy|medium|hard)-(\d+)x(\d+)")


class PuzzleSet(NamedTuple):
    """Puzzles, and their name in the tables."""

    name: str
    puzzles: Sequence[PeerPuzzle]

    @property
    def shape(self) -> tuple[int, int]:
        """The largest shape of the puzzles."""
        return max(((each.m, each.n) for each in self.puzzles), key=lambda shape: shape[0] * shape[1])

    @property
    def title(self) -> str:
        """The name, the number, and the sizes of the puzzles."""
        count = "1 puzzle" if len(self.puzzles) == 1 else f"{len(self.puzzles)} puzzles"
        sizes = sorted({each.size for each in self.puzzles})
        shapes = " and ".join(f"{size}×{size}" for size in sizes)
        return f"{self.name}: {count}" + ("" if shapes in self.name else f" of {shapes}")


def generated(m: int, n: int, kind: str, count: int, seed: int) -> PuzzleSet:
    """Make `count` puzzles with one solution, of a difficulty in KINDS.

    `m` and `n` are the rows and columns of a block; the same `seed` makes the same puzzles.
    """
    return PuzzleSet(f"{kind} {m * n}×{m * n}", [_generated(m, n, kind, seed, number) for number in range(count)])


@cache
def _generated(m: int, n: int, kind: str, seed: int, number: int) -> PeerPuzzle:
    return puzzle_of(cs.generate(m, n, difficulty=KINDS[kind], rng=Random(f"{kind} {m} {n} {seed} {number}")))


def emptied(m: int, n: int, count: int, seed: int, share: float = EMPTIED) -> PuzzleSet:
    """Make boards by emptying a share of the cells of random solutions: they are easy, and most have many solutions.

    `m` and `n` are the rows and columns of a block, and `count` is the number of boards; the same `seed` makes the same
    ones.
    """
    puzzles = []
    for number in range(count):
        random = Random(f"emptied {m} {n} {seed} {number}")
        full = random_solution(m, n, random)
        cells = range(full.geometry.cell_count)
        puzzles.append(puzzle_of(full.without(random.sample(cells, round(len(cells) * share)))))
    return PuzzleSet(f"{share:.0%} emptied {m * n}×{m * n}", puzzles)


def empty(m: int, n: int) -> PuzzleSet:
    """Return the set of the empty board."""
    return PuzzleSet(f"empty {m * n}×{m * n}", [puzzle_of(cs.Board.empty(m, n))])


def from_files(files: Sequence[str], limit: int | None = None) -> list[PuzzleSet]:
    """Read a set from each file, in any known notation; `limit` takes that many puzzles, spread over the file.

    None (the default) takes all. Raise SudokuError if a file has no puzzles, or if two files have the same name.
    """
    found = []
    for file in files:
        boards = list(cs.load_many(file))
        if not boards:
            raise SudokuError(f"{file}: expected puzzles; found none")
        if limit is not None and len(boards) > limit:
            boards = [boards[len(boards) * number // limit] for number in range(limit)]
        found.append(PuzzleSet(Path(file).stem, [puzzle_of(board) for board in boards]))
    if len({each.name for each in found}) < len(found):
        raise SudokuError(f"expected files of different names; found {', '.join(files)}")
    return found


def with_isomorphs(puzzles: PuzzleSet, count: int, seed: int) -> PuzzleSet:
    """Return the same puzzles, and `count` isomorphs of each, which are equally hard but look different.

    The same `seed` makes the same isomorphs.
    """
    found = list(puzzles.puzzles)
    for number in range(count):
        found += [
            isomorph(puzzle, Random(f"isomorph {seed} {number} {place}"))
            for place, puzzle in enumerate(puzzles.puzzles)
        ]
    return PuzzleSet(f"{puzzles.name} and {count} isomorphs of each", found)


def isomorph(puzzle: PeerPuzzle, random: Random) -> PeerPuzzle:
    """Return the puzzle with its values renamed, and its bands, rows, stacks and columns in another order.

    >>> isomorph(PeerPuzzle(1, 2, (1, 2, 0, 0)), Random(1))
    PeerPuzzle(m=1, n=2, cells=(0, 0, 2, 1))
    """
    cells, values = permuted(puzzle.m, puzzle.n, random)
    return PeerPuzzle(puzzle.m, puzzle.n, tuple(values[puzzle.cells[cell]] for cell in cells))


def puzzle_of(board: cs.Board) -> PeerPuzzle:
    """Return a board in the form for third-party solvers."""
    return PeerPuzzle(board.m, board.n, tuple(board.cells))


def board_named(name: str) -> cs.Board:
    """Return a board of boards/ by its name, generated if there is no such folder; or the board of a file.

    >>> board_named("random-2x3").empty_count
    22
    """
    known = _NAME.fullmatch(name)
    if known is None or Path(name).exists():
        return cs.load(name)
    kind, m, n = known[1], int(known[2]), int(known[3])
    if kind == "empty":
        return cs.Board.empty(m, n)
    if kind == "random":
        random = Random(1)
        full = random_solution(m, n, random)
        cells = range(full.geometry.cell_count)
        return full.without(random.sample(cells, round(len(cells) * EMPTIED)))
    return cs.generate(m, n, difficulty=KINDS[kind], rng=1)


def safe_game(board: cs.Board, seed: str) -> Iterator[cs.Board]:
    """Yield the boards of a game of random safe moves, from this one to the full one."""
    return (state.board for state in safe_states(GameState.start(board), seed))


def safe_states(state: GameState, seed: str) -> Iterator[GameState]:
    """Yield the states of a game of random safe moves, from this one to the last; turns without a move are passed.

    `seed` determines the random moves.
    """
    solver, rng = cs.get_solver("learning"), Random(seed)
    geometry = state.board.geometry
    bombs = set[cs.Move]()
    yield state
    while not state.is_over:
        while state.must_pass:
            state = state.play(None)[0]
        board, squares = state.board, state.squares()
        cells = list(board.empty_cells()) if squares is None else [geometry.cell(*square) for square in squares]
        while True:
            row, col = geometry.row_column(rng.choice(cells))
            move = cs.Move(row, col, rng.choice(board.candidates(row, col)))
            if move in bombs:
                continue
            after = state.place(move)[0]
            if solver.solve(after.board).solution is not None:
                break
            bombs.add(move)  # A bomb stays a bomb for the rest of the game.
        state = after
        yield state
