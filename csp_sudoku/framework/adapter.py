"""Adapter from our agents to the framework's: a sudokuai.py contains SudokuAI = framework_player(MyAgent)."""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random
from typing import Any

from csp_sudoku.agent import Agent
from csp_sudoku.framework.conversion import from_game_state
from csp_sudoku.framework.standins import PACKAGE
from csp_sudoku.moves.move import Move
from csp_sudoku.turn import play_turn


def framework_player(agent: type[Agent], **options: Any) -> type[Any]:
    """Return the class SudokuAI for one of our agents, with these options; its `AGENT` is the agent's class.

    The class derives from the framework's own SudokuAI, of either API, if it can be imported; else from our stand-in.
    """

    base: type[Any] = _module("sudokuai").SudokuAI

    def initialize(self: Any) -> None:
        """Create the agent before the game, so that loading takes no time of a turn."""
        base.__init__(self)
        self.agent = agent(Random(), **options)

    def compute_best_move(self: Any, game_state: Any) -> None:
        """Forward the agent's proposals to the framework."""
        self.agent.rng.seed()  # a copy of the process plays the turn, with the random numbers of the last one
        state = from_game_state(game_state)
        play_turn(self.agent, state, lambda move: self.propose_move(framework_move(move)), _Own(self))

    def without_agent(self: Any) -> dict[str, Any]:
        """Return the attributes to pickle for a process that is not forked."""
        return {name: value for name, value in vars(self).items() if name != "agent"}

    def with_agent(self: Any, attributes: dict[str, Any]) -> None:
        """Create the agent again in that process."""
        initialize(self)
        vars(self).update(attributes)

    body = {
        "AGENT": agent,
        "__init__": initialize,
        "compute_best_move": compute_best_move,
        "__getstate__": without_agent,
        "__setstate__": with_agent,
        "__module__": sys._getframe(1).f_globals["__name__"],  # pickle looks the class up in this module
        "__doc__": agent.__doc__,
    }
    return type("SudokuAI", (base,), body)


def framework_move(move: Any) -> Any:
    """Return a move as the framework's Move, old or new; the arguments of its class show which one it is."""
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
        """Return the object that was saved last, or None."""
        found: object = self._player.load()
        return found

    def write(self, saved: object) -> None:
        """Save the object; the framework lets a save finish before it ends a turn."""
        self._player.save(saved)


def _module(name: str) -> Any:
    """Return the framework's module of this name, or else our stand-in."""
    try:
        return import_module(f"{PACKAGE}.{name}")
    except ImportError:
        return import_module({"sudoku": "csp_sudoku.framework.v14.sudoku"}.get(name, f"csp_sudoku.framework.{name}"))
