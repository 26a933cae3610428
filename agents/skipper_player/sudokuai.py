"""The skipper searches with iterative-deepening alpha-beta, knows bombs, and spends them as skips.

The idea is that of the earlier system 000, in its third version (skipping minimax, TU/e, 2023). Moves that complete
regions come first, and the first one is proposed at once; then the player searches by iterative deepening, from a depth
of two moves. While between 20 % and 85 % of the board is filled, it keeps a list of bombs from turn to turn, which it
can spend as skips. If a turn is over before that list is complete, the player waits until another 10 % of the board is
filled.

The earlier system took its list from a rule that considers rows of blocks and misses most bombs. `bombs=rule` uses that
rule, as this library implements it, and `bombs=exact` uses the exact map. The earlier system skipped only as a last
resort: when the best value that it found, together with the points so far, was negative. `skip=behind` does the same;
with `skip=searched`, a skip is a move of the search like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar, NamedTuple

from csp_sudoku.board import Board
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.solvers.base import Option

from .skips import SKIP, SkipFilling

ENGINES = (2, 2), (3, 3)
"""One board shape for each compiled search that makes a map; plain 3×3 boards have a search of their own."""

STEP = 0.1
"""The additional share of the board that must be filled after a turn that ended before the list was complete."""


class Kept(NamedTuple):
    """The data that the player keeps between turns."""

    bombs: tuple[Move, ...]
    low: float
    """The share of the board that must be filled before the player searches for bombs."""
    turn: int
    """The number of moves before the last turn that completed its list."""


class SkipperPlayer(CellAgent):
    """A player that searches as many moves ahead as the time allows, and plays the best cell or skips."""

    OPTIONS: ClassVar = {
        "bombs": Option("exact", ("exact", "rule"), "source of the bombs; the authors used the rule"),
        "skip": Option(
            "searched", ("searched", "behind"), "when it skips; the authors' player did so when it was behind"
        ),
        "low": Option(0.2, float, "share of the board that is filled when it begins to look for bombs"),
        "high": Option(0.85, float, "share of the board that is filled when it stops looking for bombs"),
    }

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        self.kept: Kept | None = None
        for shape in ENGINES:  # load the kernels here, because each turn is played by a copy of this process
            bombs_of(Board.empty(*shape), self.options["bombs"])

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield the cell that completes the most regions, then the best move of each depth."""
        filling = Filling(state)
        order = sorted(filling.order, key=filling.gain, reverse=True)
        yield self.move(state, next(cell for cell in order if cell in filling.moves()))
        bombs = self._bombs(state)
        assert self.witness is not None
        is_searched = self.options["skip"] == "searched"
        position = SkipFilling(state, order, self.witness, bombs if is_searched else ())
        lead = position.lead(position.player)
        # Between two skips of a line a cell is filled, so a line has at most twice as many moves as cells.
        last = position.left * (2 if position.bombs else 1)
        for found in deepen(AlphaBeta(position), position.moves(), first=2, last=last):
            is_behind = not is_searched and bombs and lead + found.value < 0
            yield bombs[0] if is_behind or found.move == SKIP else self.move(state, found.move)

    def _bombs(self, state: GameState) -> list[Move]:
        """Return the bombs that may be played now."""
        board, turn = state.board, len(state.history)
        known, low, since = self.kept or Kept((), self.options["low"], 0)
        if turn - since > 2:  # The last turn saved nothing, so it was over before the list was complete.
            low += STEP
        legal = set(state.moves())
        bombs = [move for move in known if move in legal]
        filled = 1 - board.empty_count / board.geometry.cell_count
        # As in the earlier system, the rule runs again only when its list is used up. The exact map is cheap, and the
        # search needs the number of bombs.
        if low < filled < self.options["high"] and (not bombs or self.options["bombs"] == "exact"):
            known = bombs_of(board, self.options["bombs"])
            bombs = [move for move in known if move in legal]
        self.kept = Kept(known, low, turn)
        return bombs


def bombs_of(board: Board, engine: str) -> tuple[Move, ...]:
    """Return the bombs of a board: all of them, or those that the rule finds.

    `engine` is "exact" for all bombs, or "rule".
    """
    from csp_sudoku.moves.classification import classify_moves

    return tuple(classify_moves(board, "auto" if engine == "exact" else engine).bombs)


SudokuAI = framework_player(SkipperPlayer)
