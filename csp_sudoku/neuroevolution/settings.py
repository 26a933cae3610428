"""Settings: what a training is about."""

from __future__ import annotations

from dataclasses import dataclass

FITNESSES = ("ranking", "threshold")
"""Those of phase one; `phases` tells what they are."""

STARTS = ("direct", "full")
"""How networks begin; `evolution` tells more."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a training is about. Equal settings make equal networks."""

    m: int
    n: int
    seed: int = 0
    population: int = 150
    fitness: str = "ranking"
    start: str = "direct"

    @property
    def cells(self) -> int:
        """The cells of a board."""
        return (self.m * self.n) ** 2
