"""Assignment: what a host is told when it starts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from csp_sudoku.arena.limits import Limits

LOADER = "csp_sudoku.players.player:load_player"
"""What makes a player of a specification, as `module:function`."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One player of one game, and how to run it."""

    spec: str
    number: int
    """1 or 2."""
    folder: str
    """The working folder, which the host makes, and removes at the end."""
    arena: int
    """The process that started the host. When it ends, the host ends, and all with it."""
    api: str | None = None
    seed: int | None = None
    log: str | None = None
    """The file for what the player prints; None to forget it."""
    limits: Limits = field(default_factory=Limits)
    path: tuple[str, ...] = ()
    """Where the player's modules are looked for: what the arena has as `sys.path`."""
    loader: str = LOADER
    persistent: bool = False
    """Whether the player's process plays all turns, and not a copy of it each."""

    def to_json(self) -> str:
        """The assignment as a text."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Assignment:
        """The assignment that a text tells."""
        data = json.loads(text)
        return Assignment(**{**data, "limits": Limits(**data["limits"]), "path": tuple(data["path"])})
