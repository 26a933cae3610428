"""The assignment of a supervisor: the player, the limits and the folder that it receives as JSON when it starts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from csp_sudoku.sandbox.limits import PlayerLimits

LOADER = "csp_sudoku.players.player:load_player"
"""The function that makes a player from a specification, as `module:function`."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One player of one game, and the settings for its process."""

    spec: str
    number: int
    """The number of the player: 1 or 2."""
    folder: str
    """The player's working folder. The supervisor creates it, and removes it at the end."""
    arena: int
    """The id of the arena's process. When that process ends, the supervisor ends, with all of its descendants."""
    api: str | None = None
    seed: int | None = None
    log: str | None = None
    """The file to which the supervisor writes the player's output; None discards the output."""
    limits: PlayerLimits = field(default_factory=PlayerLimits)
    path: tuple[str, ...] = ()
    """The arena's `sys.path`, on which the player's modules are searched for."""
    loader: str = LOADER
    persistent: bool = False
    """Whether one process of the player plays all turns; otherwise a forked copy plays each turn."""
    namespaces: tuple[str, ...] = ()
    """The kinds of namespaces in which the player runs, of `namespaces.NAMESPACES`."""

    def to_json(self) -> str:
        """Return the assignment as JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Assignment:
        """Return the assignment that `to_json` has written."""
        data = json.loads(text)
        tuples = {name: tuple(data[name]) for name in ("path", "namespaces")}
        return Assignment(**{**data, **tuples, "limits": PlayerLimits(**data["limits"])})
