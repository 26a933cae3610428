"""Alpha-beta over a filling position, and iterative deepening on it, in plain Python that is meant to be read.

The value of a position is the future points of the player to move minus those of the opponent, if both play as well as
the search can see. Points that were scored earlier do not count.

D. E. Knuth, R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6(4), 1975. R. E. Korf, Depth-first
iterative-deepening, Artificial Intelligence 27(1), 1985.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from csp_sudoku.players.classic.filling import Filling

Bonus = Callable[[], float]
"""A function that returns the value of a leaf for the player to move there, in points."""


class AlphaBeta:
    """A search of a position to a fixed depth.

    `prune` (default True) cuts off lines that cannot change the value. `bonus` evaluates the leaves; None (the default)
    values them as 0.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> search = AlphaBeta(Filling(GameState.start(Board.parse("1234 3412 21.. 43.."))))
    >>> [search.value(depth) for depth in (1, 2, 3, 4)], search.nodes
    ([0, -1, 0, -7], 73)
    """

    def __init__(self, position: Filling, *, prune: bool = True, bonus: Bonus | None = None) -> None:
        self.position = position
        self.prune = prune
        """Whether the search cuts off lines that cannot change the value."""
        self.bonus = bonus
        self.nodes = 0
        """The number of moves that the search has tried."""

    def value(self, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """Return the value of the position, searched `depth` moves deep.

        The value is exact inside the window from `alpha` to `beta` (by default infinite). A result of at most `alpha`
        is an upper bound of the value, and a result of at least `beta` is a lower bound.
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
        """Return the value of a move and its continuation for the player who makes it.

        The move counts as one of the `depth`. `alpha` and `beta` bound the window, as in `value`.
        """
        position = self.position
        self.nodes += 1
        if depth == 1 and self.bonus is None:
            return position.gain(move)
        mover = position.player
        points = position.play(move)
        if position.player == mover:  # the opponent has no open cell, and passes
            rest = self.value(depth - 1, alpha - points, beta - points)
        else:
            rest = -self.value(depth - 1, points - beta, points - alpha)
        position.undo()
        return points + rest

    def _end(self) -> float:
        return 0 if self.bonus is None else self.bonus()


class BestSoFar(NamedTuple):
    """The best move found so far at one depth."""

    move: int
    value: float
    depth: int
    is_complete: bool
    """Whether all moves of this depth have been searched."""


def deepen(search: AlphaBeta, moves: Sequence[int], first: int = 1, last: int | None = None) -> Iterator[BestSoFar]:
    """Yield the best move of each depth, one move deeper each time, until the whole game is searched.

    `moves` are the moves to choose from, `first` is the depth to begin with (default 1), and `last` the depth to end
    with (default None: the number of empty cells). Within a depth, a move is yielded as soon as it is better than all
    moves before it. The best move of the previous depth is searched first, so the last yielded move is always the best
    known one. Of equal moves the first one wins.
    """
    last = search.position.left if last is None else last
    ordered = list(moves)
    for depth in range(min(first, last), last + 1):
        best, choice = -inf, ordered[0]
        for move in ordered:
            value = search.value_of(move, depth, best)
            if value > best:
                best, choice = value, move
                yield BestSoFar(choice, best, depth, is_complete=False)
        ordered.remove(choice)
        ordered.insert(0, choice)
        yield BestSoFar(choice, best, depth, is_complete=True)
