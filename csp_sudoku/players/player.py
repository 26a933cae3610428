"""A loaded player, ours or the framework's, inside the process that plays it.

    player = load_player("./my_team/agent7", seed=1)
    player.think(state, propose)

A player runs in a process of its own, whose current folder belongs to the game; the player keeps its memory there.
Either each turn is played by a copy of the process, which ends with the turn, or one process plays all turns.
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

from csp_sudoku.agent import Agent
from csp_sudoku.errors import expect_name
from csp_sudoku.framework.conversion import position_of, to_game_state
from csp_sudoku.framework.detection import detect_api
from csp_sudoku.framework.loading import CLASS, load_agent_class, load_module
from csp_sudoku.framework.standins import APIS
from csp_sudoku.framework.sudokuai import SudokuAI, whole
from csp_sudoku.game.state import NOTHING, GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.spec import Spec, agent_of
from csp_sudoku.turn import FileMemory, play_turn

Propose = Callable[[object], None]
"""A function that takes the proposals of a turn; the last one counts."""


class Player(Protocol):
    """The interface of a player: it plays its turns."""

    def think(self, state: GameState, propose: Propose) -> None:
        """Play one turn for the player to move, and return when it is done.

        The player calls `propose` as often as it likes. An exception of the player is raised here.

        `state` is the position at the start of the turn.
        """
        ...


def load_player(spec: str, *, api: str | None = None, seed: int | None = None) -> Player:
    """Load the player that the text `spec` names; raise OptionError or AgentError if that is impossible.

    An agent of the framework gets states of the given `api` ("v12" or "v14"); None (the default) detects the API in its
    source. For our agents the API makes no difference. With a `seed`, the random numbers of each turn depend on the
    seed, the player's number and the turn; for an agent of the framework, those are the numbers of `random` and
    `numpy.random`. Without a seed (the default) they differ each time. The agent is created once, for all turns.
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
        _seed_globals(start)  # Seed again, because the agent may have imported numpy.
        return FrameworkPlayer(made(kind), used, seed)
    ours = read.agent() if read.is_registered else agent_of(load_module(read.folder), read.folder)
    return NativePlayer(ours(random.Random(seed), **read.settings(ours.OPTIONS)), seed)


class NativePlayer:
    """An agent of ours; its memory is the file PLAYER.memory in the current folder, where PLAYER is 1 or 2.

    The random numbers of each turn depend on `seed`; None (the default) makes them unpredictable.
    """

    def __init__(self, agent: Agent, seed: int | None = None) -> None:
        self.agent = agent
        self.seed = seed

    def think(self, state: GameState, propose: Propose) -> None:
        """Play one turn."""
        self.agent.rng.seed(turn_seed(self.seed, state))
        play_turn(self.agent, state, propose, FileMemory(Path(f"{state.player}.memory")))


class FrameworkPlayer:
    """An agent of the framework: one instance plays the whole game; it is created before its player number is known.

    The files that the agent itself saves are in the current folder too. There is also a link to the agent's own folder,
    under its name. Agents that open their files as in a checkout of the framework (`agent7/weights.npz`) need it.

    `api` is the API of the states that the agent gets, "v12" or "v14". The random numbers of each turn depend on
    `seed`; None (the default) makes them unpredictable.
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
        agent.lock = RLock()  # A reentrant lock: an agent that holds it while it proposes does not wait for itself.
        agent.best_move = best
        agent.compute_best_move(to_game_state(position_of(state), self.api))
        best.finish()


def made(kind: type[Any]) -> Any:
    """Create an instance of an agent's class; it also derives from the framework's SudokuAI if the class does not."""
    return (kind if issubclass(kind, SudokuAI) else type(CLASS, (kind, SudokuAI), {}))()


class BestMove(list[int]):
    """The `best_move` of a framework's agent: three integers, which become a proposal when the last of them is written.

    So every best move is proposed, whether the agent calls the framework's propose_move, its own, or writes directly.

    >>> best = BestMove(lambda move: print(repr(move)))
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
        """Propose the current best move, unless that has been done."""
        if tuple(self) != self._proposed:
            self._pass_on()

    def _pass_on(self) -> None:
        self._proposed = Move(*self)
        self._propose(self._proposed)


def _link(folder: Path) -> None:
    """Link a folder into the current one under its own name."""
    with suppress(OSError):  # The link exists already.
        Path(folder.name).symlink_to(folder, target_is_directory=True)


def turn_seed(seed: int | None, state: GameState) -> str | None:
    """Return the seed of the random numbers of a turn; None, if `seed` is None, means unpredictable numbers.

    Each turn of a player has a seed of its own, because the history is longer each time.
    """
    return None if seed is None else f"{seed} {state.player} {len(state.history)}"


def _seed_globals(seed: str | None) -> None:
    """Seed the generators that the framework's agents use; otherwise all copies of a process would play alike."""
    random.seed(seed)
    if "numpy" in sys.modules:
        import_module("numpy.random").seed(None if seed is None else random.Random(seed).getrandbits(32))
