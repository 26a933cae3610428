"""The assignment of a supervisor, as JSON: the player, the terms of the game and the working folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from csp_sudoku.game.rules import PlayMode
from csp_sudoku.sandbox.limits import PlayerLimits
from csp_sudoku.sandbox.namespaces import Isolation
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms


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
    terms: GameTerms = DEFAULT_TERMS
    """How the game is played, and the limits of the player."""
    seed: int | None = None
    log: str | None = None
    """The file to which the supervisor writes the player's output; None discards the output."""
    path: tuple[str, ...] = ()
    """The arena's `sys.path`, on which the player's modules are searched for."""
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
        terms = data["terms"]
        typed = GameTerms(
            **terms
            | {
                "mode": PlayMode(terms["mode"]),
                "limits": PlayerLimits(**terms["limits"]),
                "isolation": Isolation(terms["isolation"]),
            }
        )
        return Assignment(**{**data, **tuples, "terms": typed})
