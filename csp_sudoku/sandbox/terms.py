"""The terms of a game: its mode, its API, and the resources of its players. The time of a turn is not one of them.

One value passes from the command line, through matches and tournaments, to the processes of the players.
"""

from __future__ import annotations

from dataclasses import dataclass

from csp_sudoku.game.rules import PlayMode
from csp_sudoku.sandbox.limits import DEFAULT_LIMITS, PlayerLimits
from csp_sudoku.sandbox.namespaces import Isolation

LOADER = "csp_sudoku.players.player:load_player"
"""The function that makes a player from a specification, as `module:function`."""


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The settings that a game shares with all other games of its match or tournament."""

    mode: PlayMode = PlayMode.CLASSIC
    api: str | None = None
    """The framework API for agents of the framework; None selects for each agent the API that it is written for."""
    full_time: bool = False
    """Whether a turn lasts until its time is over; otherwise it ends when its player is done."""
    limits: PlayerLimits = DEFAULT_LIMITS
    """The limits of each player."""
    loader: str = LOADER
    """The function that loads the players in their processes, as `module:function`."""
    persistent: bool = False
    """Whether one process of a player plays all its turns; otherwise a copy of that process plays each turn."""
    isolation: Isolation = Isolation.NONE
    """Whether each player runs in namespaces of its own. The result of a game does not depend on it."""


DEFAULT_TERMS = GameTerms()
"""The default terms."""
