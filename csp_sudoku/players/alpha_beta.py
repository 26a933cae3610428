"""Alpha-beta over a filling position, and iterative deepening on it: plain Python, to be read.

The value of a position is what the player to move will score more than the other from there on, if both play as well
as the search can see. What has been scored before does not matter to it.

D. E. Knuth, R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6(4), 1975. R. E. Korf, Depth-first
iterative-deepening, Artificial Intelligence 27(1), 1985.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from csp_sudoku.players.filling import Filling

Bonus = Callable[[], float]
"""What the end of a line is worth to who would move there, besides the points."""


class AlphaBeta:
    """A search of a position to a fixed depth.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> search = AlphaBeta(Filling(GameState.start(Board.parse("1234 3412 21.. 43.."))))
    >>> [search.value(depth) for depth in (1, 2, 3, 4)], search.nodes
    ([0, -1, 0, -7], 73)
    """

    def __init__(self, position: Filling, *, prune: bool = True, bonus: Bonus | None = None) -> None:
        self.position = position
        self.prune = prune
        """Whether lines are left out that cannot change the value."""
        self.bonus = bonus
        self.nodes = 0
        """How many moves were tried."""

    def value(self, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """The value of the position, so many moves deep.

        Outside of the window from alpha to beta it is a bound: at most what it is, if that is alpha or less, and at
        least what it is, if that is beta or more.
        """
        if depth == 0:
            return self._end()
        moves = self.position.moves()
        if not moves:
            return self._end()
        best = -inf
        for move in moves:
            value = self.value_of(move, depth, alpha, beta)
            if value > best:
                best = value
                if best > alpha:
                    alpha = best
                    if alpha >= beta and self.prune:
                        break
        return best

    def value_of(self, move: int, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """What a move and what follows is worth to who makes it; this move counts as one of the depth."""
        position = self.position
        self.nodes += 1
        if depth == 1 and self.bonus is None:
            return position.gain(move)
        mover = position.player
        points = position.play(move)
        if position.player == mover:  # the other is passed over
            rest = self.value(depth - 1, alpha - points, beta - points)
        else:
            rest = -self.value(depth - 1, points - beta, points - alpha)
        position.undo()
        return points + rest

    def _end(self) -> float:
        return 0 if self.bonus is None else self.bonus()


class Found(NamedTuple):
    """The best move of a depth, as far as it has been searched."""

    move: int
    value: float
    depth: int
    is_complete: bool
    """Whether all moves of this depth were looked at."""


def deepen(search: AlphaBeta, moves: Sequence[int], first: int = 1, last: int | None = None) -> Iterator[Found]:
    """The best move again and again, one move deeper each time, until the whole game is searched.

    Within a depth, a move is given as soon as it is better than all before it. The best move of the depth before comes
    first, so at any time the last move given is the best that is known. Of equal moves the first one is taken.
    """
    last = search.position.left if last is None else last
    ordered = list(moves)
    for depth in range(min(first, last), last + 1):
        best, choice = -inf, ordered[0]
        for move in ordered:
            value = search.value_of(move, depth, best)
            if value > best:
                best, choice = value, move
                yield Found(choice, best, depth, is_complete=False)
        ordered.remove(choice)
        ordered.insert(0, choice)
        yield Found(choice, best, depth, is_complete=True)
