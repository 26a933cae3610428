"""The common part of the agents once more, inside the folder."""

from ..common import first_move  # noqa: TID252 - that is the point

__all__ = ["first_move"]
