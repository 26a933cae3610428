"""A player that is loaded, ours or the framework's: what a process that plays one has.

    player = load_player("./my_team/agent7", seed=1)
    player.think(state, propose)

For a process of the player's own, in a folder that belongs to the game: there the players keep their memory. A turn may
be played in a copy of the process that ends with it, or one after the other in the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, SupportsIndex

from csp_sudoku.errors import expect_name
from csp_sudoku.framework.conversion import position_of, to_game_state
from csp_sudoku.framework.detection import detect_api
from csp_sudoku.framework.loading import CLASS, load_agent_class, load_module
from csp_sudoku.framework.standins import APIS
from csp_sudoku.framework.sudokuai import SudokuAI, whole
from csp_sudoku.game.state import NOTHING, GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.agent import Agent
from csp_sudoku.players.spec import Spec, agent_of
from csp_sudoku.players.turn import FileMemory, play_turn

Propose = Callable[[object], None]
"""What takes the proposals of a turn: the last one counts."""


class Player(Protocol):
    """What plays the turns of one player."""

    def think(self, state: GameState, propose: Propose) -> None:
        """Play one turn for the player to move: propose as often as it likes, and return when it is done.

        Whatever the player raises, this raises.
        """
        ...


def load_player(spec: str, *, api: str | None = None, seed: int | None = None) -> Player:
    """The player that a text names. OptionError or AgentError if it cannot be had.

    An agent of the framework gets states of the API that its source asks for, or of the given one ("v12", "v14"); for
    agents of ours that makes no difference. With a seed, the random numbers of each turn come from the seed, the
    player's number, and the number of the turn; for an agent of the framework, those of `random` and `numpy.random`.
    Any agent is made once, for all turns.
    """
    if api is not None:
        expect_name("framework API", api, APIS)
    read = Spec.read(spec)
    if not read.is_native:
        read.settings({})
        used = api or detect_api(read.folder)
        start = None if seed is None else str(seed)
        _seed_globals(start)
        _link(read.folder)
        kind = load_agent_class(read.folder, used)
        _seed_globals(start)  # once more, for it may have loaded numpy
        return FrameworkPlayer(made(kind), used, seed)
    ours = read.agent() if read.is_registered else agent_of(load_module(read.folder), read.folder)
    return NativePlayer(ours(random.Random(seed), **read.settings(ours.OPTIONS)), seed)


class NativePlayer:
    """An agent of ours. Its memory is the file PLAYER.memory in the current folder, PLAYER being 1 or 2."""

    def __init__(self, agent: Agent, seed: int | None = None) -> None:
        self.agent = agent
        self.seed = seed

    def think(self, state: GameState, propose: Propose) -> None:
        """Play one turn."""
        self.agent.rng.seed(turn_seed(self.seed, state))
        play_turn(self.agent, state, propose, FileMemory(Path(f"{state.player}.memory")))


class FrameworkPlayer:
    """An agent of the framework: as there, one instance for the whole game, made before it is told its number.

    What it saves itself is in the current folder too. There is also a link to the agent's own folder, under its name,
    for agents that open their files as if they were run in a checkout of the framework (`agent7/weights.npz`).
    """

    def __init__(self, agent: Any, api: str, seed: int | None = None) -> None:
        self.agent = agent
        self.api = api
        self.seed = seed

    def think(self, state: GameState, propose: Propose) -> None:
        """Play one turn."""
        _seed_globals(turn_seed(self.seed, state))
        agent = self.agent
        best = BestMove(propose)
        agent.player_number = state.player
        agent.lock = RLock()  # an agent that takes it before it proposes does not wait for itself
        agent.best_move = best
        agent.compute_best_move(to_game_state(position_of(state), self.api))
        best.finish()


def made(kind: type[Any]) -> Any:
    """An instance of an agent's class. It has all that the framework's SudokuAI has, even if its class is no such."""
    return (kind if issubclass(kind, SudokuAI) else type(CLASS, (kind, SudokuAI), {}))()


class BestMove(list[int]):
    """The `best_move` of a framework's agent: three integers, passed on whenever the last of them is written.

    So everything that comes to be the agent's best move is proposed, by whichever propose_move it has, or without.

    >>> best = BestMove(print)
    >>> best[0], best[1], best[2] = 0, 3, 4
    Move(row=0, col=3, value=4)
    """

    def __init__(self, propose: Propose) -> None:
        super().__init__(NOTHING)
        self._propose = propose
        self._proposed = NOTHING

    def __setitem__(self, place: SupportsIndex | slice, numbers: Any) -> None:
        if isinstance(place, slice):
            super().__setitem__(place, [whole(number) for number in numbers])
            self.finish()
            return
        super().__setitem__(place, whole(numbers))
        if place in (2, -1):
            self._pass_on()

    def finish(self) -> None:
        """Propose what is there, if that has not been done."""
        if tuple(self) != self._proposed:
            self._pass_on()

    def _pass_on(self) -> None:
        self._proposed = Move(*self)
        self._propose(self._proposed)


def _link(folder: Path) -> None:
    """Make a folder be found under its name in the current one."""
    with suppress(OSError):  # there is one
        Path(folder.name).symlink_to(folder, target_is_directory=True)


def turn_seed(seed: int | None, state: GameState) -> str | None:
    """What the random numbers of a turn come from; None, as everywhere, for what nobody can tell.

    Each turn of a player has its own, for the history is longer each time.
    """
    return None if seed is None else f"{seed} {state.player} {len(state.history)}"


def _seed_globals(seed: str | None) -> None:
    """Seed what agents of the framework take their random numbers from; two copies of a process would have the same."""
    random.seed(seed)
    if "numpy" in sys.modules:
        import_module("numpy.random").seed(None if seed is None else random.Random(seed).getrandbits(32))
