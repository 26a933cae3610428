"""Monte Carlo tree search that learns how long a turn is, and proposes when 95% of it is over.

The idea is that of the earlier system 002 (MCTS, TU/e, 2023). In its first turn it plays any move, and notes again and
again how much time has passed: the last note that it finds in its next turn tells what it has. From then on it searches
for 95% of that without a word, and proposes once. A playout counts by who wins (1, 0 or -1) or by the difference in
points; it takes the move with the highest mean, or the one that was tried most often.

With its authors it played no better than random, whatever the settings. Three faults did that, and each can be had back
(`fault=playouts+side+root` for all of them; what they are, `faults.py` tells). One more was that a turn as short as
loading its code could not be met; here a move is proposed at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter, sleep
from typing import ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.cells import CellAgent
from csp_sudoku.players.filling import Filling
from csp_sudoku.players.monte_carlo import MonteCarlo
from csp_sudoku.solvers.base import Option

from .faults import FaultyMonteCarlo

PAUSE = 0.002
"""Seconds between two looks at the clock, when that is all it does."""

SPARE = 0.001
"""Seconds that it leaves besides."""


class TimedMctsPlayer(CellAgent):
    """The cell that brought most in the random games that its time allows."""

    OPTIONS: ClassVar = {
        "c": Option(2.0, float, "how much is tried that does not look best (C of UCB; the authors tried 0, 2, 5, 10)"),
        "result": Option("sign", ("sign", "score"), "what a playout counts: who wins, or the difference in points"),
        "choice": Option("max", ("max", "robust"), "the move with the highest mean, or the one tried most often"),
        "share": Option(0.95, float, "the share of a turn after which it proposes"),
        "longest": Option(10.0, float, "the most seconds that it waits for a turn to end, to learn how long one is"),
        "fault": Option("none", ("none", "playouts", "side", "root"), "what the authors had", several=True),
    }

    def proposals(self, state: GameState) -> Iterator[Move]:
        """A legal move at once; then the same one until the end of the first turn, or the best at 95% of another."""
        self.started = perf_counter()
        yield from super().proposals(state)

    def choices(self, state: GameState) -> Iterator[Move]:
        """One move, and more often in the first turn."""
        return self._learning(state) if self.kept is None else self._searching(state)

    @property
    def elapsed(self) -> float:
        """The seconds since the turn began."""
        return perf_counter() - self.started

    def _learning(self, state: GameState) -> Iterator[Move]:
        move = self.move(state, self.rng.choice(Filling(state).moves()))
        while self.elapsed < self.options["longest"]:
            self.kept = self.elapsed
            yield move
            sleep(PAUSE)

    def _searching(self, state: GameState) -> Iterator[Move]:
        position = Filling(state)
        search = self.search(position)
        while True:
            search.iterate()
            if self.elapsed > self.kept * self.options["share"] - SPARE:
                break
        best = search.root.highest() if self.options["choice"] == "max" else search.root.most_tried()
        yield self.move(state, best)

    def search(self, position: Filling) -> MonteCarlo:
        """The search of a position, with these options."""
        start = position.lead(position.player)

        def worth(lead: int) -> float:
            if self.options["result"] == "score":
                return lead - start
            return (lead > 0) - (lead < 0)

        faults = () if self.options["fault"] == "none" else self.options["fault"].split("+")
        kind = FaultyMonteCarlo if faults else MonteCarlo
        more = {"faults": faults} if faults else {}
        return kind(position, self.rng, exploration=self.options["c"], worth=worth, **more)


SudokuAI = framework_player(TimedMctsPlayer)
