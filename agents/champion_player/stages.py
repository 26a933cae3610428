"""The searches of a turn as stages that share its time.

A stage holds the slices of a search and its weight. `by_turns` runs a slice of the stage that is furthest behind its
share, again and again. After each slice the caller settles the stage: it may change its weight, or end another stage
that is not needed any more.

Guess  finds good moves fast by random playouts of the filling game
Proof  searches for the exact value of the filling game, with fewer skips if time is short
Truth  searches for the exact value of the game of all completions; its result is final
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from csp_sudoku.compiled.loading import loading_seconds
from csp_sudoku.search.kernels.climbing import EXACT

if TYPE_CHECKING:
    from csp_sudoku.moves.move import Move
    from csp_sudoku.search.completions.game import CompletionGame
    from csp_sudoku.search.endings.endgame import Endgame
    from csp_sudoku.search.filling.deepening import SearchResult
    from csp_sudoku.search.filling.model import FillingModel
    from csp_sudoku.search.playouts.tree import Playouts
    from csp_sudoku.solvers.base import Deadline

PROOF_SHARE = 4
"""Weight of Proof and of Truth in sharing the time; Guess has weight 1."""

TRUTH_NODES = 30_000
"""Number of nodes in the first slice of Truth. It is small because these nodes are slow, and the other stages wait."""


class Stage(ABC):
    """A search that shares the time of a turn with others.

    `steps` are the slices of the search; each yields a result, or None if it has found nothing new. `share` is the
    weight of the stage: it gets time in proportion to this number.
    """

    def __init__(self, steps: Iterator[SearchResult | None], share: float) -> None:
        self.steps = steps
        self.share = share
        self.seconds = 0.0
        """The time that the stage has used so far, in seconds, without compiling and loading its kernels."""

    @abstractmethod
    def move(self, result: SearchResult) -> Move:
        """Return the move of the board that a result stands for."""

    def settle(self, result: SearchResult | None, stages: list[Stage]) -> None:  # noqa: B027 - most need nothing
        """Change the weight, or remove stages that are no longer needed; called after each slice of this stage."""


class Guess(Stage):
    """Playouts of the filling game."""

    def __init__(self, playouts: Playouts) -> None:
        super().__init__(playouts.steps(), 1)
        self._playouts = playouts

    def move(self, result: SearchResult) -> Move:
        """Return the move; a kept tree has a model of its own."""
        return self._playouts.model.move(result.move)


class Proof(Stage):
    """The exact value of the filling game."""

    def __init__(self, endgame: Endgame, model: FillingModel) -> None:
        super().__init__(endgame.steps(), PROOF_SHARE)
        self._endgame, self._model = endgame, model

    def move(self, result: SearchResult) -> Move:
        """Return the move of a result."""
        return self._model.move(result.move)

    def settle(self, result: SearchResult | None, stages: list[Stage]) -> None:
        """Lower the weight if the endings will not be done within the turn; the first result removes Guess."""
        self.share = PROOF_SHARE if self._endgame.is_in_time else 1 / PROOF_SHARE
        if result is not None:
            stages[:] = [stage for stage in stages if not isinstance(stage, Guess)]


class Truth(Stage):
    """The exact value of the game of all completions."""

    def __init__(self, game: CompletionGame) -> None:
        game.first_nodes = TRUTH_NODES
        super().__init__(game.steps(), PROOF_SHARE)
        self._game = game

    def move(self, result: SearchResult) -> Move:
        """Return the first of the best moves."""
        return self._game.moves(result.move)[0]

    def keeps(self, result: SearchResult, move: Move, deadline: Deadline) -> bool:
        """Return whether a move is proven to be as good as the best one.

        The champion prefers such a move if the estimate chose it, because it may gain more against an opponent who
        errs.
        """
        number = self._game.number_of(move)
        if number is None:
            return False
        points, after = self._game.after(self._game.position, number)
        bound = points - result.value
        value = self._game.value(after, EXACT, deadline, bound)
        return value is not None and value <= bound


def by_turns(stages: list[Stage]) -> Iterator[tuple[Stage, SearchResult | None]]:
    """Run slices of the stages alternately, and yield the stage and its result after each slice.

    The next slice goes to the stage that is furthest behind its share. A stage leaves the list when its search ends,
    and the loop ends when the list is empty. The caller may settle stages in between.
    """
    while stages:
        stage = min(stages, key=lambda each: each.seconds / each.share)
        begun = time.perf_counter() - loading_seconds()
        for found in stage.steps:
            stage.seconds += time.perf_counter() - loading_seconds() - begun
            yield stage, found
            break
        else:
            stages.remove(stage)
