"""The evolution of a population of networks, bred by neat-python, in a state that can be saved and restored.

With the start `direct`, a network begins with one connection per cell, from the input of the cell to its output, with a
random weight. Phase one then has to find the signs of these weights, and mutation adds all other structure. With the
start `full`, a network begins with a connection from each input to each output, as in neat-python's example of XOR, and
evolution has to remove the effect of all but one connection of each output. Outputs are plain sums. A hidden node gets
a random activation when it is created, and keeps it.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import neat

from csp_sudoku.neuroevolution.network import ACTIVATIONS, Network
from csp_sudoku.neuroevolution.settings import EvolutionSettings

CONFIGURATION = """
[NEAT]
fitness_criterion = max
fitness_threshold = 0
no_fitness_termination = True
pop_size = {population}
reset_on_extinction = True

[DirectGenome]
num_inputs = {cells}
num_outputs = {cells}
num_hidden = 0
feed_forward = True
initial_connection = {start}
compatibility_disjoint_coefficient = 1.0
compatibility_weight_coefficient = 0.5
conn_add_prob = 0.5
conn_delete_prob = 0.02
node_add_prob = 0.03
node_delete_prob = 0.01
activation_default = random
activation_options = {activations}
activation_mutate_rate = 0
aggregation_default = sum
aggregation_options = sum
aggregation_mutate_rate = 0
enabled_default = True
enabled_mutate_rate = 0
{numbers}
[DefaultSpeciesSet]
compatibility_threshold = 3.0

[DefaultStagnation]
species_fitness_func = max
max_stagnation = 30
species_elitism = 2

[DefaultReproduction]
elitism = 2
survival_threshold = 0.2
min_species_size = 4
"""
"""The template of neat-python's configuration file."""

NUMBER = """{name}_init_mean = {mean}
{name}_init_stdev = {spread}
{name}_replace_rate = {replaced}
{name}_mutate_rate = {mutated}
{name}_mutate_power = {power}
{name}_min_value = -30
{name}_max_value = 30
"""

INITIAL = {"direct": "unconnected", "full": "full_direct"}
"""neat-python's name for each start. For `direct`, `DirectGenome` adds the connections itself."""

MUTATED = 0.05
"""Share of weights and biases that mutate in a child."""

Fitness = Callable[[Sequence[Network]], Sequence[float]]
"""The fitness of each network of a generation."""


class Numbers:
    """An iterator over the numbers from `following` on, like `itertools.count`.

    Unlike `itertools.count`, it can be pickled, and its next number can be read without changing it.

    >>> numbers = Numbers(5)
    >>> next(numbers), numbers.following
    (5, 6)
    """

    def __init__(self, following: int) -> None:
        self.following = following

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.following += 1
        return self.following - 1


class DirectGenome(neat.DefaultGenome):  # type: ignore[misc]  # it has no types
    """A genome that, for the start `direct`, begins with a connection from each input to the output of its cell."""

    def configure_new(self, config: Any) -> None:
        """Set up a genome of the first generation, which has no parents."""
        super().configure_new(config)
        if config.initial_connection != INITIAL["direct"]:
            return
        for output in config.output_keys:
            source = -1 - output
            number = config.innovation_tracker.get_innovation_number(source, output, "initial_connection")
            self.connections[source, output] = self.create_connection(config, source, output, number)

    def configure_crossover(self, genome1: Any, genome2: Any, config: Any) -> None:
        """Set up a genome as the child of two parents.

        The child has the connections of the fitter parent, which has no cycle. So neat-python's search for a cycle at
        each connection is disabled, because it would take most of the time.
        """
        config.feed_forward = False
        try:
            super().configure_crossover(genome1, genome2, config)
        finally:
            config.feed_forward = True

    @staticmethod
    def create_node(config: Any, node_id: int) -> Any:
        """Create a node; an output gets the activation `identity`."""
        node = neat.DefaultGenome.create_node(config, node_id)
        if node_id in config.output_keys:
            node.activation = "identity"
        return node


class Evolution:
    """A population that evolves generation by generation. Its methods restore the state of Python's global `random`."""

    def __init__(self, settings: EvolutionSettings) -> None:
        self.settings = settings
        self.config = configuration(settings)
        self.random_state = Random(f"{settings.seed} evolution").getstate()
        with self._own_randomness():
            self.population: Any = neat.Population(self.config)
        # Pickling neat-python's own counters changes the run, and it is impossible from Python 3.14 on.
        self.config.genome_config.node_indexer = Numbers(settings.cells)
        self.population.reproduction.genome_indexer = Numbers(1 + max(self.population.population))
        self.population.species.indexer = Numbers(1 + max(self.population.species.species))

    @property
    def generation(self) -> int:
        """The number of generations that are completed."""
        return int(self.population.generation)

    def advance(self, fitness: Fitness) -> None:
        """Evaluate the networks of this generation with `fitness`, and breed the next generation from the best ones."""

        def judge(genomes: list[tuple[int, Any]], _: Any) -> None:
            found = fitness([self.network_of(genome) for _, genome in genomes])
            for (_, genome), value in zip(genomes, found, strict=True):
                genome.fitness = value

        with self._own_randomness():
            self.population.run(judge, 1)
        self.population.best_genome = None
        self.population.reproduction.ancestors.clear()  # the table of ancestors would grow without bound

    def state(self) -> bytes:
        """The state that determines all later generations, as bytes."""
        population, reproduction = self.population, self.population.reproduction
        return pickle.dumps(
            {
                "generation": population.generation,
                "genomes": population.population,
                "species": (population.species.species, population.species.genome_to_species),
                "numbers": (
                    self.config.genome_config.node_indexer,
                    reproduction.genome_indexer,
                    population.species.indexer,
                ),
                "innovations": reproduction.innovation_tracker,
                "random": self.random_state,
            },
            pickle.HIGHEST_PROTOCOL,
        )

    def restore(self, state: bytes) -> None:
        """Continue from a state that `state` has returned."""
        found = pickle.loads(state)  # noqa: S301 - the user's own checkpoint
        population, reproduction = self.population, self.population.reproduction
        population.generation, population.population = found["generation"], found["genomes"]
        population.species.species, population.species.genome_to_species = found["species"]
        self.config.genome_config.node_indexer, reproduction.genome_indexer, population.species.indexer = found[
            "numbers"
        ]
        reproduction.innovation_tracker = self.config.genome_config.innovation_tracker = found["innovations"]
        self.random_state = found["random"]

    def network_of(self, genome: Any) -> Network:
        """The network that a genome describes."""
        nodes = {key: (node.bias, node.activation) for key, node in genome.nodes.items()}
        connections = [(*key, gene.weight) for key, gene in genome.connections.items() if gene.enabled]
        return Network.of(self.settings.cells, nodes, connections)

    @contextmanager
    def _own_randomness(self) -> Iterator[None]:
        """Make this population's random numbers the global ones for a block, because neat-python draws from those."""
        others = random.getstate()
        random.setstate(self.random_state)
        try:
            yield
        finally:
            self.random_state = random.getstate()
            random.setstate(others)


def configuration(settings: EvolutionSettings) -> Any:
    """neat-python's configuration for these settings."""
    rates = {"spread": 1, "replaced": 0.01, "mutated": MUTATED, "power": 1}
    constant = {"mean": 1, "spread": 0, "replaced": 0, "mutated": 0, "power": 0}  # redundant, since there are weights
    numbers = [NUMBER.format(name=name, mean=0, **rates) for name in ("weight", "bias")]
    numbers.append(NUMBER.format(name="response", **constant))
    text = CONFIGURATION.format(
        population=settings.population,
        start=INITIAL[settings.start],
        cells=settings.cells,
        activations=" ".join(ACTIVATIONS),
        numbers="".join(numbers),
    )
    with TemporaryDirectory() as folder:  # neat-python only reads its configuration from a file
        path = Path(folder) / "neat.ini"
        path.write_text(text, "utf-8")
        return neat.Config(
            DirectGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation, str(path)
        )
