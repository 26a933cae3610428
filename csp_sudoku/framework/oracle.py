"""The answers of the framework's referee binary: whether a board is solvable, the score of a move, a legal move.

The answers are the binary's sentences, byte for byte; `solve_sudoku` is the command that prints them. They are always
exact: boards that the light solver leaves undecided go to the compiled solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from csp_sudoku.errors import UndecidedError
from csp_sudoku.framework.board_text import integer
from csp_sudoku.framework.light_solver import complete
from csp_sudoku.geometry import Geometry

REWARDS = (0, 1, 3, 7)
"""The points by the number of completed regions."""

Pair = tuple[int, int]
"""A square k, counted row by row from 0, and a value."""


class Oracle:
    """A board, and the answers to questions about it.

    `m` and `n` are the rows and columns of a block, and `values` the board row by row, with 0 for an empty square.
    `allowed` holds the numbers of the allowed squares; if it is empty, the default, all squares are allowed.

    >>> oracle = Oracle(2, 2, [1, 2, 3, 0] + [0] * 12)
    >>> oracle.solution(), oracle.move("3 4"), oracle.move("4 1")
    ('The sudoku has a solution.', "The score is 1 (valid move '3 4').", "Illegal move '4 1'.")
    """

    def __init__(self, m: int, n: int, values: Sequence[int], allowed: Collection[int] = ()) -> None:
        self._geometry = Geometry.standard(m, n)
        self._values = list(values)
        self._allowed = allowed

    def solution(self) -> str:
        """Return the sentence that says whether the board has a solution."""
        return f"The sudoku has {'a' if self._is_solvable() else 'no'} solution."

    def move(self, text: str) -> str:
        """Return the sentence for a move "k v"; faults are checked in the order in which the binary checks them."""
        numbers = [integer(word) for word in text.split()]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            return f"Could not parse a move from '{text}'."
        cell, value = numbers[0], numbers[1]
        move = f"'{cell} {value}'"
        if not (0 <= cell < len(self._values) and 1 <= value <= self._geometry.size):
            return f"Invalid move {move}."
        if not self._is_legal(cell, value):
            return f"Illegal move {move}."
        reward = self._reward(cell)
        self._values[cell] = value
        solvable = self._is_solvable()
        self._values[cell] = 0
        if not solvable:
            return f"The sudoku has no solution after move {move})."  # The binary prints this unmatched bracket too.
        return f"The score is {reward} (valid move {move})."

    def any_move(self, taboo: Collection[Pair], pick: Callable[[int], int], *, greedy: bool) -> str:
        """Return the sentence with a legal move that is not taboo; the move may be a bomb.

        If `greedy`, the move is one of those with the highest reward. `pick` returns a random integer from 0 below its
        argument.
        """
        moves = [
            (cell, value)
            for cell in range(len(self._values))
            for value in range(1, self._geometry.size + 1)
            if self._is_legal(cell, value) and (cell, value) not in taboo
        ]
        if greedy:
            rewards = {cell: self._reward(cell) for cell, _ in moves}
            best = max(rewards.values(), default=0)
            moves = [move for move in moves if rewards[move[0]] == best]
        if not moves:
            return "Error: could not find a legal move."
        cell, value = moves[pick(len(moves))]
        return f"Generated move ({cell},{value})."

    def _is_legal(self, cell: int, value: int) -> bool:
        """Return whether a square is empty and allowed, and none of its regions has the value."""
        if self._values[cell] or (self._allowed and cell not in self._allowed):
            return False
        return all(self._values[peer] != value for region in self._regions(cell) for peer in region)

    def _reward(self, cell: int) -> int:
        """Return the points for filling an empty square."""
        return REWARDS[
            sum(all(self._values[peer] or peer == cell for peer in region) for region in self._regions(cell))
        ]

    def _regions(self, cell: int) -> list[tuple[int, ...]]:
        return [self._geometry.regions[number] for number in self._geometry.regions_of[cell]]

    def _is_solvable(self) -> bool:
        m, n = self._geometry.m, self._geometry.n
        try:
            return complete(m, n, self._values) is not None
        except UndecidedError:
            from csp_sudoku.board import Board
            from csp_sudoku.solvers.questions import is_solvable

            return is_solvable(Board((m, n), self._values))  # The light solver has found no clash.
