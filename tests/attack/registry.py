"""All hostile agents by their names. They register themselves when their modules are imported."""

from tests.attack import ending, flooding, forging, starting  # noqa: F401 - they register their agents
from tests.attack.hostiles import HOSTILES, Hostile

__all__ = ["HOSTILES", "hostile"]


def hostile(name: str) -> type[Hostile]:
    """The agent of a name."""
    return HOSTILES[name]
