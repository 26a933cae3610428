"""The rules of Competitive Sudoku once more, by their definition, in plain sets, lists and loops.

A player may play on an empty square that is allowed to it, or that touches one that it has filled, at a side or a
corner; in the mode classic on every empty square. Whether a move leaves a completion is searched for anew each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.fuzz.case import Budget
from tests.fuzz.reference import Regions, candidates, first_solution, with_values

Square = tuple[int, int]


class SlowGame:
    """A game that is played by changing it."""

    def __init__(self, regions: Regions, cells: Sequence[int], allowed: tuple[set, set] | None, budget: Budget) -> None:
        self.regions = regions
        self.size = len(regions[0])
        self.cells = list(cells)
        self.allowed = allowed
        self.budget = budget
        self.scores = [0, 0]
        self.player = 1
        self.taboo: set[tuple[int, int, int]] = set()
        self.history: list[tuple[tuple[int, int, int], bool]] = []
        self.occupied: tuple[set[Square], set[Square]] = (set(), set())
        self.loss = ""

    def squares(self, player: int) -> list[Square]:
        """The empty squares that are open to a player, sorted."""
        empty = [divmod(cell, self.size) for cell, value in enumerate(self.cells) if not value]
        if self.allowed is None:
            return empty
        mine, allowed = self.occupied[player - 1], self.allowed[player - 1]
        near = {(row + down, col + right) for row, col in mine for down in (-1, 0, 1) for right in (-1, 0, 1)}
        return [square for square in empty if square in allowed or square in near]

    def moves(self) -> list[tuple[int, int, int]]:
        """The moves of the player to move that are legal and not taboo, sorted."""
        if self.loss:
            return []
        found = [
            (row, col, value)
            for row, col in self.squares(self.player)
            for value in candidates(self.regions, self.cells, row * self.size + col)
        ]
        return [move for move in found if move not in self.taboo]

    @property
    def is_over(self) -> bool:
        """Whether the game is lost, or neither player has an open square."""
        return bool(self.loss) or not (self.squares(1) or self.squares(2))

    @property
    def must_pass(self) -> bool:
        """Whether only the opponent has an open square."""
        return not self.is_over and not self.squares(self.player)

    @property
    def result(self) -> tuple[float, float] | None:
        """The winner; None if the game goes on."""
        if not self.is_over:
            return None
        first, second = self.scores if not self.loss else [self.player == 2, self.player == 1]
        return (0.5, 0.5) if first == second else (1, 0) if first > second else (0, 1)

    @property
    def reason(self) -> str | None:
        """Why the game has ended."""
        if self.loss:
            return f"player {self.player} lost: {self.loss}"
        return None if not self.is_over else "board full" if all(self.cells) else "neither player can move"

    def play(self, proposal: Any) -> tuple[str, int, str | None]:
        """Play a turn: how it ended, the reward, and why it was lost."""
        if self.must_pass:
            self.player = 3 - self.player
            return "passed", 0, None
        numbers = [int(number) for number in proposal] if self._is_move(proposal) else None
        if proposal is None or numbers == [0, 0, 0]:
            return self.lose("no proposal")
        if numbers is None:
            return self.lose("invalid")
        row, col, value = move = (numbers[0], numbers[1], numbers[2])
        if move in self.taboo:
            return self.lose("taboo")
        if not (0 <= row < self.size and 0 <= col < self.size and 1 <= value <= self.size):
            return self.lose("invalid")
        cell = row * self.size + col
        if (row, col) not in self.squares(self.player) or value not in candidates(self.regions, self.cells, cell):
            return self.lose("illegal")
        after = with_values(self.cells, [(cell, value)])
        is_safe = first_solution(self.regions, after, self.budget) is not None
        self.history.append((move, not is_safe))
        if not is_safe:
            self.taboo.add(move)
            self.player = 3 - self.player
            return "skipped", 0, None
        self.cells = after
        full = sum(cell in region and all(after[other] for other in region) for region in self.regions)
        reward = [0, 1, 3, 7, 15, 31, 63][full]
        self.scores[self.player - 1] += reward
        self.occupied[self.player - 1].add((row, col))
        self.player = 3 - self.player
        return "placed", reward, None

    def lose(self, loss: str) -> tuple[str, int, str | None]:
        """The player to move has lost."""
        self.loss = loss
        return "lost", 0, loss

    @staticmethod
    def _is_move(proposal: Any) -> bool:
        """Whether a proposal is a sequence of three whole numbers of a sane size."""
        if not isinstance(proposal, list | tuple) or len(proposal) != 3:
            return False
        return all(hasattr(number, "__index__") and abs(int(number)) < 10**18 for number in proposal)
