"""Agent: what a player of ours is.

An agent does not know its time: it yields moves, better and better ones, and the last one before the deadline counts.
When the generator ends, so does the turn.
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
    """A player: `proposals` is all that it must have.

    What is to last from turn to turn it gives with `save` and gets back by `load`: each turn may be played by a copy of
    the agent, in a process that ends with the turn. All randomness comes from `rng`, which is seeded anew each turn.

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
    """What may be set, by name."""

    def __init__(self, rng: Random, **options: Any) -> None:
        self.rng = rng
        self.options: Mapping[str, Any] = agent_options(type(self).__name__, self.OPTIONS, options)

    @abstractmethod
    def proposals(self, state: GameState) -> Iterator[Move]:
        """Moves for the player who is to move, each to replace the one before. At least one, as soon as may be.

        To yield a move once more costs nothing, and is a chance to be saved.
        """

    def save(self) -> object:
        """What is to be kept for the next turn, fit for pickle; None leaves what was kept before.

        Asked for after proposals, now and then, and at the end of the turn.
        """
        return None

    def load(self, saved: Any) -> None:  # noqa: B027 - who keeps nothing needs none
        """Take what was kept last, before the first proposal of a turn; not called if there is nothing."""


def agent_options(kind: str, table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of an agent: its defaults, overridden by what is given, each checked.

    >>> agent_options("naive", {}, {"safe": "true"})
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected no option of naive, which has none; found 'safe'
    """
    if given and not table:
        raise OptionError(f"expected no option of {kind}, which has none; found {next(iter(given))!r}")
    return options_from(kind, table, given)
