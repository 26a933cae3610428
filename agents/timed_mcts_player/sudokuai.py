"""The timed-mcts player measures how long a turn is, and proposes the result of its tree search after 95 % of it.

The idea is that of the earlier system 002 (MCTS, TU/e, 2023). In its first turn the player plays any move, and saves
the elapsed time again and again; the last time that it finds in its next turn is the length of a turn. From then on it
searches for 95 % of that time without a proposal, and then proposes once. The result of a playout is 1, 0 or -1 for the
winner, or the difference in points; the player takes the move with the highest mean, or the one with the most visits.

The authors' version played no better than random, whatever the settings. The listing in their report shows why. Their
solver raises a KeyError on every board where singles do not suffice, so that the player plays the move that it has
chosen at random before; and the search has three faults. The option `fault` restores each of these three
(`fault=playouts+side+root` for all; `faults.py` describes them), and `fault=as-listed` the listing as a whole, its
solver included (`listed.py`). It also lost turns that were shorter than the time of loading its code; this version
proposes a move at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter, sleep
from typing import Any, ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.players.classic.monte_carlo import MonteCarlo
from csp_sudoku.solvers.base import Option

from .faults import FaultyMonteCarlo
from .listed import ListedSearch, listed_completion

PAUSE = 0.002
"""Time between two readings of the clock while the player only waits, in seconds."""

SPARE = 0.001
"""Time before the end of its share at which the search stops, in seconds."""


class TimedMctsPlayer(CellAgent):
    """A player that plays the cell with the best results in random games, as many as its time allows."""

    OPTIONS: ClassVar = {
        "c": Option(2.0, float, "exploration constant C of UCB; the authors tried 0, 2, 5, 10"),
        "result": Option("sign", ("sign", "score"), "result of a playout: the winner, or the difference in points"),
        "choice": Option("max", ("max", "robust"), "the move with the highest mean, or with the most visits"),
        "share": Option(0.95, float, "share of a turn after which it proposes a move"),
        "longest": Option(10.0, float, "upper bound in seconds for the first turn, which it measures"),
        "fault": Option(
            "none", ("none", "playouts", "side", "root", "as-listed"), "faults to restore, joined by +", several=True
        ),
    }

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield a legal move at once; then yield it until the first turn ends, or in later turns the best at 95 %."""
        self.started = perf_counter()
        yield from self._as_listed(state) if "as-listed" in self.faults else super().proposals(state)

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield one move; in the first turn, yield it again and again."""
        return self._learning(state) if self.kept is None else self._searching(state)

    @property
    def faults(self) -> list[str]:
        """The faults that the options name."""
        return [] if self.options["fault"] == "none" else self.options["fault"].split("+")

    @property
    def elapsed(self) -> float:
        """The time since the turn began, in seconds."""
        return perf_counter() - self.started

    def _learning(self, state: GameState) -> Iterator[Move]:
        return self._noting_time(self.move(state, self.rng.choice(Filling(state).moves())))

    def _noting_time(self, move: Move) -> Iterator[Move]:
        """Yield a move again and again, and keep the elapsed time."""
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

    def _as_listed(self, state: GameState) -> Iterator[Move]:
        """Yield what the authors' listing proposes: a random move that may be a bomb, and then the best of the search.

        Raise KeyError if their solver fails, and ZeroDivisionError if the time does not suffice to try each cell.
        """
        board = state.board
        cell = self.rng.choice(list(board.empty_cells()))
        row, col = board.geometry.row_column(cell)
        legal = (Move(row, col, value) for value in board.candidates(row, col))
        move = next((move for move in legal if move not in state.taboo), None)
        if move is not None:
            yield move
            if self.kept is None:
                yield from self._noting_time(move)
                return
        values = listed_completion(board)
        search = ListedSearch(state, self.rng, self.options["c"], counts_points=self.options["result"] == "score")
        while self.elapsed < self.kept * self.options["share"] - SPARE:
            search.iterate()
        best = search.best(by_visits=self.options["choice"] == "robust")
        yield Move(*board.geometry.row_column(best), values[best])

    def search(self, position: Filling) -> MonteCarlo:
        """Return the search of a position, with these options."""
        start = position.lead(position.player)

        def worth(lead: int) -> float:
            if self.options["result"] == "score":
                return lead - start
            return (lead > 0) - (lead < 0)

        faults = self.faults
        kind = FaultyMonteCarlo if faults else MonteCarlo
        more: dict[str, Any] = {"faults": faults} if faults else {}
        return kind(position, self.rng, exploration=self.options["c"], worth=worth, **more)


SudokuAI = framework_player(TimedMctsPlayer)
