"""A filling position with skips, for a game whose players may spend bombs."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.filling import Filling

SKIP = -1
"""The number of the move that spends a bomb."""


class SkipFilling(Filling):
    """A position in which the player to move may skip, as long as there are bombs.

    A bomb disappears when its cell is filled, or when a peer of its cell gets its value; the completion `witness` shows
    which values the cells will get. A skip spends one of the remaining bombs; the search does not distinguish them. If
    their number is even, the position has no skip, because the opponent would answer it with another skip. `order`
    lists the empty cells in the order in which a search tries them.

    `bombs` are the bombs of the board that may be spent.

    >>> from csp_sudoku.board import Board
    >>> state = GameState.start(Board.parse("12.. .... .... 4..."))
    >>> filling = SkipFilling(state, [2, 3, 4], bytes([1, 2, 3, 4, 3] + [0] * 11), [Move(0, 2, 4)])
    >>> filling.moves(), filling.play(SKIP), filling.player, filling.moves()
    ([2, 3, 4, -1], 0, 1, [2, 3, 4])
    >>> filling.undo()
    >>> filling.play(3), filling.moves()
    (0, [2, 4])
    """

    def __init__(self, state: GameState, order: Iterable[int], witness: bytes, bombs: Collection[Move]) -> None:
        super().__init__(state, order)
        geometry = state.board.geometry
        self.bombs = len(bombs)
        """The number of bombs that are left."""
        self._reasons_gone = [0] * len(bombs)
        self._ends: list[list[int]] = [[] for _ in range(self.cell_count)]  # the bombs that each cell removes
        for number, (row, col, value) in enumerate(bombs):
            cell = geometry.cell(row, col)
            for end in (cell, *geometry.peers[cell]):
                if not self.is_filled[end] and (end == cell or witness[end] == value):
                    self._ends[end].append(number)

    def moves(self) -> list[int]:
        """Return the moves of the player to move, the skip last; an empty list if the game is over."""
        cells = super().moves()
        return [*cells, SKIP] if cells and self.bombs > 0 and self.bombs % 2 else cells

    def gain(self, move: int) -> int:
        """Return the points for a move."""
        return 0 if move == SKIP else super().gain(move)

    def play(self, move: int) -> int:
        """Play a move, and return its points."""
        if move != SKIP:
            for number in self._ends[move]:
                self.bombs -= not self._reasons_gone[number]
                self._reasons_gone[number] += 1
            return super().play(move)
        self.bombs -= 1
        self._past.append((SKIP, self.player, 0))
        if self.cells(1 - self.player):
            self.player = 1 - self.player
        return 0

    def undo(self) -> None:
        """Undo the last move."""
        move, player, _ = self._past[-1]
        if move != SKIP:
            super().undo()
            for number in self._ends[move]:
                self._reasons_gone[number] -= 1
                self.bombs += not self._reasons_gone[number]
        else:
            self._past.pop()
            self.bombs += 1
            self.player = player
