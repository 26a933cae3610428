"""Agent: the base class of our players.

An agent does not know how long its turn is: it yields better and better moves, and the last one before the deadline
counts. The turn ends when the generator ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from csp_sudoku.errors import OptionError
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.solvers.base import Option, options_from


class Agent(ABC):
    """A player; a subclass must define `proposals`.

    Each turn may be played by a copy of the agent, in a process that ends with the turn. So an agent returns the data
    that it needs in later turns from `save`, and receives it through `load`. All randomness comes from `rng`, which is
    seeded again for each turn.

    `rng` is the source of random numbers, and `options` override the defaults in OPTIONS.

    >>> class First(Agent):
    ...     OPTIONS = {"last": Option(False, bool, "the last move in place of the first")}
    ...
    ...     def proposals(self, state):
    ...         yield state.moves()[-1 if self.options["last"] else 0]
    >>> from csp_sudoku.board import Board
    >>> next(First(Random(1), last="true").proposals(GameState.start(Board.empty(2, 2))))
    Move(row=3, col=3, value=4)
    """

    OPTIONS: ClassVar[Mapping[str, Option]] = MappingProxyType({})
    """The options of the agent, by name."""

    def __init__(self, rng: Random, **options: Any) -> None:
        self.rng = rng
        self.options: Mapping[str, Any] = agent_options(type(self).__name__, self.OPTIONS, options)

    @abstractmethod
    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield moves for the player to move; each move replaces the one before.

        The generator must yield at least one move, as soon as possible. Yielding the same move again costs nothing, and
        gives `play_turn` an opportunity to save the data.
        """

    def save(self) -> object:
        """Return the data for the next turn, which pickle must accept; None keeps the data that was saved before.

        `turn.play_turn` calls this after proposals, from time to time, and at the end of the turn.
        """
        return None

    def load(self, saved: Any) -> None:  # noqa: B027 - an agent without a memory needs none
        """Restore the data that was saved last; called before the first proposal of a turn, if there is any data."""


def agent_options(kind: str, table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of an agent: the defaults of `table`, overridden by the checked values of `given`.

    `kind` names the agent in errors. Raise OptionError at an unknown name or a wrong value.

    >>> agent_options("naive", {}, {"safe": "true"})
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected no option of naive, which has none; found 'safe'
    """
    if given and not table:
        raise OptionError(f"expected no option of {kind}, which has none; found {next(iter(given))!r}")
    return options_from(kind, table, given)
