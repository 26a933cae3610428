"""One turn of an agent: load its memory, forward its proposals, and save its memory.

The module does not know the deadline, which the supervisor keeps. A turn may be cut off at any moment, and then only
the data that was saved last remains. So the memory is also saved during the turn, after proposals: as often as possible
within a tenth of the time.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Protocol

from csp_sudoku.agent import Agent
from csp_sudoku.game.state import GameState

SHARE = 0.1
"""Maximum share of the time that goes into saving during a turn."""

PAUSE = 0.01
"""Minimum time between two saves, in seconds."""


class Memory(Protocol):
    """The store of an agent's data between turns."""

    def read(self) -> object:
        """Return the data that was written last, or None."""
        ...

    def write(self, saved: object) -> None:
        """Replace the stored data; an interrupted write leaves either the old or the new data."""
        ...


class FileMemory:
    """A memory in a file.

    `path` is the file; each write replaces it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> object:
        """Return the data that was written last, or None."""
        try:
            return pickle.loads(self.path.read_bytes())  # noqa: S301 - the player's own file
        except FileNotFoundError:
            return None

    def write(self, saved: object) -> None:
        """Write a new file beside the old one, then move it into its place."""
        new = self.path.with_name(f"{self.path.name}.new")
        with new.open("wb") as file:
            pickle.dump(saved, file, pickle.HIGHEST_PROTOCOL)
        os.replace(new, self.path)  # noqa: PTH105 - pathlib's returns a path that is not needed


def play_turn(agent: Agent, state: GameState, propose: Callable[[object], None], memory: Memory) -> None:
    """Play one turn of an agent: pass each proposal to `propose`, and keep the agent's data in `memory`."""
    if type(agent).save is Agent.save:  # The agent keeps nothing.
        for move in agent.proposals(state):
            propose(move)
        return
    started = perf_counter()
    saved = memory.read()
    if saved is not None:
        agent.load(saved)
    done = perf_counter()
    cost = done - started  # Saving takes about as long as loading.
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
