"""The layer of the players: what each proposes, in order, on fixed positions in every mode.

A player is loaded and played as the arena does it, in a folder of its own where it keeps its memory. Some players plan
by the clock, so this needs the virtual one of `clock`. A turn is cut off after so many proposals, or so many looks at
the clock: both are the same on every machine. Each turn is played by a copy of the player, as in the arena, which forks
its process.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from copy import copy
from pathlib import Path

from csp_sudoku.players.player import load_player
from csp_sudoku.players.spec import registered_players
from tests.signature import clock, positions
from tests.signature.digest import line
from tests.signature.positions import MODES, SHAPES, name_of

PROPOSALS = {"champion": 1000, "timed-mcts": 1000, "tree-mcts": 15, "heuristic?fault=stale": 2}
"""Proposals after which a turn is cut off, where it is not `FEW`; a look at the clock ends it, too."""

FEW = 5
"""Proposals of a player that is plain Python: a sixth one may take long on a large board."""

SECONDS = 0.06
"""Virtual seconds after which a turn is cut off."""

TURNS = 2
"""Number of turns that a player plays in a game, so that its memory has an effect."""

OPTIONS = {
    "champion": ("time=0.03", "time=0.05&keep=false"),
    "greedy": ("safe=true",),
    "heuristic": ("fault=pairs", "fault=stale"),
    "parity": ("fault=blocks&prune=no",),
    "random": ("safe=true",),
    "skipper": ("bombs=rule&skip=behind",),
    "timed-mcts": ("longest=0.04", "longest=0.04&result=score&choice=robust&fault=playouts+side+root"),
    "tree-mcts": ("fault=pairs&keep=no",),
}
"""Options with which players are played, besides their defaults."""

ENDING = 14
"""Empty cells of the positions in which the champion plays the end of a game."""

SHAPES_OF = {"neat": ((2, 2), (2, 3), (3, 2), (3, 3)), "champion": SHAPES}
"""Shapes on which a player is played without options, if they differ from those of all players."""

SHAPES_OF_ALL = ((2, 2), (2, 3), (3, 3), (4, 3))
"""Shapes on which all other players are played."""

FRAMEWORK_AGENTS = Path(__file__).parents[1] / "framework" / "agents"


def lines():
    """The lines of this layer."""
    for registered in registered_players():
        for options in ("", *OPTIONS.get(registered.name, ())):
            spec = f"{registered.name}?{options}" if options else registered.name
            shapes = SHAPES_OF.get(spec, SHAPES_OF_ALL)
            most = PROPOSALS.get(spec, PROPOSALS.get(registered.name, FEW))
            yield from _played(spec, spec, shapes, most)
    yield from _played("champion ending", "champion", [*SHAPES_OF_ALL, (5, 5)], PROPOSALS["champion"], empty=ENDING)
    for folder in ("new_plain", "old_relative"):
        yield from _played(f"framework agent {folder}", str(FRAMEWORK_AGENTS / folder), [(2, 2), (2, 3)], 1000)


def _played(item, spec, shapes, most, empty=None):
    """The proposals of a player in some turns of a game of each shape and mode."""
    with _in_own_folder():
        loaded = load_player(spec, seed=1)
    for shape in shapes:
        for mode in MODES:
            with _in_own_folder():
                state = positions.position(shape, mode, 0.35, empty)
                yield from _game(f"{item} {name_of(shape)} {mode.value}", loaded, state, most)


def _game(item, player, state, most):
    """The proposals of a player in some turns of one game, against moves that need no thought."""
    rng = positions.random_of("signature", "opponent")
    for number in range(TURNS):
        if state.is_over:
            return
        proposals, count = _proposals(player, state, most)
        yield line(f"{item} turn {number + 1}", proposals=proposals, count=count)
        state, _ = state.play(proposals[-1])
        if not state.is_over:
            state, _ = state.play(None if state.must_pass else rng.choice(state.moves()))
        if state.must_pass:
            state, _ = state.play(None)


def _proposals(player, state, most):
    """The proposals of a player in a turn, with each run of equal moves once, and their number, `most` at most."""
    found, count = [], 0

    def propose(move):
        nonlocal count
        count += 1
        if not found or found[-1] != move:
            found.append(move)
        if count >= most:
            raise clock.TurnEndError

    played = copy(player)
    played.agent = copy(player.agent)  # as in the arena, where each turn is played by a copy of the process
    with clock.turn(SECONDS):
        played.think(state, propose)
    return found, count


@contextmanager
def _in_own_folder():
    """A new folder as the current one, where a player keeps its memory."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
