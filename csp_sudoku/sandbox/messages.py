"""The messages between the arena and a supervisor that both sides know."""

from __future__ import annotations

from struct import Struct

ORDER = Struct("=d??I")
"""The head of an order: the seconds of the turn, whether to use them in full, whether the arena wants to know of the
proposals while the player thinks, and the size of the state in bytes."""
SO_FAR = "so far"
"""The key of a message during a turn: the last proposals since the message before."""
AGAIN = {"again": True}
"""The supervisor's message to the arena when the player must be loaded again before its turn."""
BROKEN = "broken"
"""The key of an answer with the error that stopped the supervisor."""
