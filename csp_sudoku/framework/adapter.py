"""An agent of ours as an agent of the framework: SudokuAI = framework_player(MyAgent), in its sudokuai.py."""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random
from typing import Any

from csp_sudoku.framework.conversion import from_game_state
from csp_sudoku.framework.standins import PACKAGE
from csp_sudoku.moves.move import Move
from csp_sudoku.players.agent import Agent
from csp_sudoku.players.turn import play_turn


def framework_player(agent: type[Agent], **options: Any) -> type[Any]:
    """The class SudokuAI of an agent of ours, with these options; its `AGENT` is the agent's class.

    It derives from the framework's own SudokuAI where that can be imported, of whichever API, else from our stand-in.
    """

    base: type[Any] = _module("sudokuai").SudokuAI

    def initialize(self: Any) -> None:
        """Make the agent, before the game: the time that it takes to load is not a turn's."""
        base.__init__(self)
        self.agent = agent(Random(), **options)

    def compute_best_move(self: Any, game_state: Any) -> None:
        """Propose what the agent proposes."""
        self.agent.rng.seed()  # a turn is played by a copy of the process, with the random numbers of the last one
        state = from_game_state(game_state)
        play_turn(self.agent, state, lambda move: self.propose_move(framework_move(move)), _Own(self))

    def without_agent(self: Any) -> dict[str, Any]:
        """What goes to a process that is not forked."""
        return {name: value for name, value in vars(self).items() if name != "agent"}

    def with_agent(self: Any, attributes: dict[str, Any]) -> None:
        """Make the agent anew there."""
        initialize(self)
        vars(self).update(attributes)

    body = {
        "AGENT": agent,
        "__init__": initialize,
        "compute_best_move": compute_best_move,
        "__getstate__": without_agent,
        "__setstate__": with_agent,
        "__module__": sys._getframe(1).f_globals["__name__"],  # where it is found by whoever pickles it
        "__doc__": agent.__doc__,
    }
    return type("SudokuAI", (base,), body)


def framework_move(move: Any) -> Any:
    """A move as the framework's, old or new, has it: its class tells which one it is."""
    kind = _module("sudoku").Move
    row, column, value = Move(*move)
    try:
        return kind((row, column), value)
    except TypeError:
        return kind(row, column, value)


class _Own:
    """The memory that the framework gives its agents."""

    def __init__(self, player: Any) -> None:
        self._player = player

    def read(self) -> object:
        """What was saved last, or None."""
        found: object = self._player.load()
        return found

    def write(self, saved: object) -> None:
        """Save it; the framework waits for the end of that before it ends a turn."""
        self._player.save(saved)


def _module(name: str) -> Any:
    """The framework's module of this name, or our stand-in."""
    try:
        return import_module(f"{PACKAGE}.{name}")
    except ImportError:
        return import_module({"sudoku": "csp_sudoku.framework.v14.sudoku"}.get(name, f"csp_sudoku.framework.{name}"))
