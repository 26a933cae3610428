"""The messages between the arena and a supervisor that both sides know."""

from __future__ import annotations

from struct import Struct

ORDER = Struct("=d?I")
"""The head of an order: the seconds of the turn, whether to use them in full, and the size of the state in bytes."""
AGAIN = {"again": True}
"""The supervisor's message to the arena when the player must be loaded again before its turn."""
BROKEN = "broken"
"""The key of an answer with the error that stopped the supervisor."""
