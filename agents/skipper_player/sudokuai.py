"""Iterative-deepening alpha-beta that knows bombs, and spends them as skips.

The idea is that of the earlier system 000, in its third version (skipping minimax, TU/e, 2023). Moves that complete
regions come first, and the first one is proposed at once; then it searches from two moves deep. While between 20% and
85% of the board is filled it keeps a list of bombs from turn to turn, with which it can skip. If a turn was over before
that list was done, it waits until another 10% of the board is filled.

Its list came from a rule that looks at block rows and misses most bombs; `bombs=rule` is that, as the library has it,
and `bombs=exact` the exact map. And it skipped as a last resort only: when the best value that it found, with the
points so far, was negative; `skip=behind` is that. With `skip=searched`, a skip is a move of the search like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar, NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.cells import CellAgent
from csp_sudoku.players.filling import Filling
from csp_sudoku.solvers.base import Option

from .skips import SKIP, SkipFilling

ENGINES = (2, 2), (3, 3)
"""A shape for each way to make a map: 3×3 has one of its own."""

STEP = 0.1
"""How much fuller the board must be after a turn that was over too soon."""


class Kept(NamedTuple):
    """What is kept between turns."""

    bombs: tuple[Move, ...]
    low: float
    """The share of the board that must be filled."""
    turn: int
    """How many moves had been played in the last turn that got so far."""


class SkipperPlayer(CellAgent):
    """The cell that is best as many moves ahead as the time allows, or a skip."""

    OPTIONS: ClassVar = {
        "bombs": Option("exact", ("exact", "rule"), "where the bombs come from; the authors had the rule"),
        "skip": Option("searched", ("searched", "behind"), "when it skips; the authors did so when behind"),
        "low": Option(0.2, float, "the share of the board that must be filled for bombs to be looked for"),
        "high": Option(0.85, float, "the share from which on they are not"),
    }

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        self.kept: Kept | None = None
        for shape in ENGINES:  # loads what it takes: each turn is played by a copy
            bombs_of(Board.empty(*shape), self.options["bombs"])

    def choices(self, state: GameState) -> Iterator[Move]:
        """The cell that completes most, then the best move of each depth."""
        filling = Filling(state)
        order = sorted(filling.order, key=filling.gain, reverse=True)
        yield self.move(state, next(cell for cell in order if cell in filling.moves()))
        bombs = self._bombs(state)
        assert self.witness is not None
        is_searched = self.options["skip"] == "searched"
        position = SkipFilling(state, order, self.witness, bombs if is_searched else ())
        lead = position.lead(position.player)
        # Between two skips of a line there is a cell, so it has at most twice as many moves as cells.
        last = position.left * (2 if position.bombs else 1)
        for found in deepen(AlphaBeta(position), position.moves(), first=2, last=last):
            is_behind = not is_searched and bombs and lead + found.value < 0
            yield bombs[0] if is_behind or found.move == SKIP else self.move(state, found.move)

    def _bombs(self, state: GameState) -> list[Move]:
        """The bombs that may be played now."""
        board, turn = state.board, len(state.history)
        known, low, since = self.kept or Kept((), self.options["low"], 0)
        if turn - since > 2:  # the last turn left nothing, so it was over before the list was done
            low += STEP
        legal = set(state.moves())
        bombs = [move for move in known if move in legal]
        filled = 1 - board.empty_count / board.geometry.cell_count
        # The rule's list is used up first, as it was; the map is cheap, and the search must know how many there are.
        if low < filled < self.options["high"] and (not bombs or self.options["bombs"] == "exact"):
            known = bombs_of(board, self.options["bombs"])
            bombs = [move for move in known if move in legal]
        self.kept = Kept(known, low, turn)
        return bombs


def bombs_of(board: Board, engine: str) -> tuple[Move, ...]:
    """The bombs of a board, all of them or those that the rule tells."""
    from csp_sudoku.moves.classification import classify_moves

    return tuple(classify_moves(board, "auto" if engine == "exact" else engine).bombs)


SudokuAI = framework_player(SkipperPlayer)
