"""Monte Carlo tree search over a filling position, in plain Python that is meant to be read.

A **playout** descends the tree by UCB: the mean result of a move, plus a bonus for moves with few visits. It
then plays random moves to the end of the game. A position gets a node on its second visit.

L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random

from csp_sudoku.players.classic.filling import Filling

Worth = Callable[[int], float]
"""A function from a player's lead at the end of the game, in points, to its value for that player."""


class TreeNode:
    """A position in the tree, with the results of its moves for the player who makes them; small to pickle."""

    __slots__ = ("children", "moves", "player", "playouts", "total", "untried", "visits")

    def __init__(self, position: Filling, rng: Random) -> None:
        self.player = position.player
        self.playouts = 0  # the number of visits of all moves together
        self.moves = position.moves()
        self.visits = [0] * len(self.moves)
        self.total = [0.0] * len(self.moves)
        self.children: list[TreeNode | None] = [None] * len(self.moves)
        self.untried = list(range(len(self.moves)))
        rng.shuffle(self.untried)

    def mean(self, index: int) -> float:
        """Return the mean result of a move, which must have been tried."""
        return self.total[index] / self.visits[index]

    def after(self, move: int) -> TreeNode | None:
        """Return the node after a move, or None if there is none."""
        return self.children[self.moves.index(move)] if move in self.moves else None

    def pick(self, exploration: float) -> int:
        """Return the index of the next move to try: an untried one, or else the one with the highest UCB.

        `exploration` is the weight of the bonus for moves with few visits.
        """
        if self.untried:
            return self.untried.pop()
        tries = exploration * sqrt(log(self.playouts))
        return max(
            range(len(self.moves)), key=[
                total / visits + tries / sqrt(visits) for total, visits in zip(self.total, self.visits, strict=True)
            ].__getitem__
        )  # fmt: skip

    def tried(self) -> Iterator[int]:
        """Yield the indices of the moves that were tried."""
        return (index for index, visits in enumerate(self.visits) if visits)

    def highest(self) -> int:
        """Return the move with the highest mean; of equal ones, the one with more visits."""
        return self.moves[max(self.tried(), key=lambda index: (self.mean(index), self.visits[index]))]

    def most_tried(self) -> int:
        """Return the move with the most visits; of equal ones, the one with the higher mean."""
        return self.moves[max(self.tried(), key=lambda index: (self.visits[index], self.mean(index)))]


class MonteCarlo:
    """The search of a position, playout by playout, for the player to move.

    `exploration` is the weight of the bonus for moves with few visits, and `worth` evaluates the lead at the end
    of a game. `root` is a node of an earlier search to continue from; None (the default) begins a new tree.

    `rng` is the source of random numbers.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> position = Filling(GameState.start(Board.parse("123. 341. 214. 4...")))
    >>> search = MonteCarlo(position, Random(1), exploration=2, worth=lambda lead: lead > 0)
    >>> search.run(200)
    >>> search.root.playouts, search.root.highest() in (3, 7, 13)
    (200, True)
    """

    def __init__(
        self, position: Filling, rng: Random, *, exploration: float, worth: Worth, root: TreeNode | None = None
    ) -> None:
        self.position = position
        self.rng = rng
        self.exploration = exploration
        self.worth = worth
        self.player = position.player
        self.root = root or TreeNode(position, rng)

    def run(self, playouts: int) -> None:
        """Perform this number of playouts."""
        for _ in range(playouts):
            self.iterate()

    def iterate(self) -> None:
        """Perform one playout, and record its result in all nodes on its path."""
        position, node, path = self.position, self.root, []
        while node.moves:
            index = node.pick(self.exploration)
            path.append((node, index))
            position.play(node.moves[index])
            child = node.children[index]
            if child is None:
                if not node.visits[index]:
                    break
                child = node.children[index] = TreeNode(position, self.rng)
            node = child
        worth = self.result()
        for node, index in reversed(path):
            position.undo()
            node.playouts += 1
            node.visits[index] += 1
            node.total[index] += self.credit(node, worth)

    def result(self) -> float:
        """Play a random end of the game from here, and return its value for the player who searches."""
        balance = self.position.playout(self.rng)
        return self.worth(-balance if self.player else balance)

    def credit(self, node: TreeNode, worth: float) -> float:
        """Return the value for the player to move at a node: one player's gain is the other's loss.

        `worth` is the value for the player who searches.
        """
        return worth if node.player == self.player else -worth
