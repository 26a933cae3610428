"""One turn of an agent: what it kept is loaded, its proposals are passed on, what it wants to keep is saved.

A turn may be cut off anywhere, and what was saved last counts then. So it is saved during the turn too, after a
proposal: as often as it can be without taking more than a tenth of the time.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Protocol

from csp_sudoku.game.state import GameState
from csp_sudoku.players.agent import Agent

SHARE = 0.1
"""How much of the time may go into saving, before the end of a turn."""

PAUSE = 0.01
"""The least seconds between two saves."""


class Memory(Protocol):
    """Where an agent's memory is between turns."""

    def read(self) -> object:
        """What was written last, or None."""
        ...

    def write(self, saved: object) -> None:
        """Keep this in place of what was there. Whoever is interrupted leaves the one or the other."""
        ...


class FileMemory:
    """A memory in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> object:
        """What was written last, or None."""
        try:
            return pickle.loads(self.path.read_bytes())  # noqa: S301 - the player's own file
        except FileNotFoundError:
            return None

    def write(self, saved: object) -> None:
        """Write it beside the old file, then put it in its place."""
        new = self.path.with_name(f"{self.path.name}.new")
        with new.open("wb") as file:
            pickle.dump(saved, file, pickle.HIGHEST_PROTOCOL)
        os.replace(new, self.path)  # noqa: PTH105 - pathlib's returns a path that nobody wants


def play_turn(agent: Agent, state: GameState, propose: Callable[[object], None], memory: Memory) -> None:
    """Pass on every proposal of an agent for one turn."""
    if type(agent).save is Agent.save:  # it keeps nothing
        for move in agent.proposals(state):
            propose(move)
        return
    started = perf_counter()
    saved = memory.read()
    if saved is not None:
        agent.load(saved)
    done = perf_counter()
    cost = done - started  # to save it will take about as long
    for move in agent.proposals(state):
        propose(move)
        started = perf_counter()
        if started - done >= max(PAUSE, cost / SHARE):
            _keep(agent, memory)
            done = perf_counter()
            cost = done - started
    _keep(agent, memory)


def _keep(agent: Agent, memory: Memory) -> None:
    saved = agent.save()
    if saved is not None:
        memory.write(saved)
