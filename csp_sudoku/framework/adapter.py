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

    def compute_best_move(self: Any, game_state: Any) -> None:
        """Propose what the agent proposes."""
        state = from_game_state(game_state)
        play_turn(agent(Random(), **options), state, lambda move: self.propose_move(framework_move(move)), _Own(self))

    home = sys._getframe(1).f_globals["__name__"]  # where it is found by whoever pickles it
    body = {"AGENT": agent, "compute_best_move": compute_best_move, "__module__": home, "__doc__": agent.__doc__}
    return type("SudokuAI", (_module("sudokuai").SudokuAI,), body)


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
