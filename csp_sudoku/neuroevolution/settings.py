"""The settings of a training."""

from __future__ import annotations

from dataclasses import dataclass

FITNESSES = ("ranking", "threshold")
"""The names of the fitness functions of phase one, which the module `phases` explains."""

STARTS = ("direct", "full")
"""The names of the initial structures of networks, which the module `evolution` explains."""


@dataclass(frozen=True, slots=True)
class EvolutionSettings:
    """The settings of a training. Trainings with equal settings produce equal networks."""

    m: int
    """The number of rows of a block."""
    n: int
    """The number of columns of a block."""
    seed: int = 0
    """The seed of all random numbers."""
    population: int = 150
    """The number of networks in a generation."""
    fitness: str = "ranking"
    """The fitness of phase one, one of `FITNESSES`."""
    start: str = "direct"
    """The initial structure of the networks, one of `STARTS`."""

    @property
    def cells(self) -> int:
        """The number of cells of a board."""
        return (self.m * self.n) ** 2
