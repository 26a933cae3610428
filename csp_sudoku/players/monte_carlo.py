"""Monte Carlo tree search over a filling position: plain Python, to be read.

A **playout** goes down the tree by UCB (the mean so far, plus what speaks for moves that were seldom tried), and on
with random moves to the end of the game. What is not in the tree yet gets a node on its second visit.

L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random

from csp_sudoku.players.filling import Filling

Worth = Callable[[int], float]
"""What it is worth to a player to be ahead by so much at the end."""


class Node:
    """A position in the tree: what its moves have brought to the player who makes them. Small to pickle."""

    __slots__ = ("children", "moves", "player", "playouts", "total", "untried", "visits")

    def __init__(self, position: Filling, rng: Random) -> None:
        self.player = position.player
        self.playouts = 0  # all visits together
        self.moves = position.moves()
        self.visits = [0] * len(self.moves)
        self.total = [0.0] * len(self.moves)
        self.children: list[Node | None] = [None] * len(self.moves)
        self.untried = list(range(len(self.moves)))
        rng.shuffle(self.untried)

    def mean(self, index: int) -> float:
        """What a move has brought on average; it must have been tried."""
        return self.total[index] / self.visits[index]

    def after(self, move: int) -> Node | None:
        """The node behind a move, if there is one."""
        return self.children[self.moves.index(move)] if move in self.moves else None

    def pick(self, exploration: float) -> int:
        """The index of the move to try next: one that was not tried yet, or that with the highest UCB."""
        if self.untried:
            return self.untried.pop()
        tries = exploration * sqrt(log(self.playouts))
        return max(
            range(len(self.moves)), key=[
                total / visits + tries / sqrt(visits) for total, visits in zip(self.total, self.visits, strict=True)
            ].__getitem__
        )  # fmt: skip

    def tried(self) -> Iterator[int]:
        """The indices of the moves that were tried."""
        return (index for index, visits in enumerate(self.visits) if visits)

    def highest(self) -> int:
        """The move with the highest mean; of equal ones, the one tried more often."""
        return self.moves[max(self.tried(), key=lambda index: (self.mean(index), self.visits[index]))]

    def most_tried(self) -> int:
        """The move that was tried most often; of equal ones, the one with the higher mean."""
        return self.moves[max(self.tried(), key=lambda index: (self.visits[index], self.mean(index)))]


class MonteCarlo:
    """The search of a position, playout by playout, for the player who is to move.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> position = Filling(GameState.start(Board.parse("123. 341. 214. 4...")))
    >>> search = MonteCarlo(position, Random(1), exploration=2, worth=lambda lead: lead > 0)
    >>> search.run(200)
    >>> search.root.playouts, search.root.highest() in (3, 7, 13)
    (200, True)
    """

    def __init__(
        self, position: Filling, rng: Random, *, exploration: float, worth: Worth, root: Node | None = None
    ) -> None:
        self.position = position
        self.rng = rng
        self.exploration = exploration
        self.worth = worth
        self.player = position.player
        self.root = root or Node(position, rng)

    def run(self, playouts: int) -> None:
        """Make so many playouts."""
        for _ in range(playouts):
            self.iterate()

    def iterate(self) -> None:
        """Make a playout, and note what came of it in all nodes that it went through."""
        position, node, path = self.position, self.root, []
        while node.moves:
            index = node.pick(self.exploration)
            path.append((node, index))
            position.play(node.moves[index])
            child = node.children[index]
            if child is None:
                if not node.visits[index]:
                    break
                child = node.children[index] = Node(position, self.rng)
            node = child
        worth = self.result()
        for node, index in reversed(path):
            position.undo()
            node.playouts += 1
            node.visits[index] += 1
            node.total[index] += self.credit(node, worth)

    def result(self) -> float:
        """What a random end of the game from here is worth to the player who searches."""
        balance = self.position.playout(self.rng)
        return self.worth(-balance if self.player else balance)

    def credit(self, node: Node, worth: float) -> float:
        """The same to the player who moves at a node: the one's gain is the other's loss."""
        return worth if node.player == self.player else -worth
