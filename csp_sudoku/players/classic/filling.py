"""Filling: the game without its values, for players that search in plain Python; and Pairs, with values.

The points of a move depend only on its cell. So a search may choose cells, and take the values from a known completion:
whichever cells are filled with its values, in any order, the board keeps that completion.

`play` changes a position, and `undo` restores it. A **move** is a number; in Filling it is the number of the cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from csp_sudoku.game.rules import neighbours
from csp_sudoku.game.state import GameState
from csp_sudoku.players.classic.counters import REWARDS, RegionCounters


class Filling(RegionCounters):
    """A position of the game in which players fill cells in turn; players are 0 and 1.

    `order` lists the empty cells in the order in which a search tries them; None (the default) is reading order.

    `state` is the state of the game to begin with.

    >>> from csp_sudoku.board import Board
    >>> filling = Filling(GameState.start(Board.parse("123. 341. 214. 4321")))
    >>> filling.moves(), filling.play(11), filling.player, filling.moves()
    ([3, 7, 11], 3, 1, [3, 7])
    >>> filling.play(3), filling.balance
    (1, 2)
    >>> filling.undo()
    >>> filling.undo()
    >>> filling.moves(), filling.player, filling.balance
    ([3, 7, 11], 0, 0)
    """

    def __init__(self, state: GameState, order: Iterable[int] | None = None) -> None:
        board = state.board
        super().__init__(board.geometry, board.values)
        self.cell_count = board.geometry.cell_count
        self.order = list(board.empty_cells() if order is None else order)
        """The cells that are empty at the start, in the order in which a search tries them."""
        self.is_filled = [value > 0 for value in board.values]
        self.left = board.empty_count
        """The number of empty cells."""
        self.player = state.player - 1
        """The player to move; if this player has no move, the game is over."""
        self.balance = state.scores[0] - state.scores[1]
        """The lead of player 0, in points."""
        self._past: list[tuple[int, int, int]] = []
        self._open: tuple[list[int], list[int]] | None = None
        if state.allowed is not None:
            self._near = [
                [row * board.size + col for row, col in neighbours(board.size, board.geometry.row_column(cell))]
                for cell in range(self.cell_count)
            ]
            self._open = self._reasons(state, 1), self._reasons(state, 2)

    def _reasons(self, state: GameState, player: int) -> list[int]:
        """For each cell, count the reasons why a player may play there: it is allowed, or it touches occupied cells."""
        assert state.allowed is not None
        reasons = [0] * self.cell_count
        for row, col in state.allowed[player - 1]:
            reasons[row * state.board.size + col] = 1
        for row, col in state.occupied[player - 1]:
            for cell in self._near[row * state.board.size + col]:
                reasons[cell] += 1
        return reasons

    def cell(self, move: int) -> int:
        """Return the cell that a move fills."""
        return move

    def value(self, move: int) -> int:  # noqa: ARG002 - a subclass whose moves have values needs it
        """Return the value of a move; 0, because a move of Filling has none."""
        return 0

    def cells(self, player: int) -> list[int]:
        """Return the cells on which a player may play, in the order in which a search tries them."""
        is_filled = self.is_filled
        if self._open is None:
            return [cell for cell in self.order if not is_filled[cell]]
        reasons = self._open[player]
        return [cell for cell in self.order if not is_filled[cell] and reasons[cell]]

    def moves(self) -> list[int]:
        """Return the moves of the player to move; an empty list if the game is over."""
        return self.cells(self.player)

    def lead(self, player: int) -> int:
        """Return the lead of a player, in points."""
        return -self.balance if player else self.balance

    def play(self, move: int) -> int:
        """Play a move, and return its points."""
        player = self.player
        points = self.fill(move)
        self.is_filled[move] = True
        self.left -= 1
        self.balance += -points if player else points
        self._past.append((move, player, points))
        if self._open is None:
            self.player = 1 - player
        else:
            reasons = self._open[player]
            for cell in self._near[move]:
                reasons[cell] += 1
            if self.cells(1 - player) or not self.cells(player):  # otherwise the opponent passes
                self.player = 1 - player
        return points

    def undo(self) -> None:
        """Undo the last move."""
        move, player, points = self._past.pop()
        self.clear(move)
        self.is_filled[move] = False
        self.left += 1
        self.balance -= -points if player else points
        self.player = player
        if self._open is not None:
            reasons = self._open[player]
            for cell in self._near[move]:
                reasons[cell] -= 1

    def playout(self, rng: Random) -> int:
        """Return the balance at the end of a game that continues with random moves; the position does not change."""
        if self._open is not None:
            return self._playout_by_moves(rng)
        # Any order of the remaining cells is a game, so no move needs to be played and undone.
        is_filled, regions_of, empty = self.is_filled, self.regions_of, self.empty.copy()
        random = rng.random
        cells = [cell for cell in self.order if not is_filled[cell]]
        cells.sort(key=lambda _: random())
        balance, sign = self.balance, -1 if self.player else 1
        for cell in cells:
            completed = 0
            for region in regions_of[cell]:
                left = empty[region] = empty[region] - 1
                if not left:
                    completed += 1
            if completed:
                balance += sign * REWARDS[completed]
            sign = -sign
        return balance

    def _playout_by_moves(self, rng: Random) -> int:
        start = len(self._past)
        while moves := self.moves():
            self.play(rng.choice(moves))
        balance = self.balance
        while len(self._past) > start:
            self.undo()
        return balance


class Pairs(Filling):
    """The same position with a move for every cell and every value that no peer holds, as in earlier systems.

    It has up to N times as many moves, for the same points. Bombs are among them and are played like any other move, so
    the game also ends when no empty cell has a legal value.

    >>> from csp_sudoku.board import Board
    >>> pairs = Pairs(GameState.start(Board.parse("12.. .... .... ....")))
    >>> [(pairs.cell(move), pairs.value(move)) for move in pairs.moves()[:4]]
    [(2, 3), (2, 4), (3, 3), (3, 4)]
    """

    def __init__(self, state: GameState, order: Iterable[int] | None = None) -> None:
        super().__init__(state, order)
        board = state.board
        self._values = range(1, board.size + 1)
        self._held = [sum({1 << board.values[cell] for cell in region}) for region in board.geometry.regions]
        self._taboo = {self._move(board.geometry.cell(row, col), value) for row, col, value in state.taboo}
        self._played: list[int] = []

    def _move(self, cell: int, value: int) -> int:
        return value * self.cell_count + cell

    def cell(self, move: int) -> int:
        """Return the cell that a move fills."""
        return move % self.cell_count

    def value(self, move: int) -> int:
        """Return the value that a move places."""
        return move // self.cell_count

    def gain(self, move: int) -> int:
        """Return the points for a move."""
        return super().gain(self.cell(move))

    def moves(self) -> list[int]:
        """Return the moves of the player to move; an empty list if the game is over."""
        held, taboo, found = self._held, self._taboo, []
        for cell in self.cells(self.player):
            taken = 0
            for region in self.regions_of[cell]:
                taken |= held[region]
            found += [self._move(cell, value) for value in self._values if not taken >> value & 1]
        return [move for move in found if move not in taboo] if taboo else found

    def play(self, move: int) -> int:
        """Play a move, and return its points."""
        cell = self.cell(move)
        self._toggle(cell, self.value(move))
        self._played.append(move)
        return super().play(cell)

    def undo(self) -> None:
        """Undo the last move."""
        super().undo()
        move = self._played.pop()
        self._toggle(self.cell(move), self.value(move))

    def _toggle(self, cell: int, value: int) -> None:
        for region in self.regions_of[cell]:
            self._held[region] ^= 1 << value

    def playout(self, rng: Random) -> int:
        """Return the balance at the end of a game that continues with random moves; the position does not change."""
        return self._playout_by_moves(rng)
