"""A training runs generation after generation, keeps the best network, and can continue from a checkpoint.

    with crew_of(jobs) as pool:
        training = Training.begin(settings, Path("neat.checkpoint"))
        for generation in training.run(300, pool):
            ...
    training.best.network

The fittest network of each generation is tested on boards and games that are the same for all generations and that are
not used for the fitness. The training keeps the network with the best results in these tests.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from csp_sudoku.errors import OptionError
from csp_sudoku.neuroevolution.checkpoint import read_checkpoint, write_checkpoint
from csp_sudoku.neuroevolution.network import Network, StoredNetwork
from csp_sudoku.neuroevolution.phases import HELD_OUT, NetworkQuality, standing, warm_up
from csp_sudoku.neuroevolution.pool import NetworkPool
from csp_sudoku.neuroevolution.settings import EvolutionSettings

PAUSE = 1.0
"""Minimum time between two checkpoints, in seconds; a sudden end loses little more than this."""


class BestNetwork(NamedTuple):
    """The best network so far."""

    network: Network
    """The network."""
    generation: int
    """The number of its generation, counted from 0."""
    standing: NetworkQuality
    """Its quality on boards that are not used for the fitness."""


class Training:
    """A population in training. Use `begin` to start a training, or to continue one from a checkpoint.

    A training that is made directly starts anew, with these `settings`, and saves its state to the file `checkpoint`
    (default None: nowhere).
    """

    def __init__(self, settings: EvolutionSettings, checkpoint: Path | None = None) -> None:
        try:
            from csp_sudoku.neuroevolution.evolution import Evolution
        except ImportError as error:
            raise OptionError('expected neat-python, which "csp-sudoku[neat]" brings; found none') from error
        self.settings = settings
        self.checkpoint = checkpoint
        self.best: BestNetwork | None = None
        self.passed_at: int | None = None
        """The first generation whose fittest network passed phase one on boards that are not used for the fitness.

        None until there is one.
        """
        self.evolution = Evolution(settings)
        self._state = self._dumped()
        self._kept_at = monotonic()

    @staticmethod
    def begin(settings: EvolutionSettings, checkpoint: Path | None = None) -> Training:
        """Begin a training, or continue it if the file `checkpoint` exists.

        The training saves its state to `checkpoint`; with None, the default, it saves nothing. OptionError if
        the checkpoint has other settings.
        """
        training = Training(settings, checkpoint)
        kept = None if checkpoint is None else read_checkpoint(checkpoint)
        if kept is not None:
            found, state = kept
            if found != asdict(settings):
                raise OptionError(f"expected a checkpoint of {_told(asdict(settings))}; found {_told(found)}")
            training._restore(state)
        return training

    @property
    def generation(self) -> int:
        """The number of generations that are completed."""
        return self.evolution.generation

    def run(self, generations: int, pool: NetworkPool) -> Iterator[int]:
        """Train until `generations` generations are completed; yield the number of completed ones after each."""
        if self.generation >= generations:
            return
        warm_up()
        while self.generation < generations:
            self._advance(pool)
            self._state = self._dumped()
            if monotonic() - self._kept_at >= PAUSE:
                self.keep()
            yield self.generation
        self.keep()

    def keep(self) -> None:
        """Write the checkpoint with the state after the last completed generation. It can be called at any moment."""
        if self.checkpoint is not None:
            write_checkpoint(self.checkpoint, (asdict(self.settings), self._state))
        self._kept_at = monotonic()

    def stored(self, command: str) -> StoredNetwork:
        """The best network with the results of its training; `command` is the command that trains it again."""
        assert self.best is not None
        network, generation, found = self.best
        told: dict[str, Any] = {
            "generation": generation,
            "passed_phase_one_at": self.passed_at,
            "held_out_boards_passed": f"{found.firsts}/{HELD_OUT}",
            "simulated_score_against_random": found.against_random,
            "simulated_score_against_greedy": found.against_greedy,
        }
        return StoredNetwork((self.settings.m, self.settings.n), network, command, told)

    def _advance(self, pool: NetworkPool) -> None:
        number = self.generation
        fittest: list[Network] = []

        def fitness(networks: Sequence[Network]) -> list[float]:
            found = pool.fitness(self.settings, number, networks)
            fittest.append(networks[found.index(max(found))])
            return found

        self.evolution.advance(fitness)
        found = BestNetwork(fittest[0], number, standing(self.settings, fittest[0]))
        if found.standing.has_passed and self.passed_at is None:
            self.passed_at = number
        if self.best is None or found.standing.worth > self.best.standing.worth:
            self.best = found

    def _dumped(self) -> bytes:
        return pickle.dumps((self.evolution.state(), self.best, self.passed_at), pickle.HIGHEST_PROTOCOL)

    def _restore(self, state: bytes) -> None:
        evolution, self.best, self.passed_at = pickle.loads(state)  # noqa: S301 - the user's own checkpoint
        self.evolution.restore(evolution)
        self._state = state


def _told(settings: dict[str, Any]) -> str:
    """The settings as one line of text."""
    shape = f"{settings['m']}x{settings['n']}"
    others = ", ".join(f"{name} {value}" for name, value in settings.items() if name not in {"m", "n"})
    return f"shape {shape}, {others}"
