"""Again what the agents share, from within."""

from ..common import first_move  # noqa: TID252 - that is the point

__all__ = ["first_move"]
